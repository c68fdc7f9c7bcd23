// Nothing is written over what the person was not shown, wherever it is written.
import { asPerson, pressed, pressOnceShown, weeksAgo } from "../support/person.ts";
import { axeFindsNothing } from "../support/axe.ts";
import { test, expect, look, openUnit } from "../support/test.ts";

test("a proposal that is edited while the head moves shows the new head before it is written over", async ({ app, agent, home }) => {
  home.ok("brain", "create", "facts", "--shared", "--write-policy", "review");
  const claude = await agent("claude");
  const { id } = await asPerson(app, "/api/write", { brain: "facts", topic: "prices", title: "Rate", body: "The rate is 900." });
  await claude.call("fetch", { id });
  await claude.call("write", { brain: "facts", id, body: "The rate is 950." });
  await app.getByRole("option", { name: /Rate/ }).click();
  await expect(app.getByRole("article")).toContainText("950");
  await look(app);
  await app.keyboard.press("e");
  const field = app.getByRole("textbox", { name: /The text that will stand/ });
  await field.fill("The rate is 960.");
  const text = async () => (await claude.call("fetch", { id })).text;
  await pressOnceShown(app, "board met");
  await asPerson(app, "/api/write", { brain: "facts", id, body: "The rate is 1200 since the board met." });
  await pressed(app);
  // The key was on its way when it came.
  const detail = app.getByRole("article");
  await expect(detail.getByRole("alert").first()).toBeVisible();
  await expect(detail).toContainText("You wrote revision 2 since you began.");
  await expect(detail.getByRole("group", { name: /beside/ })).toContainText("1200 since the board met");
  expect(await text()).toBe("The rate is 1200 since the board met.");
  await expect(field).toHaveValue("The rate is 960.");
  await axeFindsNothing(app, "a proposal that is edited under a newer head");
  await look(app);
  await detail.getByRole("button", { name: /^Write over r2/ }).click();
  await expect.poll(text).toBe("The rate is 960.");
});

test("a write key that meets a live change writes nothing, in Brains and in Review", async ({ app, agent }) => {
  const claude = await agent("claude");
  const old = { topic: "x", observed_at: weeksAgo(3) };
  const brains = await claude.call("write", { brain: "team", title: "Colours", body: "Green.", ...old });
  const text = async (id: string) => (await claude.call("fetch", { id })).text;
  await openUnit(app, "team", "Colours");
  await look(app);
  await app.keyboard.press("e");
  await app.getByRole("textbox", { name: /^Text/ }).click();
  await app.keyboard.press("ControlOrMeta+a");
  await app.keyboard.type("Mine.");
  await app.getByRole("textbox", { name: /^Source/ }).focus();
  await pressOnceShown(app, "while you were here");
  await claude.call("write", { brain: "team", id: brains.id, body: "Unseen by the person." });
  await pressed(app);
  await expect(app.getByRole("alert")).toContainText("Nothing was changed. This has just come, or moved.");
  expect(await text(brains.id)).toBe("Unseen by the person.");
  // Seen, it is written over by the person's word.
  await look(app);
  await app.keyboard.press("ControlOrMeta+Enter");
  await expect.poll(() => text(brains.id)).toBe("Mine.");

  const review = await claude.call("write", { brain: "team", title: "Card", body: "Old card.", ...old });
  await app.getByRole("navigation", { name: "Places" }).getByRole("link", { name: /Review/ }).click();
  await expect(app.getByRole("article", { name: "Card" })).toContainText("Old card");
  await look(app);
  await app.keyboard.press("c");
  const field = app.getByRole("textbox", { name: /as it holds now/ });
  await field.fill("Mine in Review.");
  await pressOnceShown(app, "while you were here");
  await claude.call("write", { brain: "team", id: review.id, body: "Unseen card text.", observed_at: weeksAgo(3) });
  await pressed(app);
  await expect(app.getByRole("alert").filter({ hasText: "This has just come, or moved." })).toBeVisible();
  expect(await text(review.id)).toBe("Unseen card text.");
  await look(app);
  await app.getByRole("button", { name: /^Write over r2/ }).click();
  await expect.poll(() => text(review.id)).toBe("Mine in Review.");
});

