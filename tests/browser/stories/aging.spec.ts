// A fact has aged: reading never makes it younger, the person's one key does.
import { personWho } from "../../clients/ts/support/agents.ts";
import { axeFindsNothing } from "../support/axe.ts";
import { test, expect, ask, comeBack, look } from "../support/test.ts";

const weeksAgo = (weeks: number) => new Date(Date.now() - weeks * 7 * 86_400_000).toISOString();

test("an aging fact that an agent reads comes to the Inbox, and one key confirms it", async ({ app, agent }) => {
  const claude = await agent("claude");
  const unit = { brain: "team", topic: "clients/meridian", title: "Approver", body: "Priya Nair approves invoices.", observed_at: weeksAgo(3) };
  const { id } = await claude.call("write", unit);
  const cursor = await agent("cursor");
  // It waits in Review alone until an agent reads it.
  await expect.poll(() => ask(app, "/api/state")).toMatchObject({ counts: { aging: 0, review: 1 } });
  for (let read = 0; read < 5; read++) expect((await cursor.call("fetch", { id })).metadata.freshness).toBe("aging");
  await comeBack(app);
  const row = app.getByRole("option", { name: /Approver/ });
  await expect(row).toContainText("Aging");
  await expect(row).toContainText("Claude saw it hold");
  await row.click();
  await expect(app.getByRole("article")).toContainText("Priya Nair approves invoices.");
  await look(app);
  await app.keyboard.press("t");
  await expect(row).toHaveCount(0);
  const { metadata } = await cursor.call("fetch", { id });
  expect(metadata).toMatchObject({ freshness: "fresh", revision: 1 });
  expect(metadata.confirmed_by).toContain("you");
  await app.keyboard.press("u");
  await expect(row).toHaveCount(1);
  expect((await cursor.call("fetch", { id })).metadata.freshness).toBe("aging");
});

test("twenty facts of the deck are settled by the keyboard alone", async ({ app, agent }) => {
  const claude = await agent("claude");
  for (let fact = 1; fact <= 20; fact++) {
    await claude.call("write", { brain: "team", topic: "facts", title: `Fact ${fact}`, body: `Fact ${fact} holds.`, observed_at: weeksAgo(3 + fact) });
  }
  await app.getByRole("navigation", { name: "Places" }).getByRole("link", { name: /Review/ }).click();
  await expect(app.getByRole("main")).toContainText("of 20");
  const began = Date.now();
  const keys = ["t", "t", "t", "l", "x"];
  for (let fact = 0; fact < 20; fact++) {
    await look(app);
    await app.keyboard.press(keys[fact % keys.length]!);
    await expect(app.getByRole("main")).toContainText(fact < 19 ? `${fact + 2} of 20` : "That was all of it");
  }
  expect(Date.now() - began).toBeLessThan(60_000);
  await expect
    .poll(async () => (await claude.call("search", { topic: "facts", brain: "team", limit: 50, budget: 20_000, freshness: "fresh" })).results.length)
    .toBe(12);
  // The last act may still be on its way.
  await expect.poll(async () => (await claude.call("topics", { brain: "team" })).topics).toMatchObject([{ topic: "facts", units: 16 }]);
});

test("what an agent confirms in the person's name is called that, and quotes nothing that nobody said", async ({ app, agent }) => {
  const claude = await agent("claude", personWho("still_true").answer);
  const unit = { brain: "team", topic: "clients/meridian", title: "Approver", body: "Priya Nair approves invoices.", observed_at: weeksAgo(3) };
  const { id } = await claude.call("write", unit);
  expect((await claude.call("confirm", { id })).outcome).toBe("confirmed");
  const row = app.getByRole("option", { name: /Approver/ });
  await expect(row).toContainText("Confirmed in your name by Claude");
  await expect(row).not.toContainText("“");
  await row.click();
  const detail = app.getByRole("article");
  await expect(detail).toContainText("Claude confirmed this in your name");
  await expect(detail.locator("blockquote")).toHaveCount(0);
  await look(app);
  await app.keyboard.press("z");
  await expect(row).not.toContainText("in your name");
  expect((await claude.call("fetch", { id })).metadata.freshness).toBe("aging");
});

