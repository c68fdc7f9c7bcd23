// Settings: what the person chose holds, shows in every tab at once, and what
// is refused changes nothing.
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { axeFindsNothing } from "../support/axe.ts";
import { test, expect, signIn, watch } from "../support/test.ts";

const pictures = join(import.meta.dirname, "..", "..", "output", "browser", "pictures");

async function openSettings(page: Page): Promise<void> {
  await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Quiet hours" })).toBeVisible();
}

/** What the line below a screen says, and a screen reader hears. */
const said = (page: Page, text: string | RegExp) => expect(page.locator(".status .undo-line")).toHaveText(text);

test("what is changed holds, and shows in another tab at once", async ({ app, home, server, browser }) => {
  const other = await (await browser.newContext()).newPage();
  await signIn(other, home, server);
  for (const page of [app, other]) await openSettings(page);
  const quiet = (page: Page) => page.getByRole("checkbox", { name: "Quiet hours" });
  const from = (page: Page) => page.getByLabel("Quiet hours from");

  await quiet(app).check();
  await said(app, "Quiet from 22:00 until 07:00.");
  await expect(app.locator(".announcer")).toContainText("Quiet from 22:00 until 07:00.");
  await expect(quiet(other)).toBeChecked();
  await expect(from(other)).toHaveValue("22:00");

  await from(app).fill("23:15");
  await from(app).press("Enter");
  await said(app, "Quiet from 23:15 until 07:00.");
  await expect(from(other)).toHaveValue("23:15");

  // Arrows move it, and it counts once it is left.
  await from(app).press("ArrowUp");
  await from(app).press("ArrowUp");
  await from(app).press("Tab");
  await said(app, "Quiet from 23:45 until 07:00.");
  await from(app).fill("late");
  await from(app).press("Tab");
  await expect(from(app)).toHaveValue("23:45");

  await app.getByRole("group", { name: "Pause" }).getByRole("button", { name: "For 1 hour" }).click();
  await said(app, /^Notifications are paused until /);
  await expect(other.getByText(/^Paused until /)).toBeVisible();
  await other.getByRole("button", { name: "Resume" }).click();
  await said(other, "Notifications come again.");
  await expect(app.getByRole("button", { name: "Until next morning, 08:00" })).toBeVisible();

  await app.getByRole("checkbox", { name: "Daily digest" }).uncheck();
  await said(app, "No digest comes.");
  await expect(other.getByLabel("Daily digest at")).toHaveCount(0);
  await app.getByRole("checkbox", { name: "team" }).uncheck();
  await said(app, "No notifications from team.");
  await expect(other.getByRole("checkbox", { name: "team" })).not.toBeChecked();

  await app.reload();
  await expect(from(app)).toHaveValue("23:45");
  await expect(app.getByRole("checkbox", { name: "Daily digest" })).not.toBeChecked();
  await expect(app.getByRole("checkbox", { name: "team" })).not.toBeChecked();
  // Start at login is the desktop application's.
  await expect(app.getByRole("heading", { name: "Start at login" })).toHaveCount(0);
  await other.context().close();
});

test("what is refused is said, and the control shows what stands", async ({ app }) => {
  await openSettings(app);
  await app.getByRole("checkbox", { name: "Quiet hours" }).check();
  const until = app.getByLabel("Quiet hours until");
  await until.fill("22:00");
  await until.press("Tab");
  await expect(app.getByRole("alert")).toContainText("Nothing was changed. Quiet hours end at another time than they begin.");
  await expect(until).toHaveValue("07:00");
  await app.reload();
  await expect(until).toHaveValue("07:00");
});

test("a change that does not reach the server shows as not made", async ({ app, server, home }) => {
  await openSettings(app);
  await server.stop("SIGKILL");
  const digest = app.getByRole("checkbox", { name: "Daily digest" });
  await digest.click();
  await expect(app.getByRole("alert")).toContainText("OzBrain did not answer.");
  await expect(digest).toBeChecked();
  await home.serve(server.port);
  await expect(app.getByRole("status").filter({ hasText: "not answering" })).toHaveCount(0);
  await digest.click();
  await said(app, "No digest comes.");
  await expect(app.getByRole("alert")).toHaveCount(0);
});

test("a key opens it, and it says where the memory lies", async ({ app, home, server, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await expect(app.getByRole("main")).toBeVisible();
  await app.keyboard.press("Control+,");
  await expect(app.getByRole("heading", { name: "Settings" })).toBeVisible();
  const folder = app.getByRole("textbox", { name: "Data folder" });
  await expect(folder).toHaveValue(home.env.OZBRAIN_DATA_DIR!);
  await app.getByRole("button", { name: "Copy" }).click();
  await said(app, "The data folder’s path is copied.");
  expect(await app.evaluate(() => navigator.clipboard.readText())).toBe(home.env.OZBRAIN_DATA_DIR);
  await expect(app.getByText(server.origin)).toBeVisible();
  await app.keyboard.press("?");
  await expect(app.getByRole("dialog", { name: "Keys" })).toContainText("Go to Settings");
});

for (const theme of ["light", "dark"] as const) {
  for (const [size, viewport] of [["large", { width: 1180, height: 760 }], ["small", { width: 760, height: 560 }]] as const) {
    test(`the page, ${theme}, ${size}`, async ({ browser, home, server, wrong }) => {
      const context = await browser.newContext({ viewport, colorScheme: theme, baseURL: server.origin });
      const page = await context.newPage();
      watch(page, wrong);
      await signIn(page, home, server);
      await openSettings(page);
      await page.getByRole("checkbox", { name: "Quiet hours" }).check();
      await page.getByRole("button", { name: "For 1 hour" }).click();
      await said(page, /^Notifications are paused until /);
      await page.screenshot({ path: join(pictures, `settings-${theme}-${size}.png`) });
      await axeFindsNothing(page, `settings, ${theme}, ${size}`);
      await page.getByText("To change the port").scrollIntoViewIfNeeded();
      await page.screenshot({ path: join(pictures, `settings-end-${theme}-${size}.png`) });
      await axeFindsNothing(page, `settings, its end, ${theme}, ${size}`);
      await context.close();
    });
  }
}
