import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { affected, union } from "../api/affected";
import { ApiError } from "../api/client";
import { queries } from "../api/queries";
import type { Change, State } from "../api/types";
import { platform } from "../platform";
import { forgetActs } from "../shared/undo";

const FIRST = 250;
const LAST = 5_000;

/** How long to wait before try number `n` (0 is the first after a break). */
export function backoff(n: number): number {
  return Math.min(LAST, FIRST * 2 ** n);
}

/**
 * Keeps what is shown true: reads the state, follows the changes after it, and makes exactly the affected queries stale,
 * once per frame. After a break it goes on where it stopped, so nothing is missed. Another store: nothing held is kept.
 */
export async function live(client: QueryClient, standing: (up: boolean) => void, signal: AbortSignal): Promise<void> {
  let store: string | undefined;
  let after: number | undefined;
  let tries = 0;
  const stale = batch((keys) => {
    for (const queryKey of union(keys)) void client.invalidateQueries({ queryKey });
  });
  while (!signal.aborted) {
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
          },
        },
        signal,
      );
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && error.status === 401)) return;
    }
    if (signal.aborted) return;
    standing(false);
    await pause(backoff(tries++), signal);
  }
}

/** Gathers keys until the next frame. A hidden tab has no frames, so a timer stands in. */
function batch(flush: (keys: QueryKey[]) => void): (keys: QueryKey[]) => void {
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
