// The focus is where the person left it, and never lost; a key acts on what has it.
import type { Page } from "@playwright/test";
import { hold, lostFocus, weeksAgo } from "../support/person.ts";
import { test, expect, look, openUnit } from "../support/test.ts";

const focused = (page: Page) => page.locator(":focus");
/** Whether the focus is somewhere, however it came there. */
const kept = (page: Page) => expect.poll(() => lostFocus(page)).toBe(false);

test("what is typed after an act goes where it is typed, however late the Inbox answers", async ({ app, agent }) => {
  const claude = await agent("claude");
  const reader = await agent("reader");
  for (const [title, weeks] of [["One", 9], ["Two", 5], ["Three", 4]] as const) {
    const { id } = await claude.call("write", { brain: "team", topic: "f", title, body: `${title} holds.`, observed_at: weeksAgo(weeks) });
    await reader.call("fetch", { id });
  }
  await app.reload();
  await expect(app.getByRole("option")).toHaveCount(3);
  const [first, second] = (await app.getByRole("option").locator(".t").allTextContents()) as [string, string];
  await app.getByRole("option").first().click();
  await expect(app.getByRole("article")).toContainText(`${first} holds.`);
  await look(app);
  const slow = await hold(app, "**/api/inbox**");
  await app.keyboard.press("t");
  await expect(app.getByRole("article", { name: second })).toContainText(`${second} holds.`);
  await look(app);
  await app.keyboard.press("c");
  const field = app.getByRole("textbox", { name: /The text as it is now/ });
  await expect(field).toBeFocused();
  await app.keyboard.press("ControlOrMeta+a");
  await app.keyboard.type("Unless the contract exists, ");
  await slow.asked;
  slow.go();
  await expect(app.getByRole("option")).toHaveCount(2);
  await app.keyboard.type("next text. Later.");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("Unless the contract exists, next text. Later.");
  await expect(app.getByRole("article", { name: second })).toBeVisible();
});

test("a row that the person went to while an act was on its way stays selected, and may be acted on", async ({ app, agent }) => {
  const [claude, cursor] = [await agent("claude"), await agent("cursor")];
  for (const title of ["First", "Second", "Third"]) {
    await claude.call("write", { brain: "team", topic: "x", title, body: "It is so." });
    await cursor.call("write", { brain: "team", topic: "x", title, body: "It is otherwise." });
  }
  await expect(app.getByRole("option")).toHaveCount(3);
  const rows = app.getByRole("option");
  const titles = await rows.locator(".t").allTextContents();
  await rows.first().click();
  await expect(app.getByRole("article", { name: titles[0]! })).toContainText("without having seen");
  await look(app);
  const slow = await hold(app, "**/api/resolve");
  await app.keyboard.press("k");
  await slow.asked;
  await app.keyboard.press("End");
  slow.go();
  await expect(rows).toHaveCount(2);
  await expect(app.getByRole("option", { selected: true })).toContainText(titles[2]!);
  // J is no half of a pair: it moves nothing, and K keeps the head.
  await app.keyboard.press("j");
  await app.keyboard.press("ArrowUp");
  await expect(app.getByRole("option", { selected: true })).toContainText(titles[1]!);
  await app.keyboard.press("j");
  await expect(app.getByRole("option", { selected: true })).toContainText(titles[1]!);
});

