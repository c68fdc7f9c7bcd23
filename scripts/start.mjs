// npm start: from a checkout to a running OzBrain, in one command.
// Arguments after `--` go to `ozbrain serve`.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { buildProgram } from "./lib/cargo.mjs";
import { prepareMachine } from "./lib/machine.mjs";
import { main, say } from "./lib/run.mjs";
import { buildScreens } from "./lib/screens.mjs";

/** Hands over to a program: its terminal, its signals, its exit code. */
function become(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "inherit" });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
      process.on(signal, () => {
        // Ctrl-C in a terminal reaches the program by itself.
        if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
      });
    }
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

await main(async (args) => {
  await prepareMachine();
  await buildScreens();
  say("Building OzBrain. The first time takes some minutes; later starts take seconds.");
  const ozbrain = await buildProgram("ozbrain", ["-p", "ozbrain-cli", "--release"]);
  return become(ozbrain, ["serve", ...args]);
});
