import type { QueryClient } from "@tanstack/react-query";
import { affected } from "../api/affected";
import { ApiError } from "../api/client";
import { queries } from "../api/queries";
import type { Change, State } from "../api/types";
import { platform } from "../platform";
import { dropDraftsBut, dropDraftsOf, followedBefore, keepFollowed } from "../shared/drafts";
import { forgetActs } from "../shared/undo";
import { forgetErased } from "./erasure";
import { gather, Refresher } from "./refresh";

const FIRST = 250;
/** A hidden tab gives up its stream after this: a browser opens few connections to one server, and each tab would hold one. */
const GRACE = 5_000;
/** How often a hidden tab then asks what waits, for its title. */
const GLANCE = 30_000;
const LAST = 5_000;
/** How long the changes wait for the state: a server with much to do is followed before it has counted. */
const PATIENCE = 500;

/** How long to wait before try number `n` (0 is the first after a break). */
export function backoff(n: number): number {
  return Math.min(LAST, FIRST * 2 ** n);
}

/**
 * Keeps what is shown true: reads the state, follows the changes after it, and makes exactly the affected queries stale,
 * at a pace. After a break it goes on where it stopped, so nothing is missed: a hidden tab follows nothing, and catches up
 * when it is shown. Another store: nothing held is kept.
 */
export async function live(client: QueryClient, standing: (up: boolean) => void, signal: AbortSignal): Promise<void> {
  // A tab that holds drafts goes on where it was signed out.
  const before = followedBefore();
  let store = before?.store;
  let after = before?.event;
  let tries = 0;
  const refresher = new Refresher(client);
  // A proposal may be settled: it is asked for again only if it still stands on screen once the Inbox is anew.
  const stale = gather((keys) => {
    const proposals = keys.filter(([kind]) => kind === "proposal");
    const rest = refresher.refresh(keys.filter(([kind]) => kind !== "proposal"));
    if (proposals.length > 0) void rest.then(() => refresher.refresh(proposals));
  });
  /** Takes a state in. True where it is of another store than before: what was followed is not its. */
  const take = async (state: State): Promise<boolean> => {
    const other = store !== undefined && store !== state.store;
    const first = store === undefined;
    store = state.store;
    if (other) {
      forgetActs();
      after = undefined;
      await client.resetQueries({ predicate: (query) => query.queryKey[0] !== "state" });
    }
    // What was read before the state was may be older than the event that the stream starts after.
    if (first && after === undefined) markRead(client);
    after ??= state.event;
    keepFollowed({ store, event: after });
    return other;
  };
  while (!signal.aborted) {
    let hidden: ReturnType<typeof whenHidden> | undefined;
    const moved = new AbortController();
    try {
      const asked = client.fetchQuery({ ...queries.state(), staleTime: 0, retry: false });
      const state = await Promise.race([asked, sleep(PATIENCE)]);
      if (state) await take(state);
      else
        void asked.then(
          async (late) => {
            if (!signal.aborted && (await take(late))) moved.abort();
          },
          () => undefined, // The stream tells by itself whether the server is there.
        );
      if (document.visibilityState !== "visible") {
        standing(true);
        tries = 0;
        await pause(GLANCE, signal);
        continue;
      }
      hidden = whenHidden(signal);
      const fromNow = after === undefined;
      await platform.follow(
        after,
        {
          opened() {
            tries = 0;
            standing(true);
            if (fromNow) markRead(client);
            void client.refetchQueries({ predicate: (query) => query.state.status === "error" });
          },
          change(data) {
            const change = JSON.parse(data) as Change;
            after = Math.max(after ?? 0, change.event);
            if (store !== undefined) keepFollowed({ store, event: after });
            stale(affected(change));
            if (change.kind === "erased") {
              void forgetDrafts(client, change);
              void forgetErased(client, change);
            }
          },
        },
        AbortSignal.any([signal, hidden.signal, moved.signal]),
      );
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && error.status === 401)) return;
    } finally {
      hidden?.end();
    }
    if (signal.aborted) return;
    if (hidden?.signal.aborted || moved.signal.aborted) continue;
    standing(false);
    await pause(backoff(tries++), signal);
  }
}

/** What was read may be older than where the stream begins. */
function markRead(client: QueryClient): void {
  void client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== "state" && query.state.dataUpdatedAt > 0 });
}

function sleep(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
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
