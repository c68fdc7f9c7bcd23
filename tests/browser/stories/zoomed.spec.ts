// A window of 1280 by 1024 at 400 %: 320 by 256 pixels. All of it can be reached, and nothing covers what is read.
import { expect, openBrain, test } from "../support/test.ts";
import { weeksAgo } from "../support/person.ts";

test("every screen can be used in a window of 320 by 256", async ({ app, agent, server }) => {
  const claude = await agent("claude");
  const cursor = await agent("cursor");
  const launch = { brain: "team", topic: "projects/q3", title: "Launch" };
  const { id } = await claude.call("write", { ...launch, body: "Status: delayed, says the client." });
  await cursor.call("write", { ...launch, body: "Status: on track, says the plan." });
  await claude.call("write", { brain: "team", topic: "offices", title: "Hours", body: "The office opens at nine.", observed_at: weeksAgo(9) });
  for (let fact = 0; fact < 9; fact += 1) await claude.call("write", { brain: "team", topic: "facts", title: `Fact ${fact}`, body: `Fact ${fact} holds.` });
  await app.setViewportSize({ width: 320, height: 256 });
  const height = (what: string) => app.locator(what).first().evaluate((at) => at.clientHeight);
  const fits = async () =>
    expect(await app.evaluate(() => [...document.querySelectorAll("main, .side, .side *")].filter((at) => at.getBoundingClientRect().right > innerWidth + 0.5).map((at) => at.className))).toEqual([]);

  await app.goto(`${server.origin}/brains?brain=team`);
  await expect(app.getByRole("option", { name: /Fact 1/ })).toBeVisible();
  expect(await height(".unit-list")).toBeGreaterThan(150);
  await fits();

  await app.goto(`${server.origin}/review`);
  const still = app.getByRole("button", { name: /^Still true/ });
  await still.scrollIntoViewIfNeeded();
  // What is decided on is above the buttons, and not beneath them.
  const text = app.getByText("The office opens at nine.");
  const [fact, button] = [await text.boundingBox(), await still.boundingBox()];
  expect(fact!.y + fact!.height).toBeLessThanOrEqual(button!.y);
  await text.scrollIntoViewIfNeeded();
  await expect(text).toBeInViewport({ ratio: 1 });
  await fits();

  await app.goto(`${server.origin}/conflict/${id}`);
  await expect(app.getByRole("button", { name: /^Keep/ }).first()).toBeAttached();
  expect(await height(".conflict > .scroll")).toBeGreaterThan(150);
  await app.goto(`${server.origin}/conflict/${id}?merge=true`);
  await expect(app.locator(".merge .cm-content").first()).toBeAttached();
  expect(await height(".merge .ed")).toBeGreaterThan(150);
  await app.locator(".merge .cm-content").first().scrollIntoViewIfNeeded();
  await expect(app.locator(".merge .cm-content").first()).toBeInViewport();
  for (const place of ["/inbox", "/agents", "/agents?view=grants", "/settings"]) {
    await app.goto(`${server.origin}${place}`);
    await expect(app.getByRole("main")).toBeVisible();
    await fits();
  }
});

test("the list of units shows where the focus is, also while no unit is chosen", async ({ app, agent }) => {
  await (await agent("claude")).call("write", { brain: "team", topic: "offices", title: "Hours", body: "The office opens at nine." });
  await openBrain(app, "team");
  const list = app.getByRole("listbox", { name: /Units/ });
  await expect(list.getByRole("option")).toHaveCount(1);
  for (let steps = 0; steps < 40 && !(await list.evaluate((at) => at === document.activeElement)); steps += 1) await app.keyboard.press("Tab");
  await expect(list).toBeFocused();
  expect(await list.evaluate((at) => [at, ...at.querySelectorAll("*")].some((part) => getComputedStyle(part).outlineStyle !== "none"))).toBe(true);
});

test("pictures of several signs stand as one, and what hides is shown by its number", async ({ app, agent }) => {
  const title = "👩‍👩‍👧‍👦 🏳️‍🌈 👁️‍🗨️ 🧑🏿‍💻 ❤️ family";
  await (await agent("claude")).call("write", { brain: "team", topic: "home", title, body: "They arrive on Friday‮." });
  await openBrain(app, "team");
  const row = app.getByRole("option", { name: /family/ });
  await expect(row).toContainText(title);
  await row.click();
  await expect(app.getByText(/Friday⟨U\+202E⟩/).first()).toBeVisible();
});
