import { expect, test } from "vitest";
import type { Counts, InboxItem } from "../../api/types";
import { byBrain, byKind, keyOf } from "./layout";

const counts: Counts = { conflicts: 2, proposals: 1, decisions: 0, problems: 1, aging: 2, review: 9 };
const aging = (id: string, brain: string) => ({ kind: "aging", unit: { id, brain } }) as InboxItem;
const problem = { kind: "problem", event: 4, code: "new_connection", message: "", at: "" } as InboxItem;

test("by brain, in the order of each brain's first item", () => {
  expect(byBrain([aging("A", "studio"), aging("B", "personal"), aging("C", "studio"), problem])).toEqual([
    { group: "studio", by: "brain", n: 2 },
    { item: 0 },
    { item: 2 },
    { group: "personal", by: "brain", n: 1 },
    { item: 1 },
    { group: "", by: "brain", n: 1 },
    { item: 3 },
  ]);
});

test("by kind, from the counts alone", () => {
  const entries = byKind(6, counts);
  expect(entries.filter((e) => "item" in e).map((e) => "item" in e && e.item)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(entries.filter((e) => "group" in e).map((e) => "group" in e && [e.group, e.n])).toEqual([
    ["conflict", 2],
    ["proposal", 1],
    ["problem", 1],
    ["aging", 2],
  ]);
});

test("counts that are behind or ahead of the list lose no item", () => {
  for (const total of [0, 3, 9]) expect(byKind(total, counts).filter((e) => "item" in e)).toHaveLength(total);
});

test("an item keeps its name when it moves", () => {
  expect(keyOf(aging("A", "studio"))).toBe("aging:A");
  expect(keyOf(problem)).toBe("problem:4");
});
