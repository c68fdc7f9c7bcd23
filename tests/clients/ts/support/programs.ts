// Programs of the test tools, run beside the stories.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const bin = (name: string) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));

export interface Printed {
  code: number | null;
  text: string;
}

/** Runs a program of node_modules with the Node that runs this, and collects what it prints. */
export function tool(name: string, args: string[], env: Record<string, string> = {}): Promise<Printed> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin(name), ...args], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const pieces: Buffer[] = [];
    child.stdout.on("data", (piece) => pieces.push(piece));
    child.stderr.on("data", (piece) => pieces.push(piece));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, text: Buffer.concat(pieces).toString() }));
  });
}
