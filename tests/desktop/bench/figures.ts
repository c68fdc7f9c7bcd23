// What the desktop application costs, beside a bare window of the same toolkit
// on the same desktop in the same run: memory and processor time at rest, the
// time from start to tray and from click to window. `npm run bench -- desktop`.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../clients/ts/support/net.ts";
import { Home } from "../../clients/ts/support/ozbrain.ts";
import { Desktop } from "../support/desktop.ts";
import { until } from "../support/until.ts";

/** How often each is done; the middle one counts. */
const ROUNDS = 5;
/** How long nothing is done before rest is measured, and for how long it is. */
const [SETTLE, REST] = [8_000, 20_000];
/** The kernel counts processor time in hundredths of a second. */
const TICK = 10;

/** What a process and all that it started hold and use. */
interface Cost {
  /** Memory in MiB; what is shared counts by its share. */
  memory: number;
  /** Processor time so far, in milliseconds. */
  time: number;
}

function numbers(pid: number): { parent: number; time: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(fields[1]), time: (Number(fields[11]) + Number(fields[12])) * TICK };
  } catch {
    return undefined; // It has ended meanwhile.
  }
}

function costOf(pid: number): Cost {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map(all.map((one) => [one, numbers(one)?.parent]));
  const belongs = (one: number | undefined): boolean => one !== undefined && one > 1 && (one === pid || belongs(parents.get(one)));
  const cost = { memory: 0, time: 0 };
  for (const one of all.filter(belongs)) {
    cost.time += numbers(one)?.time ?? 0;
    try {
      const rollup = readFileSync(join("/proc", String(one), "smaps_rollup"), "utf8");
      cost.memory += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
    } catch {
      // It has ended meanwhile.
    }
  }
  return cost;
}

/** What a program costs while nothing is done: MiB, and thousandths of one core. */
async function atRest(pid: number): Promise<{ memory: number; cpu: number }> {
  await pause(SETTLE);
  const before = costOf(pid);
  await pause(REST);
  const after = costOf(pid);
  return { memory: after.memory, cpu: ((after.time - before.time) / REST) * 1000 };
}

const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** The milliseconds until something is there. */
async function timed(what: string, begin: () => unknown, look: () => unknown): Promise<number> {
  const started = performance.now();
  await begin();
  await until(what, async () => Boolean(await look()), 30_000, 2);
  return performance.now() - started;
}

interface Row {
  what: string;
  ours: number;
  bare?: number;
  unit: string;
}

function print(rows: Row[]): void {
  for (const { what, ours, bare, unit } of rows) {
    const beside = bare === undefined ? "" : `bare ${bare.toFixed(1)} ${unit}`;
    const ratio = bare ? `${(ours / bare).toFixed(2)} ×` : "";
    process.stdout.write(`${what.padEnd(34)} ${`${ours.toFixed(1)} ${unit}`.padStart(12)}   ${beside.padEnd(18)} ${ratio}\n`);
  }
}

const [application, bareWindow] = [process.env.OZBRAIN_DESKTOP_BIN, process.env.OZBRAIN_BARE_BIN];
if (!application || !bareWindow) throw new Error("Run the bench with `npm run bench -- desktop`.");

const desktop = await Desktop.start({});
const home = new Home();
try {
  const env = { ...desktop.env, OZBRAIN_DATA_DIR: home.env.OZBRAIN_DATA_DIR!, OZBRAIN_PORT: String(await freePort()) };
  home.sharedBrain("team");
  const framed = (title: string) => desktop.framed(title)[0];
  const painted = (title: string) => {
    const window = framed(title);
    return window !== undefined && desktop.showsSomething(window);
  };

  const bare = { window: [] as number[], painted: [] as number[] };
  let bareRest = { memory: 0, cpu: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    let started: ReturnType<typeof desktop.processes.start> | undefined;
    const start = () => (started = desktop.processes.start(bareWindow, [], env));
    const begun = performance.now();
    bare.window.push(await timed("the bare window is there", start, () => framed("^Bare$")));
    await until("it shows its word", () => painted("^Bare$"), 30_000, 2);
    bare.painted.push(performance.now() - begun);
    if (round === 0) bareRest = await atRest(started!.pid);
    await started!.kill("SIGTERM");
  }

  const ours = { tray: [] as number[], window: [] as number[], painted: [] as number[] };
  let [trayRest, windowRest] = [bareRest, bareRest];
  for (let round = 0; round < ROUNDS; round += 1) {
    let started: ReturnType<typeof desktop.processes.start> | undefined;
    const start = () => (started = desktop.processes.start(application, ["--hidden"], env));
    ours.tray.push(await timed("the tray icon is there", start, async () => (await desktop.tray.icons()).length > 0));
    if (round === 0) trayRest = await atRest(started!.pid);
    const begun = performance.now();
    ours.window.push(await timed("the window is there", () => desktop.tray.choose(/^Open OzBrain$/), () => framed("^OzBrain$")));
    await until("it shows its page", () => painted("^OzBrain$"), 30_000, 2);
    ours.painted.push(performance.now() - begun);
    if (round === 0) windowRest = await atRest(started!.pid);
    started!.child.kill("SIGTERM");
    await started!.end();
  }
  print([
    { what: "memory at rest, tray alone", ours: trayRest.memory, bare: bareRest.memory, unit: "MiB" },
    { what: "memory at rest, with the window", ours: windowRest.memory, bare: bareRest.memory, unit: "MiB" },
    { what: "processor at rest, tray alone", ours: trayRest.cpu, bare: bareRest.cpu, unit: "‰" },
    { what: "processor at rest, with the window", ours: windowRest.cpu, bare: bareRest.cpu, unit: "‰" },
    { what: "start → tray", ours: middle(ours.tray), unit: "ms" },
    { what: "click → window (bare: start)", ours: middle(ours.window), bare: middle(bare.window), unit: "ms" },
    { what: "click → page (bare: start)", ours: middle(ours.painted), bare: middle(bare.painted), unit: "ms" },
  ]);
} finally {
  await desktop.close();
  await home.close();
}
