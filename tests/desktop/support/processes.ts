// Programs that a story starts, and that end with it.
import { spawn, type ChildProcess } from "node:child_process";
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
    const running = new Running(command.split("/").at(-1)!, spawn(command, args, { env, stdio }));
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
