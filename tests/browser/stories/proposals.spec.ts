// What agents propose in a brain under review waits for the person's word.
import type { Page } from "@playwright/test";
import { axeFindsNothing } from "../support/axe.ts";
import { test, expect, holding, openBrain, openUnit, look } from "../support/test.ts";

const rate = { brain: "facts", topic: "prices", title: "Day rate" };
const row = (page: Page) => page.getByRole("option", { name: /Day rate/ });

/** What a page asks for in vain. */
function inVain(page: Page): string[] {
  const lost: string[] = [];
  page.on("response", (answer) => {
    if (answer.status() === 404) lost.push(answer.url());
  });
  return lost;
}

test.beforeEach(({ home }) => {
  home.ok("brain", "create", "facts", "--shared", "--write-policy", "review");
});

test("a proposal is accepted as it is, and asked for no more", async ({ app, agent }) => {
  const lost = inVain(app);
  const claude = await agent("claude");
  expect((await claude.call("write", { ...rate, body: "The day rate is 900." })).outcome).toBe("proposed");
  await row(app).click();
  await look(app);
  await app.getByRole("button", { name: /^Accept/ }).click();
  await expect(row(app)).toHaveCount(0);
  const unit = await claude.call("fetch", { id: "facts:prices#Day rate" });
  expect(unit.text).toBe("The day rate is 900.");
  expect(unit.metadata.agent).toContain("claude");
  await openUnit(app, "facts", "Day rate");
  await expect(app.getByRole("region", { name: "History" })).toContainText("Claude wrote it, accepted by you");
  expect(lost).toEqual([]);
});

test("a proposal is edited, then accepted", async ({ app, agent }) => {
  const claude = await agent("claude");
  await claude.call("write", { ...rate, body: "The day rate is 900." });
  await row(app).click();
  await expect(app.getByRole("article")).toContainText("The day rate is 900.");
  await look(app);
  await app.keyboard.press("e");
  const field = app.getByRole("textbox", { name: /The text that will stand/ });
  await expect(field).toBeFocused();
  await field.fill("The day rate is 950 from May.");
  // Leaving keeps what was typed.
  await app.keyboard.press("Escape");
  await expect(field).toHaveCount(0);
  await look(app);
  await app.keyboard.press("e");
  await expect(field).toHaveValue("The day rate is 950 from May.");
  await app.keyboard.press("ControlOrMeta+Enter");
  await expect(row(app)).toHaveCount(0);
  expect((await claude.call("fetch", { id: "facts:prices#Day rate" })).text).toBe("The day rate is 950 from May.");
});

test("a proposal is rejected, and asked for no more", async ({ app, agent }) => {
  const lost = inVain(app);
  const claude = await agent("claude");
  await claude.call("write", { ...rate, body: "The day rate is 900." });
  await row(app).click();
  await look(app);
  await app.keyboard.press("d");
  await expect(row(app)).toHaveCount(0);
  expect((await claude.refusal("fetch", { id: "facts:prices#Day rate" })).code).toBe("unknown_unit");
  expect(lost).toEqual([]);
});

test("a rejected proposal comes back by the undo key, and is accepted", async ({ app, agent }) => {
  const claude = await agent("claude");
  await claude.call("write", { ...rate, body: "The day rate is 900." });
  await row(app).click();
  await look(app);
  await app.keyboard.press("d");
  await expect(row(app)).toHaveCount(0);
  const today = app.getByRole("region", { name: "Settled today" });
  await expect(today).toContainText("You rejected the proposal at");
  await axeFindsNothing(app, "an Inbox with a rejected proposal");
  await app.keyboard.press("u");
  await expect(row(app)).toHaveCount(1);
  await expect(today).toContainText(/You rejected the proposal at .*, undone at/);
  await row(app).click();
  await expect(app.getByRole("article")).toContainText("The day rate is 900.");
  await look(app);
  await app.keyboard.press("a");
  await expect(row(app)).toHaveCount(0);
  expect((await claude.call("fetch", { id: "facts:prices#Day rate" })).text).toBe("The day rate is 900.");
});

test("an author that proposed anew is in the way of the undo, and is named", async ({ app, agent }) => {
  const claude = await agent("claude");
  await claude.call("write", { ...rate, body: "The day rate is 900." });
  await row(app).click();
  await look(app);
  await app.keyboard.press("d");
  await expect(row(app)).toHaveCount(0);
  await claude.call("write", { ...rate, body: "The day rate is 950." });
  await expect(row(app)).toHaveCount(1);
  await app.keyboard.press("u");
  await expect(app.getByText(/Nothing was undone. Claude proposed anew at/).first()).toBeAttached();
  await expect(row(app)).toHaveCount(1);
});

