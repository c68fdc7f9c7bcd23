// The program under test: a data folder of its own, the command line, servers.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "./net.ts";

export type Json = Record<string, any>;

function program(): string {
  const path = process.env.OZBRAIN_BIN;
  if (!path) throw new Error("OZBRAIN_BIN names no program: run the stories with `npm test -- --only stories`.");
  return path;
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A data folder of its own, and what is started on it. */
export class Home {
  readonly dir = mkdtempSync(join(tmpdir(), "ozbrain-story-"));
  /** The person's home folder, where clients keep their settings. */
  readonly user = join(this.dir, "user");
  readonly env: Record<string, string>;
  readonly bin = program();
  #servers: Server[] = [];

  constructor() {
    const kept = ["LANG", "PATH", "TMPDIR", "USER"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    mkdirSync(this.user);
    this.env = { ...Object.fromEntries(kept), HOME: this.user, OZBRAIN_DATA_DIR: join(this.dir, "data") };
  }

  run(...args: string[]): Ran {
    const done = spawnSync(this.bin, args, { env: this.env, encoding: "utf8", timeout: 60_000, input: "" });
    if (done.error) throw done.error;
    return { code: done.status, stdout: done.stdout, stderr: done.stderr };
  }

  /** Runs a command that must succeed; returns what it prints. */
  ok(...args: string[]): string {
    const ran = this.run(...args);
    if (ran.code !== 0) {
      throw new Error(`ozbrain ${args.join(" ")}: exit code ${ran.code}\n${ran.stdout}${ran.stderr}`);
    }
    return ran.stdout;
  }

  json(...args: string[]): Json {
    return JSON.parse(this.ok(...args, "--json"));
  }

  sharedBrain(name: string): void {
    this.ok("brain", "create", name, "--shared");
  }

  /** Makes a connection and returns its key. */
  key(connection: string): string {
    const { key } = this.json("connection", "create", connection);
    if (typeof key !== "string" || key.length < 20) throw new Error(`no key was printed for ${connection}`);
    return key;
  }

  async serve(port?: number): Promise<Server> {
    const server = await Server.start(this, port ?? (await freePort()));
    this.#servers.push(server);
    return server;
  }

  /** What an MCP client is configured with to start `ozbrain mcp`. */
  stdio(connection: string): { command: string; args: string[]; env: Record<string, string> } {
    return { command: this.bin, args: ["mcp", "--connection", connection], env: this.env };
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop("SIGKILL")));
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** A running `ozbrain serve`. */
export class Server {
  readonly url: URL;
  readonly port: number;
  readonly printed: string[];
  #child: ChildProcess;
  #ended: Promise<void>;

  private constructor(child: ChildProcess, ended: Promise<void>, url: string, printed: string[]) {
    this.#child = child;
    this.#ended = ended;
    this.url = new URL(url);
    this.port = Number(this.url.port);
    this.printed = printed;
  }

  static start(home: Home, port: number): Promise<Server> {
    const child = spawn(home.bin, ["serve", "--port", String(port)], {
      env: home.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const printed: string[] = [];
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    return new Promise((resolve, reject) => {
      const listen = (line: string) => {
        printed.push(line);
        const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(line);
        if (url) resolve(new Server(child, ended, url[0], printed));
      };
      createInterface({ input: child.stdout }).on("line", listen);
      createInterface({ input: child.stderr }).on("line", (line) => printed.push(line));
      child.once("error", reject);
      void ended.then(() => reject(new Error(`ozbrain serve ended before it listened:\n${printed.join("\n")}`)));
    });
  }

  get origin(): string {
    return this.url.origin;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    this.#child.kill(signal);
    await this.#ended;
  }
}
