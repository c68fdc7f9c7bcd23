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
    await toldOnce(world);
    await world.clash("Budget", agents);
    await world.clash("Venue", agents);
    const told = await until("all three are in one", () => {
      const [one, ...others] = notifications.standing();
      return others.length === 0 && one !== undefined && /^3 conflicts/.test(one.summary) && one;
    });
    for (const title of [/Launch/, /Budget/, /Venue/]) assert.match(told.body, title);
    world.desktop.picture("three-clashes");
    await until("the tray counts three", async () => (await world.desktop.tray.labels())[0] === "3 conflicts");
  });

  story("in a pause is told when it ends, if it is still open", {}, async (world) => {
    const { tray, notifications } = world.desktop;
    await world.open(["--hidden"]);
    await world.trayIs("idle");
    await tray.choose(/^For an hour$/);
    await world.trayIs("paused", 3_000);
    const agents = await world.clash("Launch");
    const { id, second } = await world.clash("Budget", agents);
    await until("the tray knows", async () => (await tray.labels())[0] === "2 conflicts");
    assert.equal(await world.state(), "paused");
    const { metadata } = await second.call("fetch", { id });
    await second.call("resolve", { id, version: metadata.conflict.version, choice: "keep_head", decision: "The plan holds." });
    await until("the tray knows", async () => /^1 conflict\b/.test((await tray.labels())[0]!));
    assert.equal(notifications.shown.length, 0, "nothing was shown in the pause");
    await tray.choose(/^Resume notifications$/);
    await world.trayIs("attention", 3_000);
    const told = await toldOnce(world);
    assert.doesNotMatch(words(told), /Budget/);
  });

  story("in a brain that the person muted is not told", {}, async (world) => {
    const { notifications, tray } = world.desktop;
    const app = await world.open(["ozbrain:team:offices"]);
    world.home.sharedBrain("clients");
    const page = await app.page();
    await page.click("link", /^Settings/);
    await page.click("checkbox", /^team$/);
    await page.says(/team is silent/);
    const agents = await world.clash("Launch");
    await until("the tray knows", async () => (await tray.labels())[0] === "1 conflict");
    const address = { brain: "clients", topic: "meridian", title: "Terms" };
    await agents.first.call("write", { ...address, body: "Net 30." });
    await agents.second.call("write", { ...address, body: "Net 45." });
    const told = await notifications.arrived.next("the clash in the other brain");
    assert.match(words(told), /Terms/);
    assert.doesNotMatch(words(told), /Launch/);
    assert.equal(notifications.shown.length, 1);
  });

  story("while the application was not there is told when it starts, and never twice", {}, async (world) => {
    const { notifications, tray } = world.desktop;
    const server = await world.home.serve(world.port);
    const agents = await world.clash("Launch");
    await server.stop();
    let app = await world.open(["--hidden"]);
    const told = await toldOnce(world);
    await tray.choose(/^Quit OzBrain$/);
    assert.equal(await app.running.end(), 0);
    await until("what stood went with it", () => notifications.closed.has(told.id));
    app = await world.open(["--hidden"]);
    await world.trayIs("attention");
    await world.clash("Budget", { first: await world.http("codex"), second: agents.second });
    const next = await notifications.arrived.next("the clash after the restart");
    assert.match(words(next), /Budget/);
    assert.doesNotMatch(words(next), /Launch/);
  });
});