test("what was rejected is in no file any more once its text is erased", async ({ app, agent, home }) => {
  const claude = await agent("claude");
  await claude.call("write", { ...rate, body: "The key is xylophonicwhisper." });
  await row(app).click();
  await look(app);
  await app.keyboard.press("d");
  await expect(row(app)).toHaveCount(0);
  expect(holding(home, "xylophonicwhisper")).not.toEqual([]);
  const today = app.getByRole("region", { name: "Settled today" });
  await today.getByRole("button", { name: /^Erase text…:/ }).click();
  const dialog = app.getByRole("dialog", { name: "Erase a rejected proposal?" });
  await expect(dialog).toContainText("The rejection cannot be undone then.");
  await axeFindsNothing(app, "the question before a rejected text is erased");
  await dialog.getByRole("button", { name: "Erase for good" }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => holding(home, "xylophonicwhisper")).toEqual([]);
  await expect(today.getByRole("button")).toHaveCount(0);
  await app.keyboard.press("u");
  await expect(app.getByText(/This cannot be undone\. Erased/).first()).toBeAttached();
});

test("of a unit's history too, a rejection is undone and its text erased", async ({ app, agent }) => {
  const claude = await agent("claude");
  await claude.call("write", { ...rate, body: "The day rate is 900." });
  await row(app).click();
  await look(app);
  await app.keyboard.press("a");
  await expect(row(app)).toHaveCount(0);
  await claude.call("fetch", { id: "facts:prices#Day rate" });
  await claude.call("write", { ...rate, body: "The day rate is 950." });
  await row(app).click();
  await look(app);
  await app.keyboard.press("d");
  await expect(row(app)).toHaveCount(0);
  await openUnit(app, "facts", "Day rate");
  const history = app.getByRole("region", { name: "History" });
  await history.getByRole("button", { name: "Undo: You rejected a proposal" }).click();
  await expect(history).toContainText("You undid a change");
  await history.getByRole("button", { name: "Undo: You undid a change" }).click();
  await history.getByRole("button", { name: "Erase text…: You rejected a proposal" }).click();
  await app.getByRole("dialog").getByRole("button", { name: "Erase for good" }).click();
  await expect(app.getByRole("dialog")).toHaveCount(0);
  await expect(history).toContainText("You erased a rejected proposal’s text");
  await expect(history.getByRole("button", { name: /rejected a proposal/ })).toHaveCount(0);
});

test("a policy that opens a brain leaves what waits, and lets the next write land", async ({ app, agent }) => {
  const claude = await agent("claude");
  await claude.call("write", { ...rate, body: "The day rate is 900." });
  await expect(row(app)).toHaveCount(1);
  await openBrain(app, "facts");
  await app.getByRole("button", { name: "Policies" }).click();
  const dialog = app.getByRole("dialog");
  await dialog.getByRole("radio", { name: /^Open/ }).click();
  await expect(app.getByText("The policies of facts were changed.").first()).toBeAttached();
  await app.keyboard.press("Escape");
  const cursor = await agent("cursor");
  expect((await cursor.call("write", { ...rate, body: "The day rate is 950." })).outcome).toBe("created");
  await app.getByRole("navigation", { name: "Places" }).getByRole("link", { name: /Inbox/ }).click();
  await row(app).click();
  // It was meant as a new unit; what stands now is shown against it.
  await expect(app.getByRole("article")).toContainText("950");
  await expect(app.getByRole("article")).toContainText("900");
  // A state that has just come on screen is not accepted by a key that was on its way.
  await look(app);
  await app.keyboard.press("a");
  await expect(row(app)).toHaveCount(0);
  expect((await cursor.call("fetch", { id: "facts:prices#Day rate" })).text).toBe("The day rate is 900.");
});

test("an erased revision names the proposals that may hold a part of it", async ({ app, agent }) => {
  const claude = await agent("claude");
  const { id } = await claude.call("write", { ...rate, brain: "team", body: "The day rate is 900, the key is xylophonicwhisper." });
  await claude.call("write", { brain: "team", id, body: "The day rate is 900." });
  await openUnit(app, "team", "Day rate");
  await app.getByRole("button", { name: "Policies" }).click();
  await app.getByRole("dialog").getByRole("radio", { name: /^Review/ }).click();
  await expect(app.getByText("The policies of team were changed.").first()).toBeAttached();
  await app.keyboard.press("Escape");
  expect((await claude.call("write", { brain: "team", id, body: "The day rate is 950, and xylophonicwhisper is a key." })).outcome).toBe("proposed");
  await app.getByRole("button", { name: "More" }).click();
  await app.getByRole("menuitem", { name: /Erase/ }).click();
  const dialog = app.getByRole("dialog");
  await dialog.getByRole("radio", { name: "One revision" }).click();
  await dialog.getByRole("textbox").fill("Day rate");
  await dialog.getByRole("button", { name: "Erase for good" }).click();
  await expect(app.getByRole("dialog", { name: "Erased" })).toContainText("1 proposal about this unit waits in the Inbox");
  await app.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});
