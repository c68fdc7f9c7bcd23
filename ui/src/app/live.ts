import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { affected, union } from "../api/affected";
import { ApiError } from "../api/client";
import { queries } from "../api/queries";
import type { Change, State } from "../api/types";
import { platform } from "../platform";
import { dropDraftsBut, dropDraftsOf } from "../shared/drafts";
import { forgetActs } from "../shared/undo";

const FIRST = 250;
/** A hidden tab gives up its stream after this: a browser opens few connections to one server, and each tab would hold one. */
const GRACE = 5_000;
/** How often a hidden tab then asks what waits, for its title. */
const GLANCE = 30_000;
const LAST = 5_000;

/** How long to wait before try number `n` (0 is the first after a break). */
export function backoff(n: number): number {
  return Math.min(LAST, FIRST * 2 ** n);
}

/**
 * Keeps what is shown true: reads the state, follows the changes after it, and makes exactly the affected queries stale,
 * once per frame. After a break it goes on where it stopped, so nothing is missed: a hidden tab follows nothing, and
 * catches up when it is shown. Another store: nothing held is kept.
 */
export async function live(client: QueryClient, standing: (up: boolean) => void, signal: AbortSignal): Promise<void> {
  let store: string | undefined;
  let after: number | undefined;
  let tries = 0;
  // A proposal may be settled: it is asked for again only if it still stands on screen once the Inbox is anew.
  const later = batch((keys) => invalidate(client, keys));
  const stale = batch((keys) => {
    const proposals = keys.filter(([kind]) => kind === "proposal");
    const rest = invalidate(client, keys.filter(([kind]) => kind !== "proposal"));
    if (proposals.length > 0) void rest.then(() => later(proposals));
  });
  while (!signal.aborted) {
    let hidden: ReturnType<typeof whenHidden> | undefined;
    try {
      const state: State = await client.fetchQuery({ ...queries.state(), staleTime: 0, retry: false });
      if (store !== undefined && store !== state.store) {
        forgetActs();
        after = undefined;
        await client.resetQueries({ predicate: (query) => query.queryKey[0] !== "state" });
      }
      if (after === undefined && store === undefined) {
        // What was read before the state was may be older than the event that the stream starts after.
        void client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== "state" && query.state.dataUpdatedAt > 0 });
      }
      store = state.store;
      after ??= state.event;
      if (document.visibilityState !== "visible") {
        standing(true);
        tries = 0;
        await pause(GLANCE, signal);
        continue;
      }
      hidden = whenHidden(signal);
      await platform.follow(
        after,
        {
          opened() {
            tries = 0;
            standing(true);
            void client.refetchQueries({ predicate: (query) => query.state.status === "error" });
          },
          change(data) {
            const change = JSON.parse(data) as Change;
            after = Math.max(after ?? 0, change.event);
            stale(affected(change));
            if (change.kind === "erased") void forgetDrafts(client, change);
          },
        },
        AbortSignal.any([signal, hidden.signal]),
      );
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && error.status === 401)) return;
    } finally {
      hidden?.end();
    }
    if (signal.aborted) return;
    if (hidden?.signal.aborted) continue;
    standing(false);
    await pause(backoff(tries++), signal);
  }
}

async function invalidate(client: QueryClient, keys: QueryKey[]): Promise<void> {
  await Promise.all(union(keys).map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** An erasure, wherever it was made, takes along what was typed about it. An erased brain is told without its name. */
async function forgetDrafts(client: QueryClient, { unit }: Change): Promise<void> {
  if (unit !== undefined) return dropDraftsOf({ unit });
  const brains = await client.fetchQuery({ ...queries.brains(), staleTime: 0 }).catch(() => undefined);
  if (brains) dropDraftsBut(brains.map((row) => row.brain));
}

/** Aborts once this tab has been hidden for a while. `end` stops watching. */
function whenHidden(signal: AbortSignal): { signal: AbortSignal; end: () => void } {
  const control = new AbortController();
  const page = document;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (page.visibilityState !== "visible") timer = setTimeout(() => control.abort(), GRACE);
  };
  const end = () => {
    clearTimeout(timer);
    page.removeEventListener("visibilitychange", look);
    signal.removeEventListener("abort", end);
  };
  page.addEventListener("visibilitychange", look);
  signal.addEventListener("abort", end);
  look();
  return { signal: control.signal, end };
}

/** Gathers keys until the next frame. A hidden tab has no frames, so a timer stands in. */
function batch(flush: (keys: QueryKey[]) => unknown): (keys: QueryKey[]) => void {
  let held: QueryKey[] = [];
  return (keys) => {
    const first = held.length === 0;
    held.push(...keys);
    if (!first) return;
    const go = () => {
      const now = held;
      held = [];
      flush(now);
    };
    if (document.visibilityState === "visible") requestAnimationFrame(go);
    else setTimeout(go, 200);
  };
}

/** Waits, but no longer than until the network or the tab comes back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      document.removeEventListener("visibilitychange", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener("online", done);
    document.addEventListener("visibilitychange", done);
    signal.addEventListener("abort", done);
  });
}
