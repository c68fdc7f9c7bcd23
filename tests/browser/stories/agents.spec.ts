// Connect, as a person does it: ten clients in a home folder, their files' bytes,
// and real agents that start exactly what an entry names.
import { spawn } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { axeFindsNothing } from "../support/axe.ts";
import * as fake from "../support/clients.ts";
import { bytesOf, entryOf, type FakeClient, install, pathOf, TEN } from "../support/clients.ts";
import { ask, expect, look, signIn, test as base, watch } from "../support/test.ts";
import { LegacyAgent } from "../../clients/ts/support/agents.ts";
import { EntryAgent } from "../../clients/ts/support/entries.ts";
import type { Home } from "../../clients/ts/support/ozbrain.ts";

const pictures = join(import.meta.dirname, "..", "..", "output", "browser", "pictures");

/** A world with ten clients in it, and a person who has put the first run off. */
const test = base.extend<{ ten: readonly FakeClient[]; started: EntryAgent[] }>({
  // Before the server starts: it finds them as it would on any computer.
  ten: [
    async ({ home }, use) => {
      install(home, TEN);
      await use(TEN);
    },
    { auto: true },
  ],
  started: async ({}, use) => {
    const agents: EntryAgent[] = [];
    await use(agents);
    await Promise.allSettled(agents.map((agent) => agent.close()));
  },
});

/** Starts a client as its own configuration says, and makes one call. */
async function call(home: Home, client: FakeClient, started: EntryAgent[]): Promise<EntryAgent> {
  const agent = await EntryAgent.start(client.name, entryOf(home, client));
  started.push(agent);
  await agent.call("brains");
  return agent;
}

const list = (page: Page) => page.getByRole("listbox", { name: "Clients and connections" });
const row = (page: Page, name: string) => list(page).getByRole("option", { name: new RegExp(`^${name}`) });
const article = (page: Page) => page.getByRole("main", { name: "Agents" }).getByRole("article");

/** Opens a client's page, by way of the places and the list. */
async function open(page: Page, client: FakeClient): Promise<Locator> {
  await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Agents" }).click();
  await row(page, client.name).click();
  await expect(article(page).getByRole("heading", { level: 2 })).toContainText(client.name);
  return article(page);
}

/** The lines of a change as they stand on screen, by what happens to them. */
async function changeOf(within: Locator): Promise<{ added: string[]; all: string[] }> {
  const figure = within.getByRole("figure", { name: /^Exact change/ }).first();
  await expect(figure).toBeVisible();
  const lines = await figure.locator("div:not(.skip)").evaluateAll((nodes) =>
    nodes.map((node) => ({ added: node.classList.contains("add"), text: [...node.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE).map((child) => child.textContent).join("") })),
  );
  return { added: lines.filter((line) => line.added).map((line) => line.text), all: lines.map((line) => line.text) };
}

async function connect(page: Page, client: FakeClient): Promise<void> {
  const detail = await open(page, client);
  await changeOf(detail);
  await look(page);
  await detail.getByRole("button", { name: /^Connect/ }).click();
  await expect(detail.getByText(/Waits for its first call/)).toBeVisible();
}

for (const client of [fake.CURSOR, fake.VSCODE, fake.CODEX, fake.GOOSE, fake.ZED]) {
  test(`${client.name}: what was shown is what was written, a real call proves it, and disconnecting leaves the bytes that were there`, async ({ app, home, started }) => {
    const before = bytesOf(home, client);
    const detail = await open(app, client);
    const { added } = await changeOf(detail);
    expect(added.length).toBeGreaterThan(0);
    expect(bytesOf(home, client), "a preview changes nothing").toBe(before);
    await look(app);
    // By key: what the button says.
    await app.keyboard.press("Enter");
    await expect(detail.getByText(/Waits for its first call/)).toBeVisible();
    const after = bytesOf(home, client).split("\n");
    for (const line of added) if (line.trim() !== "") expect(after, "each line that was shown stands in the file").toContain(line.replace(/\u00a0/g, ""));
    await expect(row(app, client.name)).toContainText("waits for its first call");

    await call(home, client, started);
    // Nobody touches the page.
    await expect(detail.getByText(/^Works, last call/)).toBeVisible();
    await expect(detail.getByRole("listitem").filter({ hasText: "called OzBrain" })).toContainText("done");
    await expect(detail.getByText(/It sees Personal and team/)).toBeVisible();

    await app.keyboard.press("d");
    const dialog = app.getByRole("dialog", { name: `Disconnect ${client.name}?` });
    await expect(dialog.getByRole("figure")).toBeVisible();
    await look(app);
    await dialog.getByRole("button", { name: "Disconnect", exact: true }).click();
    await expect(dialog).toBeHidden();
    expect(bytesOf(home, client)).toBe(before);
    await expect(detail.getByText("On this computer. Not connected.")).toBeVisible();
  });
}