test("on the Conflict screen the focus is never lost", async ({ app, agent }) => {
  const [claude, cursor, codex] = [await agent("claude"), await agent("cursor"), await agent("codex")];
  for (const title of ["First", "Second"]) {
    await claude.call("write", { brain: "team", topic: "x", title, body: "It is so." });
    await cursor.call("write", { brain: "team", topic: "x", title, body: "It is otherwise." });
  }
  await app.getByRole("option").first().click();
  await look(app);
  await app.keyboard.press("Enter");
  const sides = app.getByRole("region", { name: /two sides/ });
  await expect(sides).toBeFocused();
  const title = (await app.getByRole("heading", { level: 1 }).textContent())!.includes("First") ? "First" : "Second";
  await codex.call("write", { brain: "team", topic: "x", title, body: "It is a third way." });
  await app.getByRole("button", { name: "I have seen it" }).press("Enter");
  await expect(sides).toBeFocused();
  // Settled by its button, the next conflict has it.
  await look(app);
  const before = app.url();
  await app.getByRole("button", { name: /^Keep head/ }).press("Enter");
  await expect(app).not.toHaveURL(before);
  await expect(sides).toBeFocused();
  for (const place of ["3", "2", "1"]) {
    await app.keyboard.press(`ControlOrMeta+${place}`);
    await kept(app);
  }
});

test("what had the focus and goes gives it to what is around it", async ({ app, agent }) => {
  const claude = await agent("claude");
  await claude.call("write", { brain: "team", topic: "x", title: "Clash", body: "It is so." });
  await claude.call("write", { brain: "team", topic: "x", title: "Taken", body: "Taken." });
  await openUnit(app, "team", "Taken");
  const dialog = app.getByRole("dialog");
  await app.getByRole("button", { name: "More" }).click();
  await app.getByRole("menuitem", { name: /Move/ }).click();
  await dialog.getByRole("textbox", { name: /Title/ }).fill("Clash");
  // Refused, the button that was pressed has the focus still.
  await dialog.getByRole("button", { name: "Move" }).press("Enter");
  await expect(dialog.getByRole("alert")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Move" })).toBeFocused();
  await app.keyboard.press("Escape");

  await app.getByRole("button", { name: "Policies" }).click();
  await dialog.getByRole("button", { name: "Add a topic" }).click();
  const remove = dialog.getByRole("button", { name: /Remove the policy/ });
  await remove.press("Enter");
  await expect(remove).toHaveCount(0);
  await expect(dialog.getByRole("button", { name: "Add a topic" })).toBeFocused();
  await app.keyboard.press("Escape");

  await look(app);
  await app.keyboard.press("e");
  const text = app.getByRole("textbox", { name: /^Text/ });
  await text.click();
  await app.keyboard.type("x");
  await app.keyboard.press("Escape");
  await kept(app);
  await app.getByRole("button", { name: "Go on with it" }).press("Enter");
  await app.getByRole("button", { name: "Throw it away" }).press("Enter");
  await expect(text).toBeFocused();
});

test("the list names the selected row only while that is in the page", async ({ app, agent }) => {
  const claude = await agent("claude");
  const reader = await agent("reader");
  for (let fact = 0; fact < 20; fact++) {
    const { id } = await claude.call("write", { brain: "team", topic: "f", title: `Fact ${fact}`, body: `Fact ${fact} holds.`, observed_at: weeksAgo(4) });
    await reader.call("fetch", { id });
  }
  await app.setViewportSize({ width: 1180, height: 420 });
  await app.reload();
  const list = app.getByRole("listbox");
  const named = () => list.evaluate((list) => list.getAttribute("aria-activedescendant"));
  await app.getByRole("option").first().click();
  const id = (await named())!;
  expect(await app.evaluate((id) => document.getElementById(id) !== null, id)).toBe(true);
  await app.getByRole("option").first().hover();
  await app.mouse.wheel(0, 5_000);
  await expect.poll(() => app.evaluate((id) => document.getElementById(id) !== null, id)).toBe(false);
  await expect.poll(named).toBeNull();
});

test("who signs out is out at once, though the server hangs", async ({ app, agent }) => {
  const claude = await agent("claude");
  await claude.call("write", { brain: "team", topic: "x", title: "Text", body: "A private text." });
  await openUnit(app, "team", "Text");
  await app.route("**/api/sign-out", () => undefined);
  await app.getByRole("button", { name: "Sign out" }).click();
  await expect(app.getByText("You signed out of this tab.")).toBeVisible();
  await expect(app.getByText("A private text.")).toHaveCount(0);
  await kept(app);
});
