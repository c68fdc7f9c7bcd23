import type { QueryKey } from "@tanstack/react-query";
import type { Change } from "./types";

type Touched = "unit" | "access" | "proposal" | "revision" | "client" | "settings";

/** What a kind of change touches beside the Inbox and the counts. A new kind of the server's fails to compile here. */
const TOUCHES: Record<Change["kind"], readonly Touched[]> = {
  created: ["unit"],
  updated: ["unit"],
  conflicted: ["unit"],
  resolved: ["unit"],
  retired: ["unit"],
  returned: ["unit"],
  confirmed: ["unit"],
  checked: ["unit"],
  noted: ["unit"],
  later: ["unit"],
  undone: ["unit", "proposal"],
  joined: ["unit"],
  erased: ["unit", "access", "revision"],
  accepted: ["unit", "proposal"],
  proposed: ["proposal"],
  rejected: ["proposal"],
  dismissed: [],
  brain_created: ["access"],
  brain_changed: ["access"],
  granted: ["access"],
  connection_created: ["access"],
  connection_revoked: ["access"],
  settings_changed: ["settings"],
  client_connected: ["client"],
  client_disconnected: ["client"],
  client_called: ["client"],
  client_lost: ["client"],
};

/** The lists that any unit may stand in. A proposal shows the head as it is now. */
const LISTS: readonly QueryKey[] = [["units"], ["topics"], ["search"], ["review"], ["brains"], ["proposal"]];

/** Where clients and connections stand, and what would change them. */
const CLIENTS: readonly QueryKey[] = [["clients"], ["client-plan"], ["connections"]];

const KEYS = {
  // A connection's row tells what it wrote last.
  unit: [...LISTS, ["connections"]],
  // What may be seen of units, and how old they count, changes for all of them.
  access: [...LISTS, ["unit"], ...CLIENTS, ["settings"]],
  proposal: [["proposal"], ["brains"]],
  revision: [["revision"]],
  client: CLIENTS,
  settings: [["settings"]],
} satisfies Record<Touched, readonly QueryKey[]>;

/** The queries that one change makes stale, as key prefixes. */
export function affected(change: Pick<Change, "kind" | "unit">): QueryKey[] {
  const keys: QueryKey[] = [["state"], ["inbox"]];
  if (change.unit !== undefined) keys.push(["unit", change.unit]);
  // An older page may meet a newer server: what it does not know may touch anything.
  for (const touched of TOUCHES[change.kind] ?? ["unit", "access", "proposal", "revision", "client", "settings"]) keys.push(...KEYS[touched]);
  return keys;
}

/** Names each key once; a prefix stands for what it begins. */
export function union(keys: QueryKey[]): QueryKey[] {
  const seen = new Map<string, QueryKey>();
  for (const key of keys) seen.set(JSON.stringify(key), key);
  return [...seen.values()].filter(
    (key) => ![...seen.values()].some((other) => other.length < key.length && other.every((part, i) => part === key[i])),
  );
}
