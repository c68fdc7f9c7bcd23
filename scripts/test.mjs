// npm test: installs what the tests need, runs all of them, and ends with one
// line over everything. `npm test -- --only stories` runs one kind alone;
// words after a second `--` narrow it: `npm test -- --only stories -- clash`.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { buildProgram, root, targetFolder } from "./lib/cargo.mjs";
import { findChromium, findPython, prepareMachine } from "./lib/machine.mjs";
import { main, must, output, run, say, Stop } from "./lib/run.mjs";
import { buildScreens, installPackages, installScreens, ui, unlessDone } from "./lib/screens.mjs";

const CARGO_DENY = "0.20.2";
const clients = join(root, "tests", "clients");
const ts = join(clients, "ts");
const python = join(clients, "python");
const real = join(clients, "real");
const browser = join(root, "tests", "browser");
const desktop = join(root, "tests", "desktop");
const venv = join(python, ".venv");
const scratch = mkdtempSync(join(tmpdir(), "ozbrain-tests-"));
const node = join(ts, "node_modules", "node", "bin", "node");

async function installCargoParts() {
  for (const [command, component] of [["cargo-fmt", "rustfmt"], ["cargo-clippy", "clippy"]]) {
    if (output(command, ["--version"]) !== null) continue;
    say(`Missing: ${component}, which the tests run: adding it to the Rust toolchain.`);
    await must("rustup", ["component", "add", component]);
  }
}

async function installCargoDeny() {
  const tools = join(targetFolder(), "tools");
  process.env.PATH = [process.env.PATH, join(tools, "bin")].join(delimiter);
  if (output("cargo-deny", ["--version"]) !== null) return;
  say("Missing: cargo-deny, which checks what the dependencies may be: building it (minutes, once).");
  const build = join(tools, "build");
  const args = ["install", "--locked", "--debug", "--root", tools, "--target-dir", build];
  await must("cargo", [...args, `cargo-deny@${CARGO_DENY}`]);
  rmSync(build, { recursive: true, force: true });
}

async function installTypeScriptClients() {
  await installPackages(ts, "the TypeScript clients, the conformance suite and the Node that runs them");
  if (output(node, ["--version"]) === null) {
    throw new Stop(`The tests' own Node was not installed at ${node}. Delete ${join(ts, "node_modules")} and try again.`);
  }
}

async function installBrowserTests() {
  await installPackages(browser, "what drives the browser");
  process.env.OZBRAIN_CHROMIUM = findChromium();
}

/** The real clients: 2 GB, so only where they are asked for. */
async function installRealClients() {
  const manifests = [join(real, "package.json"), join(real, "package-lock.json")];
  await unlessDone(join(real, "node_modules", ".ozbrain-installed"), manifests, async () => {
    say("Installing the real clients (2 GB, once).");
    // The lock names no programs of other platforms, and `npm ci` would miss them.
    await must("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: real });
  });
  process.env.OZBRAIN_REAL_CLIENTS = real;
}

async function installPythonClient() {
  const requirements = join(python, "requirements.txt");
  await unlessDone(join(venv, ".ozbrain-installed"), [requirements], async () => {
    say("Installing the Python client.");
    rmSync(venv, { recursive: true, force: true });
    await must(findPython(), ["-m", "venv", venv]);
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements];
    await must(join(venv, "bin", "python"), pip);
  });
}

/** A step that passes or fails as a whole. */
const check = (command, args, options = {}) => async () => {
  const code = await run(command, args, { cwd: root, minutes: 30, ...options });
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
};

/** What a runner counted; one that failed without saying so counts as a failure. */
function counted(passed, failed, code, skipped = 0) {
  if (code !== 0 && failed === 0) return { passed, failed: 1, skipped, note: "did not run to its end" };
  if (passed + failed === 0) return { passed, failed: 1, skipped, note: "ran no test" };
  return { passed, failed, skipped };
}

/** `cargo test`, counted by the closing line of each of its programs. */
const cargoTest = (selection) => async ({ words }) => {
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  const args = ["test", "--workspace", "--no-fail-fast", ...selection, ...(words.length ? ["--", ...words] : [])];
  const code = await run("cargo", args, {
    cwd: root,
    minutes: 45,
    merge: true,
    onLine(line) {
      say(line);
      const result = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/.exec(line);
      if (!result) return;
      passed += Number(result[1]);
      failed += Number(result[2]);
      skipped += Number(result[3]);
    },
  });
  return counted(passed, failed, code, skipped);
};

