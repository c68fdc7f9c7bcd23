// What OzBrain needs on a machine: looked for, named with the reason, and
// installed where that is possible without asking for a password.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { must, output, run, say, Stop } from "./run.mjs";

export const NODE = [20, 19];
export const RUST = [1, 88];
export const PYTHON = [3, 10];

const atLeast = (version, least) =>
  version !== null && (version[0] > least[0] || (version[0] === least[0] && version[1] >= least[1]));

function versionIn(text) {
  const found = /(\d+)\.(\d+)/.exec(text ?? "");
  return found && [Number(found[1]), Number(found[2])];
}

const dotted = (version) => version.join(".");

function checkNode() {
  if (atLeast(versionIn(process.versions.node), NODE)) return;
  throw new Stop(
    `Node ${process.versions.node} is too old: OzBrain's commands need ${dotted(NODE)} or newer.\n` +
      "Update it with your version manager (`nvm install --lts`, `fnm install --lts`) or from https://nodejs.org.",
  );
}

/** Puts the folder where rustup installs on PATH, so that a fresh shell is not needed. */
function useCargoHome() {
  const bin = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "bin");
  const path = (process.env.PATH ?? "").split(delimiter);
  if (!existsSync(bin) || path.includes(bin)) return;
  const onPath = versionIn(output("rustc", ["--version"]));
  const there = versionIn(output(join(bin, "rustc"), ["--version"]));
  // An old Rust of the system must not hide a newer one from rustup.
  if (!atLeast(onPath, RUST) && atLeast(there, RUST)) path.unshift(bin);
  else path.push(bin);
  process.env.PATH = path.join(delimiter);
}

function checkRust() {
  useCargoHome();
  const get = "Install Rust with rustup (https://rustup.rs), which takes a minute, and run this again.";
  const rustc = output("rustc", ["--version"]);
  const cargo = output("cargo", ["--version"]);
  if (rustc === null || cargo === null) {
    const what = rustc === null ? "rustc, Rust's compiler, is" : "cargo, Rust's build tool, is";
    throw new Stop(`${what} missing: OzBrain is built with it.\n${get}`);
  }
  const old = [rustc, cargo].find((line) => !atLeast(versionIn(line), RUST));
  if (old === undefined) return;
  const update = output("rustup", ["--version"]) === null ? get : "Update it with: rustup update stable";
  throw new Stop(`${old} is too old: OzBrain needs Rust ${dotted(RUST)} or newer.\n${update}`);
}

/** The newest suitable Python, or null. */
export function findPython() {
  for (const name of ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10"]) {
    if (atLeast(versionIn(output(name, ["--version"])), PYTHON)) return name;
  }
  return null;
}

/** A Chromium or Chrome that tests can drive, or null. */
export function findChromium() {
  const names = [process.env.OZBRAIN_CHROMIUM, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  for (const name of names.filter(Boolean)) {
    if (output(name, ["--version"]) !== null) return output("sh", ["-c", 'command -v "$1"', "sh", name]);
  }
  return null;
}

const canMakeEnvironments = (python) => output(python, ["-c", "import venv, ensurepip"]) !== null;

/** What is missing of the things that the system's package manager has. */
function missing(needs) {
  const found = [];
  if (output("cc", ["--version"]) === null) {
    found.push({ what: "a C compiler (cc)", why: "it builds SQLite, which stores the brains", apt: ["gcc", "libc6-dev"] });
  }
  if (needs.python) {
    const python = findPython();
    if (python === null) {
      const why = "the tests include the official Python client";
      found.push({ what: `Python ${dotted(PYTHON)} or newer`, why, apt: ["python3", "python3-venv"] });
    } else if (!canMakeEnvironments(python)) {
      const why = "the Python client gets an environment of its own, apart from the system's";
      found.push({ what: "Python's venv module", why, apt: ["python3-venv"] });
    }
  }
  if (needs.browser && findChromium() === null) {
    found.push({ what: "Chromium", why: "the screens are tested in a real browser", apt: ["chromium"] });
  }
  return found;
}

/** How to install system packages here: a command's first words, or null. */
function installer() {
  if (output("apt-get", ["--version"]) === null) return null;
  if (process.getuid?.() === 0) return { run: [], told: [] };
  return { run: output("sudo", ["-n", "true"]) === null ? null : ["sudo", "-n"], told: ["sudo"] };
}

async function installPackages(found) {
  for (const { what, why } of found) say(`Missing: ${what}: ${why}.`);
  const packages = found.flatMap(({ apt }) => apt);
  const apt = installer();
  if (apt === null) {
    throw new Stop("Install what is named above with your system's package manager, and run this again.");
  }
  const words = ["apt-get", "install", "-y", "--no-install-recommends", ...packages];
  if (apt.run === null) {
    throw new Stop(`Installing it takes an administrator. Run this one command, then try again:\n\n  ${[...apt.told, ...words].join(" ")}\n`);
  }
  say(`Installing: ${packages.join(", ")}`);
  const environment = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  const [command, ...args] = [...apt.run, ...words];
  if ((await run(command, args, environment)) === 0) return;
  say("The list of packages may be old: bringing it up to date.");
  const [update, ...rest] = [...apt.run, "apt-get", "update"];
  await must(update, rest, environment);
  await must(command, args, environment);
}

/**
 * Checks the machine, installs what is missing and can be installed, and stops
 * with what to do about the rest.
 */
export async function prepareMachine(needs = {}) {
  checkNode();
  checkRust();
  const found = missing(needs);
  if (found.length > 0) {
    await installPackages(found);
    const still = missing(needs);
    if (still.length > 0) throw new Stop(`Still missing after the installation: ${still.map(({ what }) => what).join(", ")}.`);
  }
}
