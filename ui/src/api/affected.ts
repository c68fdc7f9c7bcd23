import type { QueryKey } from "@tanstack/react-query";
import type { Change } from "./types";

/** Changes of grants, keys and brains: no unit is touched, but what may be seen of them is. */
const ACCESS = /brain|grant|connection|revoked|owner|policy|freshness/;
const PROPOSALS = /propos|accepted|rejected/;
/** Changes that leave every unit's text, place and freshness as they are. */
const QUIET = new Set(["rejected", "dismissed", "proposed"]);

/** The queries that one change makes stale, as key prefixes. */
export function affected(change: Pick<Change, "kind" | "unit">): QueryKey[] {
  const keys: QueryKey[] = [["state"], ["inbox"]];
  if (change.unit !== undefined) keys.push(["unit", change.unit]);
  if (PROPOSALS.test(change.kind)) keys.push(["proposal"], ["brains"]);
  if (ACCESS.test(change.kind)) keys.push(["brains"], ["connections"], ["topics"], ["units"], ["search"], ["review"], ["unit"]);
  else if (change.unit !== undefined && !QUIET.has(change.kind)) {
    keys.push(["units"], ["topics"], ["search"], ["review"], ["brains"]);
    // A proposal shows the head as it is now.
    keys.push(["proposal"]);
  }
  if (change.kind === "erased") keys.push(["revision"]);
  return keys;
}

/** Collects key prefixes and names each once, the shorter prefix winning. */
export function union(keys: QueryKey[]): QueryKey[] {
  const seen = new Map<string, QueryKey>();
  for (const key of keys) seen.set(JSON.stringify(key), key);
  return [...seen.values()].filter(
    (key) => ![...seen.values()].some((other) => other.length < key.length && other.every((part, i) => part === key[i])),
  );
}
