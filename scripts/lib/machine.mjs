// What OzBrain needs on a machine: looked for, named with the reason, and
// installed where that is possible without asking for a password.
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { must, output, run, say, Stop } from "./run.mjs";

export const NODE = [20, 19];
export const RUST = [1, 88];
/** What Tauri, beneath the desktop application, asks for. */
export const DESKTOP_RUST = [1, 90];
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
function useCargoHome(least) {
  const bin = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "bin");
  const path = (process.env.PATH ?? "").split(delimiter);
  if (!existsSync(bin) || path.includes(bin)) return;
  const onPath = versionIn(output("rustc", ["--version"]));
  const there = versionIn(output(join(bin, "rustc"), ["--version"]));
  // An old Rust of the system must not hide a newer one from rustup.
  if (!atLeast(onPath, least) && atLeast(there, least)) path.unshift(bin);
  else path.push(bin);
  process.env.PATH = path.join(delimiter);
}

/** The line by which a part of Rust names itself, of the first that is older than this, or null. */
function oldRust(least) {
  const lines = [output("rustc", ["--version"]), output("cargo", ["--version"])];
  return lines.find((line) => !atLeast(versionIn(line), least)) ?? null;
}

function checkRust(least, what) {
  useCargoHome(least);
  const get = "Install Rust with rustup (https://rustup.rs), which takes a minute, and run this again.";
  const rustc = output("rustc", ["--version"]);
  const cargo = output("cargo", ["--version"]);
  if (rustc === null || cargo === null) {
    const missing = rustc === null ? "rustc, Rust's compiler, is" : "cargo, Rust's build tool, is";
    throw new Stop(`${missing} missing: OzBrain is built with it.\n${get}`);
  }
  const old = oldRust(least);
  if (old === null) return;
  const update = output("rustup", ["--version"]) === null ? get : "Update it with: rustup update stable";
  throw new Stop(`${old} is too old: ${what} needs Rust ${dotted(least)} or newer.\n${update}`);
}

/** The newest suitable Python, or null. */
export function findPython() {
  for (const name of ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10"]) {
    if (atLeast(versionIn(output(name, ["--version"])), PYTHON)) return name;
  }
  return null;
}

/** Where a program is, or null. */
const where = (name) => output("sh", ["-c", 'command -v "$1"', "sh", name]);

/** A Chromium or Chrome that tests can drive, or null. */
export function findChromium() {
  const names = [process.env.OZBRAIN_CHROMIUM, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  for (const name of names.filter(Boolean)) {
    if (output(name, ["--version"]) !== null) return where(name);
  }
  return null;
}

/** The notification daemon of Xfce, which stands in a folder of its own, or null. */
export function findXfceNotifyd() {
  const triplets = existsSync("/usr/lib") ? readdirSync("/usr/lib").filter((name) => name.includes("-linux-")) : [];
  const folders = ["/usr/lib", "/usr/lib64", "/usr/libexec", ...triplets.map((name) => join("/usr/lib", name))];
  return folders.map((folder) => join(folder, "xfce4", "notifyd", "xfce4-notifyd")).find((path) => existsSync(path)) ?? null;
}

/** Whether pkg-config knows one of these libraries, with what building against it needs. */
const hasLibrary = (...names) => names.some((name) => output("pkg-config", ["--exists", name]) !== null);

/** What the desktop application is built of: each as a person says it, why, Debian's packages, and whether it is there. */
const DESKTOP = [
  {
    what: "pkg-config",
    why: "it tells the compiler where the window's libraries are",
    apt: ["pkg-config"],
    there: () => where("pkg-config"),
  },
  {
    what: "WebKitGTK 4.1",
    why: "the desktop's window shows the screens in it",
    apt: ["libwebkit2gtk-4.1-dev"],
    there: () => hasLibrary("webkit2gtk-4.1"),
  },
  {
    what: "the app indicator library",
    why: "the icon in the tray is drawn by it",
    apt: ["libayatana-appindicator3-dev"],
    there: () => hasLibrary("ayatana-appindicator3-0.1", "appindicator3-0.1"),
  },
];

/** A program that the desktop's tests run. */
const program = (name, why, ...apt) => ({ what: name, why, apt, there: () => where(name) });

/** What the desktop's tests are made of: a screen nobody sees, and a desktop on it. */
const DESKTOP_TESTS = [
  program("Xvfb", "the desktop's tests draw on a screen of their own", "xvfb"),
  program("dbus-run-session", "the desktop's tests talk on a bus of their own", "dbus"),
  program("openbox", "it manages the windows of that screen", "openbox"),
  program("xfce4-panel", "it shows the tray's icon there", "xfce4-panel"),
  program("trayer", "so does it, as older panels do", "trayer"),
  program("dunst", "it shows the notifications there", "dunst"),
  { what: "xfce4-notifyd", why: "so does it, in another way", apt: ["xfce4-notifyd"], there: findXfceNotifyd },
  program("WebKitWebDriver", "it drives the window", "webkit2gtk-driver"),
  program("xprop", "it tells what stands on that screen", "x11-utils"),
  program("xdotool", "it presses keys and moves windows", "xdotool"),
  program("import", "it takes pictures of that screen", "imagemagick"),
];

/** What an installed package is tried with. */
const PACKAGE_TESTS = [
  program("dpkg", "it installs the package", "dpkg"),
  program("rpm", "it tells what the other package has in it", "rpm"),
  program("desktop-file-validate", "it reads the menu entry as desktops do", "desktop-file-utils"),
  program("gtk-launch", "it starts the application from its menu entry", "libgtk-3-bin"),
  program("gio", "it opens links as desktops do", "libglib2.0-bin"),
];

const absent = (needs) => needs.filter(({ there }) => !there());

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
  // Elsewhere the system brings what the window needs, and there is no such desktop to test on.
  if (needs.desktop && process.platform === "linux") found.push(...absent(DESKTOP));
  if (needs.desktopTests && process.platform === "linux") found.push(...absent(DESKTOP_TESTS));
  if (needs.packageTests && process.platform === "linux") found.push(...absent(PACKAGE_TESTS));
  return found;
}

