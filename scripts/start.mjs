// npm start: from a checkout to a running OzBrain, in one command: its window
// and its tray icon, or the server alone where nothing can be shown.
// Arguments after `--` go to `ozbrain serve`, which then runs alone.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { buildPrograms } from "./lib/cargo.mjs";
import { desktopLacks, prepareMachine } from "./lib/machine.mjs";
import { main, say } from "./lib/run.mjs";
import { buildScreens } from "./lib/screens.mjs";

/**
 * Hands over to a program: its terminal, its signals, its exit code. `silent`
 * is called where it ended well without a word.
 */
function become(program, args, silent = () => {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["inherit", "pipe", "inherit"] });
    let spoke = false;
    child.stdout.on("data", (text) => {
      spoke = true;
      process.stdout.write(text);
    });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
      process.on(signal, () => {
        // Ctrl-C in a terminal reaches the program by itself.
        if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
      });
    }
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0 && !spoke) silent();
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

/** Why nothing is shown here, or null. */
async function whyServerAlone(args) {
  if (args.length > 0) return "Arguments are for the server, so it runs alone, without a window.";
  const shows = process.platform !== "linux" || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!shows) return "There is no display here, so the server runs alone, without a window.";
  const { missing, command } = await desktopLacks();
  if (missing.length === 0) return null;
  const what = missing.map(({ what }) => what).join(" and ");
  const how = command === null ? "" : ` To have one, run \`${command}\` and start again.`;
  return `The window cannot be built without ${what}, so the server runs alone.${how}`;
}

await main(async (args) => {
  await prepareMachine();
  const alone = await whyServerAlone(args);
  await buildScreens();
  say("Building OzBrain. The first time takes some minutes; later starts take seconds.");
  if (alone !== null) {
    const { ozbrain } = await buildPrograms(["ozbrain"], ["-p", "ozbrain-cli", "--release"]);
    say(alone);
    return become(ozbrain, ["serve", ...args]);
  }
  const packages = ["-p", "ozbrain-cli", "-p", "ozbrain-desktop"];
  const programs = await buildPrograms(["ozbrain", "ozbrain-desktop"], [...packages, "--release"]);
  return become(programs["ozbrain-desktop"], [], () => say("OzBrain runs already: its window is in front."));
});
