// The person writes, edits, moves, joins, retires and erases; a text can do nothing.
import type { Page } from "@playwright/test";
import { axeFindsNothing } from "../support/axe.ts";
import { test, expect, holding, openBrain, openUnit, look, signIn } from "../support/test.ts";

/** Chooses an act of the open unit's menu. */
async function more(page: Page, act: RegExp): Promise<void> {
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: act }).click();
}

const colours = { brain: "team", topic: "clients/oakwell", title: "Colours" };

test("write and edit, and nothing is written over unseen", async ({ app, agent }) => {
  await openBrain(app, "team");
  await app.keyboard.press("c");
  const form = app.getByRole("main");
  await form.getByRole("combobox", { name: /Topic/ }).fill("clients/oakwell");
  await form.getByRole("textbox", { name: /Title/ }).fill("Colours");
  await form.getByRole("textbox", { name: /^Text/ }).click();
  await app.keyboard.type("Green, **never** blue.");
  await app.keyboard.press("ControlOrMeta+Enter");
  await expect(app.getByRole("heading", { name: "Colours" })).toBeVisible();
  await expect(app.locator("strong", { hasText: "never" })).toBeVisible();
  const claude = await agent("claude");
  const { id, text, metadata } = await claude.call("fetch", { id: "team:clients/oakwell#Colours" });
  expect(text).toBe("Green, **never** blue.");
  expect(metadata.agent).toContain("you");
  await look(app);
  await app.keyboard.press("e");
  await form.getByRole("textbox", { name: /^Text/ }).click();
  await app.keyboard.press("ControlOrMeta+a");
  await app.keyboard.type("Green or white.");
  // Meanwhile an agent writes: nothing is written over unseen.
  await claude.call("write", { brain: "team", id, body: "Green, since May." });
  await expect(form).toContainText("wrote revision 2 while you were here");
  await app.keyboard.press("Escape");
  await claude.call("search", { query: "green" });
  expect((await claude.call("fetch", { id })).text).toBe("Green, since May.");
});

