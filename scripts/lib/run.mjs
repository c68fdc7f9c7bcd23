// Running other programs: with the person watching, or to read what they print.
import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";

/** A reason to stop that is told without a stack trace. */
export class Stop extends Error {}

export const say = (text = "") => process.stdout.write(`${text}\n`);

/** What a program prints, or null where it is missing or fails. */
export function output(command, args, options = {}) {
  const done = spawnSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], ...options });
  return done.error || done.status !== 0 ? null : done.stdout.trim();
}

/**
 * Runs a program in the foreground and resolves to its exit code.
 * With `onLine`, its standard output is read line by line instead of shown;
 * with `merge`, its standard error is read the same way, in order of arrival.
 * Past `minutes` it is ended, with all that it started.
 */
export function run(command, args, { onLine, merge = false, minutes, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const piped = Boolean(onLine);
    const child = spawn(command, args, {
      stdio: ["ignore", piped ? "pipe" : "inherit", piped && merge ? "pipe" : "inherit"],
      detached: minutes !== undefined,
      ...options,
    });
    // A group of its own ends as a whole, but no longer hears the terminal.
    const end = (signal) => {
      try {
        process.kill(minutes === undefined ? child.pid : -child.pid, signal);
      } catch {
        // It has ended already.
      }
    };
    const pass = (signal) => end(signal);
    const signals = ["SIGINT", "SIGTERM"];
    for (const signal of signals) process.on(signal, pass);
    const limit =
      minutes &&
      setTimeout(() => {
        say(`\n${command} ran for more than ${minutes} minutes and is ended.`);
        end("SIGKILL");
      }, minutes * 60_000);
    const readers = [];
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      const lines = createInterface({ input: stream, crlfDelay: Infinity });
      lines.on("line", onLine);
      readers.push(new Promise((closed) => lines.on("close", closed)));
    }
    const settle = () => {
      clearTimeout(limit);
      for (const signal of signals) process.off(signal, pass);
    };
    child.on("error", (error) => {
      settle();
      reject(error.code === "ENOENT" ? new Stop(`${command} was not found.`) : error);
    });
    child.on("close", async (code, signal) => {
      await Promise.all(readers);
      settle();
      resolve(code ?? 128 + (signal === "SIGINT" ? 2 : signal === "SIGTERM" ? 15 : 9));
    });
  });
}

/** As `run`, but a failure stops everything. */
export async function must(command, args, options) {
  const code = await run(command, args, options);
  if (code !== 0) throw new Stop(`\`${[command, ...args].join(" ")}\` failed (exit code ${code}).`);
}

/** Runs a script's main function; turns a `Stop` into a plain message. */
export async function main(body) {
  try {
    process.exitCode = await body(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    process.stderr.write(`\n${error.message}\n`);
    process.exitCode = 1;
  }
}
