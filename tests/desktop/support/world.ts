// A story's world: a desktop, a data folder, the application, and agents.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { it } from "node:test";
import { join } from "node:path";
import { LegacyAgent, PythonAgent, type Agent } from "../../clients/ts/support/agents.ts";
import { freePort } from "../../clients/ts/support/net.ts";
import { Home } from "../../clients/ts/support/ozbrain.ts";
import { Desktop, type Wishes } from "./desktop.ts";
import type { Env, Running } from "./processes.ts";
import { until } from "./until.ts";
import { Window } from "./window.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const TITLE = "^OzBrain$";

function program(): string {
  const path = process.env.OZBRAIN_DESKTOP_BIN;
  if (!path) throw new Error("OZBRAIN_DESKTOP_BIN names no program: run the stories with `npm test -- --only desktop`.");
  return path;
}

/** The tray's three states. */
export const STATES = ["idle", "attention", "paused"] as const;
export type State = (typeof STATES)[number];

/** A running application. */
export class App {
  readonly desktop: Desktop;
  readonly running: Running;
  readonly inspector: number;

  constructor(desktop: Desktop, running: Running, inspector: number) {
    this.desktop = desktop;
    this.running = running;
    this.inspector = inspector;
  }

  /** The window on the screen, once there is one. */
  async window(): Promise<string> {
    return until("the window is on the screen", () => {
      if (this.running.over) throw new Error(this.running.told());
      return this.desktop.framed(TITLE)[0];
    });
  }

  async noWindow(): Promise<void> {
    await until("no window is on the screen", () => this.desktop.framed(TITLE).length === 0);
  }

  /** Takes hold of the window's page. */
  async page(): Promise<Window> {
    await this.window();
    return Window.of(this.desktop, this.inspector);
  }

  /** Closes the window as a person does. */
  async closeWindow(): Promise<void> {
    this.desktop.bringForward(await this.window());
    this.desktop.press("alt+F4");
  }
}

/** Two agents and the unit on which they differ. */
export interface Clash {
  id: string;
  first: Agent;
  second: Agent;
}

export class World {
  readonly desktop: Desktop;
  readonly home: Home;
  readonly port: number;
  readonly #agents: Agent[] = [];
  #pictures = new Map<string, State>();

  constructor(desktop: Desktop, home: Home, port: number) {
    this.desktop = desktop;
    this.home = home;
    this.port = port;
    for (const state of STATES) {
      this.#pictures.set(desktop.sameness(join(root, "icons", "tray", `${state}-44.png`)), state);
    }
  }

  /** What the application finds in its environment. */
  env(more: Env = {}): Env {
    return {
      ...this.desktop.env,
      OZBRAIN_DATA_DIR: this.home.env.OZBRAIN_DATA_DIR!,
      OZBRAIN_PORT: String(this.port),
      ...more,
    };
  }

  /** Starts the application; resolves as soon as the process runs. */
  async launch(args: string[] = [], more: Env = {}): Promise<App> {
    const inspector = await freePort();
    // What WebKit's driver sets for a program that it starts itself.
    const driven = { TAURI_AUTOMATION: "true", TAURI_WEBVIEW_AUTOMATION: "true", WEBKIT_INSPECTOR_SERVER: `127.0.0.1:${inspector}` };
    const running = this.desktop.processes.start(program(), args, this.env({ ...driven, ...more }));
    return new App(this.desktop, running, inspector);
  }

  /** Starts the application and waits until it serves agents. */
  async open(args: string[] = [], more: Env = {}): Promise<App> {
    const app = await this.launch(args, more);
    await this.serves(app);
    return app;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Waits until the server answers that a write succeeds. */
  async serves(app?: App): Promise<void> {
    await until("the server works", async () => {
      if (app?.running.over) throw new Error(app.running.told());
      return (await fetch(`${this.origin}/health`)).ok;
    }, 30_000);
  }

  /** Connects an agent over HTTP with the official client. */
  async http(name: string): Promise<LegacyAgent> {
    const agent = await LegacyAgent.connect({ url: new URL(`${this.origin}/mcp`) }, this.home.key(name), name);
    this.#agents.push(agent);
    return agent;
  }

  /** Connects an agent that starts an `ozbrain mcp` of its own. */
  async stdio(name: string): Promise<PythonAgent> {
    // Otherwise a client that was not here before would wait in the Inbox as well.
    this.home.key(name);
    const agent = await PythonAgent.connect(this.home, name, "auto");
    this.#agents.push(agent);
    return agent;
  }

  /** What the icon in the tray shows, or nothing while there is none. */
  async state(): Promise<State | undefined> {
    return this.#pictures.get(this.desktop.sameness(await this.desktop.tray.picture()));
  }

  /** Two agents that have not read each other write one fact, the first over HTTP, the second over stdio. */
  async clash(title = "Launch", agents?: { first: Agent; second: Agent }): Promise<Clash> {
    const first = agents?.first ?? (await this.http("claude"));
    const second = agents?.second ?? (await this.stdio("cursor"));
    const address = { brain: "team", topic: "projects/q3-launch", title };
    const { id } = await first.call("write", { ...address, body: "Status: delayed, says the client." });
    const { outcome } = await second.call("write", { ...address, body: "Status: on track, says the plan." });
    if (outcome !== "conflicted") throw new Error(`the second write was ${outcome}`);
    return { id, first, second };
  }

  async trayIs(state: State, milliseconds?: number): Promise<void> {
    await until(`the tray shows ${state}`, async () => (await this.state()) === state, milliseconds);
  }

  /** What the application noted in its own log. */
  logged(): string {
    const data = this.home.env.OZBRAIN_DATA_DIR!;
    if (!existsSync(data)) return "";
    const files = readdirSync(data, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".log"));
    return files.map((name) => `${name}:\n${readFileSync(join(data, name), "utf8").slice(-4_000)}`).join("\n");
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#agents.map((agent) => agent.close()));
    await this.desktop.close();
    await this.home.close();
  }
}

/** A test in a world of its own. One that fails leaves a picture, and tells what each program printed. */
export function story(name: string, wishes: Wishes, body: (world: World) => Promise<void>): void {
  it(name, { timeout: 150_000 }, async () => {
    const port = await freePort();
    const desktop = await Desktop.start(wishes);
    const home = new Home();
    const world = new World(desktop, home, port);
    try {
      home.sharedBrain("team");
      await body(world);
    } catch (error) {
      const picture = desktop.picture(`failed-${name.replace(/[^a-z0-9]+/gi, "-")}`);
      process.stderr.write(`${name}: ${picture}\n${desktop.processes.told()}\n${world.logged()}\n`);
      throw error;
    } finally {
      await world.close();
    }
  });
}