test("a text is edited; retired, the unit is given to nobody; put back, it is as it was", async ({ app, agent }) => {
  const claude = await agent("claude");
  const { id } = await claude.call("write", { ...colours, body: "Green, never blue." });
  await openUnit(app, "team", "Colours");
  await look(app);
  await app.keyboard.press("e");
  const form = app.getByRole("main");
  await form.getByRole("textbox", { name: /^Text/ }).click();
  await app.keyboard.press("ControlOrMeta+a");
  await app.keyboard.type("Green or white.");
  await app.keyboard.press("ControlOrMeta+Enter");
  await expect(app.getByText("You wrote revision 2 of “Colours”.").first()).toBeAttached();
  expect((await claude.call("fetch", { id })).text).toBe("Green or white.");
  await expect(async () => {
    await app.getByRole("button", { name: /^Retire/ }).click({ timeout: 1_000 });
    await expect(app.getByText("This unit is retired")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  expect((await claude.call("search", { query: "green white" })).results).toEqual([]);
  expect(await claude.call("fetch", { id })).toMatchObject({ text: "", metadata: { retired: true } });
  await expect(async () => {
    await app.getByRole("button", { name: "Put it back" }).click({ timeout: 1_000 });
    await expect(app.getByText("This unit is retired")).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
  const back = await claude.call("fetch", { id });
  expect([back.text, back.metadata.retired]).toEqual(["Green or white.", undefined]);
  await expect(app.getByRole("region", { name: "History" })).toContainText("You put it back");
});

test("a unit moves to another topic and loses its title; its old address leads to it", async ({ app, agent }) => {
  const claude = await agent("claude");
  const { id } = await claude.call("write", { ...colours, body: "Green, never blue." });
  await openUnit(app, "team", "Colours");
  await more(app, /Move/);
  const dialog = app.getByRole("dialog");
  const topic = dialog.getByRole("combobox", { name: "Topic" });
  await topic.fill("");
  await dialog.getByRole("button", { name: "Move" }).click();
  await expect(topic).toHaveAttribute("aria-invalid", "true");
  await topic.fill("clients/elm");
  await dialog.getByRole("textbox", { name: /Title/ }).fill("");
  await axeFindsNothing(app, "the move");
  await dialog.getByRole("button", { name: "Move" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(app.getByRole("heading", { name: "clients/elm" })).toBeVisible();
  const there = await claude.call("fetch", { id: "team:clients/oakwell#Colours" });
  expect([there.id, there.metadata.topic, there.text]).toEqual([id, "clients/elm", "Green, never blue."]);
  expect((await claude.call("fetch", { id: "team:clients/elm" })).id).toBe(id);
  expect((await claude.call("search", { topic: "clients/elm" })).results[0]).not.toHaveProperty("title", "Colours");
});

test("fields that are emptied are empty, and what stays stays", async ({ app, agent }) => {
  const claude = await agent("claude");
  const full = { ...colours, body: "Green, never blue.", source: "Lena", tags: ["brand", "print"], fresh_for_days: 30 };
  const { id } = await claude.call("write", full);
  await openUnit(app, "team", "Colours");
  await look(app);
  await app.keyboard.press("e");
  const form = app.getByRole("main");
  for (const field of ["Source", "Fresh for", "Tags"]) await form.getByRole("textbox", { name: new RegExp(`^${field}`) }).fill("");
  await axeFindsNothing(app, "an edit");
  await app.keyboard.press("ControlOrMeta+Enter");
  await expect(form.getByRole("region", { name: "History" })).toContainText("You changed the tags, the source and how long it stays fresh");
  const { text, metadata } = await claude.call("fetch", { id });
  expect([text, metadata.title, metadata.source, metadata.tags]).toEqual([full.body, undefined, undefined, []]);
  await look(app);
  await app.keyboard.press("e");
  await expect(form.getByRole("textbox", { name: /^Source/ })).toHaveValue("");
  await expect(form.getByRole("textbox", { name: /^Fresh for/ })).toHaveValue("");
  await expect(form.getByRole("textbox", { name: /^Title/ })).toHaveValue("Colours");
});

test("two units about one fact are joined: both addresses lead to one, in conflict until it is settled", async ({ app, agent }) => {
  const [claude, cursor] = [await agent("claude"), await agent("cursor")];
  const one = await claude.call("write", { ...colours, body: "Green, never blue." });
  const other = await cursor.call("write", { brain: "team", topic: "brand", title: "Palette", body: "Green is out since May." });
  await openUnit(app, "team", "Colours");
  await more(app, /Join/);
  const dialog = app.getByRole("dialog");
  await dialog.getByRole("searchbox", { name: "Find the other unit" }).fill("palette");
  await dialog.getByRole("radio", { name: /Palette/ }).check();
  await expect(dialog).toContainText("Green is out since May.");
  const stays = dialog.getByRole("radiogroup", { name: "Which id stays" });
  await stays.getByRole("radio", { name: /The other unit/ }).click();
  await axeFindsNothing(app, "the join");
  await dialog.getByRole("button", { name: "Join" }).click();
  await expect(app.getByText("This unit is in conflict")).toBeVisible();
  await expect(app).toHaveURL(new RegExp(other.id));
  for (const id of [one.id, other.id, "team:clients/oakwell#Colours"]) {
    const unit = await claude.call("fetch", { id });
    expect([unit.id, unit.metadata.conflicted]).toEqual([other.id, true]);
  }
  await app.getByRole("link", { name: "Open conflict" }).click();
  const table = app.getByRole("table", { name: /two sides/ });
  for (const text of ["Green, never blue.", "Green is out since May."]) await expect(table).toContainText(text);
  await look(app);
  await app.keyboard.press("k");
  await expect.poll(async () => (await claude.call("fetch", { id: one.id })).metadata.conflicted).toBe(false);
});

test("a hostile text runs nothing and loads nothing", async ({ app, agent, server }) => {
  const asked: string[] = [];
  app.on("request", (request) => asked.push(request.url()));
  const claude = await agent("claude");
  const body = [
    "<script>window.owned = 1</script><img src=x onerror='window.owned = 1'>",
    "![pixel](http://127.0.0.1:9/pixel.png) [link](javascript:window.owned=1) <javascript:window.owned=1>",
    "[data](data:text/html,<script>window.owned=1</script>) <iframe src='http://127.0.0.1:9/'></iframe>",
    "<style>body{display:none}</style><svg onload='window.owned=1'>",
    "> ".repeat(2_000) + "deep",
  ].join("\n\n");
  await claude.call("write", { brain: "team", topic: "hostile", title: "Hostile", body });
  await openBrain(app, "team");
  await app.getByText("Hostile", { exact: true }).first().click();
  await expect(app.getByRole("heading", { name: "Hostile" })).toBeVisible();
  for (const anchor of await app.getByRole("main").getByRole("link").all()) {
    expect(await anchor.getAttribute("href")).toMatch(/^(https?:|mailto:|\/)/);
    await anchor.click({ trial: true });
  }
  expect(await app.evaluate(() => (window as unknown as { owned?: number }).owned)).toBeUndefined();
  expect(asked.filter((url) => !url.startsWith(server.origin))).toEqual([]);
});

test("what is erased is in no file any more", async ({ app, agent, home }) => {
  const claude = await agent("claude");
  await claude.call("write", { brain: "team", topic: "secrets", title: "Key", body: "The key is xylophonicwhisper." });
  await openBrain(app, "team");
  await app.getByText("Key", { exact: true }).first().click();
  await app.getByRole("button", { name: "More" }).click();
  await app.getByRole("menuitem", { name: /Erase/ }).click();
  const dialog = app.getByRole("dialog");
  await expect(dialog).toContainText("This is final");
  await expect(dialog.getByRole("button", { name: "Erase for good" })).toBeDisabled();
  await dialog.getByRole("textbox").fill("Key");
  await dialog.getByRole("button", { name: "Erase for good" }).click();
  await expect(dialog).toHaveCount(0);
  expect((await claude.refusal("fetch", { id: "team:secrets#Key" })).code).toBe("unknown_unit");
  await expect.poll(() => holding(home, "xylophonicwhisper")).toEqual([]);
});

test("a revision is erased, and so are the others that say the same, once they are named", async ({ app, agent, home }) => {
  const claude = await agent("claude");
  const secret = "The key is xylophonicwhisper.";
  const { id } = await claude.call("write", { ...colours, body: secret });
  for (const body of ["Green.", secret, "Green or white."]) await claude.call("write", { brain: "team", id, body });
  await openUnit(app, "team", "Colours");
  // What was begun from the text goes along.
  await look(app);
  await app.keyboard.press("e");
  await app.getByRole("textbox", { name: /^Text/ }).click();
  await app.keyboard.type(`${secret} And more.`);
  await app.keyboard.press("Escape");
  const kept = () => app.evaluate(() => Object.values(sessionStorage).filter((text) => text.includes("xylophonicwhisper")).length);
  expect(await kept()).toBe(1);
  await more(app, /Erase/);
  const dialog = app.getByRole("dialog");
  await dialog.getByRole("radiogroup", { name: "What" }).getByRole("radio", { name: "One revision" }).click();
  const which = dialog.getByRole("combobox", { name: "Revision" });
  // The head is what the unit says: it is not offered.
  await expect(which.getByRole("option")).toHaveText(["Revision 3", "Revision 2", "Revision 1"]);
  await which.selectOption("1");
  const erase = dialog.getByRole("button", { name: "Erase for good" });
  await dialog.getByRole("textbox").fill("Colours");
  await erase.click();
  await expect(dialog.getByRole("alert")).toContainText("Revision 3 says the same.");
  await axeFindsNothing(app, "an erasure that left the same words elsewhere");
  await expect(which).toHaveValue("3");
  await expect(which.getByRole("option")).toHaveText(["Revision 3", "Revision 2"]);
  await expect(erase).toBeDisabled();
  expect(holding(home, "xylophonicwhisper")).not.toEqual([]);
  await dialog.getByRole("textbox").fill("Colours");
  await erase.click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => holding(home, "xylophonicwhisper")).toEqual([]);
  expect(await kept()).toBe(0);
  expect((await claude.call("fetch", { id })).text).toBe("Green or white.");
});

test("what a signed-out tab had begun about a unit that was erased is forgotten once it is back", async ({ app, agent, home, server, context }) => {
  const claude = await agent("claude");
  const { id } = await claude.call("write", { ...colours, body: "The key is xylophonicwhisper." });
  await claude.call("write", { brain: "team", topic: "other", title: "Other", body: "Plain." });
  const type = async (title: string, text: string) => {
    await openUnit(app, "team", title);
    await look(app);
    await app.keyboard.press("e");
    await app.getByRole("textbox", { name: /^Text/ }).click();
    await app.keyboard.type(text);
    await app.keyboard.press("Escape");
  };
  await type("Colours", "xylophonicwhisper");
  await type("Other", "it stays");
  const kept = (word: string) => app.evaluate((word) => Object.values(sessionStorage).filter((text) => text.includes(word)).length, word);
  expect([await kept("xylophonicwhisper"), await kept("it stays")]).toEqual([1, 1]);
  await app.getByRole("button", { name: "Sign out" }).click();
  await expect(app.getByText("You signed out of this tab.")).toBeVisible();
  const other = await context.newPage();
  await signIn(other, home, server);
  const erased = await other.evaluate(async (id) => {
    const headers = { Authorization: `Bearer ${sessionStorage.getItem("ozbrain.bearer")}`, "Content-Type": "application/json" };
    return (await fetch("/api/erase", { method: "POST", headers, body: JSON.stringify({ what: "unit", id }) })).status;
  }, id);
  expect(erased).toBe(200);
  expect(await kept("xylophonicwhisper")).toBe(1);
  await signIn(app, home, server);
  await expect.poll(() => kept("xylophonicwhisper")).toBe(0);
  expect(await kept("it stays")).toBe(1);
});

test("of a unit with one revision, only the whole can be erased", async ({ app, agent }) => {
  await (await agent("claude")).call("write", { ...colours, body: "Green." });
  await openUnit(app, "team", "Colours");
  await more(app, /Erase/);
  const dialog = app.getByRole("dialog");
  await expect(dialog).toContainText("1 revision, with every text");
  await expect(dialog.getByRole("radio")).toHaveCount(0);
});