/** Node's test runner over the TypeScript files of a folder. */
const nodeTest = (cwd, folder, kind, limit = 180_000) => async ({ words }) => {
  const files = readdirSync(join(cwd, folder))
    .filter((name) => name.endsWith(".test.ts"))
    .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
    .map((name) => join(folder, name));
  const tally = join(scratch, `${kind}.json`);
  const reporters = ["spec", "stdout", join(ts, "support", "tally.mjs"), tally];
  const args = ["--test", `--test-timeout=${limit}`, "--test-concurrency=2"];
  for (let i = 0; i < reporters.length; i += 2) {
    args.push(`--test-reporter=${reporters[i]}`, `--test-reporter-destination=${reporters[i + 1]}`);
  }
  const code = await run(node, [...args, ...files], { cwd, minutes: 30 });
  if (!existsSync(tally)) return counted(0, 0, code);
  const { passed, failed, skipped } = JSON.parse(readFileSync(tally, "utf8"));
  return counted(passed, failed, code, skipped);
};

/** The desktop's stories need a desktop that can be started apart from the one that is in use. */
async function desktopTest(choice) {
  if (process.platform !== "linux") return { passed: 0, failed: 0, note: "runs on Linux alone" };
  rmSync(join(root, "tests", "output", "desktop"), { recursive: true, force: true });
  return nodeTest(desktop, "stories", "desktop", 900_000)(choice);
}

/** Real clients, connected; and what the vendor's own tool says of a bundle. */
async function realClientTest(choice) {
  await installRealClients();
  process.env.OZBRAIN_NODE = node;
  process.env.OZBRAIN_MCPB = join(real, "node_modules", "@anthropic-ai", "mcpb", "dist", "cli", "cli.js");
  const results = [await nodeTest(ts, "real", "clients", 900_000)(choice)];
  if (choice.words.length === 0) results.push(await check("cargo", ["test", "-p", "ozbrain-connect", "--test", "connecting", "--", "--ignored", "the_vendors_own_tool"])(choice));
  return results.reduce((sum, { passed, failed }) => ({ ...sum, passed: sum.passed + passed, failed: sum.failed + failed }));
}

/** Playwright over the stories in the browser. */
async function browserTest({ words }) {
  const tally = join(scratch, "browser.json");
  const code = await run(node, [join("node_modules", "@playwright", "test", "cli.js"), "test", ...words], {
    cwd: browser,
    minutes: 30,
    env: { ...process.env, OZBRAIN_TALLY: tally },
  });
  if (!existsSync(tally)) return counted(0, 0, code);
  const { expected, unexpected, flaky, skipped } = JSON.parse(readFileSync(tally, "utf8")).stats;
  return counted(expected, unexpected + flaky, code, skipped);
}

/** The screens: their types, made of the server's document as it is, and their own tests. */
async function testScreens() {
  await installScreens();
  const api = join(ui, "src", "api");
  const made = join(scratch, "schema.d.ts");
  const typescript = join(ui, "node_modules", "openapi-typescript", "bin", "cli.js");
  await must(process.execPath, [typescript, join(api, "openapi.json"), "--output", made], { cwd: ui });
  const drift = readFileSync(made, "utf8") !== readFileSync(join(api, "schema.d.ts"), "utf8");
  if (drift) say("ui/src/api/schema.d.ts is not made of ui/src/api/openapi.json: run `npm run api` in ui/.");
  let failed = drift ? 1 : 0;
  for (const script of ["types", "test"]) {
    if ((await run("npm", ["run", "--silent", script], { cwd: ui, minutes: 10 })) !== 0) failed += 1;
  }
  return { passed: 3 - failed, failed };
}

/** Builds the program under test; the journeys take it from OZBRAIN_BIN. */
async function buildOzbrain() {
  await buildScreens();
  // With the whole workspace's features, so that little is compiled twice.
  process.env.OZBRAIN_BIN = await buildProgram("ozbrain", ["--workspace"]);
  process.env.OZBRAIN_FILL = await buildProgram("ozbrain-fill", ["--workspace"]);
  process.env.OZBRAIN_DESKTOP_BIN = await buildProgram("ozbrain-desktop", ["--workspace"]);
  process.env.OZBRAIN_TEST_PYTHON = join(venv, "bin", "python");
  return { passed: 1, failed: 0 };
}

/** TypeScript's compiler over everything that the tests are made of. */
async function typesAgree(choice) {
  const results = [];
  for (const cwd of [ts, browser, desktop]) results.push(await check(node, ["node_modules/.bin/tsc"], { cwd })(choice));
  return results.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }));
}