test("two units are joined as they were shown", async ({ app, agent }) => {
  const claude = await agent("claude");
  const one = await claude.call("write", { brain: "team", topic: "x", title: "Colours", body: "Green." });
  const other = await claude.call("write", { brain: "team", topic: "y", title: "Palette", body: "Green is out." });
  await openUnit(app, "team", "Colours");
  await app.getByRole("button", { name: "More" }).click();
  await app.getByRole("menuitem", { name: /Join/ }).click();
  const dialog = app.getByRole("dialog");
  await dialog.getByRole("searchbox").fill("palette");
  await dialog.getByRole("radio", { name: /Palette/ }).check();
  await expect(dialog).toContainText("Green is out.");
  await look(app);
  await dialog.getByRole("button", { name: "Join" }).focus();
  await app.evaluate(() => {
    const button = document.activeElement as HTMLElement;
    const seen = new MutationObserver(() => {
      if (!document.body.innerText.includes("never seen")) return;
      seen.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => button.click()));
    });
    seen.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await claude.call("write", { brain: "team", id: other.id, body: "Blue, never seen by the person." });
  // The page, or the server where it heard first.
  await expect(dialog.getByRole("alert")).toContainText("Nothing was changed");
  expect((await claude.call("fetch", { id: one.id })).metadata.conflicted).toBe(false);
  await look(app);
  await dialog.getByRole("button", { name: "Join" }).click();
  await expect(dialog).toHaveCount(0);
  expect((await claude.call("fetch", { id: other.id })).id).toBe(one.id);
});

test("what is changed while a unit is moved stays", async ({ app, agent }) => {
  const claude = await agent("claude");
  const { id } = await claude.call("write", { brain: "team", topic: "x", title: "Colours", body: "Green." });
  await openUnit(app, "team", "Colours");
  await app.getByRole("button", { name: "More" }).click();
  await app.getByRole("menuitem", { name: /Move/ }).click();
  const dialog = app.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Topic" }).fill("clients/elm");
  await claude.call("write", { brain: "team", id, title: "Palette" });
  await expect(app.getByRole("dialog", { name: /Move “Palette”/ })).toBeVisible();
  await dialog.getByRole("button", { name: "Move" }).click();
  await expect(dialog).toHaveCount(0);
  expect(await claude.call("fetch", { id })).toMatchObject({ title: "Palette", metadata: { topic: "clients/elm", conflicted: false } });
});

test("in a merge, a field that was taken from the head stays what was chosen when another head comes", async ({ app, agent }) => {
  const [claude, cursor, codex] = [await agent("claude"), await agent("cursor"), await agent("codex")];
  const launch = { brain: "team", topic: "q3", title: "Launch" };
  const { id } = await claude.call("write", { ...launch, body: "Status: delayed.", source: "Lena", tags: ["plan"] });
  await cursor.call("write", { ...launch, body: "Status: on track.", source: "Tom" });
  await app.getByRole("option", { name: /Launch/ }).click();
  await look(app);
  await app.keyboard.press("e");
  const pick = (what: RegExp) => app.getByRole("radiogroup", { name: what });
  await pick(/Difference 1/).getByRole("radio", { name: "r1" }).click();
  await pick(/Source/).getByRole("radio", { name: "r2" }).click();
  await codex.call("write", { ...launch, body: "Status: cancelled.", source: "The board", tags: ["board"] });
  await app.getByRole("button", { name: "Go on with my text" }).click();
  const write = app.getByRole("button", { name: /^Write revision 4/ });
  // The tags came into dispute: they are to be settled too.
  await expect(write).toBeDisabled();
  await pick(/Tags/).getByRole("radio", { name: "r2" }).click();
  await look(app);
  await write.click();
  await expect(app).toHaveURL(/inbox/);
  const { text, metadata } = await claude.call("fetch", { id });
  expect([text, metadata.source, metadata.tags, metadata.conflicted]).toEqual(["Status: delayed.", "Tom", ["plan"], false]);
});
