// The packages as someone gets them. The .deb is installed into an empty root,
// started from its menu entry, and removed without a trace; the .rpm is looked
// into.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { freePort } from "../../clients/ts/support/net.ts";
import { story, type World } from "../support/world.ts";
import { until } from "../support/until.ts";
import { Window } from "../support/window.ts";

const deb = process.env.OZBRAIN_DEB ?? "";
const rpm = process.env.OZBRAIN_RPM ?? "";
const root = mkdtempSync(join(tmpdir(), "ozbrain-root-"));
const data = join(root, "usr", "share");

function ok(command: string, args: string[], env: Record<string, string> = {}): string {
  const done = spawnSync(command, args, { encoding: "utf8", env: { ...process.env, ...env } });
  assert.equal(done.status, 0, `${command} ${args.join(" ")}: ${done.error ?? ""}${done.stdout}${done.stderr}`);
  return done.stdout.trim();
}

/** Installs or removes; what the package depends on is this machine's, not the empty root's. */
const dpkg = (...args: string[]) => ok("dpkg", [`--root=${root}`, "--force-depends", "--force-not-root", ...args]);

/** The processes that run a program of the empty root. */
function running(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readlinkSync(`/proc/${name}/exe`).startsWith(root);
      } catch {
        // It has ended, or belongs to someone else.
        return false;
      }
    })
    .map(Number);
}

/** The files in the root that are no part of dpkg's own records. */
const files = () =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .filter((path) => !path.startsWith("/var/"))
    .sort();

/** Where a desktop that has the package installed finds things. */
const installed = { PATH: `${join(root, "usr/bin")}:${process.env.PATH}`, XDG_DATA_DIRS: `${data}:/usr/local/share:/usr/share` };

/** What either package installs, besides what it says of licences. */
const CONTENTS = [
  "/usr/bin/ozbrain",
  "/usr/bin/ozbrain-desktop",
  "/usr/share/applications/ozbrain.desktop",
  "/usr/share/doc/ozbrain/third-party.txt.gz",
  "/usr/share/icons/hicolor/32x32/apps/ozbrain-desktop.png",
  "/usr/share/icons/hicolor/256x256/apps/ozbrain-desktop.png",
  "/usr/share/icons/hicolor/scalable/apps/ozbrain-desktop.svg",
];

describe("the .rpm", () => {
  const asked = (...args: string[]) => ok("rpm", ["--query", "--package", ...args, rpm]).split("\n");

  it("is called ozbrain, and names what it needs", () => {
    assert.ok(existsSync(rpm), "OZBRAIN_RPM names no package: run `npm run build -- --check`");
    assert.deepEqual(asked("--queryformat", "%{NAME} %{LICENSE}"), ["ozbrain MIT"]);
    // By the libraries' own names: packages are called differently from one distribution to the next.
    const needs = asked("--requires").join("\n");
    for (const need of [/^libwebkit2gtk-4\.1\.so\.0\(\)/m, /^libgtk-3\.so\.0\(\)/m, /^libayatana-appindicator3\.so\.1\(\)/m]) assert.match(needs, need);
  });

  it("has the programs, the menu entry, icons, and what is said of licences", () => {
    const there = asked("--list");
    for (const path of [...CONTENTS, "/usr/share/licenses/ozbrain/LICENSE"]) {
      assert.ok(there.includes(path), `${path} is among\n${there.join("\n")}`);
    }
    const programs = asked("--queryformat", "[%{FILEMODES:perms} %{FILENAMES}\n]").filter((line) => / \/usr\/bin\//.test(line));
    assert.deepEqual(programs.sort(), ["-rwxr-xr-x /usr/bin/ozbrain", "-rwxr-xr-x /usr/bin/ozbrain-desktop"]);
  });
});

describe("the .deb", () => {
  before(() => {
    assert.ok(existsSync(deb), "OZBRAIN_DEB names no package: run `npm run build -- --check`");
    for (const folder of ["info", "updates"]) mkdirSync(join(root, "var/lib/dpkg", folder), { recursive: true });
    writeFileSync(join(root, "var/lib/dpkg/status"), "");
    dpkg("--install", deb);
    process.env.OZBRAIN_BIN = join(root, "usr/bin/ozbrain");
  });

  after(() => {
    for (const pid of running()) process.kill(pid, "SIGKILL");
    rmSync(root, { recursive: true, force: true });
  });

  it("is called ozbrain, and names what it needs", () => {
    assert.equal(ok("dpkg-deb", ["--field", deb, "Package"]), "ozbrain");
    const depends = ok("dpkg-deb", ["--field", deb, "Depends"]);
    for (const need of [/libwebkit2gtk-4\.1-0/, /libgtk-3-0/, /libayatana-appindicator3-1/, /libc6 \(>= 2\.\d+\)/]) {
      assert.match(depends, need);
    }
  });

  it("has the programs, the menu entry, icons, and what is said of licences", () => {
    const there = files();
    for (const path of [...CONTENTS, "/usr/share/doc/ozbrain/copyright"]) {
      assert.ok(there.includes(path), `${path} is among\n${there.join("\n")}`);
    }
    const entry = join(data, "applications/ozbrain.desktop");
    assert.equal(ok("desktop-file-validate", [entry]), "");
    assert.match(readFileSync(entry, "utf8"), /^Name=OzBrain$/m);
    assert.match(ok(join(root, "usr/bin/ozbrain"), ["--version"]), /^ozbrain \d+\.\d+\.\d+/);
  });

  /** Starts the application as the menu does, and takes hold of its page. */
  async function fromMenu(world: World): Promise<Window> {
    const inspector = await freePort();
    const driven = { TAURI_AUTOMATION: "true", TAURI_WEBVIEW_AUTOMATION: "true", WEBKIT_INSPECTOR_SERVER: `127.0.0.1:${inspector}` };
    const menu = world.desktop.processes.start("gtk-launch", ["ozbrain"], world.env({ ...installed, ...driven }));
    assert.equal(await menu.end(), 0, menu.told());
    await world.serves();
    await until("the window is on the screen", () => world.desktop.windows("OzBrain")[0]);
    return Window.of(world.desktop, inspector);
  }

  story("starts from the menu, serves agents, and is what opens links", {}, async (world) => {
    const { desktop } = world;
    const page = await fromMenu(world);
    await page.isThere();
    const { id } = await world.clash("Launch", { first: await world.http("claude"), second: await world.http("cursor") });
    await page.says(/on track/);
    await page.painted();
    desktop.picture("installed");
    ok("update-desktop-database", [join(data, "applications")]);
    const opened = desktop.processes.start("gio", ["open", `ozbrain:${id}`], world.env(installed));
    assert.equal(await opened.end(), 0, opened.told());
    await page.isAt(new RegExp(`unit=${id}`));
    await desktop.tray.choose(/^Quit OzBrain$/);
    await until("nothing of it runs", () => running().length === 0);
  });

  it("is removed without a trace", () => {
    rmSync(join(data, "applications/mimeinfo.cache"), { force: true });
    dpkg("--purge", "ozbrain");
    assert.deepEqual(files(), []);
  });
});
