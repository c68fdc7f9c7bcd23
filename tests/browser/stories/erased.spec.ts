// What was erased is gone from every page that shows it, and from what was typed about it.
import { asPerson, keeps } from "../support/person.ts";
import { test, expect, look, openUnit, signIn } from "../support/test.ts";

const key = { brain: "team", topic: "secrets", title: "Key", body: "The key is xylophonicwhisper." };

test("erased in one tab, a unit is on no page of another", async ({ app, agent, context, home, server }) => {
  const [claude, cursor] = [await agent("claude"), await agent("cursor")];
  const { id } = await claude.call("write", key);
  await openUnit(app, "team", "Key");
  const secret = app.getByText("xylophonicwhisper");
  await expect(secret.first()).toBeVisible();
  const other = await context.newPage();
  await signIn(other, home, server);
  expect((await asPerson(other, "/api/erase", { what: "unit", id })).outcome).toBe("erased");
  await app.bringToFront();
  await expect(app.getByRole("heading", { name: "This unit is not there." })).toBeVisible();
  await expect(secret).toHaveCount(0);
  await expect(app.getByRole("button", { name: /^(Retire|Confirm|Edit)/ })).toHaveCount(0);

  // A conflict, and the text that was begun for it.
  const clash = await claude.call("write", key);
  await cursor.call("write", { ...key, body: "The key is another one." });
  await app.goto(`${server.origin}/conflict/${clash.id}`);
  await expect(app.getByRole("table", { name: /two sides/ })).toContainText("xylophonicwhisper");
  await look(app);
  await app.keyboard.press("e");
  await app.getByRole("textbox", { name: /Merged text/ }).click();
  await app.keyboard.type("xylophonicwhisper");
  await expect.poll(() => keeps(app, "xylophonicwhisper")).toBe(1);
  await asPerson(other, "/api/erase", { what: "unit", id: clash.id });
  await app.bringToFront();
  await expect(app.getByRole("alert").filter({ hasText: "This could not be shown" })).toBeVisible();
  await expect(secret).toHaveCount(0);
  expect(await keeps(app, "xylophonicwhisper")).toBe(0);
});

test("a form that is open on what is erased closes, and the next letter keeps nothing", async ({ app, agent, context, home, server }) => {
  const claude = await agent("claude");
  const { id } = await claude.call("write", key);
  await claude.call("write", { brain: "team", id, body: "The key was changed." });
  const other = await context.newPage();
  await signIn(other, home, server);
  await app.bringToFront();
  const form = app.getByRole("textbox", { name: /^Text/ });
  for (const what of [{ what: "revision", id, revision: 1 }, { what: "unit", id }]) {
    await openUnit(app, "team", "Key");
    await look(app);
    await app.keyboard.press("e");
    await form.click();
    await app.keyboard.type("xylophonicwhisper");
    expect(await keeps(app, "xylophonicwhisper")).toBe(1);
    await asPerson(other, "/api/erase", what);
    await expect(form).toHaveCount(0);
    await app.keyboard.press("y");
    expect(await keeps(app, "xylophonicwhisper")).toBe(0);
  }
});
