// Programs that a story starts, and that end with it.
import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { until } from "./until.ts";

export type Env = Record<string, string>;

/** A running program, with what it printed so far. */
export class Running {
  readonly name: string;
  readonly child: ChildProcess;
  readonly printed: string[] = [];
  /** Its exit code, or the signal that ended it, once it has ended. */
  readonly ended: Promise<number | NodeJS.Signals>;
  over = false;

  constructor(name: string, child: ChildProcess) {
    this.name = name;
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on("line", (line) => this.printed.push(line));
    }
    this.ended = new Promise((resolve) => {
      child.once("error", (error) => {
        this.printed.push(String(error));
        this.over = true;
        resolve(127);
      });
      child.once("exit", (code, signal) => {
        this.over = true;
        resolve(code ?? signal ?? 1);
      });
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** How it ended; fails where it does not end in time. */
  async end(milliseconds = 20_000): Promise<number | NodeJS.Signals> {
    await until(`${this.name} ends`, () => this.over, milliseconds);
    return this.ended;
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    if (!this.over) this.child.kill(signal);
    await this.ended;
  }

  told(): string {
    return `${this.name}:\n${this.printed.slice(-40).join("\n")}`;
  }
}

/** What was started, ended in the reverse order. */
export class Processes {
  #running: Running[] = [];

  start(command: string, args: string[], env: Env, stdio: ("ignore" | "pipe")[] = ["ignore", "pipe", "pipe"]): Running {
    // Even where the test itself is killed, what it started ends.
    const child = spawn("setpriv", ["--pdeathsig", "KILL", command, ...args], { env, stdio });
    const running = new Running(command.split("/").at(-1)!, child);
    this.#running.push(running);
    return running;
  }

  /** What each has printed, for a story that failed. */
  told(): string {
    return this.#running.map((running) => running.told()).join("\n\n");
  }

  async end(): Promise<void> {
    for (const running of this.#running.reverse()) await running.kill();
  }
}

/** The processes that have this folder in their environment: what they started in turn has it too. */
function within(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`, "latin1").includes(`=${folder}/`);
      } catch {
        // It has ended, or belongs to someone else.
        return false;
      }
    })
    .map(Number);
}

/** Ends whatever still runs with this folder in its environment. */
export async function clear(folder: string): Promise<void> {
  await until(`nothing runs in ${folder}`, () => {
    const left = within(folder);
    for (const pid of left) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It was quicker.
      }
    }
    return left.length === 0;
  });
}
