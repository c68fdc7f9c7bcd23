// A desktop that nobody sees: a bus, a screen, windows with a manager, a panel
// with a tray, a notification daemon. All of it is the story's own.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { Bus, Notifications, Tray } from "./bus.ts";
import { clear, Processes, type Env } from "./processes.ts";
import { until } from "./until.ts";

/** Where pictures of what a person would see are kept. */
export const pictures = join(import.meta.dirname, "..", "..", "output", "desktop");

export interface Wishes {
  /** Whether a panel shows a tray; or something older does, which knows the X11 way alone. */
  panel?: boolean | "trayer";
  /** Whether the panel is dark. */
  dark?: boolean;
  /** Which daemon shows notifications. */
  notifications?: "dunst" | "xfce4-notifyd" | "none";
  /** After how many seconds a notification goes off the screen by itself; without, none does under dunst, and Xfce's own time counts. */
  expires?: number;
}

/** Only what a story starts may be started by name: nothing of the system's own. */
const busConfiguration = (folder: string) => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=${folder}/bus</listen>
  <auth>EXTERNAL</auth>
  <servicedir>${folder}/services</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

const panelConfiguration = (dark: boolean) => `<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="dark-mode" type="bool" value="${dark}"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=10;x=0;y=0"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="length" type="uint" value="100"/>
      <property name="size" type="uint" value="${PANEL}"/>
      <property name="icon-size" type="uint" value="22"/>
      <property name="plugin-ids" type="array">
        <value type="int" value="1"/>
        <value type="int" value="2"/>
        <value type="int" value="3"/>
      </property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="separator">
      <property name="expand" type="bool" value="true"/>
    </property>
    <property name="plugin-2" type="string" value="systray"/>
    <property name="plugin-3" type="string" value="clock"/>
  </property>
</channel>
`;

/** The screen's size, and the panel's height, in pixels. */
const SCREEN = { width: 1400, height: 900 };
const PANEL = 28;

/** A click does what the notification offers, as most daemons have it. */
const dunstConfiguration = (expires = 0) => `[global]
  width = 380
  offset = 16x16
  timeout = ${expires}
  mouse_left_click = do_action, close_current
  mouse_middle_click = close_current
  mouse_right_click = close_current
`;

const notifydConfiguration = (expires: number) => `<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-notifyd" version="1.0">
  <property name="expire-timeout-enabled" type="bool" value="true"/>
  <property name="expire-timeout" type="int" value="${expires}"/>
</channel>
`;

/** Where Xfce keeps a helper, which stands in a folder of its own. */
function xfce(...name: string[]): string {
  const folders = ["/usr/lib", "/usr/lib64", "/usr/libexec"];
  for (const one of readdirSync("/usr/lib")) if (one.includes("-linux-")) folders.push(join("/usr/lib", one));
  const found = folders.map((folder) => join(folder, "xfce4", ...name)).find((path) => existsSync(path));
  if (!found) throw new Error(`${name.at(-1)} is not installed: run the stories with \`npm test -- --only desktop\`.`);
  return found;
}

/** Runs a program to its end; returns what it prints. */
function printed(command: string, args: string[], env: Env): string {
  const done = spawnSync(command, args, { env, encoding: "utf8", timeout: 20_000 });
  if (done.error) throw done.error;
  if (done.status !== 0) throw new Error(`${command} ${args.join(" ")}: exit code ${done.status}\n${done.stdout}${done.stderr}`);
  return done.stdout.trim();
}

