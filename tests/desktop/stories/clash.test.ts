// Two agents contradict each other while the person does something else.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { story, type World } from "../support/world.ts";
import { until } from "../support/until.ts";

/** All that a notification says. */
const words = ({ summary, body }: { summary: string; body: string }) => `${summary}\n${body}`;

/** The clash as it is told to the person: once, by unit and agents. */
async function toldOnce(world: World) {
  const told = await world.desktop.notifications.arrived.next("the notification of the clash", 5_000);
  assert.match(words(told), /Launch/);
  assert.match(words(told), /Cursor/);
  assert.match(words(told), /Claude/);
  return told;
}

describe("a clash of two agents", () => {
  for (const notifications of ["dunst", "xfce4-notifyd"] as const) {
    story(`is told once, opened by a click in an app without a window, and settled (${notifications})`, { notifications }, async (world) => {
      const { desktop } = world;
      const app = await world.open(["--hidden"]);
      await world.trayIs("idle");
      assert.deepEqual((await desktop.tray.labels())[0], "Nothing waits for you");
      const { id, first } = await world.clash();
      await toldOnce(world);
      await world.trayIs("attention", 3_000);
      assert.deepEqual((await desktop.tray.labels()).slice(0, 2), ["1 conflict", "Conflict: Launch"]);
      assert.deepEqual(desktop.windows("OzBrain"), [], "nobody opened the window yet");
      await desktop.openMenu();
      desktop.picture(`clash-${notifications}`);
      desktop.press("Escape");
      await desktop.clickNotification();
      const page = await app.page();
      await page.isAt(new RegExp(`^/conflict/${id}`));
      await page.says(/says the client/);
      await page.painted();
      desktop.picture(`clash-opened-${notifications}`);
      await page.look();
      await page.click("button", /^Keep head/);
      await until("the head is kept", async () => !(await first.call("fetch", { id })).metadata.conflicted);
      assert.equal((await first.call("fetch", { id })).text, "Status: on track, says the plan.");
      await world.trayIs("idle", 3_000);
      await until("no notification stands", () => desktop.notifications.standing().length === 0);
      assert.equal(desktop.notifications.shown.length, 1);
    });
  }

  story("that is settled elsewhere takes its notification back", {}, async (world) => {
    const { notifications } = world.desktop;
    await world.open(["--hidden"]);
    const { id, second } = await world.clash();
    const told = await toldOnce(world);
    const { metadata } = await second.call("fetch", { id });
    const decision = { choice: "keep_head", decision: "The plan holds." };
    await second.call("resolve", { id, version: metadata.conflict.version, ...decision });
    await until("the notification is taken back", () => notifications.withdrawn.includes(told.id));
    await until("it is gone", () => notifications.closed.has(told.id));
  });

  story("and two more within a minute are one notification", {}, async (world) => {
    const { notifications } = world.desktop;
    await world.open(["--hidden"]);
    const agents = await world.clash("Launch");
    await world.clash("Budget", agents);
    await world.clash("Venue", agents);
    await until("all three are in one", () => {
      const [one, ...others] = notifications.standing();
      return others.length === 0 && one !== undefined && /3|2 more/.test(words(one));
    });
    world.desktop.picture("three-clashes");
    await until("the tray counts three", async () => (await world.desktop.tray.labels())[0] === "3 conflicts");
  });

  story("while notifications are paused is not told, and the tray says that they are", {}, async (world) => {
    const { tray, notifications } = world.desktop;
    await world.open(["--hidden"]);
    await world.trayIs("idle");
    await tray.choose(/^For an hour$/);
    await world.trayIs("paused", 3_000);
    const agents = await world.clash("Launch");
    await until("the tray knows", async () => (await tray.labels())[0] === "1 conflict");
    assert.equal(await world.state(), "paused");
    await tray.choose(/^Resume notifications$/);
    await world.trayIs("attention", 3_000);
    assert.equal(notifications.shown.length, 0, "nothing was shown in the pause");
    await world.clash("Budget", agents);
    const told = await notifications.arrived.next("the first notification after the pause");
    assert.match(words(told), /Budget/);
  });
});
