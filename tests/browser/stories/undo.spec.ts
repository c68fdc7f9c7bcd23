// An undo takes back the last act, wherever it was made and however long it takes; and what became of an act is said as it is.
import type { Page } from "@playwright/test";
import type { LegacyAgent } from "../../clients/ts/support/agents.ts";
import { hold, weeksAgo } from "../support/person.ts";
import { test, expect, look } from "../support/test.ts";

const row = (page: Page, title: string) => page.getByRole("option", { name: new RegExp(title) });
const toReview = (page: Page) => page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: /Review/ }).click();
const line = (page: Page) => page.locator(".undo-line");

/** Two agents contradict each other about each title; resolves to the units' ids. */
async function clashes(agent: (name: string) => Promise<LegacyAgent>, ...titles: string[]): Promise<string[]> {
  const [claude, cursor] = [await agent("claude"), await agent("cursor")];
  const ids = [];
  for (const title of titles) {
    ids.push((await claude.call("write", { brain: "team", topic: "x", title, body: "It is so." })).id);
    await cursor.call("write", { brain: "team", topic: "x", title, body: "It is otherwise." });
  }
  return ids;
}

/** Settles the conflict of a row by keeping its head. */
async function keep(app: Page, title: string): Promise<void> {
  await row(app, title).click();
  await expect(app.getByRole("article", { name: title })).toContainText("without having seen revision 1");
  await look(app);
  await app.keyboard.press("k");
}

test("after Review, U takes back what was done there last", async ({ app, agent }) => {
  const [clash] = await clashes(agent, "Clash");
  const reader = await agent("reader");
  const { id } = await reader.call("write", { brain: "team", topic: "m", title: "Approver", body: "Priya approves.", observed_at: weeksAgo(3) });
  await keep(app, "Clash");
  await expect(row(app, "Clash")).toHaveCount(0);
  await toReview(app);
  await expect(app.getByRole("article", { name: "Approver" })).toContainText("Priya");
  await look(app);
  await app.keyboard.press("x");
  await expect.poll(async () => (await reader.call("fetch", { id })).metadata.retired).toBe(true);
  await app.keyboard.press("Escape");
  await app.keyboard.press("u");
  await expect(line(app)).toContainText("Undone. Approver: retired.");
  const now = async (unit: string) => (await reader.call("fetch", { id: unit })).metadata;
  expect([(await now(id)).retired, (await now(clash!)).conflicted]).toEqual([undefined, false]);
  await app.keyboard.press("u");
  await expect.poll(async () => (await now(clash!)).conflicted).toBe(true);
});

test("U that is pressed while an act is on its way takes that one", async ({ app, agent }) => {
  const [first, second] = await clashes(agent, "First", "Second");
  await keep(app, "First");
  await expect(row(app, "First")).toHaveCount(0);
  const slow = await hold(app, "**/api/resolve");
  await keep(app, "Second");
  await slow.asked;
  await app.keyboard.press("u");
  // Another act has to wait, and is told so.
  await app.keyboard.press("r");
  await expect(line(app)).toContainText("still on its way");
  slow.go();
  await expect(line(app)).toContainText("Undone. Second: head kept.");
  await expect(row(app, "Second")).toHaveCount(1);
  const reader = await agent("reader");
  const conflicted = async (id: string) => (await reader.call("fetch", { id })).metadata.conflicted;
  expect([await conflicted(first!), await conflicted(second!)]).toEqual([false, true]);
});

test("an act that is refused after Review was left is told where the person is", async ({ app, agent }) => {
  const claude = await agent("claude");
  await claude.call("write", { brain: "team", topic: "f", title: "One", body: "One holds.", observed_at: weeksAgo(5) });
  await toReview(app);
  await expect(app.getByRole("article", { name: "One" })).toContainText("One holds.");
  await look(app);
  let answer: () => void = () => undefined;
  const left = new Promise<void>((resolve) => (answer = resolve));
  await app.route("**/api/confirm", async (route) => {
    await left;
    await route.fulfill({ status: 503, contentType: "application/json", body: JSON.stringify({ code: "busy", message: "The store is busy." }) });
  });
  await app.keyboard.press("t");
  await app.keyboard.press("Escape");
  await expect(app).toHaveURL(/inbox/);
  answer();
  await expect(line(app)).toContainText("“One” is back");
});

test("an undo that was wanted in Review is carried out after it was left", async ({ app, agent }) => {
  const claude = await agent("claude");
  const { id } = await claude.call("write", { brain: "team", topic: "f", title: "One", body: "One holds.", observed_at: weeksAgo(5) });
  await toReview(app);
  await expect(app.getByRole("article", { name: "One" })).toContainText("One holds.");
  await look(app);
  const slow = await hold(app, "**/api/retire");
  await app.keyboard.press("x");
  await slow.asked;
  await app.keyboard.press("u");
  await app.keyboard.press("Escape");
  await expect(app).toHaveURL(/inbox/);
  slow.go();
  await expect(line(app)).toContainText("Undone: One is back.");
  expect((await claude.call("fetch", { id })).metadata.retired).toBeUndefined();
});

test("where the answer is lost, nobody says that nothing was changed", async ({ app, agent }) => {
  const [id] = await clashes(agent, "First");
  await row(app, "First").click();
  await expect(app.getByRole("article")).toContainText("without having seen revision 1");
  await look(app);
  await app.route("**/api/resolve", async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await app.keyboard.press("r");
  // What became of it shows: it is settled.
  await expect(row(app, "First")).toHaveCount(0);
  await expect(line(app)).toContainText("OzBrain did not answer. Whether it was done shows once it is back.");
  await expect(app.getByText("Nothing was changed")).toHaveCount(0);
  const { text, metadata } = await (await agent("reader")).call("fetch", { id: id! });
  expect([text, metadata.conflicted]).toEqual(["It is so.", false]);
});

test("a retirement in the Inbox that met an unseen head is called what it is, and leads to the conflict", async ({ app, agent }) => {
  const [claude, cursor] = [await agent("claude"), await agent("cursor")];
  const { id } = await claude.call("write", { brain: "team", topic: "f", title: "One", body: "One holds.", observed_at: weeksAgo(5) });
  await cursor.call("fetch", { id });
  await row(app, "One").click();
  await expect(app.getByRole("article", { name: "One" })).toContainText("One holds.");
  // The page hears of no change, as over a slow line.
  await app.route("**/api/units/**", (route) => route.abort());
  await app.route("**/api/inbox**", (route) => route.abort());
  await cursor.call("write", { brain: "team", id, body: "Entirely new.", observed_at: weeksAgo(5) });
  await app.getByRole("listbox").focus();
  await look(app);
  await app.keyboard.press("x");
  await expect(line(app)).toContainText("retired over a revision that you had not seen");
  await app.unrouteAll({ behavior: "wait" });
  await line(app).getByRole("link", { name: "Open conflict" }).click();
  await expect(app).toHaveURL(new RegExp(`/conflict/${id}`));
  await expect(app.getByRole("table", { name: /two sides/ })).toContainText("Entirely new.");
});
