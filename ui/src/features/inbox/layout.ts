import type { Counts, InboxItem, InboxKind } from "../../api/types";

/** What the list draws, top to bottom: heads of groups, and items by their place in the server's order. */
export type Entry = { group: string; by: "brain" | "kind"; n: number } | { item: number };

/** The group of items that belong to no brain. */
export const NO_BRAIN = "";

export function brainOf(item: InboxItem): string {
  return item.kind === "problem" ? NO_BRAIN : item.kind === "proposal" ? item.brain : item.unit.brain;
}

/** What an item is, whatever its place: its own name. */
export function keyOf(item: InboxItem): string {
  switch (item.kind) {
    case "conflict":
    case "aging":
      return `${item.kind}:${item.unit.id}`;
    case "proposal":
      return `proposal:${item.proposal}`;
    default:
      return `${item.kind}:${item.event}`;
  }
}

/** Groups by brain, each in the server's order, brains by their first item. For a list that is here whole. */
export function byBrain(items: readonly InboxItem[]): Entry[] {
  const groups = new Map<string, number[]>();
  items.forEach((item, i) => {
    const brain = brainOf(item);
    const group = groups.get(brain);
    if (group) group.push(i);
    else groups.set(brain, [i]);
  });
  return [...groups].flatMap(([group, members]) => [
    { group, by: "brain" as const, n: members.length },
    ...members.map((item) => ({ item })),
  ]);
}

/** Groups by kind. The counts say where each kind begins, so no item need be here yet. */
export function byKind(total: number, counts: Counts, only?: InboxKind): Entry[] {
  const kinds: [InboxKind, number][] = only
    ? [[only, total]]
    : [
        ["conflict", counts.conflicts],
        ["proposal", counts.proposals],
        ["decision", counts.decisions],
        ["problem", counts.problems],
        ["aging", counts.aging],
      ];
  const entries: Entry[] = [];
  let at = 0;
  for (const [group, wanted] of kinds) {
    const n = Math.min(wanted, total - at);
    if (n <= 0) continue;
    entries.push({ group, by: "kind", n });
    for (let i = 0; i < n; i++) entries.push({ item: at++ });
  }
  while (at < total) entries.push({ item: at++ });
  return entries;
}
