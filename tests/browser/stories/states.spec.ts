// The states that a page is seldom in: each works, and axe finds nothing on any.
import { spawnSync } from "node:child_process";
import type { Page } from "@playwright/test";
import { axeFindsNothing } from "../support/axe.ts";
import { test, expect, ask, comeBack, look, openBrain, openUnit, signIn, watch } from "../support/test.ts";

const weeksAgo = (weeks: number) => new Date(Date.now() - weeks * 7 * 86_400_000).toISOString();
const places = (page: Page) => page.getByRole("navigation", { name: "Places" });

for (const theme of ["light", "dark"] as const)
  test(`details, forms, dialogs and refusals, ${theme}`, async ({ app, agent, home, server }) => {
    test.setTimeout(240_000);
    await app.emulateMedia({ colorScheme: theme });
    home.ok("brain", "create", "facts", "--shared", "--write-policy", "review");
    const [claude, cursor] = [await agent("claude"), await agent("cursor")];
    const body = "It is so.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n\n- [ ] to do";
    const { id } = await claude.call("write", { brain: "team", topic: "x", title: "Clash", body });
    await cursor.call("write", { brain: "team", topic: "x", title: "Clash", body: "It is otherwise." });
    await claude.call("write", { brain: "facts", topic: "p", title: "Rate", body: "900" });
    const old = await claude.call("write", { brain: "team", topic: "f", title: "Old", body: "One holds.", observed_at: weeksAgo(5), source: "https://example.com/x" });
    await cursor.call("fetch", { id: old.id });
    await comeBack(app);
    const main = app.getByRole("main");
    const clean = (what: string) => axeFindsNothing(app, `${what}, ${theme}`);
    const escape = () => app.keyboard.press("Escape");

    // The Inbox: what is disputed and proposed in any brain comes before facts.
    await expect(app.getByRole("option")).toHaveCount(3);
    expect(await app.getByRole("option").locator(".t").allTextContents()).toEqual(["Clash", "Rate", "Old"]);
    for (const [title, says] of [["Clash", "It is otherwise."], ["Rate", "900"], ["Old", "One holds."]] as const) {
      await app.getByRole("option", { name: new RegExp(title) }).click();
      await expect(app.getByRole("article", { name: title })).toContainText(says);
      await clean(`${title} in the Inbox`);
    }
    await look(app);
    await app.keyboard.press("c");
    await expect(app.getByRole("textbox", { name: /The text as it is now/ })).toBeVisible();
    await clean("a fact's text being edited");
    await escape();
    await app.keyboard.press("?");
    await expect(app.getByRole("dialog")).toBeVisible();
    await clean("the list of keys");
    await escape();

    // Brains: the unit, its menu, and every dialog.
    await openUnit(app, "team", "Clash");
    await clean("a unit in conflict");
    await app.getByRole("button", { name: "More" }).click();
    await expect(app.getByRole("menu")).toBeVisible();
    await clean("the menu of a unit");
    await escape();
    for (const button of ["Compare revisions", "Policies", "New brain"]) {
      await app.getByRole("button", { name: button }).click();
      await expect(app.getByRole("dialog")).toBeVisible();
      await clean(button);
      await escape();
      await expect(app.getByRole("dialog")).toHaveCount(0);
    }
    await app.keyboard.press("c");
    await expect(main.getByRole("textbox", { name: /^Text/ })).toBeVisible();
    await clean("a new unit");
    await app.keyboard.press("ControlOrMeta+Enter");
    await expect(main.getByRole("alert").first()).toBeVisible();
    await clean("a new unit that is refused");
    await escape();

    // The Conflict screen with its history.
    await app.goto(`${server.origin}/conflict/${id}`);
    await expect(app.getByRole("table")).toBeVisible();
    await look(app);
    await app.keyboard.press("h");
    await expect(app.getByRole("dialog")).toBeVisible();
    await clean("a history");
    await escape();

    // Addresses that lead nowhere, in the screens' words.
    await app.goto(`${server.origin}/nowhere`);
    await expect(app.getByText("Nothing is at this address.")).toBeVisible();
    await clean("an address that is none");
    await app.goto(`${server.origin}/brains?unit=000000000000`);
    await expect(main).toContainText("It may have been erased");
    await expect(main).not.toContainText("`search`");
    await clean("a unit that is none");
    await app.goto(`${server.origin}/conflict/000000000000`);
    await expect(main).toContainText("This is not here any more.");
    await expect(main).not.toContainText("`search`");
    await clean("a conflict of no unit");
    await app.goto(`${server.origin}/brains?brain=team&query=zzzzqq`);
    await expect(main).toContainText("zzzzqq");
    await clean("a search that finds nothing");

    // Gone, asked for while it is gone, and back.
    await server.stop("SIGKILL");
    await expect(app.getByRole("status").filter({ hasText: "not answering" })).toBeVisible();
    await clean("the server gone");
    await places(app).getByRole("link", { name: /Review/ }).click();
    await expect(main).toContainText("It comes by itself once OzBrain answers.");
    await clean("a screen that the gone server was asked for");
    await home.serve(server.port);
    await expect(app.getByRole("article", { name: "Old" })).toContainText("One holds.");
    await app.getByRole("button", { name: "Sign out" }).click();
    await expect(app.getByRole("heading", { name: /sign/i }).first()).toBeVisible();
    await clean("signed out");
  });

