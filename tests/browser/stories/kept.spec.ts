// What a person typed is not lost, and waits where they look for it.
import { asPerson, keeps, weeksAgo } from "../support/person.ts";
import { test, expect, look, signIn } from "../support/test.ts";

const launch = { brain: "team", topic: "q3", title: "Launch" };

test("a merge that is left at once keeps its last letter; settled elsewhere, its text becomes an edit", async ({ app, agent }) => {
  const [claude, cursor] = [await agent("claude"), await agent("cursor")];
  const { id } = await claude.call("write", { ...launch, body: "Status: delayed." });
  await cursor.call("write", { ...launch, body: "Status: on track." });
  await app.getByRole("option", { name: /Launch/ }).click();
  await look(app);
  await app.keyboard.press("e");
  const editor = app.getByRole("textbox", { name: /Merged text/ });
  await editor.click();
  await app.keyboard.press("ControlOrMeta+a");
  await app.keyboard.type("My long careful words");
  await app.keyboard.press("Escape");
  await app.keyboard.press("Escape");
  await expect(editor).toHaveCount(0);
  expect(await keeps(app, "My long careful words")).toBe(1);
  await app.keyboard.press("e");
  await expect(editor).toContainText("My long careful words");
  await editor.click();
  await app.keyboard.press("ControlOrMeta+End");
  await app.keyboard.type(" and ten more");
  const { conflict } = await asPerson(app, `/api/units/${id}`);
  await asPerson(app, "/api/resolve", { id, version: conflict.version, choice: "restore", revision: 1 });
  const text = app.getByRole("region", { name: "Your text" });
  await expect(text).toContainText("My long careful words and ten more");
  await text.getByRole("button", { name: "Edit the unit with it" }).click();
  // What stands now was never beside it: it is, before it is written over.
  await expect(app.getByRole("group", { name: /beside/ })).toContainText("delayed");
  await expect(app.getByRole("textbox", { name: /^Text/ })).toContainText("My long careful words and ten more");
  await look(app);
  await app.getByRole("button", { name: /^Write over r3/ }).click();
  await expect.poll(async () => (await claude.call("fetch", { id })).text).toBe("My long careful words and ten more");
  expect(await keeps(app, "My long careful words")).toBe(0);
});

test("a correction that was begun in one place goes on in every other", async ({ app, agent }) => {
  const claude = await agent("claude");
  const { id } = await claude.call("write", { brain: "team", topic: "f", title: "Old", body: "One holds.", observed_at: weeksAgo(5) });
  await (await agent("cursor")).call("fetch", { id });
  await app.getByRole("option", { name: /Old/ }).click();
  await expect(app.getByRole("article")).toContainText("One holds.");
  await look(app);
  await app.keyboard.press("c");
  await app.getByRole("textbox", { name: /The text as it is now/ }).fill("My correction.");
  await app.keyboard.press("Escape");
  const places = app.getByRole("navigation", { name: "Places" });
  await places.getByRole("link", { name: /Review/ }).click();
  await expect(app.getByText("Your text is kept. Press C to go on with it.")).toBeVisible();
  await look(app);
  await app.keyboard.press("c");
  const review = app.getByRole("textbox", { name: /as it holds now/ });
  await expect(review).toHaveValue("My correction.");
  await review.fill("My correction, from May.");
  await app.keyboard.press("Escape");
  await app.keyboard.press("h");
  await app.getByRole("button", { name: "Go on with it" }).click();
  await expect(app.getByRole("textbox", { name: /^Text/ })).toContainText("My correction, from May.");
  await app.getByRole("textbox", { name: /^Source/ }).fill("Lena");
  await app.keyboard.press("Escape");
  await places.getByRole("link", { name: /Inbox/ }).click();
  await app.getByRole("button", { name: "Go on", exact: true }).click();
  await expect(app.getByRole("textbox", { name: /The text as it is now/ })).toHaveValue("My correction, from May.");
  await look(app);
  await app.keyboard.press("ControlOrMeta+Enter");
  await expect.poll(async () => (await claude.call("fetch", { id })).text).toBe("My correction, from May.");
  // The source that was typed beside it waits still.
  expect(await keeps(app, "Lena")).toBe(1);
});

for (const how of ["erased", "joined"] as const)
  test(`a card whose unit is ${how} elsewhere says so, and the deck goes on`, async ({ app, agent, context, home, server }) => {
    const claude = await agent("claude");
    const one = await claude.call("write", { brain: "team", topic: "f", title: "One", body: "One holds.", observed_at: weeksAgo(9) });
    await claude.call("write", { brain: "team", topic: "f", title: "Two", body: "Two holds.", observed_at: weeksAgo(5) });
    const three = await claude.call("write", { brain: "team", topic: "g", title: "Three", body: "Three is fresh." });
    await app.getByRole("navigation", { name: "Places" }).getByRole("link", { name: /Review/ }).click();
    await expect(app.getByRole("article", { name: "One" })).toContainText("One holds.");
    const other = await context.newPage();
    await signIn(other, home, server);
    if (how === "erased") await asPerson(other, "/api/erase", { what: "unit", id: one.id });
    else await asPerson(other, "/api/join", { id: three.id, revision: 1, other: one.id, other_revision: 1 });
    await app.bringToFront();
    const says = how === "erased" ? "it was erased" : "was joined into another one";
    await expect(app.getByRole("alert").filter({ hasText: says })).toBeVisible();
    if (how === "erased") await expect(app.getByText("One holds.")).toHaveCount(0);
    const next = app.getByRole("button", { name: "Next", exact: true });
    await expect(next).toBeFocused();
    await app.keyboard.press("Enter");
    await expect(app.getByRole("article", { name: "Two" })).toContainText("Two holds.");
    await look(app);
    await app.keyboard.press("t");
    await expect(app.getByText("That was all of it.")).toBeVisible();
  });

test("an act on a card that was erased a moment before brings nothing back", async ({ app, agent, context, home, server }) => {
  const claude = await agent("claude");
  const { id } = await claude.call("write", { brain: "team", topic: "f", title: "One", body: "One holds.", observed_at: weeksAgo(9) });
  await app.getByRole("navigation", { name: "Places" }).getByRole("link", { name: /Review/ }).click();
  await expect(app.getByRole("article", { name: "One" })).toContainText("One holds.");
  await look(app);
  const other = await context.newPage();
  await signIn(other, home, server);
  await app.bringToFront();
  // The act is on its way when the unit goes.
  await app.route("**/api/confirm", async (route) => {
    await asPerson(other, "/api/erase", { what: "unit", id });
    await route.continue();
  });
  await app.keyboard.press("t");
  await expect(app.getByRole("alert").filter({ hasText: "it was erased" })).toBeVisible();
  await app.getByRole("button", { name: "Next", exact: true }).click();
  await expect(app.getByRole("alert")).toHaveCount(0);
  await expect(app.getByRole("article", { name: "One" })).toHaveCount(0);
});