test("a file that moved since the preview is not written: the new change is shown, and that one is done", async ({ app, home }) => {
  const detail = await open(app, fake.CURSOR);
  await changeOf(detail);
  const moved = bytesOf(home, fake.CURSOR).replace('"github"', '"gitlab"');
  writeFileSync(pathOf(home, fake.CURSOR), moved);
  await look(app);
  await detail.getByRole("button", { name: /^Connect/ }).click();
  await expect(detail.getByRole("alert")).toContainText("mcp.json changed since the preview");
  expect(bytesOf(home, fake.CURSOR), "nothing was written").toBe(moved);
  expect((await changeOf(detail)).all.join("\n")).toContain("gitlab");
  await look(app);
  await detail.getByRole("button", { name: /^Connect/ }).click();
  await expect(detail.getByText(/Waits for its first call/)).toBeVisible();
  expect(bytesOf(home, fake.CURSOR)).toContain("gitlab");
  expect(entryOf(home, fake.CURSOR).args).toContain("cursor");
});

test("a key pressed twice connects one client once, and nothing unseen", async ({ app, home }) => {
  const detail = await open(app, fake.CURSOR);
  await app.keyboard.press("Enter");
  await app.keyboard.press("ArrowDown");
  await app.keyboard.press("Enter");
  await app.keyboard.press("Enter");
  await expect(detail).toBeVisible();
  expect(bytesOf(home, fake.VSCODE)).toBe(fake.VSCODE.text);
});

test("what is granted before a client is connected is all that it ever sees", async ({ app, home, started }) => {
  home.ok("write", "--brain", "team", "--topic", "projects/q3", "--body", "The launch is in September.");
  const detail = await open(app, fake.ZED);
  await changeOf(detail);
  await look(app);
  const of = (brain: string) => detail.getByRole("radiogroup", { name: `Grant of Zed in ${brain}` });
  // What a new one gets, until something else is chosen: by keyboard, as any choice.
  await expect(of("Personal").getByRole("radio", { checked: true })).toHaveAccessibleName("write");
  await of("Personal").getByRole("radio", { checked: true }).focus();
  await app.keyboard.press("ArrowLeft");
  await app.keyboard.press("ArrowLeft");
  await expect(of("Personal").getByRole("radio", { name: "none" })).toBeFocused();
  await expect(of("Personal").getByRole("radio", { checked: true })).toHaveAccessibleName("none");
  await of("team").getByRole("radio", { name: "read" }).click();
  await axeFindsNothing(app, "grants before connecting");
  for (const scheme of ["light", "dark"] as const) {
    await app.emulateMedia({ colorScheme: scheme });
    await app.screenshot({ path: join(pictures, `agents-grants-before-${scheme}.png`) });
  }
  await app.emulateMedia({ colorScheme: null });
  expect(bytesOf(home, fake.ZED), "nothing is connected yet").toBe(fake.ZED.text);
  const { connections } = await ask<{ connections: { connection: string }[] }>(app, "/api/connections");
  expect(connections.map((row) => row.connection), "nor known, nor granted anything").not.toContain("zed");
  await look(app);
  await detail.getByRole("button", { name: /^Connect/ }).click();
  await expect(detail.getByText(/Waits for its first call/)).toBeVisible();
  const agent = await call(home, fake.ZED, started);
  const { brains } = await agent.call("brains");
  expect(brains.map((brain: { brain: string }) => brain.brain)).toEqual(["team"]);
  expect((await agent.refusal("write", { brain: "team", topic: "projects/q3", body: "Or in May." })).code).toBe("not_allowed");
  await expect(detail.getByText("It sees team")).toBeVisible();
  await expect(detail.getByText("and not Personal, as granted")).toBeVisible();
});

test("the matrix changes what a real agent may read at once, and a revoke is for good", async ({ app, home, started }) => {
  home.ok("write", "--brain", "team", "--topic", "projects/q3", "--body", "The launch is in September.");
  await connect(app, fake.CURSOR);
  const agent = await call(home, fake.CURSOR, started);
  const found = async () => (await agent.call("search", { query: "launch in September" })).results.length;
  expect(await found()).toBe(1);
  await app.getByRole("radiogroup", { name: "Show" }).getByRole("radio", { name: "Grants" }).click();
  const matrix = app.getByRole("region", { name: "Grants of each connection in each brain" });
  // Arrows pass over what a choice would do at once.
  const grant = matrix.getByRole("radiogroup", { name: "Grant of Cursor in team" });
  await grant.getByRole("radio", { checked: true }).focus();
  await app.keyboard.press("ArrowRight");
  await expect(grant.getByRole("radio", { name: "none" })).toBeFocused();
  await expect(grant.getByRole("radio", { checked: true })).toHaveAccessibleName("write");
  expect(await found()).toBe(1);
  await matrix.getByRole("radiogroup", { name: "Grant of Cursor in team" }).getByRole("radio", { name: "none" }).click();
  await expect(app.getByText("Cursor has the grant none in team now.").first()).toBeVisible();
  expect(await found()).toBe(0);
  await expect(matrix).toContainText("your account on this computer is the boundary");
  await axeFindsNothing(app, "the matrix");

  await matrix.getByRole("button", { name: /Revoke Cursor/ }).click();
  const dialog = app.getByRole("dialog", { name: "Revoke Cursor?" });
  await dialog.getByRole("button", { name: "Revoke Cursor" }).click();
  await expect(matrix.getByRole("rowheader", { name: "Cursor" })).toHaveCount(0);
  await expect(agent.call("brains")).rejects.toThrow();
  // Its entry stands, and says so.
  await app.getByRole("radiogroup", { name: "Show" }).getByRole("radio", { name: "Clients" }).click();
  await expect(row(app, "Cursor")).toContainText("its connection was revoked");
});

