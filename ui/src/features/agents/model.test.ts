import { expect, test } from "vitest";
import type { BrainRow, ClientState, ClientView, ConnectionRow, DiffLine } from "../../api/types";
import { fileName, firstChoice, grantedNames, groupsOf, lineSums, proofOf, sums, waitsLong, withGaps } from "./model";

const client = (name: string, state: ClientState, more: Partial<ClientView> = {}): ClientView => ({
  client: name,
  name,
  state,
  file: `/home/ann/${name}.json`,
  after: "nothing",
  running: false,
  ...more,
});
const row = (connection: string, more: Partial<ConnectionRow> = {}): ConnectionRow => ({
  connection,
  created_at: "2026-12-01T09:00:00Z",
  key: false,
  waits: false,
  grants: {},
  owner: [],
  ...more,
});
const brain = (name: string, more: Partial<BrainRow> = {}) => ({ brain: name.toLowerCase(), name, kind: "shared", write_policy: "open", units: 1, ...more }) as BrainRow;

const names = (groups: ReturnType<typeof groupsOf>) => Object.fromEntries(groups.map((group) => [group.name, group.entries.map((entry) => entry.choice.name)]));

test("each client and connection stands once, in the group of how it stands", () => {
  const clients = [
    client("claude-desktop", "gone"),
    client("cursor", "works", { connection: "cursor", last_call: "2026-12-01T09:00:00Z" }),
    client("vscode", "waiting", { connection: "vscode" }),
    client("zed", "works", { connection: "zed-2", last_call: "2026-12-01T10:00:00Z" }),
    client("codex", "found"),
    client("goose", "blocked"),
    client("cline", "blocked", { connected_at: "2026-12-01T09:00:00Z" }),
    client("junie", "absent"),
  ];
  const rows = [row("cursor"), row("zed-2"), row("nightly", { key: true }), row("old", { revoked_at: "2026-11-01T00:00:00Z" }), row("codex"), row("cli")];
  expect(names(groupsOf(clients, rows))).toEqual({
    needs: ["claude-desktop", "cline"],
    // The last that called first; what has not called yet stands at the end.
    connected: ["zed", "cursor", "vscode"],
    found: ["codex", "goose"],
    // What a client left behind is a connection of its own until it is connected again.
    others: ["nightly", "codex", "cli"],
    more: ["hand", "web"],
    revoked: ["old"],
    absent: ["junie"],
  });
  expect(sums(clients, rows)).toEqual({ connected: 6, found: 1 });
});

test("what needs the person is chosen first, then what can be connected", () => {
  const at = (...clients: ClientView[]) => firstChoice(groupsOf(clients, []))?.name;
  expect(at(client("a", "works"), client("b", "found"), client("c", "gone"))).toBe("c");
  expect(at(client("a", "works"), client("b", "found"))).toBe("b");
  expect(at(client("a", "works"), client("b", "absent"))).toBe("a");
  expect(at(client("b", "absent"))).toBe("hand");
});

test("a client's connection is the one that its entry names", () => {
  const groups = groupsOf([client("zed", "works", { connection: "zed-2" })], [row("zed", { revoked_at: "2026-11-01T00:00:00Z" }), row("zed-2")]);
  expect(groups[0]?.entries[0]?.connection?.connection).toBe("zed-2");
});

test("a change tells how many lines lie between its parts", () => {
  const line = (kind: DiffLine["kind"], n: number): DiffLine => ({ kind, line: n, text: String(n) });
  // Line 4 of the old file goes and lines 4 and 5 come; the next part begins at line 20.
  const diff = [line("same", 3), line("removed", 4), line("added", 4), line("added", 5), line("same", 6), line("same", 20), line("added", 21)];
  const shown = withGaps(diff);
  expect(shown.map((one) => ("skipped" in one ? `skip ${one.skipped}` : one.text))).toEqual(["3", "4", "4", "5", "6", "skip 13", "20", "21"]);
  // One line became another and one came with it; a third came elsewhere.
  expect(lineSums(diff)).toEqual({ added: 2, removed: 0, changed: 1 });
  expect(lineSums([line("removed", 1), line("removed", 2), line("added", 1)])).toEqual({ added: 0, removed: 1, changed: 1 });
  expect(lineSums([])).toEqual({ added: 0, removed: 0, changed: 0 });
  expect(withGaps([])).toEqual([]);
  // A part that begins with what goes: the gap stands before it.
  expect(withGaps([line("same", 2), line("removed", 9), line("same", 9)]).map((one) => ("skipped" in one ? `skip ${one.skipped}` : `${one.kind} ${one.text}`))).toEqual([
    "same 2",
    "skip 6",
    "removed 9",
    "same 9",
  ]);
});

test("proof goes step by step, and nothing but a call proves", () => {
  expect(proofOf(client("a", "found"))).toEqual({ file: "waits", call: "waits", sees: "waits" });
  expect(proofOf(client("a", "waiting"))).toEqual({ file: "done", call: "waits", sees: "waits" });
  expect(proofOf(client("a", "works"))).toEqual({ file: "done", call: "done", sees: "done" });
  expect(proofOf(client("a", "gone")).file).toBe("failed");
  expect(proofOf(client("a", "outdated")).file).toBe("failed");
});

test("grants by name: what no grant names is none", () => {
  const brains = [brain("Studio"), brain("Ops"), brain("Personal", { kind: "personal" })];
  expect(grantedNames(row("a", { grants: { studio: "write", ops: "read" } }), brains)).toEqual({ write: ["Studio"], read: ["Ops"], none: ["Personal"] });
});

test("a file's name, on any platform", () => {
  expect(fileName("/home/ann/.cursor/mcp.json")).toBe("mcp.json");
  expect(fileName("C:\\Users\\Ann\\AppData\\Roaming\\Zed\\settings.json")).toBe("settings.json");
});

test("a first call that takes longer than two minutes is worth looking into, and no other", () => {
  const now = new Date("2026-12-01T09:02:01Z");
  const at = (connected_at: string, state: ClientState = "waiting") => waitsLong(client("zed", state, { connected_at }), now);
  expect(at("2026-12-01T09:00:00Z")).toBe(true);
  expect(at("2026-12-01T09:00:02Z")).toBe(false);
  expect(at("2026-12-01T09:00:00Z", "works")).toBe(false);
  expect(waitsLong(client("zed", "waiting"), now), "one that was connected by hand").toBe(false);
});
