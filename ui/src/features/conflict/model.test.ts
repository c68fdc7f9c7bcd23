import { expect, test } from "vitest";
import type { Field, SideView } from "../../api/types";
import { cameSince, compare } from "./model";

const side = (revision: number, body: string, disputed: Field[], rest: Partial<SideView> & { tags?: string[] } = {}): SideView => ({
  revision,
  content: { topic: "t", title: "T", body, tags: rest.tags ?? [] },
  retired: false,
  disputed,
  agent: { name: "cursor", you: false },
  at: "2026-09-08T09:00:00Z",
  outcome: "updated",
  ...rest,
});

test("only what is in dispute differs", () => {
  const c = compare(side(6, "A\n\nB", ["body"], { tags: ["x"] }), side(7, "A\n\nC", ["body"], { tags: ["y"] }));
  expect([c.text.differences, c.fields.length]).toEqual([1, 0]);
  // What differs and is not in dispute is told apart: nothing is to be decided about it.
  expect(c.stays).toEqual([{ field: "tags", left: "x", right: "y" }]);
  const d = compare(side(6, "A\n\nB", ["tags"], { tags: ["x"] }), side(7, "A\n\nC", ["tags"], { tags: ["y"] }));
  expect(d.stays).toEqual([]);
  expect([d.text.differences, d.fields[0]?.field, d.fields[0]?.n]).toEqual([0, "tags", 1]);
});

test("a retirement has no text to compare", () => {
  const c = compare(side(6, "A", ["body"], { retired: true }), side(7, "B", ["body"]));
  expect([c.differences, c.leftRetired]).toEqual([0, true]);
});

test("very many differences become few, and lose no line", () => {
  const lines = (of: string) => Array.from({ length: 900 }, (_, i) => `${of} ${i}`).join("\n");
  const c = compare(side(6, lines("left"), ["body"]), side(7, lines("right"), ["body"]));
  expect(c.differences).toBe(1);
  expect(c.text.parts.flatMap((p) => (p.same ? [] : p.left))).toHaveLength(900);
});

test("a field that came into dispute since is settled too, beside the newest side that disputes it", () => {
  const rows = compare(side(6, "A", ["source"], { content: { topic: "t", body: "A", tags: [], source: "Lena" } }), side(7, "A", [])).fields;
  expect(rows.map((row) => row.field)).toEqual(["source"]);
  const sides = [side(6, "A", ["source", "tags"], { tags: ["x"] }), side(7, "A", ["source", "tags"], { tags: ["y"] })];
  const head = side(8, "A", [], { tags: ["z"] });
  expect(cameSince(rows, sides, head, 3)).toEqual([{ n: 4, field: "tags", left: "y", right: "z", mergeable: true, r: [7, 8] }]);
  expect(cameSince(rows, sides, side(8, "A", [], { tags: ["y"] }), 3)).toMatchObject([{ left: "x", r: [6, 8] }]);
  expect(cameSince(rows, [], head, 3)).toEqual([]);
});