test("an owner is marked where only owners write", async ({ app, home, started }) => {
  home.ok("brain", "create", "ops", "--shared", "--write-policy", "owners");
  await connect(app, fake.CURSOR);
  const agent = await call(home, fake.CURSOR, started);
  expect((await agent.refusal("write", { brain: "ops", topic: "a", body: "b" })).code).toBe("not_allowed");
  const detail = article(app);
  await detail.getByRole("radiogroup", { name: "Grant of Cursor in ops" }).getByRole("radio", { name: "write" }).click();
  await detail.getByRole("checkbox", { name: "Cursor is an owner of ops" }).check();
  await expect(app.getByText("Cursor is an owner of ops now.").first()).toBeVisible();
  expect((await agent.call("write", { brain: "ops", topic: "a", body: "b" })).outcome).toBe("created");
  await expect(detail.locator(".last")).toContainText("a");
});

test("a revoked client is connected again under a new name, and stays known by what it wrote", async ({ app, home, started }) => {
  await connect(app, fake.CURSOR);
  await call(home, fake.CURSOR, started);
  const detail = article(app);
  await expect(detail.getByText(/^Works, last call/)).toBeVisible();
  await detail.getByRole("button", { name: "Revoke Cursor…" }).click();
  await app.getByRole("dialog").getByRole("button", { name: "Revoke Cursor" }).click();
  await expect(detail.getByRole("heading", { name: "Mend Cursor" })).toBeVisible();
  await changeOf(detail);
  await look(app);
  await detail.getByRole("button", { name: /^Connect again/ }).click();
  await expect(detail.getByText(/Waits for its first call/)).toBeVisible();
  expect(entryOf(home, fake.CURSOR).args).toContain("cursor-2");
  await call(home, fake.CURSOR, started);
  await expect(detail.getByText(/^Works, last call/)).toBeVisible();
  await app.getByRole("button", { name: "Revoked, 1" }).click();
  await expect(app.getByRole("listbox", { name: "Revoked" }).getByRole("option", { name: /^Cursor/ })).toContainText("for good");
});

test("rules are offered and shown, written with the entry, taken out and put in again, and go when it is disconnected", async ({ app, home }) => {
  const rules = join(home.user, ".codex", "AGENTS.md");
  const mine = "# How Ann works\n\nShort answers.\n";
  writeFileSync(rules, mine);
  const detail = await open(app, fake.CODEX);
  const offer = detail.getByRole("checkbox", { name: /when to use OzBrain/ });
  await expect(offer).toBeChecked();
  await detail.getByRole("button", { name: "Show the text" }).click();
  const shown = detail.getByRole("figure", { name: "Exact change of the rules in AGENTS.md" });
  await expect(shown).toContainText("OzBrain");
  await offer.uncheck();
  await expect(shown).toHaveCount(0);
  await offer.check();
  await expect(shown).toBeVisible();
  await look(app);
  await detail.getByRole("button", { name: /^Connect/ }).click();
  await expect(detail.getByText(/Waits for its first call/)).toBeVisible();
  expect(readFileSync(rules, "utf8")).toContain(mine);
  expect(readFileSync(rules, "utf8")).toContain("OzBrain");

  for (const [opens, does, there] of [["Take the text out…", "Take it out", false], ["Add the text…", "Add it", true]] as const) {
    await detail.getByRole("button", { name: opens }).click();
    const dialog = app.getByRole("dialog", { name: /^Rules for/ });
    await expect(dialog.getByRole("figure")).toBeVisible();
    await axeFindsNothing(app, opens);
    await look(app);
    await dialog.getByRole("button", { name: does }).click();
    await expect(dialog).toBeHidden();
    expect(readFileSync(rules, "utf8").includes("OzBrain"), opens).toBe(there);
    expect(entryOf(home, fake.CODEX).args, "the entry stays").toContain("codex");
  }
  await app.keyboard.press("d");
  await expect(app.getByRole("dialog").getByRole("figure").first()).toBeVisible();
  await look(app);
  await app.getByRole("dialog").getByRole("button", { name: "Disconnect", exact: true }).click();
  await expect(detail.getByText("On this computer. Not connected.")).toBeVisible();
  expect(readFileSync(rules, "utf8")).toBe(mine);
  expect(bytesOf(home, fake.CODEX)).toBe(fake.CODEX.text);
});