/** Place and size on the screen, in pixels, without the frame. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export class Desktop {
  readonly folder: string;
  readonly processes = new Processes();
  /** What a program on this desktop finds in its environment. */
  readonly env: Env;
  readonly bus: Bus;
  readonly tray: Tray;
  readonly notifications: Notifications;

  private constructor(folder: string, env: Env, processes: Processes, bus: Bus, notifications: Notifications) {
    this.folder = folder;
    this.env = env;
    this.processes = processes;
    this.bus = bus;
    this.tray = new Tray(bus);
    this.notifications = notifications;
  }

  static async start({ panel = true, dark = true, notifications = "dunst", expires }: Wishes = {}): Promise<Desktop> {
    const folder = mkdtempSync(join(tmpdir(), "ozbrain-desktop-"));
    const processes = new Processes();
    try {
      const env = environment(folder);
      writeFileSync(join(folder, "bus.conf"), busConfiguration(folder));
      const xfconf = `[D-BUS Service]\nName=org.xfce.Xfconf\nExec=${xfce("xfconf", "xfconfd")}\n`;
      put(join(folder, "services", "org.xfce.Xfconf.service"), xfconf);
      put(join(env.XDG_CONFIG_HOME!, "xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml"), panelConfiguration(dark));
      put(join(env.XDG_CONFIG_HOME!, "dunst/dunstrc"), dunstConfiguration(expires));
      if (expires !== undefined) {
        put(join(env.XDG_CONFIG_HOME!, "xfce4/xfconf/xfce-perchannel-xml/xfce4-notifyd.xml"), notifydConfiguration(expires));
      }
      env.DISPLAY = `:${await startScreen(processes, env)}`;
      processes.start("dbus-daemon", [`--config-file=${join(folder, "bus.conf")}`, "--nofork", "--nopidfile"], env);
      await until("the bus listens", () => accepts(join(folder, "bus")));
      const bus = new Bus(env.DBUS_SESSION_BUS_ADDRESS!);
      const desktop = new Desktop(folder, env, processes, bus, await Notifications.over(env.DBUS_SESSION_BUS_ADDRESS!));
      processes.start("openbox", [], env);
      await until("the window manager works", () => desktop.#x("xprop", "-root", "_NET_SUPPORTING_WM_CHECK").includes("0x"));
      if (notifications !== "none") {
        processes.start(notifications === "dunst" ? "dunst" : xfce("notifyd", "xfce4-notifyd"), [], env);
        await until(`${notifications} works`, () => bus.hasOwner("org.freedesktop.Notifications"));
      }
      if (panel === "trayer") {
        processes.start("trayer", ["--edge", "bottom", "--widthtype", "request"], env);
        await until("the screen has a tray", () => desktop.#x("xdotool", "search", "--onlyvisible", "--name", "panel") !== "");
      } else if (panel) {
        processes.start("xfce4-panel", ["--disable-wm-check"], env);
        const watcher = "org.kde.StatusNotifierWatcher";
        await until("the panel has a tray", () =>
          bus.property(watcher, "/StatusNotifierWatcher", watcher, "IsStatusNotifierHostRegistered"),
        );
      }
      return desktop;
    } catch (error) {
      await processes.end();
      await clear(folder);
      rmSync(folder, { recursive: true, force: true });
      throw new Error(`no desktop: ${error instanceof Error ? error.message : error}\n${processes.told()}`);
    }
  }

  #x(command: string, ...args: string[]): string {
    return printed(command, args, this.env);
  }

  /** Presses keys as a person does: they go to the window in front. */
  press(...keys: string[]): void {
    this.#x("xdotool", "key", ...keys);
  }

  /** Clicks on the screen. */
  click(x: number, y: number, button: 1 | 2 = 1): void {
    this.#x("xdotool", "mousemove", String(x), String(y), "click", String(button));
  }

  /** The windows that a person sees whose title is like this, by their numbers. */
  windows(title: string): string[] {
    const done = spawnSync("xdotool", ["search", "--onlyvisible", "--name", title], { env: this.env, encoding: "utf8" });
    return done.stdout.split("\n").filter(Boolean);
  }

  /** Those of them that have a frame: an older tray's icons are windows of the same name. */
  framed(title: string): string[] {
    const managed = this.#x("xprop", "-root", "_NET_CLIENT_LIST").match(/0x[0-9a-f]+/g) ?? [];
    return this.windows(title).filter((window) => managed.some((one) => Number(one) === Number(window)));
  }

  /** The title of the window in front, or nothing. */
  front(): string {
    const done = spawnSync("xdotool", ["getactivewindow", "getwindowname"], { env: this.env, encoding: "utf8" });
    return done.status === 0 ? done.stdout.trim() : "";
  }

  box(window: string): Box {
    const lines = this.#x("xdotool", "getwindowgeometry", "--shell", window).split("\n");
    const of = (name: string) => Number(lines.find((line) => line.startsWith(`${name}=`))?.split("=")[1]);
    return { x: of("X"), y: of("Y"), width: of("WIDTH"), height: of("HEIGHT") };
  }

  /** Moves and sizes a window as a person does who drags it. */
  place(window: string, { x, y, width, height }: Box): void {
    this.#x("xdotool", "windowsize", window, String(width), String(height), "windowmove", window, String(x), String(y));
  }

  bringForward(window: string): void {
    this.#x("xdotool", "windowactivate", "--sync", window);
  }

  /** The window that a dialog belongs to, by its number, or nothing. */
  parent(dialog: string): string {
    const [, number] = /window id # (0x[0-9a-f]+)/.exec(this.#x("xprop", "-id", dialog, "WM_TRANSIENT_FOR")) ?? [];
    return number === undefined ? "" : String(Number(number));
  }

  /** Puts a program in front of the system's own of this name; resolves to what it is called with, a line each time. */
  standIn(name: string): { PATH: string; calls(): string[] } {
    const [folder, noted] = [join(this.folder, "bin"), join(this.folder, `${name}.calls`)];
    put(join(folder, name), `#!/bin/sh\nprintf '%s\\n' "$*" >> '${noted}'\n`);
    chmodSync(join(folder, name), 0o755);
    const calls = () => (existsSync(noted) ? readFileSync(noted, "utf8").split("\n").filter(Boolean) : []);
    return { PATH: `${folder}:${this.env.PATH}`, calls };
  }

  minimize(window: string): void {
    this.#x("xdotool", "windowminimize", window);
  }

  /** The dialogs on the screen, by their numbers. */
  dialogs(): string[] {
    const all = spawnSync("xdotool", ["search", "--onlyvisible", "--class", "ozbrain"], { env: this.env, encoding: "utf8" });
    const numbers = all.stdout.split("\n").filter(Boolean);
    return numbers.filter((window) => this.#x("xprop", "-id", window, "_NET_WM_WINDOW_TYPE").includes("_DIALOG"));
  }

  /** Stops whoever shows notifications in the midst of its work, or lets it go on. */
  async freezeNotifications(frozen: boolean): Promise<void> {
    const pid = await this.bus.processOf("org.freedesktop.Notifications");
    process.kill(pid, frozen ? "SIGSTOP" : "SIGCONT");
  }

  /** Clicks on the notification that stands on the screen; under Xfce, whose notifications go away by a click, on its last button. */
  async clickNotification(button: 1 | 2 = 1): Promise<void> {
    const [window, buttons] = await until("a notification is on the screen", () => {
      const dunst = this.windows("^Dunst$")[0];
      const xfce = this.windows("^xfce4-notifyd$")[0];
      return dunst !== undefined ? ([dunst, false] as const) : xfce !== undefined && ([xfce, true] as const);
    });
    const { x, y, width, height } = this.box(window);
    if (buttons && button === 1) this.click(x + width - 60, y + height - 30);
    else this.click(x + Math.floor(width / 2), y + Math.floor(height / 2), button);
  }

  /** Opens the tray's menu as a person does, by a click on the icon. */
  async openMenu(): Promise<void> {
    const file = join(this.folder, "panel.png");
    const panel = ["-crop", `${SCREEN.width}x${PANEL}+0+${SCREEN.height - PANEL}`, "+repage"];
    const [x, y] = await until("the icon is on the panel", () => {
      this.#x("import", "-silent", "-window", "root", file);
      // What is not of the icon's colours becomes black, and is cut off.
      const others = ["-fuzz", "4%", "-fill", "black", "+opaque", "#0d8560", "-trim", "-format", "%O %w", "info:"];
      const found = /^\+(\d+)\+(\d+) (\d+)/.exec(this.#x("convert", file, ...panel, ...others));
      return found && Number(found[3]) < PANEL && [Number(found[1]), Number(found[2])];
    });
    this.click(x! + 6, SCREEN.height - PANEL + y! + 6);
    await until("the menu is open", () => this.#menus().length > 0);
  }

  /** The menus that are open, by their numbers. */
  #menus(): string[] {
    const all = spawnSync("xdotool", ["search", "--onlyvisible", "--class", "."], { env: this.env, encoding: "utf8" });
    const type = (window: string) => spawnSync("xprop", ["-id", window, "_NET_WM_WINDOW_TYPE"], { env: this.env, encoding: "utf8" });
    return all.stdout.split("\n").filter((window) => window !== "" && /_MENU/.test(type(window).stdout));
  }

  /** Keeps a picture of the whole screen, or of one window. */
  picture(name: string, window = "root"): string {
    mkdirSync(pictures, { recursive: true });
    const file = join(pictures, `${name}.png`);
    this.#x("import", "-silent", "-window", window, file);
    return file;
  }

  /** A number that two pictures share when they, or these parts of them, show the same. */
  sameness(file: string, part?: string): string {
    return this.#x("identify", "-format", "%#", part === undefined ? file : `${file}[${part}]`);
  }

  /**
   * Whether two pictures, or these parts of them, show the same to an eye:
   * where letters begin may differ by less than a pixel. A picture that shows
   * nothing is the same as none.
   */
  looksAlike(one: string, other: string, part: string): boolean {
    const seen = (file: string) => ["(", `${file}[${part}]`, "-colorspace", "gray", "-resize", "25%", ")"];
    const differs = [...seen(one), ...seen(other), "-compose", "difference", "-composite", "-format", "%[fx:maxima]", "info:"];
    return this.#drawn(one, part) && this.#drawn(other, part) && Number(this.#x("convert", ...differs)) < 0.2;
  }

  /** Whether a picture, or this part of it, is of more than one colour. */
  #drawn(file: string, part?: string): boolean {
    const area = part === undefined ? file : `${file}[${part}]`;
    return Number(this.#x("convert", area, "-colorspace", "gray", "-format", "%[fx:standard_deviation]", "info:")) > 0.005;
  }

  /** Whether a window shows more than its ground. */
  showsSomething(window: string): boolean {
    const file = join(this.folder, "window.png");
    this.#x("import", "-silent", "-window", window, file);
    return this.#drawn(file);
  }

  async close(): Promise<void> {
    this.bus.close();
    this.notifications.close();
    await this.processes.end();
    await clear(this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Every folder where a program keeps something of a person's is the story's own. */
function environment(folder: string): Env {
  const env: Env = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    LANG: "C.UTF-8",
    TZ: "Europe/London",
    USER: process.env.USER ?? "someone",
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder}/bus`,
    XDG_CURRENT_DESKTOP: "XFCE",
    // No other service of the system's takes part, and nothing needs a graphics card.
    GTK_A11Y: "none",
    NO_AT_BRIDGE: "1",
    GIO_USE_VFS: "local",
    GSETTINGS_BACKEND: "memory",
    LIBGL_ALWAYS_SOFTWARE: "1",
    GDK_BACKEND: "x11",
  };
  const own = { HOME: "home", XDG_CONFIG_HOME: "config", XDG_DATA_HOME: "share", XDG_CACHE_HOME: "cache" };
  for (const [name, path] of Object.entries({ ...own, XDG_STATE_HOME: "state", XDG_RUNTIME_DIR: "run", TMPDIR: "tmp" })) {
    env[name] = join(folder, path);
    mkdirSync(env[name], { recursive: true });
  }
  chmodSync(env.XDG_RUNTIME_DIR!, 0o700);
  return env;
}

/** Starts a screen; resolves to the number that it found free. */
/** Whether somebody accepts connections at a socket: its file is there a moment earlier. */
function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

async function startScreen(processes: Processes, env: Env): Promise<string> {
  const args = ["-displayfd", "3", "-screen", "0", `${SCREEN.width}x${SCREEN.height}x24`, "-nolisten", "tcp", "-noreset"];
  const screen = processes.start("Xvfb", args, env, ["ignore", "pipe", "pipe", "pipe"]);
  let number = "";
  (screen.child.stdio[3] as Readable).on("data", (piece) => (number += piece));
  await until("the screen is there", () => /^\d+\n/.test(number));
  return number.trim();
}
