// Two agents contradict each other; the person sees it at once and settles it.
import type { Page } from "@playwright/test";
import type { LegacyAgent } from "../../clients/ts/support/agents.ts";
import { test, expect, look } from "../support/test.ts";

const launch = { brain: "team", topic: "projects/q3-launch", title: "Launch" };

/** The clash of two agents that have not read each other; resolves to the unit's id. */
async function clash(agent: (name: string) => Promise<LegacyAgent>): Promise<string> {
  const [first, second] = [await agent("claude"), await agent("cursor")];
  const { id } = await first.call("write", { ...launch, body: "Status: delayed, says the client." });
  const reply = await second.call("write", { ...launch, body: "Status: on track, says the plan." });
  expect(reply.outcome).toBe("conflicted");
  return id;
}

const row = (page: Page, title: string) => page.getByRole("option", { name: new RegExp(title) });

async function settledText(reader: LegacyAgent, id: string): Promise<{ text: string; conflicted: boolean }> {
  const unit = await reader.call("fetch", { id });
  return { text: unit.text, conflicted: unit.metadata.conflicted };
}

test("it shows in the open page within a second, without a reload", async ({ app, agent }) => {
  // The page looks at itself: when a change arrives is told by its own clock.
  await app.evaluate(() => {
    const seen = window as unknown as { seen?: number };
    new MutationObserver(() => {
      if (seen.seen === undefined && document.body.innerText.includes("displaced")) seen.seen = Date.now();
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await clash(agent);
  const replied = Date.now();
  await expect(row(app, "Launch")).toContainText("on track");
  const seen = await app.evaluate(() => (window as unknown as { seen: number }).seen);
  test.info().annotations.push({ type: "from the reply to the page, ms", description: String(seen - replied) });
  expect(seen - replied).toBeLessThan(1_000);
  await expect(app).toHaveTitle(/^\(\d+\) OzBrain$/);
});

test("keep the head, by one key, and undo it by another", async ({ app, agent }) => {
  const id = await clash(agent);
  await row(app, "Launch").click();
  await expect(app.getByRole("article")).toContainText("without having seen revision 1");
  await look(app);
  await app.keyboard.press("k");
  await expect(row(app, "Launch")).toHaveCount(0);
  const reader = await agent("reader");
  expect(await settledText(reader, id)).toEqual({ text: "Status: on track, says the plan.", conflicted: false });
  await app.keyboard.press("u");
  await expect(row(app, "Launch")).toHaveCount(1);
  const { metadata } = await reader.call("fetch", { id });
  expect(metadata.conflict.sides.map((side: { text: string; disputed: string[] }) => [side.text, side.disputed])).toEqual([
    ["Status: delayed, says the client.", ["body"]],
  ]);
});

test("who displaced is told, and not who edited since", async ({ app, agent }) => {
  const id = await clash(agent);
  const third = await agent("codex");
  await third.call("fetch", { id });
  const { outcome } = await third.call("write", { ...launch, body: "Status: on track, says the board." });
  expect(outcome).toBe("updated");
  await expect(row(app, "Launch")).toContainText(/Codex .* in place of Claude/);
  await row(app, "Launch").click();
  const story = app.getByRole("article");
  await expect(story).toContainText("Cursor wrote revision 2 without having seen revision 1, which Claude had written");
  await expect(story).toContainText("Since then Codex wrote revision 3, which is the head.");
  await app.keyboard.press("Enter");
  await expect(app.getByRole("img", { name: /Cursor wrote revision 2 .* without having seen revision 1\. Codex wrote revision 3 .*: it is the head\./ })).toBeVisible();
});

test("restore the displaced side on the Conflict screen", async ({ app, agent }) => {
  const id = await clash(agent);
  await row(app, "Launch").click();
  await app.keyboard.press("Enter");
  await expect(app).toHaveURL(new RegExp(`/conflict/${id}`));
  await expect(app.getByRole("table", { name: /two sides/ })).toContainText("says the client");
  await look(app);
  await app.getByRole("button", { name: /^Restore r1/ }).click();
  const reader = await agent("reader");
  await expect.poll(() => settledText(reader, id)).toEqual({
    text: "Status: delayed, says the client.",
    conflicted: false,
  });
});

test("merge both by hand, and the history tells who decided", async ({ app, agent }) => {
  const id = await clash(agent);
  await row(app, "Launch").click();
  await look(app);
  await app.keyboard.press("e");
  const write = app.getByRole("button", { name: /^Write revision 3/ });
  await expect(write).toBeDisabled();
  const editor = app.getByRole("textbox", { name: /Merged text/ });
  await editor.click();
  await app.keyboard.press("ControlOrMeta+a");
  await app.keyboard.type("Status: on track for the plan, delayed for the client.");
  await expect(write).toBeEnabled();
  await app.keyboard.press("ControlOrMeta+Enter");
  const reader = await agent("reader");
  await expect.poll(() => settledText(reader, id)).toEqual({
    text: "Status: on track for the plan, delayed for the client.",
    conflicted: false,
  });
  const { events, revisions } = await reader.call("history", { id });
  expect(events[0]).toMatchObject({ kind: "resolved", revision: 3 });
  expect(events[0].agent).toContain("you");
  expect(revisions).toHaveLength(3);
});

test("a side that moves while the merge is open is shown, and nothing unseen is overwritten", async ({ app, agent }) => {
  const id = await clash(agent);
  await row(app, "Launch").click();
  await look(app);
  await app.keyboard.press("e");
  const editor = app.getByRole("textbox", { name: /Merged text/ });
  await editor.click();
  await app.keyboard.press("ControlOrMeta+a");
  await app.keyboard.type("My own words on the launch.");
  const third = await agent("codex");
  const moved = await third.call("write", { ...launch, body: "Status: cancelled, says the board." });
  expect(moved.outcome).toBe("conflicted");
  await expect(app.getByRole("main")).toContainText("Codex wrote revision 3: it is the head now. Your text is kept.");
  await expect(editor).toContainText("My own words on the launch.");
  const sent: string[] = [];
  app.on("request", (request) => sent.push(new URL(request.url()).pathname));
  const write = app.getByRole("button", { name: /^Write revision 4/ });
  await expect(write).toBeDisabled();
  await app.keyboard.press("ControlOrMeta+Enter");
  await app.keyboard.press("Escape");
  await expect(write).toBeDisabled();
  expect(sent).not.toContain("/api/resolve");
  expect(await settledText(third, id)).toEqual({ text: "Status: cancelled, says the board.", conflicted: true });
});

test("a choice is refused where the head moved before the page knew", async ({ app, agent, server }) => {
  const id = await clash(agent);
  const third = await agent("codex");
  await row(app, "Launch").click();
  // The page hears of no change, as over a slow line.
  await app.route("**/api/units/**", (route) => route.abort());
  await app.route("**/api/inbox**", (route) => route.abort());
  await third.call("write", { ...launch, body: "Status: cancelled, says the board." });
  const answered = app.waitForResponse((answer) => answer.url() === `${server.origin}/api/resolve`);
  await app.getByRole("listbox").focus();
  await look(app);
  await app.keyboard.press("k");
  expect(await (await answered).json()).toMatchObject({ outcome: "moved" });
  await app.unrouteAll({ behavior: "wait" });
  expect(await settledText(third, id)).toEqual({ text: "Status: cancelled, says the board.", conflicted: true });
  await expect(app.getByText(/Nothing was changed/).first()).toBeVisible();
});

/** Two agents differ in more than the text; resolves to the unit's id. */
async function wideClash(agent: (name: string) => Promise<LegacyAgent>): Promise<string> {
  const [first, second] = [await agent("claude"), await agent("cursor")];
  const { id } = await first.call("write", { ...launch, body: "Status: delayed.", source: "Lena", tags: ["plan"] });
  const reply = await second.call("write", { ...launch, body: "Status: on track.", source: "Tom", tags: ["board"] });
  expect(reply.outcome).toBe("conflicted");
  return id;
}

test("a restored side brings its other fields back", async ({ app, agent }) => {
  const id = await wideClash(agent);
  await row(app, "Launch").click();
  await look(app);
  await app.keyboard.press("r");
  await expect(row(app, "Launch")).toHaveCount(0);
  const { text, metadata } = await (await agent("reader")).call("fetch", { id });
  expect([text, metadata.source, metadata.tags]).toEqual(["Status: delayed.", "Lena", ["plan"]]);
});

test("a merge takes each field from a side, writes it here, or empties it", async ({ app, agent }) => {
  const id = await wideClash(agent);
  await row(app, "Launch").click();
  await look(app);
  await app.keyboard.press("e");
  const pick = (what: RegExp) => app.getByRole("radiogroup", { name: what });
  await pick(/Difference 1/).getByRole("radio", { name: "r1" }).click();
  await pick(/Source/).getByRole("radio", { name: "Written here" }).click();
  await app.getByRole("textbox", { name: "Source, written here" }).fill("");
  const write = app.getByRole("button", { name: /^Write revision 3/ });
  await expect(write).toBeDisabled();
  await pick(/Tags/).getByRole("radio", { name: "r1" }).click();
  await write.click();
  await expect(app).toHaveURL(/inbox/);
  const { text, metadata } = await (await agent("reader")).call("fetch", { id });
  expect([text, metadata.source, metadata.tags, metadata.conflicted]).toEqual(["Status: delayed.", undefined, ["plan"], false]);
});

test("a topic in dispute is merged like any other field", async ({ app, agent }) => {
  const [first, second] = [await agent("claude"), await agent("cursor")];
  const { id } = await first.call("write", { ...launch, body: "Status: delayed." });
  await second.call("fetch", { id });
  await first.call("write", { brain: "team", id, topic: "projects/q4-launch" });
  const reply = await second.call("write", { brain: "team", id, base_revision: 1, topic: "archive/launch" });
  expect(reply.outcome).toBe("conflicted");
  await row(app, "Launch").click();
  await look(app);
  await app.keyboard.press("e");
  await app.getByRole("radiogroup", { name: /Topic/ }).getByRole("radio", { name: "r2" }).click();
  await look(app);
  await app.getByRole("button", { name: /^Write revision 4/ }).click();
  await expect(app).toHaveURL(/inbox/);
  expect((await second.call("fetch", { id })).metadata).toMatchObject({ topic: "projects/q4-launch", conflicted: false });
});
