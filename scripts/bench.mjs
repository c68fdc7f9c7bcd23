// npm run bench: OzBrain beside a bare SQLite floor, on this machine, now.
// Arguments after `--` are the numbers of units; 1000 and 10000 unless told.
// `npm run bench -- desktop`: the desktop application beside a bare window.
import { join } from "node:path";
import { buildProgram, buildPrograms, root } from "./lib/cargo.mjs";
import { prepareMachine } from "./lib/machine.mjs";
import { main, run, say } from "./lib/run.mjs";
import { buildScreens, installPackages } from "./lib/screens.mjs";

const tests = join(root, "tests");

async function benchDesktop() {
  await prepareMachine({ desktop: true, desktopTests: true });
  const ts = join(tests, "clients", "ts");
  await installPackages(ts, "the tests' clients");
  await installPackages(join(tests, "desktop"), "what talks with the desktop's parts");
  await buildScreens();
  say("Building the application and a bare window, both as released.");
  const selection = ["-p", "ozbrain-cli", "-p", "ozbrain-desktop", "--release"];
  const programs = await buildPrograms(["ozbrain", "ozbrain-desktop"], selection, ["bare-window"]);
  process.env.OZBRAIN_BIN = programs.ozbrain;
  process.env.OZBRAIN_DESKTOP_BIN = programs["ozbrain-desktop"];
  process.env.OZBRAIN_BARE_BIN = programs["bare-window"];
  return run(join(ts, "node_modules", "node", "bin", "node"), ["bench/figures.ts"], { cwd: join(tests, "desktop") });
}

await main(async (args) => {
  if (args[0] === "desktop") return benchDesktop();
  await prepareMachine();
  say("Building OzBrain and the floor, both as released.");
  const ozbrain = await buildProgram("ozbrain", ["-p", "ozbrain-cli", "--release"]);
  const floor = await buildProgram("floor", ["-p", "ozbrain-bench", "--release"]);
  const bench = await buildProgram("ozbrain-bench", ["-p", "ozbrain-bench", "--release"]);
  return run(bench, [ozbrain, floor, ...args], { cwd: root });
});
