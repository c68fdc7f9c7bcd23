// One application at a time: how it starts, who else may be there, how it ends.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe } from "node:test";
import { story, type World } from "../support/world.ts";
import { until } from "../support/until.ts";

/** Keeps every writer of a data folder waiting, until it is released. */
function holdWrites(world: World, folder = world.home.env.OZBRAIN_DATA_DIR!): () => void {
  const store = new DatabaseSync(join(folder, "ozbrain.db"), { timeout: 10_000 });
  store.exec("BEGIN IMMEDIATE");
  return () => {
    store.exec("ROLLBACK");
    store.close();
  };
}

describe("the application", () => {
  story("that is started again brings its window forward and follows the link", {}, async (world) => {
    const { desktop } = world;
    const app = await world.open();
    const page = await app.page();
    await page.isThere();
    const writer = await world.http("claude");
    const { id } = await writer.call("write", { brain: "team", topic: "offices", title: "Hours", body: "Open from nine." });
    desktop.minimize(await app.window());
    await app.noWindow();
    const second = await world.launch([`ozbrain:${id}`]);
    assert.equal(await second.running.end(), 0);
    await until("the window is in front", () => /OzBrain/.test(desktop.front()));
    await page.isAt(new RegExp(`unit=${id}`));
    await page.says(/Open from nine/);
    const third = await world.launch();
    assert.equal(await third.running.end(), 0);
    assert.equal(desktop.windows("OzBrain").length, 1);
    assert.equal((await desktop.tray.icons()).length, 1);
  });

  story("that is started while it still starts is heard, and shows its window while the memory cannot be opened", {}, async (world) => {
    const folder = join(world.desktop.folder, "fresh");
    mkdirSync(folder);
    const release = holdWrites(world, folder);
    const env = { OZBRAIN_DATA_DIR: folder };
    const first = await world.launch(["--hidden"], env);
    await until("another start can find it", async () => (await world.desktop.bus.names()).some((name) => /^ai\.ozbrain\.desktop\.d/.test(name)));
    const second = await world.launch(["ozbrain:personal:offices"], env);
    assert.equal(await second.running.end(5_000), 0);
    const page = await first.page();
    await page.isAt(/^\/inbox/);
    release();
    await page.isAt(/topic=offices/);
    await world.serves(first);
  });

  story("that the session starts a second time stays in the tray", {}, async (world) => {
    const app = await world.open(["--hidden"]);
    await world.trayIs("idle");
    const second = await world.launch(["--hidden"]);
    assert.equal(await second.running.end(), 0);
    // Whatever it asked for would have come before this.
    await world.clash();
    await world.trayIs("attention");
    assert.deepEqual(world.desktop.windows("OzBrain"), []);
    const third = await world.launch();
    assert.equal(await third.running.end(), 0);
    await app.window();
  });

  story("opens a link that it is started with", {}, async (world) => {
    world.home.json("write", "--brain", "team", "--topic", "offices", "--title", "Hours", "--body", "Open from nine.");
    const app = await world.open(["ozbrain:team:offices#Hours"]);
    const page = await app.page();
    await page.says(/Open from nine/);
  });

  story("follows a link that navigates, and none that would act or lead astray", {}, async (world) => {
    const app = await world.open();
    const { id } = await world.clash();
    const page = await app.page();
    await page.says(/on track/);
    await page.run("window.sent = []; const send = fetch; window.fetch = (...call) => (sent.push(call[0].method ?? 'GET'), send(...call))");
    const [before, places] = [await page.place(), await page.run<number>("return history.length")];
    const follow = async (link: string) => {
      const second = await world.launch([link]);
      assert.equal(await second.running.end(), 0, link);
    };
    for (const link of [
      "ozbrain:",
      "ozbrain:../../etc/passwd",
      `ozbrain:${id}?choice=keep_head`,
      "ozbrain:team:a%0Ab",
      `ozbrain:team:${"a".repeat(5_000)}`,
      // Of brains that nobody has.
      "ozbrain:javascript:alert(1)",
      "ozbrain://localhost/api/resolve",
    ]) {
      await follow(link);
      assert.equal(await page.place(), before, link);
    }
    await follow(`ozbrain:${id}`);
    await page.isAt(new RegExp(`unit=${id}`));
    // What came before it has been answered too, and led nowhere.
    assert.equal(await page.run("return history.length"), places + 1);
    await page.says(/on track/);
    const sent = await page.run<string[]>("return sent");
    assert.ok(sent.length > 0);
    assert.deepEqual(sent.filter((method) => method !== "GET"), [], "a link only looks");
    assert.equal(world.home.json("fetch", id).metadata.conflicted, true);
  });

  story("uses a server that runs, and takes over when it ends", {}, async (world) => {
    const server = await world.home.serve(world.port);
    const app = await world.open();
    const page = await app.page();
    await page.isThere();
    const { id } = await world.clash();
    await page.says(/on track/);
    assert.equal(app.running.over, false);
    await server.stop();
    await world.serves(app);
    const { metadata } = await (await world.http("reader")).call("fetch", { id });
    assert.equal(metadata.conflicted, true);
    await world.desktop.tray.choose(/^Quit OzBrain$/);
    assert.equal(await app.running.end(), 0);
    await assert.rejects(fetch(`${world.origin}/health`), "nobody serves any more");
  });

  story("lets a call that runs finish when the person quits", {}, async (world) => {
    const app = await world.open();
    await app.window();
    const agent = await world.http("claude");
    const release = holdWrites(world);
    const call = agent.call("write", { brain: "team", topic: "offices", body: "Open from nine." });
    await until("the call waits", async () => (await Promise.race([call, "waits"])) === "waits");
    await world.desktop.tray.choose(/^Quit OzBrain$/);
    await app.noWindow();
    assert.equal(app.running.over, false, "it waits for the call");
    release();
    assert.equal((await call).outcome, "created");
    assert.equal(await app.running.end(), 0);
    assert.match(world.home.ok("search", "nine", "--brain", "team"), /offices/);
  });

  story("asks before it loses what is typed and not written", {}, async (world) => {
    const { desktop } = world;
    const app = await world.open();
    const page = await app.page();
    await page.isThere();
    await desktop.tray.choose(/^Add a fact…$/);
    await page.type("textbox", /^Topic/, "errands");
    await page.type("textbox", /^Text/, "Half a");
    const quit = async () => {
      await desktop.tray.choose(/^Quit OzBrain$/);
      const question = await until("it asks", () => desktop.dialogs()[0]);
      desktop.bringForward(question);
      return question;
    };
    const question = await quit();
    assert.equal(desktop.parent(question), await app.window());
    desktop.picture("quit-loses-text");
    desktop.press("Return");
    await until("it was answered", () => desktop.dialogs().length === 0);
    // Without a window it leads back to one.
    await page.letGo();
    await app.closeWindow();
    await app.noWindow();
    await quit();
    desktop.press("Escape");
    await app.window();
    assert.equal(app.running.over, false);
    await quit();
    desktop.press("Left", "Return");
    assert.equal(await app.running.end(), 0);
  });

  story("goes on where parts of it fail, and says so once", {}, async (world) => {
    const { desktop } = world;
    const app = await world.open(["--hidden"], { OZBRAIN_STUMBLES: "host,window,tray,notifications" });
    await world.trayIs("idle");
    const agents = await world.clash("Launch");
    await desktop.notifications.arrived.next("the notification of the clash");
    app.running.child.kill("SIGUSR1");
    const told = await until("it is said", () => desktop.dialogs()[0]);
    desktop.picture("a-part-failed");
    const stumbled = () => world.logged().match(/ERROR .*stumbled/g) ?? [];
    await until("all four failed", () => stumbled().length === 4);
    desktop.bringForward(told);
    desktop.press("Return");
    await until("it was read", () => desktop.dialogs().length === 0);
    // Each works again: agents are served, the tray counts, the clash is told, the window opens.
    await world.serves(app);
    await world.clash("Budget", { first: await world.http("codex"), second: agents.second });
    await until("the tray counts it", async () => (await desktop.tray.labels())[0] === "2 conflicts");
    // What nobody saw to is told again, and the new one with it.
    for (let told = ""; !/Budget/.test(told); ) {
      const next = await desktop.notifications.arrived.next("the notification of the next clash");
      told = next.summary + next.body;
    }
    await desktop.tray.choose(/^Open OzBrain$/);
    const page = await app.page();
    await page.says(/Budget/);
    assert.deepEqual(desktop.dialogs(), [], "it was said once");
    assert.doesNotMatch(world.logged(), /says the plan|says the client/);
    await desktop.tray.choose(/^Quit OzBrain$/);
    assert.equal(await app.running.end(), 0);
  });

  story("says why no port is open", {}, async (world) => {
    const app = await world.launch(["ozbrain:personal:offices"], { OZBRAIN_PORT: "abc" });
    const page = await app.page();
    await page.isThere();
    await page.click("link", /^Settings/);
    await page.says(/OZBRAIN_PORT is no port: abc/);
  });

  story("that was killed starts again with all that agents were promised", {}, async (world) => {
    let app = await world.open();
    await app.window();
    const { id } = await world.clash();
    await app.running.kill("SIGKILL");
    app = await world.open();
    const page = await app.page();
    await page.says(/on track/);
    await world.trayIs("attention");
    assert.equal((await world.desktop.tray.icons()).length, 1);
    assert.equal(world.home.json("fetch", id).metadata.conflicted, true);
  });

  story("ends in good order when the session ends", {}, async (world) => {
    const app = await world.open();
    await app.window();
    app.running.child.kill("SIGTERM");
    assert.equal(await app.running.end(), 0);
  });

  // One that nobody listens on, and none at all.
  for (const address of ["unix:path=/nonexistent/bus", ""]) {
    const wishes = { panel: false, notifications: "none" } as const;
    story(`without a session bus (${address || "no address"}) shows its window and serves`, wishes, async (world) => {
      const app = await world.open([], { DBUS_SESSION_BUS_ADDRESS: address });
      const page = await app.page();
      await page.isThere();
      await world.clash();
      await page.says(/on track/);
      assert.equal(app.running.over, false);
    });
  }

  story("without a tray quits when its window closes, and says so once", { panel: false }, async (world) => {
    const { desktop } = world;
    const app = await world.open(["--hidden"]);
    const window = await app.window();
    await app.closeWindow();
    const question = await until("it is said what closing means", () => desktop.windows("Closing the window quits")[0] ?? desktop.dialogs()[0]);
    assert.equal(desktop.parent(question), window);
    desktop.picture("closing-without-tray");
    desktop.bringForward(question);
    // Who passes over it loses nothing.
    desktop.press("Return");
    await until("it was answered", () => desktop.dialogs().length === 0);
    assert.equal(await app.window(), window);
    assert.equal(app.running.over, false);
    await app.closeWindow();
    assert.equal(await app.running.end(), 0);
  });

  story("where icons are watched over and nobody shows any has no tray", { panel: false }, async (world) => {
    await world.desktop.bus.watchWithoutHost();
    const app = await world.open();
    await app.window();
    await app.closeWindow();
    await until("it is said what closing means", () => world.desktop.dialogs()[0]);
  });

  story("stays in a tray that knows the X11 way alone", { panel: "trayer" }, async (world) => {
    const app = await world.open();
    await app.window();
    world.desktop.picture("tray-of-x11");
    await app.closeWindow();
    await app.noWindow();
    await world.serves(app);
    assert.deepEqual(world.desktop.dialogs(), []);
    const second = await world.launch();
    assert.equal(await second.running.end(), 0);
    await app.window();
  });

  story("without a display says so and ends", {}, async (world) => {
    const app = await world.launch([], { DISPLAY: "" });
    assert.notEqual(await app.running.end(), 0);
    assert.match(app.running.told(), /display/i);
  });
});
