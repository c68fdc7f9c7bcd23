/** What the Agents screen shows, told from what the server says. No component, no request. */
import type { BrainRow, ClientPlan, ClientState, ClientView, ConnectionRow, DiffLine, Grant } from "../../api/types";

/** What is chosen in the list, and what the address names. */
export type Choice =
  | { of: "client"; name: string }
  | { of: "connection"; name: string }
  | { of: "more"; name: "hand" | "web" };

export const keyOf = (choice: Choice): string => `${choice.of}:${choice.name}`;

export type GroupName = "needs" | "connected" | "found" | "others" | "more" | "revoked" | "absent";

export type Entry = { choice: Choice; client?: ClientView; connection?: ConnectionRow };
export interface Group {
  name: GroupName;
  entries: Entry[];
}

/** The groups that are folded until they are wanted. */
export const FOLDED: readonly GroupName[] = ["revoked", "absent"];

/** States in which a connected client does not call, and the person can mend it. */
const MENDABLE: readonly ClientState[] = ["outdated", "gone", "revoked"];

const GROUP: Record<ClientState, GroupName> = {
  waiting: "connected",
  works: "connected",
  outdated: "needs",
  gone: "needs",
  revoked: "needs",
  blocked: "found",
  found: "found",
  absent: "absent",
};

export const mendable = (client: ClientView): boolean => MENDABLE.includes(client.state);
export const connected = (client: ClientView): boolean => client.state === "waiting" || client.state === "works";

function groupOf(client: ClientView): GroupName {
  // A file that holds our entry and cannot be read any more stops a client that worked.
  return client.state === "blocked" && client.connected_at !== undefined ? "needs" : GROUP[client.state];
}

/** The connection under which a client calls, if it is known. */
export function connectionOf(client: ClientView, connections: readonly ConnectionRow[]): ConnectionRow | undefined {
  return connections.find((row) => row.connection === client.connection);
}

/** The list, in the order in which it is drawn. Groups without entries are left out. */
export function groupsOf(clients: readonly ClientView[], connections: readonly ConnectionRow[]): Group[] {
  const named = new Set(clients.flatMap((client) => client.connection ?? []));
  const entries: Record<GroupName, Entry[]> = { needs: [], connected: [], found: [], others: [], more: [], revoked: [], absent: [] };
  for (const client of clients) {
    const connection = connectionOf(client, connections);
    entries[groupOf(client)].push({ choice: { of: "client", name: client.client }, client, ...(connection ? { connection } : {}) });
  }
  for (const connection of connections) {
    if (named.has(connection.connection)) continue;
    entries[connection.revoked_at === undefined ? "others" : "revoked"].push({ choice: { of: "connection", name: connection.connection }, connection });
  }
  entries.connected.sort((a, b) => time(b.client?.last_call) - time(a.client?.last_call));
  entries.others.sort((a, b) => time(b.connection?.last_seen) - time(a.connection?.last_seen));
  entries.more = [{ choice: { of: "more", name: "hand" } }, { choice: { of: "more", name: "web" } }];
  return (Object.keys(entries) as GroupName[]).map((name) => ({ name, entries: entries[name] })).filter((group) => group.entries.length > 0);
}

const time = (at: string | undefined): number => (at === undefined ? Number.NEGATIVE_INFINITY : Date.parse(at));

/** What is chosen where nothing was: what needs the person, then what can be connected, then what is connected. */
export function firstChoice(groups: readonly Group[]): Choice | undefined {
  for (const name of ["needs", "found", "connected", "others", "more"] as const) {
    const entry = groups.find((group) => group.name === name)?.entries[0];
    if (entry) return entry.choice;
  }
  return undefined;
}

/** The connections that agents call by: not the command line's own, nor what was revoked. */
export function agentsOf(connections: readonly ConnectionRow[]): ConnectionRow[] {
  return connections.filter((row) => row.revoked_at === undefined && row.connection !== "cli");
}