test("what is not on this computer is folded away, and found once it is", async ({ app, home }) => {
  await app.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Agents" }).click();
  await expect(list(app)).toBeVisible();
  await expect(app.getByRole("option", { name: /^Junie/ })).toHaveCount(0);
  await app.getByRole("button", { name: /^Not on this computer, \d/ }).click();
  const junie = app.getByRole("listbox", { name: "Not on this computer" }).getByRole("option", { name: /^Junie/ });
  await junie.click();
  await expect(article(app)).toContainText("Junie was not found on this computer");
  await expect(article(app).getByRole("textbox", { name: "The lines to add" })).toHaveValue(/ozbrain/);
  mkdirSync(join(home.user, ".junie"));
  await app.getByRole("button", { name: "Search this computer again" }).click();
  await expect(row(app, "Junie")).toBeVisible();
  await expect(article(app).getByRole("button", { name: /^Connect/ })).toBeVisible();
});

test("what cannot be disconnected is told to be taken out by hand, and nobody is told to add it again", async ({ app, home }) => {
  await connect(app, fake.CURSOR);
  const entered = bytesOf(home, fake.CURSOR);
  const detail = article(app);
  const dialog = app.getByRole("dialog", { name: "Disconnect Cursor?" });
  chmodSync(pathOf(home, fake.CURSOR), 0o444);
  await detail.getByRole("button", { name: /^Disconnect/ }).click();
  await expect(dialog).toContainText("Take the entry ozbrain out of mcp.json yourself");
  await expect(dialog.getByRole("textbox")).toHaveCount(0);
  await app.keyboard.press("Escape");
  chmodSync(pathOf(home, fake.CURSOR), 0o644);

  // Broken between the preview and the press: what stands there says so.
  await detail.getByRole("button", { name: /^Disconnect/ }).click();
  await expect(dialog.getByRole("figure")).toBeVisible();
  writeFileSync(pathOf(home, fake.CURSOR), `${entered}}`);
  await look(app);
  await dialog.getByRole("button", { name: "Disconnect", exact: true }).click();
  await expect(detail.getByRole("note")).toContainText("cannot be read as Cursor reads it");
  await expect(detail).toContainText("Mend the file");
  await expect(detail.getByRole("textbox")).toHaveCount(0);
  expect(bytesOf(home, fake.CURSOR)).toBe(`${entered}}`);
  writeFileSync(pathOf(home, fake.CURSOR), entered);
  await detail.getByRole("button", { name: "Look again" }).click();
  await expect(detail.getByText(/Waits for its first call/)).toBeVisible();
});

test("the list by keyboard reaches what is folded, and the focus is where the choice is", async ({ app }) => {
  await app.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Agents" }).click();
  await app.getByRole("button", { name: /^Not on this computer, \d/ }).click();
  await list(app).focus();
  const folded = app.getByRole("listbox", { name: "Not on this computer" });
  await app.keyboard.press("End");
  await expect(folded.getByRole("option", { selected: true })).toBeVisible();
  await expect(folded).toBeFocused();
  await expect(folded).toHaveAttribute("aria-activedescendant", /.+/);
  await app.keyboard.press("Home");
  await expect(list(app)).toBeFocused();
  await row(app, "Zed").click();
  await changeOf(article(app));
  await article(app).getByRole("button", { name: "Copy the lines instead" }).press("Enter");
  await expect(article(app).getByRole("textbox", { name: "The lines to add" })).toBeFocused();
});

test("a client that runs and would write its file over has to be quit first, and the page notices", async ({ app, home }) => {
  test.skip(process.platform !== "linux", "processes are told by their names here");
  const program = join(home.dir, "claude-desktop");
  copyFileSync("/bin/sleep", program);
  chmodSync(program, 0o755);
  const running = spawn(program, ["60"], { stdio: "ignore" });
  try {
    const detail = await open(app, fake.CLAUDE_DESKTOP);
    await expect(detail.getByRole("note")).toContainText("Claude Desktop");
    await expect(detail.getByText("This page notices once it is quit.")).toBeVisible();
    await expect(detail.getByRole("button", { name: /^Connect/ })).toHaveCount(0);
    expect(bytesOf(home, fake.CLAUDE_DESKTOP)).toBe(fake.CLAUDE_DESKTOP.text);
  } finally {
    running.kill();
  }
  const detail = article(app);
  await changeOf(detail);
  await look(app);
  await detail.getByRole("button", { name: /^Connect/ }).click();
  await expect(detail.getByText("Waits for its first call: quit Claude Desktop whole, from the tray too, and start it again.")).toBeVisible();
});

