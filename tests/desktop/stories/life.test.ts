// One application at a time: how it starts, who else may be there, how it ends.
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe } from "node:test";
import { story, type World } from "../support/world.ts";
import { until } from "../support/until.ts";

/** Keeps every writer of the data folder waiting, until it is released. */
function holdWrites(world: World): () => void {
  const folder = world.home.env.OZBRAIN_DATA_DIR!;
  const store = new DatabaseSync(join(folder, "ozbrain.db"));
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

  story("without a session bus shows its window and serves", { panel: false, notifications: "none" }, async (world) => {
    const app = await world.open([], { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent/bus" });
    const page = await app.page();
    await page.isThere();
    await world.clash();
    await page.says(/on track/);
    assert.equal(app.running.over, false);
  });

  story("without a tray quits when its window closes, and says so once", { panel: false }, async (world) => {
    const { desktop } = world;
    let app = await world.open(["--hidden"]);
    await app.window();
    await app.closeWindow();
    const question = await until("it is said what closing means", () => desktop.windows("Closing the window quits")[0] ?? desktop.dialogs()[0]);
    desktop.picture("closing-without-tray");
    desktop.bringForward(question);
    desktop.press("Return");
    assert.equal(await app.running.end(), 0);
    app = await world.open();
    await app.window();
    await app.closeWindow();
    assert.equal(await app.running.end(), 0);
  });

  story("without a display says so and ends", {}, async (world) => {
    const app = await world.launch([], { DISPLAY: "" });
    assert.notEqual(await app.running.end(), 0);
    assert.match(app.running.told(), /display/i);
  });
});
