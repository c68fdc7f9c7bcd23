import type { QueryClient } from "@tanstack/react-query";
import { queries } from "../api/queries";
import type { Counts, Inbox } from "../api/types";
import { Refresher } from "./refresh";

/** How often a tab in sight asks what waits. One that is hidden asks as often, for its title. */
const EVERY = 30_000;
/** How old an answer may be that says how fresh something is. */
const OLD = 10 * 60_000;
/** What says how fresh something is, or what was read or done today. */
const TELLS_AGE: ReadonlySet<unknown> = new Set(["inbox", "review", "brains", "topics", "units", "search", "unit"]);

/**
 * Keeps true what no change tells of: agents read, facts age, the day ends. While the tab is in sight it asks what waits, and
 * asks anew for what tells ages where the counts are others than those shown, where another day has begun, and where the
 * answer has grown old. A tab that comes into sight looks at once.
 */
export function tide(client: QueryClient, signal: AbortSignal): void {
  const refresher = new Refresher(client);
  let day = today();
  let last: Counts | undefined;

  const look = async (old: number) => {
    if (document.visibilityState !== "visible") return;
    const state = await client.fetchQuery({ ...queries.state(), staleTime: 0, retry: false }).catch(() => undefined);
    if (!state || signal.aborted) return;
    const turned = day !== today();
    const differ = (last !== undefined && !same(last, state.counts)) || shown(client).some((counts) => !same(counts, state.counts));
    day = today();
    last = state.counts;
    const before = turned || differ ? Infinity : Date.now() - old;
    const stale = client.getQueryCache().findAll({
      predicate: ({ queryKey, state }) => TELLS_AGE.has(queryKey[0]) && state.dataUpdatedAt > 0 && state.dataUpdatedAt <= before,
    });
    await refresher.refresh(stale.map((query) => query.queryKey));
  };
  const comes = () => void look(EVERY);

  const timer = setInterval(() => void look(OLD), EVERY);
  document.addEventListener("visibilitychange", comes);
  signal.addEventListener("abort", () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", comes);
  });
}

/** What the Inbox says that waits, where it is held and not known to be stale. */
function shown(client: QueryClient): Counts[] {
  const held = client.getQueryCache().findAll({ queryKey: ["inbox"], predicate: ({ state }) => !state.isInvalidated });
  return held.flatMap(({ state }) => (state.data as Inbox | undefined)?.counts ?? []);
}

function same(one: Counts, other: Counts): boolean {
  return (Object.keys(one) as (keyof Counts)[]).every((kind) => one[kind] === other[kind]);
}

/** The day on this computer's calendar. */
function today(): string {
  return new Date().toDateString();
}
