// npm run build: the packages that people install, .deb and .rpm, with the
// application, its menu entry and the `ozbrain` command.
// `npm run build -- --check` also installs the .deb into an empty root, starts
// the application from its menu entry there, removes it again, and looks into
// the .rpm.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildPrograms, root, targetFolder } from "./lib/cargo.mjs";
import { prepareMachine } from "./lib/machine.mjs";
import { notices } from "./lib/notices.mjs";
import { main, must, run, say, Stop } from "./lib/run.mjs";
import { buildScreens, installPackages } from "./lib/screens.mjs";

/** What is built together, here and by `npm start`, so that little is compiled twice. */
const PACKAGES = ["ozbrain-cli", "ozbrain-desktop"];
/** The name of both packages: product names are spelt `OzBrain`, Debian's packages are not. */
const NAME = "ozbrain";

/** The newest C library that these programs ask for, as Debian writes it. */
function cLibrary(programs) {
  const versions = programs.flatMap((path) => [...readFileSync(path, "latin1").matchAll(/GLIBC_(\d+)\.(\d+)/g)]);
  const minor = Math.max(...versions.map(([, , minor]) => Number(minor)));
  return `2.${minor}`;
}

/** What the bundles are made of beyond tauri.conf.json: what depends on this machine, and on where Cargo builds. */
function configuration(programs, folder) {
  const shared = {
    "/usr/bin/ozbrain": programs.ozbrain,
    "/usr/share/icons/hicolor/scalable/apps/ozbrain-desktop.svg": join(root, "icons", "icon.svg"),
    [`/usr/share/doc/${NAME}/third-party.txt.gz`]: join(folder, "third-party.txt.gz"),
  };
  const debian = { [`/usr/share/doc/${NAME}/copyright`]: join(root, "src-tauri", "bundle", "copyright") };
  const rpm = { [`/usr/share/licenses/${NAME}/LICENSE`]: join(root, "LICENSE") };
  return {
    productName: NAME,
    bundle: {
      linux: {
        deb: { files: { ...shared, ...debian }, depends: [`libc6 (>= ${cLibrary(Object.values(programs))})`] },
        rpm: { files: { ...shared, ...rpm } },
      },
    },
  };
}

async function build() {
  await prepareMachine({ desktop: true });
  await installPackages(root, "what makes packages");
  await buildScreens();
  say("Building OzBrain as it is shipped. The first time takes some minutes.");
  const selection = [...PACKAGES.flatMap((name) => ["-p", name]), "--release"];
  const programs = await buildPrograms(["ozbrain", "ozbrain-desktop"], selection);
  const folder = join(targetFolder(), "release", "bundle");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "third-party.txt.gz"), gzipSync(notices(PACKAGES), { level: 9 }));
  const settings = join(folder, "bundle.json");
  writeFileSync(settings, JSON.stringify(configuration(programs, folder)));
  const tauri = join(root, "node_modules", "@tauri-apps", "cli", "tauri.js");
  // It takes the programs as they are: its own `build` would compile them with other features.
  await must(process.execPath, [tauri, "bundle", "--bundles", "deb,rpm", "--config", settings], { cwd: root });
  return ["deb", "rpm"].map((kind) => {
    const name = readdirSync(join(folder, kind)).find((file) => file.endsWith(`.${kind}`));
    return join(folder, kind, name);
  });
}

/** The journeys with the packages. */
async function check([deb, rpm]) {
  await prepareMachine({ desktopTests: true, packageTests: true });
  const tests = join(root, "tests", "desktop");
  const clients = join(root, "tests", "clients", "ts");
  await installPackages(clients, "the clients that take part");
  await installPackages(tests, "what talks with the desktop's parts");
  const node = join(clients, "node_modules", "node", "bin", "node");
  const args = ["--test", "--test-timeout=180000", join("packages", "installed.test.ts")];
  const env = { ...process.env, OZBRAIN_DEB: deb, OZBRAIN_RPM: rpm };
  if ((await run(node, args, { cwd: tests, minutes: 15, env })) !== 0) throw new Stop("The package does not work.");
}

await main(async (args) => {
  if (args.length > 1 || (args.length === 1 && args[0] !== "--check")) {
    throw new Stop("Usage: npm run build [-- --check]");
  }
  if (process.platform !== "linux") throw new Stop("Packages are made on Linux alone so far. `npm start` runs OzBrain here.");
  const packages = await build();
  if (args[0] === "--check") await check(packages);
  say(`\n${packages.join("\n")}`);
  return 0;
});
