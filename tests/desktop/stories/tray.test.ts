// The icon in the tray: what waits, at a glance, and what its menu does.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe } from "node:test";
import { freePort } from "../../clients/ts/support/net.ts";
import { story } from "../support/world.ts";
import { until } from "../support/until.ts";

describe("the tray", () => {
  for (const dark of [false, true]) {
    story(`shows what waits, within a second, on a ${dark ? "dark" : "light"} panel`, { dark }, async (world) => {
      const { desktop } = world;
      await world.open(["--hidden"]);
      await world.trayIs("idle");
      const asked = ["Open OzBrain", "Add a fact…", "Pause notifications", "Quit OzBrain"];
      assert.deepEqual(await desktop.tray.labels(), ["Nothing waits for you", ...asked]);
      desktop.picture(`tray-idle-${dark ? "dark" : "light"}`);
      const agents = await world.clash("Launch");
      const replied = Date.now();
      await until("the menu counts it", async () => (await desktop.tray.labels())[0] === "1 conflict");
      const seen = Date.now() - replied;
      await world.trayIs("attention", 3_000);
      for (const title of ["Budget", "Venue", "Team & partners_x", "Speakers", "Press"]) await world.clash(title, agents);
      // The newest five, of which each opens its page.
      const named = ["Press", "Speakers", "Team & partners_x", "Venue", "Budget"].map((title) => `Conflict: ${title}`);
      await until("the menu counts all", async () => (await desktop.tray.labels())[0] === "6 conflicts");
      const labels = await desktop.tray.labels();
      assert.deepEqual(labels.map((label) => label.replace(/ · (now|\d min)$/, "")), ["6 conflicts", ...named, ...asked]);
      for (const item of labels.slice(1, 6)) assert.match(item, / · (now|\d min)$/, "each says how old it is");
      await desktop.openMenu();
      desktop.picture(`tray-attention-${dark ? "dark" : "light"}`);
      desktop.press("Escape");
      await desktop.tray.choose(/^For 1 hour$/);
      await world.trayIs("paused", 3_000);
      desktop.picture(`tray-paused-${dark ? "dark" : "light"}`);
      assert.ok(seen < 1_000, `it took ${seen} ms`);
    });
  }

  story("opens what it names, and the form for a new fact", {}, async (world) => {
    const { tray } = world.desktop;
    const app = await world.open(["--hidden"]);
    const { id } = await world.clash();
    await tray.choose(/^Conflict: Launch · /);
    const page = await app.page();
    await page.isAt(new RegExp(`^/conflict/${id}`));
    await tray.choose(/^Add a fact…$/);
    await page.isAt(/^\/brains/);
    await page.type("textbox", /^Topic/, "errands");
    await page.type("textbox", /^Title/, "Post office");
    await page.type("textbox", /^Text/, "Closes at six.");
    await page.click("button", /^Write/);
    await until("it is stored", () => world.home.json("fetch", "personal:errands#Post office").text === "Closes at six.");
    assert.equal(world.desktop.windows("OzBrain").length, 1);
  });

  story("keeps what was typed while the window is closed, and asks before it goes", {}, async (world) => {
    const { desktop } = world;
    const app = await world.open(["--hidden"]);
    await world.trayIs("idle");
    await desktop.tray.choose(/^Add a fact…$/);
    const page = await app.page();
    await page.isAt(/^\/brains/);
    await page.type("textbox", /^Topic/, "errands");
    await page.type("textbox", /^Title/, "Post office");
    await page.type("textbox", /^Text/, "Closes at six.");
    await page.letGo();
    await app.closeWindow();
    await app.noWindow();
    await desktop.tray.choose(/^Quit OzBrain$/);
    const dialog = await until("it asks", () => desktop.dialogs()[0]);
    desktop.picture("quit-unwritten");
    // Asked again meanwhile, it asks no second time.
    await desktop.tray.choose(/^Quit OzBrain$/);
    desktop.bringForward(dialog);
    desktop.press("Escape");
    await until("the question is gone", () => desktop.dialogs().length === 0);
    await world.serves(app);
    // The driver knows the first window alone: here the keys are those of a person.
    await desktop.tray.choose(/^Add a fact…$/);
    desktop.bringForward(await app.window());
    await until("it is written as it was typed", () => {
      desktop.press("ctrl+Return");
      return world.home.json("fetch", "personal:errands#Post office").text === "Closes at six.";
    });
    await desktop.tray.choose(/^Quit OzBrain$/);
    assert.equal(await app.running.end(), 0);
  });

  story("settled on the screens, has nothing to show any more", {}, async (world) => {
    const app = await world.open();
    const { first, id } = await world.clash();
    const page = await app.page();
    await world.trayIs("attention", 3_000);
    await page.click("option", /Launch/);
    await page.look();
    await page.click("button", /^Restore r1/);
    await world.trayIs("idle", 5_000);
    assert.equal((await first.call("fetch", { id })).text, "Status: delayed, says the client.");
  });

  story("of two data folders shows two icons, and neither takes the other's picture", {}, async (world) => {
    const { desktop } = world;
    await world.open(["--hidden"]);
    await world.trayIs("idle");
    const other = { OZBRAIN_DATA_DIR: join(desktop.folder, "other"), OZBRAIN_PORT: String(await freePort()) };
    await world.launch(["--hidden"], other);
    const pictures = await until("both are there", async () => {
      const found = await desktop.tray.pictures();
      return new Set(found).size === 2 && found;
    });
    await world.clash();
    await until("one of them changed", async () => (await desktop.tray.pictures()).some((one) => !pictures.includes(one)));
    for (const picture of await desktop.tray.pictures()) assert.ok(existsSync(picture), picture);
  });
});
