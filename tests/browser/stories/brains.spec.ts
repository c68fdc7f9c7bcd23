// The person writes, edits, moves, joins, retires and erases; a text can do nothing.
import type { Page } from "@playwright/test";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test, expect } from "../support/test.ts";

async function openTeam(page: Page): Promise<void> {
  await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: /Brains/ }).click();
  await page.getByRole("radiogroup", { name: "Brain" }).getByRole("radio", { name: /team/ }).click();
}

test("write, edit, retire and bring back", async ({ app, agent }) => {
  await openTeam(app);
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
  await openTeam(app);
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
  await openTeam(app);
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
  const folder = home.env.OZBRAIN_DATA_DIR!;
  await expect
    .poll(() => readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes("xylophonicwhisper")))
    .toEqual([]);
});
