/** Keeps a steady stream of changes from starving the page: what is stale is asked for again at a pace, and never twice at once. */
import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";
import { union } from "../api/affected";

/** The pause after the first changes, and the longest while they keep coming. */
const SHORT = 250;
const LONG = 1_000;

/**
 * Gathers keys: the first are flushed at once, those that follow after a pause that grows while they keep coming. After
 * as long without any the next are the first again.
 */
export function gather(flush: (keys: QueryKey[]) => unknown): (keys: QueryKey[]) => void {
  let held: QueryKey[] = [];
  let pause = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const go = () => {
    if (held.length === 0) {
      timer = undefined;
      pause = 0;
      return;
    }
    const now = held;
    held = [];
    pause = Math.min(LONG, pause === 0 ? SHORT : pause * 2);
    timer = setTimeout(go, pause);
    flush(union(now));
  };
  return (keys) => {
    held = held.length > 200 ? union([...held, ...keys]) : [...held, ...keys];
    // Changes that come in one piece count as one.
    timer ??= setTimeout(go, 0);
  };
}

/** Makes queries stale and asks again for those on screen. One that is being asked for is asked once more afterwards. */
export class Refresher {
  private again = new Set<string>();

  constructor(private readonly client: QueryClient) {}

  async refresh(keys: readonly QueryKey[]): Promise<void> {
    const cache = this.client.getQueryCache();
    const found = new Set(keys.flatMap((queryKey) => cache.findAll({ queryKey })));
    await Promise.all([...found].map((query) => this.one(query)));
  }

  private async one(query: Query): Promise<void> {
    if (query.state.fetchStatus !== "idle") {
      if (this.again.has(query.queryHash)) return;
      this.again.add(query.queryHash);
      await query.promise?.catch(() => undefined);
      this.again.delete(query.queryHash);
    }
    await this.client.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false });
  }
}
