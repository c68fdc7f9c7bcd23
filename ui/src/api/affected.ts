import type { QueryKey } from "@tanstack/react-query";
import type { Change } from "./types";

/** What a kind of change touches beside the Inbox and the counts. A new kind of the server's fails to compile here. */
const TOUCHES: Record<Change["kind"], readonly ("unit" | "access" | "proposal" | "revision" | "settings")[]> = {
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
};

/** The lists that any unit may stand in. A proposal shows the head as it is now. */
const LISTS: readonly QueryKey[] = [["units"], ["topics"], ["search"], ["review"], ["brains"], ["proposal"]];

const KEYS = {
  unit: LISTS,
  // What may be seen of units, and how old they count, changes for all of them.
  access: [...LISTS, ["unit"], ["connections"], ["settings"]],
  proposal: [["proposal"], ["brains"]],
  revision: [["revision"]],
  settings: [["settings"]],
} satisfies Record<string, readonly QueryKey[]>;

/** The queries that one change makes stale, as key prefixes. */
export function affected(change: Pick<Change, "kind" | "unit">): QueryKey[] {
  const keys: QueryKey[] = [["state"], ["inbox"]];
  if (change.unit !== undefined) keys.push(["unit", change.unit]);
  // An older page may meet a newer server: what it does not know may touch anything.
  for (const touched of TOUCHES[change.kind] ?? ["unit", "access", "proposal", "revision", "settings"]) keys.push(...KEYS[touched]);
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