test("a client that can install OzBrain itself may stay open: another way, shown whole, and said what to do", async ({ app, home }) => {
  // The builds for Linux open no such file: what the server says on macOS is put in its answers, and the screens are the real ones.
  const file = join(home.dir, "data", "bundles", "claude-desktop", "ozbrain.mcpb");
  const manifest = '{\n  "manifest_version": "0.3",\n  "name": "ozbrain"\n}\n';
  const problem = { code: "running", message: "Claude Desktop runs, and would write its file anew without this change. Quit it, from its tray icon too, and try again." };
  let made = false;
  let opened = 0;
  const asked: unknown[] = [];
  const planned = (plan: object) => ({
    ...plan,
    file,
    way: { way: "bundle", manifest },
    other: "file",
    after: "install",
    effect: made ? "same" : "made",
    changes: !made,
    diff: made ? [] : manifest.trimEnd().split("\n").map((text, i) => ({ kind: "added", text, line: i + 1 })),
    plan: made ? "again" : "bundle",
  });
  const standing = (client: object) => ({ ...client, ...(made ? { state: "waiting", by: "bundle", after: "install", file, connection: "claude-desktop", connected_at: new Date().toISOString() } : {}) });
  await app.route("**/api/clients", async (route) => {
    const answer = await route.fetch();
    const { clients } = await answer.json();
    await route.fulfill({ response: answer, json: { clients: clients.map((client: { client: string }) => (client.client === "claude-desktop" ? standing(client) : client)) } });
  });
  await app.route("**/api/clients/claude-desktop/plan?*", async (route) => {
    const url = new URL(route.request().url());
    const by = url.searchParams.get("by");
    url.searchParams.delete("by");
    const answer = await route.fetch({ url: url.toString() });
    const plan = await answer.json();
    await route.fulfill({ response: answer, json: by === "bundle" ? planned(plan) : { ...plan, problem, other: "bundle", diff: [] } });
  });
  await app.route("**/api/clients/claude-desktop/connect", async (route) => {
    asked.push(route.request().postDataJSON());
    const outcome = made ? "unchanged" : "connected";
    made = true;
    opened += 1;
    const all = await ask<{ clients: { client: string }[] }>(app, "/api/clients");
    const plan = await ask<object>(app, "/api/clients/claude-desktop/plan?act=connect&by=bundle");
    await route.fulfill({ json: { outcome, plan, client: all.clients.find((one) => one.client === "claude-desktop") } });
  });
  const detail = await open(app, fake.CLAUDE_DESKTOP);
  await expect(detail.getByRole("note")).toContainText("Claude Desktop runs");
  await axeFindsNothing(app, "a client that runs, and another way");
  await app.screenshot({ path: join(pictures, "agents-another-way.png") });
  await detail.getByRole("button", { name: "Let Claude Desktop install it" }).click();
  await expect(detail.getByRole("figure", { name: "What the extension says of itself" })).toContainText('"manifest_version": "0.3"');
  await expect(detail.getByText("Claude Desktop then asks you whether to install it: say Install.")).toBeVisible();
  await detail.getByRole("radiogroup", { name: "Grant of Claude Desktop in Personal" }).getByRole("radio", { name: "none" }).click();
  await expect(detail.getByRole("listitem").filter({ hasText: "The extension is made" })).toContainText("waits");
  await axeFindsNothing(app, "an extension before it is made");
  await app.screenshot({ path: join(pictures, "agents-extension.png") });
  await look(app);
  await detail.getByRole("button", { name: /^Connect/ }).click();
  await expect(detail.getByText("Waits for its first call: say Install where Claude Desktop asks you to install OzBrain.")).toBeVisible();
  await expect(app.getByText("Claude Desktop is connected. It waits for its first call: say Install where").first()).toBeVisible();
  expect(asked).toEqual([{ plan: "bundle", by: "bundle", grants: { personal: "none" } }]);
  await expect(detail.getByRole("listitem").filter({ hasText: "The extension is made" })).toContainText("done");
  await axeFindsNothing(app, "an extension that waits to be installed");
  await app.screenshot({ path: join(pictures, "agents-extension-waits.png") });
  await look(app);
  await detail.getByRole("button", { name: "Open it again" }).click();
  await expect(app.getByText("The extension was opened again.").first()).toBeVisible();
  expect(opened).toBe(2);
  expect(bytesOf(home, fake.CLAUDE_DESKTOP), "its own file is not touched").toBe(fake.CLAUDE_DESKTOP.text);
  // The page goes on asking until it is closed.
  await app.unrouteAll({ behavior: "ignoreErrors" });
});

