import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { type InboxFilter, PAGE, queries } from "../../api/queries";
import type { Counts, InboxItem, Settled } from "../../api/types";
import { byBrain, byKind, type Entry, keyOf } from "./layout";

export interface InboxNow {
  total: number;
  counts: Counts;
  settled: Settled[];
  entries: Entry[];
  item: (index: number) => InboxItem | undefined;
  /** The place of an item in the server's order, if it is here. */
  indexOf: (key: string) => number | undefined;
}

/** The Inbox as far as it is here: the first page always, others as they come into sight. */
export function useInbox(filter: InboxFilter, pages: readonly number[]) {
  const client = useQueryClient();
  const wanted = useMemo(() => [...new Set([0, ...pages])].sort((a, b) => a - b), [pages]);
  const answers = useQueries({ queries: wanted.map((page) => queries.inbox(filter, page)) });
  const first = answers[0];
  const stamp = answers.map((answer) => answer.dataUpdatedAt).join(" ");
  // The answers are new objects each time: their stamps tell whether one changed.
  const now = useMemo((): InboxNow | undefined => {
    const head = first?.data;
    if (!head) return undefined;
    const held = new Map<number, InboxItem>();
    const places = new Map<string, number>();
    wanted.forEach((page, i) => {
      answers[i]?.data?.items.forEach((item, at) => {
        held.set(page * PAGE + at, item);
        places.set(keyOf(item), page * PAGE + at);
      });
    });
    return {
      total: head.total,
      counts: head.counts,
      settled: head.settled,
      entries: head.total <= PAGE ? byBrain(head.items) : byKind(head.total, head.counts, filter),
      item: (index) => held.get(index),
      indexOf: (key) => places.get(key),
    };
  }, [stamp, wanted, filter]);
  return { now, error: first?.error, again: () => void client.refetchQueries({ queryKey: ["inbox"] }) };
}