const clippy = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
const deny = ["deny", "--workspace", "--log-level", "error", "check", "bans", "licenses", "sources"];

/** Kinds in the order in which they run: the quick ones that need no build first. */
const kinds = [
  { kind: "format", what: "rustfmt has nothing to change", run: check("cargo", ["fmt", "--all", "--check"]) },
  { kind: "dependencies", what: "who may use what, licences, sources", run: check("cargo", deny) },
  { kind: "types", what: "the stories agree with the clients' types", run: typesAgree },
  { kind: "screens", what: "the screens agree with the server's document, and with their tests", run: testScreens },
  { kind: "lint", what: "clippy has nothing to say", run: check("cargo", clippy) },
  { kind: "build", what: "ozbrain and the desktop application build", run: buildOzbrain, neededBy: ["processes", "stories", "conformance", "clients", "browser", "desktop"] },
  { kind: "rules", what: "unit, property and snapshot tests of the crates", run: cargoTest(["--exclude", "ozbrain-tests"]) },
  { kind: "processes", what: "journeys with real processes", run: cargoTest(["--test", "journeys"]) },
  { kind: "stories", what: "journeys with real clients", run: nodeTest(ts, "stories", "stories") },
  { kind: "conformance", what: "the protocol's own test suite", run: nodeTest(ts, "conformance", "conformance") },
  { kind: "clients", what: "real clients, installed, connected and heard from", run: realClientTest, asked: true },
  { kind: "browser", what: "journeys in a real browser", run: browserTest },
  { kind: "desktop", what: "journeys in a real window, tray and notifications", run: desktopTest },
];

function chosen(args) {
  const names = kinds.map(({ kind }) => kind);
  const usual = kinds.filter(({ asked }) => !asked).map(({ kind }) => kind);
  const split = args.indexOf("--");
  const words = split === -1 ? [] : args.slice(split + 1);
  const [option, list, ...rest] = split === -1 ? args : args.slice(0, split);
  if (option === undefined) return { only: new Set(usual), words };
  const only = new Set((list ?? "").split(","));
  if (option !== "--only" || rest.length > 0 || [...only].some((name) => !names.includes(name))) {
    throw new Stop(`Usage: npm test -- [--only KIND[,KIND…]] [-- WORD…]\nKinds: ${names.join(", ")}`);
  }
  return { only, words };
}

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/** Runs a step; one that cannot run at all has failed, and says why. */
async function step(kind, what, body) {
  say(`\n── ${kind}: ${what}`);
  const began = Date.now();
  const result = await body().catch((error) => {
    say(error instanceof Stop ? error.message : (error.stack ?? String(error)));
    return { passed: 0, failed: 1, note: "could not run" };
  });
  return { kind, time: seconds(began), ...result };
}

async function install() {
  await prepareMachine({ python: true, browser: true, desktop: true, desktopTests: true });
  await installCargoParts();
  await installCargoDeny();
  await installTypeScriptClients();
  await installPythonClient();
  await installBrowserTests();
  await installPackages(desktop, "what talks with the desktop's parts");
  return { passed: 0, failed: 0 };
}

async function runAll({ only, words }) {
  const steps = [
    { kind: "install", what: "what the tests need", run: install, needed: true },
    ...kinds.filter(({ kind, neededBy }) => only.has(kind) || neededBy?.some((other) => only.has(other))),
  ];
  const results = [];
  for (const { kind, what, run: body, needed, neededBy } of steps) {
    const result = await step(kind, what, () => body({ words }));
    results.push(result);
    if ((needed || neededBy) && result.failed > 0) {
      results.push({ kind: "the rest", time: "", passed: 0, failed: 0, note: `not run, for want of "${kind}"` });
      break;
    }
  }
  return results;
}

await main(async (args) => {
  const choice = chosen(args);
  const results = await runAll(choice).finally(() => rmSync(scratch, { recursive: true, force: true }));
  say("\n── what ran");
  let passed = 0;
  let failed = 0;
  for (const result of results) {
    passed += result.passed;
    failed += result.failed;
    const notes = [result.skipped ? `${result.skipped} skipped` : "", result.note ?? ""].filter(Boolean).join(", ");
    say(
      `${result.kind.padEnd(14)}${String(result.passed).padStart(5)} passed ${String(result.failed).padStart(4)} failed ` +
        `${result.time.padStart(9)}${notes ? `   ${notes}` : ""}`,
    );
  }
  say(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});
