// npm run bench: OzBrain beside a bare SQLite floor, on this machine, now.
// Arguments after `--` are the numbers of units; 1000 and 10000 unless told.
import { buildProgram, root } from "./lib/cargo.mjs";
import { prepareMachine } from "./lib/machine.mjs";
import { main, run, say } from "./lib/run.mjs";

await main(async (args) => {
  await prepareMachine();
  say("Building OzBrain and the floor, both as released.");
  const ozbrain = await buildProgram("ozbrain", ["-p", "ozbrain-cli", "--release"]);
  const floor = await buildProgram("floor", ["-p", "ozbrain-bench", "--release"]);
  const bench = await buildProgram("ozbrain-bench", ["-p", "ozbrain-bench", "--release"]);
  return run(bench, [ozbrain, floor, ...args], { cwd: root });
});
