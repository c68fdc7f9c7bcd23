// Cargo: building programs, and where it puts what it builds.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { output, run, Stop } from "./run.mjs";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Builds programs in one go, with Cargo's progress shown, and resolves to
 * their paths by name. `selection` is what else is chosen: `--release`, or the
 * packages whose features count. `examples` are programs that do not ship.
 */
export async function buildPrograms(bins, selection, examples = []) {
  const paths = {};
  const chosen = [...bins.flatMap((bin) => ["--bin", bin]), ...examples.flatMap((name) => ["--example", name]), ...selection];
  const all = [...bins, ...examples];
  const code = await run("cargo", ["build", ...chosen, "--message-format=json-render-diagnostics"], {
    cwd: root,
    onLine(line) {
      if (!line.startsWith("{")) return;
      const message = JSON.parse(line);
      if (message.reason === "compiler-artifact" && message.executable && all.includes(message.target.name)) {
        paths[message.target.name] = message.executable;
      }
    },
  });
  const missing = all.filter((bin) => paths[bin] === undefined);
  if (code !== 0 || missing.length > 0) {
    throw new Stop(`${(missing.length > 0 ? missing : all).join(" and ")} could not be built; the compiler's message is above.`);
  }
  return paths;
}

/** Builds one program and resolves to its path. */
export async function buildProgram(bin, selection) {
  return (await buildPrograms([bin], selection))[bin];
}

/** The folder where Cargo builds. */
export function targetFolder() {
  const metadata = output("cargo", ["metadata", "--format-version", "1", "--no-deps"], {
    cwd: root,
    maxBuffer: 1 << 26,
  });
  return metadata === null ? join(root, "target") : JSON.parse(metadata).target_directory;
}
