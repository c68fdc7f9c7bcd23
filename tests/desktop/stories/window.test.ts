// The window: what it shows, where it stands, and whom it answers.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe } from "node:test";
import { story, type App } from "../support/world.ts";
import { until } from "../support/until.ts";

/** The processes that show the page of an application, by their numbers. */
function webProcesses(app: App): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const [, program, rest] = /\((.*)\) (.*)/.exec(stat) ?? [];
        const its = rest?.split(" ")[1] === String(app.running.pid) && rest[0] !== "Z";
        return its && program!.startsWith("WebKitWebProc") ? [Number(name)] : [];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}

/** The page without the line at its foot that tells the time. */
const PAGE = "1000x600+0+0";

describe("the window", () => {
  for (const theme of ["light", "dark"] as const) {
    story(`shows the screens, ${theme}`, { dark: theme === "dark" }, async (world) => {
      const app = await world.open([], { GTK_THEME: theme === "dark" ? "Adwaita:dark" : "Adwaita" });
      const page = await app.page();
      await page.isAt(/^\/inbox/);
      await page.isThere();
      const { id } = await world.clash();
      await page.says(/on track/);
      const dark = await page.run("return matchMedia('(prefers-color-scheme: dark)').matches");
      assert.equal(dark, theme === "dark");
      await page.painted();
      world.desktop.picture(`window-${theme}`);
      await page.click("option", /Launch/);
      await page.says(/without having seen revision 1/);
      await page.painted();
      world.desktop.picture(`window-conflict-${theme}`);
      assert.deepEqual(await page.run("return Object.keys(window.__TAURI__ ?? {})"), [], "the page holds no more than it needs");
      assert.equal((await page.runLater<any>(`return (await fetch("/api/units/${id}")).json()`)).id, id);
    });
  }

  story("closes into the tray, gives its memory back, and comes back", {}, async (world) => {
    const { desktop } = world;
    const app = await world.open();
    const page = await app.page();
    await page.isThere();
    await page.painted();
    const before = desktop.picture("window-before-closed", await app.window());
    assert.equal(webProcesses(app).length, 1);
    await page.letGo();
    await app.closeWindow();
    await app.noWindow();
    await until("the page's process is gone", () => webProcesses(app).length === 0);
    await world.serves(app);
    await world.trayIs("idle");
    await desktop.tray.choose(/^Open OzBrain$/);
    // WebKit's driver knows the first window alone: what the second shows is told by its picture.
    await until("it shows what it showed", async () => {
      const now = desktop.picture("window-closed-and-back", await app.window());
      return desktop.looksAlike(before, now, PAGE);
    });
  });

  story("shows its page again where what shows it was killed, and says so where that happens at once again", {}, async (world) => {
    const { desktop } = world;
    const app = await world.open();
    const page = await app.page();
    await page.isThere();
    await page.painted();
    await page.letGo();
    const before = desktop.picture("window-before-killed", await app.window());
    const shows = async () => desktop.looksAlike(before, desktop.picture("window-page-killed", await app.window()), PAGE);
    const [first] = webProcesses(app);
    process.kill(first!, "SIGKILL");
    const second = await until("another shows it", () => webProcesses(app).find((pid) => pid !== first));
    await until("it shows what it showed", shows);
    process.kill(second, "SIGKILL");
    const told = await until("it is said", () => desktop.dialogs()[0]);
    await app.noWindow();
    desktop.bringForward(told);
    desktop.press("Return");
    await until("it was read", () => desktop.dialogs().length === 0);
    await world.serves(app);
    await desktop.tray.choose(/^Open OzBrain$/);
    await until("it shows what it showed", shows);
  });

  story("that cannot be made is told of, each time it is asked for", {}, async (world) => {
    const { desktop } = world;
    const app = await world.open([], { OZBRAIN_NO_WINDOW: "1" });
    for (let time = 0; time < 2; time += 1) {
      const told = await until("it is said", () => desktop.dialogs()[0]);
      if (time === 0) desktop.picture("no-window");
      desktop.bringForward(told);
      desktop.press("Return");
      await until("it was read", () => desktop.dialogs().length === 0);
      await desktop.tray.choose(/^Open OzBrain$/);
    }
    await world.serves(app);
  });

  story("stands where it stood, after it was closed and after a restart", {}, async (world) => {
    const { desktop } = world;
    let app = await world.open();
    const wanted = { x: 140, y: 110, width: 1010, height: 640 };
    desktop.place(await app.window(), wanted);
    const placed = await until("the window is placed", async () => {
      const box = desktop.box(await app.window());
      return box.width === wanted.width && box.height === wanted.height && box;
    });
    await app.closeWindow();
    await app.noWindow();
    await desktop.tray.choose(/^Open OzBrain$/);
    await until("it is where it was", async () => assert.deepEqual(desktop.box(await app.window()), placed) ?? true);
    await desktop.tray.choose(/^Quit OzBrain$/);
    assert.equal(await app.running.end(), 0);
    app = await world.open();
    await until("it is where it was", async () => assert.deepEqual(desktop.box(await app.window()), placed) ?? true);
  });

  story("stays with its own pages", {}, async (world) => {
    const visits: string[] = [];
    const stranger = createServer((request, answer) => {
      visits.push(request.url ?? "");
      answer.setHeader("content-type", "text/html").end("<title>Elsewhere</title><h1>Elsewhere</h1>");
    });
    await new Promise<void>((done) => stranger.listen(0, "127.0.0.1", done));
    const address = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`;
    try {
      const browser = world.desktop.standIn("xdg-open");
      const fact = `The plan is [here](${address}plan).`;
      world.home.json("write", "--brain", "team", "--topic", "offices", "--title", "Plan", "--body", fact);
      const app = await world.open(["ozbrain:team:offices#Plan"], { PATH: browser.PATH });
      const page = await app.page();
      await page.isThere();
      await page.says(/The plan is here/);
      const home = await page.address();
      // What the person clicks goes to their browser.
      await page.click("link", /^here/);
      await until("the browser is asked for it", () => assert.deepEqual(browser.calls(), [`${address}plan`]) ?? true);
      // So does what opens a window of its own, if it is of the web.
      const clicked = async (target: string) => {
        await page.run(`
          const link = document.getElementById("elsewhere") ?? document.createElement("a");
          Object.assign(link, { id: "elsewhere", target: "_blank", href: arguments[0], textContent: "elsewhere" });
          link.style.cssText = "position: fixed; inset: 0 auto auto 0; z-index: 9999";
          document.body.append(link);
        `, target);
        await page.click("link", /^elsewhere$/);
      };
      for (const other of ["file:///etc/passwd", "ozbrain:team:offices", "javascript:alert(1)"]) await clicked(other);
      await clicked(`${address}opened`);
      await until("the browser is asked for it", () => assert.deepEqual(browser.calls(), [`${address}plan`, `${address}opened`]) ?? true);
      await page.run("location.href = arguments[0]", address);
      await page.run("const frame = document.createElement('iframe'); frame.src = arguments[0]; document.body.append(frame)", address);
      const fetched = await page.runLater("return fetch(arguments[0]).then(() => 'answered', () => 'refused')".replace("arguments", "given"), address);
      assert.equal(fetched, "refused");
      assert.equal(await page.address(), home);
      assert.deepEqual(world.desktop.windows("Elsewhere"), []);
      await page.isThere();
      assert.deepEqual(visits, []);
      assert.equal(browser.calls().length, 2, "nothing else went there");
    } finally {
      stranger.close();
    }
  });
});
