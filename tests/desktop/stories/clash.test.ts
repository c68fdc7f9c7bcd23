// Two agents contradict each other while the person does something else.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe } from "node:test";
import { join } from "node:path";
import { story, type World } from "../support/world.ts";
import { until } from "../support/until.ts";

/** All that a notification says. */
const words = ({ summary, body }: { summary: string; body: string }) => `${summary}\n${body}`;

/** The name of the menu entry that the packages install. */
function installedEntry(): string | undefined {
  const build = readFileSync(join(import.meta.dirname, "..", "..", "..", "scripts", "build.mjs"), "utf8");
  return /productName: NAME/.test(build) ? /^const NAME = "(.+)";$/m.exec(build)?.[1] : undefined;
}

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
    story(`is told once, opened by a click in an app without a window, and settled (${notifications})`, { notifications, expires: 120 }, async (world) => {
      const { desktop } = world;
      const app = await world.open(["--hidden"]);
      await world.trayIs("idle");
      assert.deepEqual((await desktop.tray.labels())[0], "Nothing waits for you");
      const { id, first } = await world.clash();
      const told = await toldOnce(world);
      assert.equal(told.hints["desktop-entry"], installedEntry(), "desktops group and set it under its menu entry");
      await world.trayIs("attention", 3_000);
      const [head, item] = await desktop.tray.labels();
      assert.equal(head, "1 conflict");
      assert.match(item!, /^Conflict: Launch · /);
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

  story("that nobody could show is told as soon as somebody can", { notifications: "none" }, async (world) => {
    const { desktop } = world;
    await world.open(["--hidden"]);
    await world.clash();
    await world.trayIs("attention", 5_000);
    desktop.processes.start("dunst", [], desktop.env);
    await toldOnce(world);
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
      return others.length === 0 && one?.summary === "Conflict on “Launch” and 2 more" && one;
    });
    for (const title of [/Budget/, /Venue/]) assert.match(told.body, title);
    world.desktop.picture("three-clashes");
    await until("the tray counts three", async () => (await world.desktop.tray.labels())[0] === "3 conflicts");
  });

  story("off the screen by itself is joined by the next one all the same, and taken back", { notifications: "xfce4-notifyd", expires: 1 }, async (world) => {
    const { notifications } = world.desktop;
    await world.open(["--hidden"]);
    const agents = await world.clash("Launch");
    const first = await toldOnce(world);
    await until("nobody was there to see it", () => notifications.closed.get(first.id) === 1);
    const { id } = await world.clash("Budget", agents);
    const both = await notifications.arrived.next("the two in one");
    assert.equal(both.summary, "Conflict on “Launch” and 1 more");
    for (const unit of [agents.id, id]) {
      const { metadata } = await agents.second.call("fetch", { id: unit });
      await agents.second.call("resolve", { id: unit, version: metadata.conflict.version, choice: "keep_head", decision: "The plan holds." });
    }
    await until("it is taken out of what the desktop keeps", () => notifications.withdrawn.includes(both.id));
  });

  story("and whoever shows notifications hangs: the application ends in time, and tells it after the next start", {}, async (world) => {
    const { desktop } = world;
    let app = await world.open(["--hidden"]);
    await world.trayIs("idle");
    await desktop.freezeNotifications(true);
    try {
      await world.clash();
      await world.trayIs("attention", 3_000);
      await until("it is noted that none can be shown", () => /notifications cannot be shown/.test(world.logged()));
      const asked = Date.now();
      await desktop.tray.choose(/^Quit OzBrain$/);
      assert.equal(await app.running.end(), 0);
      assert.ok(Date.now() - asked < 9_000, `it took ${Date.now() - asked} ms`);
    } finally {
      await desktop.freezeNotifications(false);
    }
    assert.doesNotMatch(world.logged(), /a notification is shown/);
    app = await world.open(["--hidden"]);
    await until("it is told", () => /a notification is shown/.test(world.logged()));
  });

  story("in a pause is told when it ends, if it is still open", {}, async (world) => {
    const { tray, notifications } = world.desktop;
    await world.open(["--hidden"]);
    await world.trayIs("idle");
    await tray.choose(/^For 1 hour$/);
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
    await page.isThere();
    await page.painted();
    await page.click("link", /^Settings/);
    await page.click("checkbox", /^team$/);
    await page.says(/No notifications from team/);
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

  story("while the application was not there is told when it starts, and again until someone saw to it", {}, async (world) => {
    const { notifications, tray } = world.desktop;
    const server = await world.home.serve(world.port);
    const agents = await world.clash("Launch");
    await server.stop();
    let app = await world.open(["--hidden"]);
    const told = await toldOnce(world);
    await tray.choose(/^Quit OzBrain$/);
    assert.equal(await app.running.end(), 0);
    await until("what stood went with it", () => notifications.closed.has(told.id));
    // Nobody saw to it, so it is told again; put away by a click, it is not.
    app = await world.open(["--hidden"]);
    const again = await toldOnce(world);
    await world.desktop.clickNotification(2);
    await until("it was put away", () => notifications.closed.get(again.id) === 2);
    await tray.choose(/^Quit OzBrain$/);
    assert.equal(await app.running.end(), 0);
    app = await world.open(["--hidden"]);
    await world.trayIs("attention");
    await world.clash("Budget", { first: await world.http("codex"), second: agents.second });
    const next = await notifications.arrived.next("the clash after the restart");
    assert.match(words(next), /Budget/);
    assert.doesNotMatch(words(next), /Launch/);
  });
});