test("a card that waits in the deck is not read before it is shown", async ({ app, agent }) => {
  const claude = await agent("claude");
  const ids: string[] = [];
  for (const [fact, weeks] of [["First", 9], ["Second", 5], ["Third", 3]] as const) {
    const { id } = await claude.call("write", { brain: "team", topic: "facts", title: fact, body: `${fact} holds.`, observed_at: weeksAgo(weeks) });
    ids.push(id);
  }
  await app.getByRole("navigation", { name: "Places" }).getByRole("link", { name: /Review/ }).click();
  await expect(app.getByRole("article", { name: "First" })).toContainText("First holds.");
  const readers = (id: string) =>
    app.evaluate(async (id) => {
      const headers = { Authorization: `Bearer ${sessionStorage.getItem("ozbrain.bearer")}` };
      const { readers } = await (await fetch(`/api/units/${id}/readers`, { headers })).json();
      return (readers as { name: string; times: number }[]).filter((reader) => reader.name === "you").map((reader) => reader.times);
    }, id);
  await expect.poll(() => readers(ids[0]!)).toEqual([1]);
  expect(await readers(ids[1]!)).toEqual([]);
  // It is there at once, all the same.
  await look(app);
  await app.keyboard.press("l");
  await expect(app.getByRole("article", { name: "Second" })).toContainText("Second holds.");
  await expect.poll(() => readers(ids[1]!)).toEqual([1]);
  expect(await readers(ids[2]!)).toEqual([]);
});

test("what is put away comes back by the undo key", async ({ app, agent }) => {
  const claude = await agent("claude", personWho("still_true").answer);
  const unit = { brain: "team", topic: "clients/meridian", title: "Approver", body: "Priya Nair approves invoices.", observed_at: weeksAgo(3) };
  const { id } = await claude.call("write", unit);
  expect((await claude.call("confirm", { id })).outcome).toBe("confirmed");
  const row = app.getByRole("option", { name: /Approver/ });
  await row.click();
  await look(app);
  await app.keyboard.press("d");
  await expect(row).toHaveCount(0);
  const today = app.getByRole("region", { name: "Settled today" });
  await expect(today).toContainText("You put it away at");
  await app.keyboard.press("u");
  await expect(row).toContainText("Confirmed in your name by Claude");
  await expect(today).toContainText(/You put it away at .*, undone at/);
});

test("a text that was begun in the Inbox is written over nothing unseen", async ({ app, agent }) => {
  const claude = await agent("claude");
  const unit = { brain: "team", topic: "clients/meridian", title: "Approver" };
  const { id } = await claude.call("write", { ...unit, body: "Priya Nair approves invoices.", observed_at: weeksAgo(3) });
  const cursor = await agent("cursor");
  await cursor.call("fetch", { id });
  await comeBack(app);
  const row = app.getByRole("option", { name: /Approver/ });
  await row.click();
  await expect(app.getByRole("article")).toContainText("Priya Nair approves invoices.");
  await look(app);
  await app.keyboard.press("c");
  const field = app.getByRole("textbox", { name: /The text as it is now/ });
  await field.fill("Tom Adeyemi approves invoices.");
  await app.keyboard.press("Escape");
  // Meanwhile another text stands, as old as the one before.
  await cursor.call("write", { brain: "team", id, body: "Priya Nair and Ana Ruiz approve invoices.", observed_at: weeksAgo(3) });
  await cursor.call("fetch", { id });
  await expect(app.getByRole("article")).toContainText("Ana Ruiz");
  await look(app);
  await app.getByRole("button", { name: "Go on" }).click();
  await expect(app.getByRole("alert")).toContainText("Cursor wrote revision 2 since you began.");
  await expect(app.getByRole("group", { name: /beside/ })).toContainText("Ana Ruiz");
  await expect(field).toHaveValue("Tom Adeyemi approves invoices.");
  await axeFindsNothing(app, "a begun text under a newer head");
  await look(app);
  await app.getByRole("button", { name: /^Write over r2/ }).click();
  await expect(row).toHaveCount(0);
  expect((await claude.call("fetch", { id })).text).toBe("Tom Adeyemi approves invoices.");
});