test("five thousand conflicts among eight thousand units: the pages come, hold few rows, and one key still settles one", async ({ page, home, wrong }) => {
  test.setTimeout(600_000);
  const done = spawnSync(process.env.OZBRAIN_FILL!, [home.env.OZBRAIN_DATA_DIR!, "many", "8000", "5000"], { encoding: "utf8" });
  expect(done.status, done.stderr).toBe(0);
  const server = await home.serve();
  watch(page, wrong);
  await signIn(page, home, server);
  const rows = page.getByRole("option");
  const long = { timeout: 60_000 };
  await expect(rows.first()).toBeVisible(long);
  const { counts } = await ask<{ counts: Record<string, number> }>(page, "/api/state");
  expect(counts.conflicts).toBe(5_000);
  const all = counts.conflicts! + counts.problems!;
  const inbox = places(page).getByRole("link", { name: /Inbox/ });
  await expect(inbox).toContainText(all.toLocaleString("en-GB"));
  expect(await rows.count()).toBeLessThan(60);
  await rows.first().click();
  await look(page);
  await page.keyboard.press("k");
  await expect(inbox).toContainText((all - 1).toLocaleString("en-GB"), long);
  await page.keyboard.press("End");
  await expect(page.getByRole("option", { selected: true })).toHaveAttribute("aria-posinset", String(all - 1), long);
  await expect(page.getByRole("article")).toBeVisible(long);
  expect(await rows.count()).toBeLessThan(60);
  await axeFindsNothing(page, "an Inbox of thousands");
  await openBrain(page, "Many");
  await expect(rows.first()).toBeVisible(long);
  expect(await rows.count()).toBeLessThan(60);
  await axeFindsNothing(page, "a brain of thousands");
});

test("two texts of 200 KiB in conflict: compared, and merged letter by letter", async ({ app, agent }) => {
  test.setTimeout(240_000);
  const [claude, cursor] = [await agent("claude"), await agent("cursor")];
  const text = (of: string) =>
    Array.from({ length: 2_600 }, (_, i) => `Line ${i}: ${i % 3 ? "the same words here in both of them" : `${of} differs ${(i * 7_919) % 101}`} and on it goes.`)
      .join("\n\n")
      .slice(0, 200_000);
  const long = { timeout: 60_000 };
  const { id } = await claude.call("write", { brain: "team", topic: "x", title: "Big", body: text("left") });
  await cursor.call("write", { brain: "team", topic: "x", title: "Big", body: text("right") });
  await app.getByRole("option", { name: /Big/ }).click();
  await expect(app.getByRole("article", { name: "Big" })).toBeVisible(long);
  await look(app);
  await app.keyboard.press("Enter");
  await expect(app.getByRole("table")).toBeVisible(long);
  // Of a text so long a part is in the page.
  expect(await app.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(20_000);
  await look(app);
  await app.keyboard.press("e");
  const merged = app.getByRole("textbox", { name: /Merged text/ });
  await expect(merged).toBeVisible(long);
  await merged.click();
  await app.keyboard.press("ControlOrMeta+Home");
  await app.keyboard.type("Begun: ");
  await expect(merged).toContainText("Begun: Line 0", long);
  await app.keyboard.press("ControlOrMeta+Enter");
  await expect.poll(async () => (await claude.call("fetch", { id })).metadata.conflicted, long).toBe(false);
  expect((await claude.call("fetch", { id })).text).toMatch(/^Begun: Line 0/);
});