test("where the first call does not come, the page says what to check", async ({ app }) => {
  await connect(app, fake.ZED);
  const detail = article(app);
  await expect(detail.getByRole("heading", { name: "No call yet" })).toHaveCount(0);
  await app.clock.setFixedTime(Date.now() + 3 * 60_000);
  // The page renews its time by itself; a way there and back is quicker.
  await row(app, "Cursor").click();
  await app.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Inbox" }).click();
  await open(app, fake.ZED);
  await expect(detail.getByRole("heading", { name: "No call yet" })).toBeVisible();
  await expect(detail.getByRole("listitem").filter({ hasText: "sandbox" })).toContainText("another memory");
  await axeFindsNothing(app, "a first call that does not come");
  await app.screenshot({ path: join(pictures, "agents-late.png") });
});

test("the whole of it by keyboard: choose, connect, disconnect", async ({ app, home }) => {
  await app.keyboard.press("Control+4");
  await expect(list(app)).toBeVisible();
  const chosen = list(app).getByRole("option", { selected: true });
  await list(app).focus();
  for (let steps = 0; steps < 10 && !(await chosen.textContent())?.includes("Cursor"); steps++) await app.keyboard.press("ArrowDown");
  await expect(chosen).toContainText("Cursor");
  await changeOf(article(app));
  await look(app);
  await app.keyboard.press("Enter");
  await expect(article(app).getByText(/Waits for its first call/)).toBeVisible();
  expect(entryOf(home, fake.CURSOR).args).toContain("cursor");
  await app.keyboard.press("d");
  const dialog = app.getByRole("dialog");
  await expect(dialog.getByRole("figure")).toBeVisible();
  await look(app);
  await dialog.getByRole("button", { name: "Disconnect", exact: true }).focus();
  await app.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  expect(bytesOf(home, fake.CURSOR)).toBe(fake.CURSOR.text);
});

test("a client that drops its entry is a problem in the Inbox, mended by one key", async ({ app, home, started }) => {
  await connect(app, fake.CURSOR);
  await call(home, fake.CURSOR, started);
  await expect(article(app).getByText(/^Works, last call/)).toBeVisible();
  // As clients do: the whole file anew, from what they hold.
  writeFileSync(pathOf(home, fake.CURSOR), fake.CURSOR.text);
  const inbox = app.getByRole("navigation", { name: "Places" }).getByRole("link", { name: /^Inbox/ });
  await expect(inbox).toContainText("1", { timeout: 30_000 });
  await inbox.click();
  const problem = app.getByRole("option", { name: /Cursor/ });
  await problem.click();
  const detail = app.getByRole("article", { name: "Cursor" });
  await expect(detail).toContainText("dropped its OzBrain entry");
  const { added } = await changeOf(detail);
  await axeFindsNothing(app, "a client that dropped its entry, in the Inbox");
  await app.screenshot({ path: join(pictures, "agents-inbox-problem.png") });
  await look(app);
  await app.keyboard.press("r");
  await expect(problem).toBeHidden();
  for (const line of added) expect(bytesOf(home, fake.CURSOR)).toContain(line);
  await call(home, fake.CURSOR, started);
  await open(app, fake.CURSOR);
  await expect(article(app).getByText(/^Works, last call/)).toBeVisible();
});

test("a file that cannot be read or written is left as it is: its place is told, and the lines to add by hand", async ({ app, home }) => {
  const broken = await open(app, fake.WINDSURF);
  await expect(broken.getByRole("note")).toContainText(/mcp_config\.json.*line \d+, column \d+/i);
  await expect(row(app, "Windsurf")).toContainText(/broken in line \d+/);
  await expect(broken.getByRole("textbox", { name: "The lines to add" })).toHaveValue(/"ozbrain"/);
  await expect(broken.getByRole("button", { name: /^Connect/ })).toHaveCount(0);
  // Mended by hand, it is seen at once.
  writeFileSync(pathOf(home, fake.WINDSURF), fake.WINDSURF.text.replace('"a" }\n', '"a" },\n'));
  await broken.getByRole("button", { name: "Look again" }).click();
  await expect(broken.getByRole("button", { name: /^Connect/ })).toBeVisible();

  const readOnly = await open(app, fake.LM_STUDIO);
  await expect(readOnly.getByRole("note")).toBeVisible();
  await expect(readOnly.getByRole("button", { name: /^Connect/ })).toHaveCount(0);
  expect(bytesOf(home, fake.LM_STUDIO)).toBe(fake.LM_STUDIO.text);
});

