import { expect, test } from "vitest";
import type { Counts, InboxItem } from "../../api/types";
import { byBrain, byKind, keyOf } from "./layout";

const counts: Counts = { conflicts: 2, proposals: 1, decisions: 0, problems: 1, aging: 2, review: 9 };
const aging = (id: string, brain: string) => ({ kind: "aging", unit: { id, brain } }) as InboxItem;
const conflict = (id: string, brain: string) => ({ kind: "conflict", unit: { id, brain } }) as InboxItem;
const proposal = (id: number, brain: string) => ({ kind: "proposal", proposal: id, brain }) as InboxItem;
const problem = { kind: "problem", event: 4, code: "new_connection", message: "", at: "" } as InboxItem;

/** The list in words: heads with what stands under them. */
const drawn = (items: InboxItem[]) => byBrain(items).map((entry) => ("group" in entry ? `${entry.group || "OzBrain"} ${entry.n}` : keyOf(items[entry.item]!)));

test("by brain, in the order of each brain's first item", () => {
  expect(byBrain([aging("A", "studio"), aging("B", "personal"), aging("C", "studio")])).toEqual([
    { group: "studio", by: "brain", n: 2, band: 2 },
    { item: 0 },
    { item: 2 },
    { group: "personal", by: "brain", n: 1, band: 2 },
    { item: 1 },
  ]);
});

test("what is disputed in any brain comes before problems, and both before what ages", () => {
  const items = [conflict("A", "team"), conflict("B", "other"), proposal(7, "team"), problem, aging("C", "team"), aging("D", "other")];
  expect(drawn(items)).toEqual([
    "team 2",
    "conflict:A",
    "proposal:7",
    "other 1",
    "conflict:B",
    "OzBrain 1",
    "problem:4",
    "team 1",
    "aging:C",
    "other 1",
    "aging:D",
  ]);
  // Each head is told apart from the others.
  const heads = byBrain(items).flatMap((entry) => ("group" in entry ? [`${entry.group} ${entry.band}`] : []));
  expect(new Set(heads).size).toBe(heads.length);
});

test("where nothing stands between them, a brain's disputes and facts are one group", () => {
  expect(drawn([conflict("A", "team"), aging("B", "other"), aging("C", "team")])).toEqual(["team 2", "conflict:A", "aging:C", "other 1", "aging:B"]);
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
