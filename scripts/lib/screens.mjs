// The screens: what their build needs, and the build itself, each only when
// something it depends on has changed.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./cargo.mjs";
import { must, say } from "./run.mjs";

export const ui = join(root, "ui");

/** Does `work` unless these files are what they were when it was last done; `stamp` remembers them. */
export async function unlessDone(stamp, files, work) {
  const wanted = createHash("sha256");
  for (const file of files) wanted.update(`${relative(root, file)}\0`).update(readFileSync(file)).update("\0");
  const digest = wanted.digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return;
  await work();
  writeFileSync(stamp, digest);
}

/** All files of a folder or a file, in an order that is always the same. */
function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).sort().flatMap((name) => filesIn(join(path, name)));
}

/** Installs the npm packages that a folder asks for; `what` is said to the person. */
export async function installPackages(folder, what) {
  const manifests = [join(folder, "package.json"), join(folder, "package-lock.json")];
  await unlessDone(join(folder, "node_modules", ".ozbrain-installed"), manifests, async () => {
    say(`Installing ${what}.`);
    await must("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder });
  });
}

/** Installs what the screens are built with. */
export const installScreens = () => installPackages(ui, "what the screens are built with");

/** Builds the screens into ui/dist, from where the program takes them. */
export async function buildScreens() {
  await installScreens();
  const sources = readdirSync(ui)
    .filter((name) => !["node_modules", "dist"].includes(name) && !name.startsWith("."))
    .sort()
    .flatMap((name) => filesIn(join(ui, name)));
  const built = join(ui, "dist", "index.html");
  const stamp = join(ui, "node_modules", ".ozbrain-built");
  if (!existsSync(built) && existsSync(stamp)) writeFileSync(stamp, "");
  await unlessDone(stamp, sources, async () => {
    say("Building the screens.");
    await must("npm", ["run", "--silent", "build"], { cwd: ui });
  });
}