test("any other client takes the lines over stdio, or an address and a key that is shown once", async ({ app, home, server, started }) => {
  await app.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Agents" }).click();
  await row(app, "Another client").click();
  const detail = article(app);
  await detail.getByRole("textbox", { name: "Name" }).fill("Night shift");
  const lines = detail.getByRole("textbox", { name: "As JSON" });
  await expect(lines).toHaveValue(/Night shift/);
  const entry = Object.values(JSON.parse(await lines.inputValue()).mcpServers)[0] as { command: string; args: string[] };
  const agent = await EntryAgent.start("Night shift", entry);
  started.push(agent);
  await agent.call("brains");
  await expect(row(app, "Night shift")).toBeVisible();

  await detail.getByRole("textbox", { name: "Name" }).fill("Day shift");
  await detail.getByRole("radio", { name: "HTTP" }).click();
  await detail.getByRole("button", { name: "Make a key" }).click();
  await expect(detail.getByText(/this once/)).toBeVisible();
  const header = await detail.getByRole("textbox", { name: "Header" }).inputValue();
  const address = await detail.getByRole("textbox", { name: "Address" }).inputValue();
  expect(address).toBe(server.url.href);
  const overHttp = await LegacyAgent.connect(server, header.replace(/^Authorization: Bearer /, ""), "Day shift");
  await overHttp.call("brains");
  await overHttp.close();
  await expect(row(app, "Day shift")).toBeVisible();
  expect(home.json("connection", "list").connections.map((one: { connection: string }) => one.connection)).toContain("Day shift");
});

test("lines are copied, or selected where the clipboard is closed", async ({ app, home, server, context, wrong }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.origin });
  await app.goto(`${server.origin}/agents?more=hand`);
  const copy = app.getByRole("button", { name: "Copy: As JSON" });
  await copy.click();
  await expect(app.getByText("Copied.").first()).toBeVisible();
  const lines = await app.getByRole("textbox", { name: "As JSON" }).inputValue();
  expect(await app.evaluate(() => navigator.clipboard.readText())).toBe(lines);

  const closed = await context.newPage();
  watch(closed, wrong);
  await closed.addInitScript(() => Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined }));
  await signIn(closed, home, server);
  await closed.goto(`${server.origin}/agents?more=hand`);
  await closed.getByRole("button", { name: "Copy: As JSON" }).click();
  await expect(closed.getByText(/It is selected/).first()).toBeVisible();
  expect(await closed.evaluate(() => (document.activeElement as HTMLTextAreaElement).value.length === (document.activeElement as HTMLTextAreaElement).selectionEnd)).toBe(true);
  await closed.close();
});

test("the page says what the web cannot do here, and leads to what works today", async ({ app }) => {
  await app.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Agents" }).click();
  await row(app, "On the web").click();
  await expect(article(app)).toContainText("public HTTPS address");
  await article(app).getByRole("button", { name: "Open Codex and ChatGPT" }).click();
  await expect(article(app).getByRole("heading", { level: 2 })).toContainText("Codex and ChatGPT");
});

test("the first run: clients are connected by one press, prove themselves, and the first fact reaches them", async ({ app, home, started }) => {
  const work = app.getByRole("main", { name: "Inbox" });
  await expect(work.getByRole("heading", { name: "Ten clients are on this computer" })).toBeVisible();
  await expect(work.getByRole("checkbox", { name: /Windsurf/ })).toBeDisabled();
  for (const client of TEN) {
    const box = work.getByRole("checkbox", { name: new RegExp(client.name) });
    if ((await box.isEnabled()) && client !== fake.CURSOR && client !== fake.CODEX) await box.uncheck();
  }
  await work.getByRole("button", { name: "Show the change of Cursor" }).click();
  await changeOf(work);
  await look(app);
  await work.getByRole("button", { name: /^Connect 2 clients/ }).click();
  await expect(work.getByRole("heading", { name: "Now open them" })).toBeVisible();
  for (const client of TEN) if (client !== fake.CURSOR && client !== fake.CODEX) expect(bytesOf(home, client), client.name).toBe(client.text);
  await expect(work.getByRole("listitem").filter({ hasText: "Codex" })).toContainText("Waits for its first call");

  await call(home, fake.CURSOR, started);
  await expect(work.getByRole("heading", { name: "1 of 2 have called" })).toBeVisible();
  const codex = await call(home, fake.CODEX, started);
  await expect(work.getByRole("heading", { name: "All of them work" })).toBeVisible();
  await axeFindsNothing(app, "the first run, proved");
  await app.screenshot({ path: join(pictures, "firstrun-proved.png") });

  await app.keyboard.press("Enter");
  await work.getByRole("textbox", { name: "The fact" }).fill("Ask Dana before promising a date.");
  await work.getByRole("textbox", { name: "Topic" }).fill("clients/meridian");
  await axeFindsNothing(app, "the first run, the first fact");
  await app.keyboard.press("Control+Enter");
  await expect(work.getByRole("heading", { name: "It is written" })).toBeVisible();
  const { results } = await codex.call("search", { query: "who to ask before promising a date" });
  expect(results).toHaveLength(1);
  await work.getByRole("button", { name: "Go to the Inbox" }).click();
  await expect(work.getByRole("heading", { name: "Nothing waits for you" })).toBeVisible();
});