/** How to install system packages here: a command's first words, or null. */
function installer() {
  if (output("apt-get", ["--version"]) === null) return null;
  if (process.getuid?.() === 0) return { run: [], told: [] };
  return { run: output("sudo", ["-n", "true"]) === null ? null : ["sudo", "-n"], told: ["sudo"] };
}

/** The command that installs what is missing; another installation that is at work is waited for. */
function installation(found) {
  const packages = found.flatMap(({ apt }) => apt);
  return ["apt-get", "install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300", ...packages];
}

async function installPackages(found) {
  for (const { what, why } of found) say(`Missing: ${what}: ${why}.`);
  const apt = installer();
  if (apt === null) {
    throw new Stop("Install what is named above with your system's package manager, and run this again.");
  }
  const words = installation(found);
  if (apt.run === null) {
    throw new Stop(`Installing it takes an administrator. Run this one command, then try again:\n\n  ${[...apt.told, ...words].join(" ")}\n`);
  }
  say(`Installing: ${found.flatMap(({ apt: packages }) => packages).join(", ")}`);
  const environment = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  const [command, ...args] = [...apt.run, ...words];
  if ((await run(command, args, environment)) === 0) return;
  say("The list of packages may be old: bringing it up to date.");
  const [update, ...rest] = [...apt.run, "apt-get", "update"];
  await must(update, rest, environment);
  await must(command, args, environment);
}

/**
 * What the desktop application still lacks here, after installing what can be
 * installed without asking for a password: `missing` is empty where it can be
 * built; `command` installs the rest, or is null where that is not known.
 */
export async function desktopLacks() {
  useCargoHome(DESKTOP_RUST);
  const lacking = () => (process.platform === "linux" ? absent(DESKTOP) : []);
  const apt = installer();
  if (lacking().length > 0 && apt?.run) {
    try {
      await installPackages(lacking());
    } catch (error) {
      // What is still missing is told to the caller, who goes on without it.
      if (!(error instanceof Stop)) throw error;
    }
  }
  const found = lacking();
  const command = found.length > 0 && apt ? [...apt.told, ...installation(found)].join(" ") : null;
  const old = oldRust(DESKTOP_RUST);
  const rust = { what: `Rust ${dotted(DESKTOP_RUST)} or newer`, why: `the window's library needs it, and here is ${old}` };
  return { missing: [...(old === null ? [] : [rust]), ...found.map(({ what, why }) => ({ what, why }))], command };
}

/**
 * Checks the machine, installs what is missing and can be installed, and stops
 * with what to do about the rest. `needs` names what beyond the server:
 * `desktop` to build the application, `desktopTests`, `packageTests`, `browser`
 * and `python` to test with.
 */
export async function prepareMachine(needs = {}) {
  checkNode();
  if (needs.desktop) checkRust(DESKTOP_RUST, "the desktop application");
  else checkRust(RUST, "OzBrain");
  const found = missing(needs);
  if (found.length > 0) {
    await installPackages(found);
    const still = missing(needs);
    if (still.length > 0) throw new Stop(`Still missing after the installation: ${still.map(({ what }) => what).join(", ")}.`);
  }
}
