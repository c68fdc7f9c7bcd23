// Cargo: building programs, and where it puts what it builds.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { output, run, Stop } from "./run.mjs";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Builds one program, with Cargo's progress shown, and resolves to its path.
 * `selection` is what else is chosen: `--release`, or the packages whose
 * features count.
 */
export async function buildProgram(bin, selection) {
  let path;
  const args = ["build", "--bin", bin, ...selection, "--message-format=json-render-diagnostics"];
  const code = await run("cargo", args, {
    cwd: root,
    onLine(line) {
      if (!line.startsWith("{")) return;
      const message = JSON.parse(line);
      if (message.reason === "compiler-artifact" && message.target.name === bin && message.executable) {
        path = message.executable;
      }
    },
  });
  if (code !== 0 || path === undefined) {
    throw new Stop(`${bin} could not be built; the compiler's message is above.`);
  }
  return path;
}

/** The folder where Cargo builds. */
export function targetFolder() {
  const metadata = output("cargo", ["metadata", "--format-version", "1", "--no-deps"], {
    cwd: root,
    maxBuffer: 1 << 26,
  });
  return metadata === null ? join(root, "target") : JSON.parse(metadata).target_directory;
}
