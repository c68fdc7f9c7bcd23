// Every page in both themes and three sizes: kept as pictures, and axe finds
// nothing on any.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { axeFindsNothing } from "../support/axe.ts";
import { test, expect, signIn, watch, look } from "../support/test.ts";
import { Home } from "../../clients/ts/support/ozbrain.ts";

const pictures = join(import.meta.dirname, "..", "..", "output", "browser", "pictures");

function fill(home: Home, ...args: string[]): void {
  const done = spawnSync(process.env.OZBRAIN_FILL!, [home.env.OZBRAIN_DATA_DIR!, ...args], { encoding: "utf8" });
  expect(done.status, done.stderr).toBe(0);
}

/** The pages, and what is there when one has come. */
const pages: [string, (page: Page) => Promise<void>][] = [
  ["inbox", async (page) => page.goto("/inbox").then(() => expect(page.getByRole("main")).toContainText("Inbox"))],
  [
    "conflict",
    async (page) => {
      await page.goto("/inbox");
      const row = page.getByRole("option", { name: /conflict/i }).first();
      await row.click();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("table")).toBeVisible();
    },
  ],
  [
    "conflict-merge",
    async (page) => {
      await page.goto("/inbox");
      await page.getByRole("option", { name: /conflict/i }).first().click();
      await look(page);
      await page.keyboard.press("e");
      await expect(page.getByRole("textbox", { name: /Merged text/ })).toBeVisible();
    },
  ],
  ["review", async (page) => page.goto("/review").then(() => expect(page.getByRole("main")).toContainText("Review"))],
  [
    "brains",
    async (page) => {
      await page.goto("/brains?brain=studio&topic=clients/meridian");
      const wanted = page.getByText("Who decides what").first();
      await wanted.click();
      await expect(page.getByRole("heading", { name: "Who decides what" })).toBeVisible();
      await expect(page.getByText("ChatGPT added the tag raci")).toBeVisible();
    },
  ],
  ["agents", async (page) => page.goto("/agents").then(() => expect(page.getByRole("option", { name: /^ChatGPT/ })).toBeVisible())],
  ["grants", async (page) => page.goto("/agents?view=grants").then(() => expect(page.getByRole("table")).toBeVisible())],
];

/** Nothing is being fetched or moved any more: the page asks nothing for a moment, but for its stream of changes. */
const settled = async (page: Page) => {
  await expect(page.getByText("Loading…")).toHaveCount(0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
  });
};

/** What a thumb misses, and what lies beyond the edge of a narrow window, but for what is cut with an ellipsis. */
const misfits = (page: Page) =>
  page.evaluate(() => {
    const shown = (one: Element) => {
      const { width, height, top, bottom } = one.getBoundingClientRect();
      return width > 2 && height > 2 && bottom > 0 && top < innerHeight && !one.closest(".vh, .ed");
    };
    const low = [...document.querySelectorAll("button, [role=radio], [role=option], nav a, .btn")].filter((one) => shown(one) && one.getBoundingClientRect().height < 40);
    const wide = [...document.querySelectorAll("button, a, h1, h2, p, [role=cell], [role=columnheader]")].filter(
      (one) => shown(one) && !one.closest(".clip, .ed") && one.getBoundingClientRect().right > innerWidth + 1,
    );
    return [...low.map((one) => `low: ${one.outerHTML.slice(0, 90)}`), ...wide.map((one) => `wide: ${one.outerHTML.slice(0, 90)}`)];
  });

for (const theme of ["light", "dark"] as const) {
  for (const [size, viewport] of [["large", { width: 1180, height: 760 }], ["small", { width: 760, height: 560 }], ["phone", { width: 390, height: 844 }]] as const) {
    test(`the pages, ${theme}, ${size}`, async ({ browser, home, server, wrong }) => {
      test.setTimeout(180_000);
      fill(home, "studio");
      const context = await browser.newContext({ viewport, colorScheme: theme, baseURL: server.origin });
      const page = await context.newPage();
      watch(page, wrong);
      await signIn(page, home, server);
      for (const [name, come] of pages) {
        await come(page);
        await settled(page);
        await page.screenshot({ path: join(pictures, `${name}-${theme}-${size}.png`) });
        await axeFindsNothing(page, `${name}, ${theme}, ${size}`);
        if (size === "phone") expect(await misfits(page), `${name}, ${theme}`).toEqual([]);
      }
      expect(wrong).toEqual([]);
      await context.close();
    });
  }
}

test("the pages when nothing is there", async ({ app, server }) => {
  for (const [name, path] of [["inbox", "/inbox"], ["review", "/review"], ["brains", "/brains"], ["agents", "/agents"]] as const) {
    await app.goto(`${server.origin}${path}`);
    await expect(app.getByRole("main")).toBeVisible();
    await settled(app);
    await app.screenshot({ path: join(pictures, `${name}-empty.png`) });
    await axeFindsNothing(app, `${name}, empty`);
  }
});

test("where there is room for one pane, a row leads to what it is about, and back", async ({ app, home, server }) => {
  fill(home, "studio");
  await app.setViewportSize({ width: 390, height: 844 });
  await app.goto(`${server.origin}/inbox`);
  const clash = app.getByRole("option", { name: /Launch date/ });
  await clash.click();
  const detail = app.getByRole("article", { name: "Launch date" });
  await expect(detail).toBeVisible();
  await expect(clash).toBeHidden();
  await app.getByRole("button", { name: "Back to the list" }).click();
  await expect(clash).toBeVisible();
  await expect(detail).toBeHidden();
  // What is settled there is followed by the next one.
  await clash.click();
  await look(app);
  await detail.getByRole("button", { name: "Keep head" }).click();
  await expect(app.getByRole("article", { name: "Payment terms" })).toBeVisible();
  await app.goto(`${server.origin}/brains?brain=studio&topic=clients/meridian`);
  await app.getByRole("option", { name: /Meeting rhythm/ }).click();
  await expect(app.getByRole("heading", { name: "Meeting rhythm" })).toBeVisible();
  await expect(app.getByRole("option", { name: /Meeting rhythm/ })).toBeHidden();
  await app.getByRole("button", { name: "Back to the list" }).click();
  await expect(app.getByRole("option", { name: /Meeting rhythm/ })).toBeVisible();
});