test("the first run writes no rules without the person's yes", async ({ app, home }) => {
  const rules = join(home.user, ".codex", "AGENTS.md");
  writeFileSync(rules, "Short answers.\n");
  const work = app.getByRole("main", { name: "Inbox" });
  for (const client of TEN) {
    const box = work.getByRole("checkbox", { name: new RegExp(client.name) });
    if ((await box.isEnabled()) && client !== fake.CODEX) await box.uncheck();
  }
  const offer = work.getByRole("checkbox", { name: /when to use OzBrain/ });
  await expect(offer).toBeChecked();
  await offer.uncheck();
  await expect(work.getByText(/rules in AGENTS\.md/)).toHaveCount(0);
  await look(app);
  await work.getByRole("button", { name: /^Connect 1 client/ }).click();
  await expect(work.getByRole("heading", { name: "Now open them" })).toBeVisible();
  expect(entryOf(home, fake.CODEX).args).toContain("codex");
  expect(readFileSync(rules, "utf8")).toBe("Short answers.\n");
});

test("not now: the first run goes away, and the way to it stays", async ({ app }) => {
  const main = app.getByRole("main", { name: "Inbox" });
  await main.getByRole("button", { name: "Not now" }).click();
  await expect(main.getByRole("heading", { name: "No agent is connected yet" })).toBeVisible();
  await app.reload();
  await expect(main.getByRole("heading", { name: "No agent is connected yet" })).toBeVisible();
  await main.getByRole("link", { name: "Connect a client" }).click();
  await expect(article(app)).toBeVisible();
});

/** What is kept as pictures: the place, and what is there when it has come. */
const shots: [string, string, (page: Page) => Promise<unknown>][] = [
  ["found", "/agents?client=vscode", (page) => changeOf(article(page))],
  ["rules", "/agents?client=codex", (page) => changeOf(article(page))],
  ["works", "/agents?client=cursor", (page) => expect(article(page).getByText(/^Works, last call/)).toBeVisible()],
  ["waits", "/agents?client=zed", (page) => expect(article(page).getByText(/^Waits for its first call/)).toBeVisible()],
  ["blocked", "/agents?client=windsurf", (page) => expect(article(page).getByRole("textbox")).toBeVisible()],
  ["hand", "/agents?more=hand", (page) => expect(article(page).getByRole("textbox", { name: "As JSON" })).toBeVisible()],
  ["web", "/agents?more=web", (page) => expect(article(page)).toContainText("public HTTPS address")],
  ["grants", "/agents?view=grants", (page) => expect(page.getByRole("table")).toBeVisible()],
];
const sizes = [
  ["1440", { width: 1440, height: 900 }],
  ["1180", { width: 1180, height: 760 }],
  ["390", { width: 390, height: 844 }],
] as const;

/** Nothing is being fetched or moved any more. */
async function still(page: Page): Promise<void> {
  await expect(page.getByText("Loading…")).toHaveCount(0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
  });
}

for (const theme of ["light", "dark"] as const) {
  for (const [size, viewport] of sizes) {
    test(`pictures of Agents and the first run, ${theme}, ${size}: axe finds nothing`, async ({ browser, home, server, started, wrong }) => {
      test.setTimeout(180_000);
      const context = await browser.newContext({ viewport, colorScheme: theme, baseURL: server.origin });
      const page = await context.newPage();
      watch(page, wrong);
      const keep = async (name: string) => {
        await still(page);
        await page.screenshot({ path: join(pictures, `${name}-${theme}-${size}.png`) });
        await axeFindsNothing(page, `${name}, ${theme}, ${size}`);
      };
      await signIn(page, home, server);
      await changeOf(page.getByRole("main"));
      await keep("firstrun");
      home.ok("connect", "cursor");
      home.ok("connect", "zed");
      const agent = await call(home, fake.CURSOR, started);
      await agent.call("write", { brain: "team", topic: "clients/meridian", title: "Contact", body: "Dana Reyes." });
      await agent.call("search", { query: "Dana" });
      home.key("nightly report");
      for (const [name, path, come] of shots) {
        await page.goto(path);
        await come(page);
        await keep(`agents-${name}`);
      }
      await page.goto("/agents?client=cursor");
      await article(page).getByRole("button", { name: /^Disconnect/ }).click();
      await expect(page.getByRole("dialog").getByRole("figure")).toBeVisible();
      await keep("agents-disconnect");
      if (size === "390") {
        await page.goto("/agents");
        await expect(list(page)).toBeVisible();
        await keep("agents-list");
      }
      await context.close();
    });
  }
}
