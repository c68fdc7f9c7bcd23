import type { Counts, InboxItem, InboxKind } from "../../api/types";

/** What the list draws, top to bottom: heads of groups, and items by their place in the server's order. */
export type Entry = Group | { item: number };
/** The head of a group. `band` tells apart two groups of one brain. */
export type Group = { group: string; by: "brain" | "kind"; n: number; band: number };

/** What comes before what, whatever its brain: what agents dispute or propose or settled, then problems, then facts. */
const BAND: Record<InboxKind, number> = { conflict: 0, proposal: 0, decision: 0, problem: 1, aging: 2 };

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

/**
 * Groups by brain within each band, in the server's order, brains by their first item. Where a band ends with a brain that
 * the next one has too, they are one group. For a list that is here whole.
 */
export function byBrain(items: readonly InboxItem[]): Entry[] {
  const groups: { head: Group; members: number[] }[] = [];
  for (const band of new Set(Object.values(BAND))) {
    const brains = new Map<string, number[]>();
    items.forEach((item, i) => {
      if (BAND[item.kind] !== band) return;
      const brain = brainOf(item);
      brains.set(brain, [...(brains.get(brain) ?? []), i]);
    });
    const last = groups.at(-1);
    const goesOn = last && brains.get(last.head.group);
    if (goesOn) {
      last.members.push(...goesOn);
      brains.delete(last.head.group);
    }
    for (const [group, members] of brains) groups.push({ head: { group, by: "brain", n: 0, band }, members });
  }
  return groups.flatMap(({ head, members }) => [{ ...head, n: members.length }, ...members.map((item) => ({ item }))]);
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
    entries.push({ group, by: "kind", n, band: BAND[group] });
    for (let i = 0; i < n; i++) entries.push({ item: at++ });
  }
  while (at < total) entries.push({ item: at++ });
  return entries;
}
