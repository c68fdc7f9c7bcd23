// The licences of what is built into the programs, for the packages that carry
// them to others.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "./cargo.mjs";
import { output, Stop } from "./run.mjs";
import { ui } from "./screens.mjs";

/** What a licence's or a notice's file is called. */
const LICENCE = /^(licen[cs]e|copying|notice|copyright|unlicense)/i;

/** The output of a program that must work. */
function ask(command, args, cwd) {
  const printed = output(command, args, { cwd, maxBuffer: 1 << 28 });
  if (printed === null) throw new Stop(`\`${[command, ...args].join(" ")}\` failed.`);
  return printed;
}

/** The crates that these packages are linked of, with the folders of their sources. */
function crates(packages) {
  const chosen = packages.flatMap((name) => ["-p", name]);
  const tree = ask("cargo", ["tree", "--locked", ...chosen, "-e", "normal", "--prefix", "none", "--format", "{p}"], root);
  const linked = new Set(tree.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
  const metadata = JSON.parse(ask("cargo", ["metadata", "--locked", "--format-version", "1"], root));
  return metadata.packages
    .filter(({ name, version, source }) => source !== null && linked.has(`${name} v${version}`))
    .map(({ name, version, license, manifest_path }) => ({ name, version, license, folder: dirname(manifest_path) }));
}

/** The packages that the screens are made of. */
function modules() {
  const folders = ask("npm", ["ls", "--omit=dev", "--all", "--parseable"], ui).split("\n");
  return folders
    .filter((folder) => folder !== ui && existsSync(join(folder, "package.json")))
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      return { name, version, license, folder };
    });
}

/** One text that names all of them, each distinct licence text once with those that bring it. */
export function notices(packages) {
  const all = [...crates(packages), ...modules()].sort((a, b) => a.name.localeCompare(b.name));
  const texts = new Map();
  for (const { name, version, folder } of all) {
    for (const file of readdirSync(folder, { withFileTypes: true })) {
      if (!file.isFile() || !LICENCE.test(basename(file.name))) continue;
      const text = readFileSync(join(folder, file.name), "utf8").replace(/\r/g, "").trim();
      texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
    }
  }
  const list = all.map(({ name, version, license }) => `${name} ${version}: ${license ?? "see its text below"}`);
  const bodies = [...texts].map(([text, of]) => `${"-".repeat(78)}\n${of.join(", ")}\n\n${text}`);
  return `What OzBrain is built of.\n\n${list.join("\n")}\n\n${bodies.join("\n\n")}\n`;
}