/** How many stand connected, and how many more could. */
export function sums(clients: readonly ClientView[], connections: readonly ConnectionRow[]): { connected: number; found: number } {
  const named = new Set(clients.flatMap((client) => client.connection ?? []));
  const byHand = agentsOf(connections).filter((row) => !named.has(row.connection)).length;
  return {
    connected: clients.filter((client) => connected(client) || mendable(client)).length + byHand,
    found: clients.filter((client) => client.state === "found").length,
  };
}

export const GRANTS: readonly Grant[] = ["none", "read", "write"];

/** The names of the brains that a connection may write, and those that it may only read. */
export function grantedNames(connection: ConnectionRow, brains: readonly BrainRow[]): { write: string[]; read: string[]; none: string[] } {
  const names = (grant: Grant) => brains.filter((brain) => grantOf(connection, brain) === grant).map((brain) => brain.name);
  return { write: names("write"), read: names("read"), none: names("none") };
}

export const grantOf = (connection: ConnectionRow, brain: BrainRow): Grant => connection.grants[brain.brain] ?? "none";

/** Whether it matters who is an owner of this brain. */
export const hasOwners = (brain: BrainRow): boolean => brain.kind === "shared" && brain.write_policy === "owners";

/** A line of a change, or how many lines between two parts of it are not shown. */
export type ShownLine = DiffLine | { skipped: number };

/** The change with the gaps between its parts. The numbers of lines that go are the old file's, so that the next line that is in the new file tells the gap: it stands before what goes. */
export function withGaps(diff: readonly DiffLine[]): ShownLine[] {
  const shown: ShownLine[] = [];
  let last: number | undefined;
  /** Where the lines that go before the next one of the new file begin. */
  let began: number | undefined;
  for (const line of diff) {
    if (line.kind === "removed") {
      began ??= shown.length;
    } else {
      const gap = last === undefined ? 0 : line.line - last - 1;
      if (gap > 0) shown.splice(began ?? shown.length, 0, { skipped: gap });
      last = line.line;
      began = undefined;
    }
    shown.push(line);
  }
  return shown;
}

/** How many lines come, go, and are written anew: where lines go and others come in their place, each pair is one that changes. */
export function lineSums(diff: readonly DiffLine[]): { added: number; removed: number; changed: number } {
  const sums = { added: 0, removed: 0, changed: 0 };
  let [came, went] = [0, 0];
  const close = () => {
    const pairs = Math.min(came, went);
    sums.added += came - pairs;
    sums.removed += went - pairs;
    sums.changed += pairs;
    [came, went] = [0, 0];
  };
  for (const line of diff) {
    if (line.kind === "added") came += 1;
    else if (line.kind === "removed") went += 1;
    else close();
  }
  close();
  return sums;
}

/** The last name of a path, of any platform. */
export function fileName(path: string): string {
  return path.split(/[/\\]/).filter(Boolean).at(-1) ?? path;
}

/** How long a first call may take before it is worth to look for what hinders it, in milliseconds. */
const PATIENCE = 2 * 60_000;

/** Whether a client that was connected from here should have called by now. */
export const waitsLong = (client: Pick<ClientView, "state" | "connected_at">, now: Date): boolean =>
  client.state === "waiting" && client.connected_at !== undefined && now.getTime() - Date.parse(client.connected_at) > PATIENCE;

export type Step = "done" | "waits" | "failed";

/** How far a client has proved itself: its entry stands, it called, it sees what was granted. */
export function proofOf(client: ClientView): { file: Step; call: Step; sees: Step } {
  switch (client.state) {
    case "works":
      return { file: "done", call: "done", sees: "done" };
    case "waiting":
      return { file: "done", call: "waits", sees: "waits" };
    case "revoked":
      return { file: "done", call: "failed", sees: "failed" };
    case "gone":
    case "outdated":
      return { file: "failed", call: "waits", sees: "waits" };
    default:
      return { file: "waits", call: "waits", sees: "waits" };
  }
}

/** Whether a plan can be carried out as it stands. */
export const possible = (plan: ClientPlan): boolean => plan.problem === undefined;
