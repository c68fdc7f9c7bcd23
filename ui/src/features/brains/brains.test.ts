import { describe, expect, it } from "vitest";
import type { TopicRow } from "../../api/types";
import { blank, changedFields, differs, draftOf, otherDifferences, readDays } from "../../shared/unit-draft";
import { toDrafts, toRules } from "./freshness-rules";
import { ancestors, buildTree, markOf, step, suggestTopics, visibleLines } from "./topic-tree";
import { splitTags } from "../../shared/fields";

const row = (topic: string, units: number, more: Partial<TopicRow> = {}): TopicRow => ({
  brain: "studio",
  topic,
  units,
  fresh: units,
  aging: 0,
  stale: 0,
  conflicted: 0,
  ...more,
});

describe("topic tree", () => {
  const rows = [
    row("clients/meridian", 18, { conflicted: 1, stale: 1 }),
    row("clients/oakwell", 15, { aging: 2 }),
    row("clients", 3),
    row("voice", 17),
    row("a/b/c", 1),
  ];
  const tree = buildTree(rows);

  it("sums what lies below, and shows a topic that has no unit of its own", () => {
    expect(tree.map((node) => [node.topic, node.units])).toEqual([
      ["a", 1],
      ["clients", 36],
      ["voice", 17],
    ]);
    expect(tree[1]?.children.map((node) => [node.name, node.units, markOf(node)])).toEqual([
      ["meridian", 18, "conflict"],
      ["oakwell", 15, "aging"],
    ]);
    expect(tree[1] && markOf(tree[1])).toBe("conflict");
  });

  it("shows lines below open topics only, each with its place among its siblings", () => {
    const lines = visibleLines(tree, new Set(["clients"]));
    expect(lines.map((line) => [line.node.topic, line.position, line.size, line.expanded])).toEqual([
      ["a", 1, 3, false],
      ["clients", 2, 3, true],
      ["clients/meridian", 1, 2, undefined],
      ["clients/oakwell", 2, 2, undefined],
      ["voice", 3, 3, undefined],
    ]);
  });

  it("walks like every tree", () => {
    const lines = visibleLines(tree, new Set(["clients"]));
    expect(step(lines, 0, "ArrowDown")).toEqual({ focus: 1 });
    expect(step(lines, 0, "ArrowUp")).toEqual({ focus: 0 });
    expect(step(lines, 0, "ArrowRight")).toEqual({ expand: "a" });
    expect(step(lines, 1, "ArrowRight")).toEqual({ focus: 2 });
    expect(step(lines, 1, "ArrowLeft")).toEqual({ collapse: "clients" });
    expect(step(lines, 3, "ArrowLeft")).toEqual({ focus: 1 });
    expect(step(lines, 4, "ArrowRight")).toBeUndefined();
    expect(step(lines, 4, "ArrowDown")).toEqual({ focus: 4 });
    expect(step(lines, -1, "ArrowDown")).toEqual({ focus: 0 });
    expect(step([], -1, "ArrowDown")).toBeUndefined();
  });

  it("opens what is above a topic", () => {
    expect(ancestors("a/b/c")).toEqual(["a", "a/b"]);
    expect(ancestors("a")).toEqual([]);
  });

  it("builds three thousand topics in no time", () => {
    const many = Array.from({ length: 3000 }, (_, i) => row(`area-${i % 40}/client-${i % 360}/project-${i}`, 33));
    const start = performance.now();
    expect(visibleLines(buildTree(many), new Set()).length).toBe(40);
    expect(performance.now() - start).toBeLessThan(500);
  });

  it("suggests what begins so first, then what holds it", () => {
    expect(suggestTopics(["clients/meridian", "meridian", "voice", "clients/merlin"], "Mer")).toEqual([
      "meridian",
      "clients/meridian",
      "clients/merlin",
    ]);
  });
});

describe("freshness rules", () => {
  it("come back as they were written", () => {
    const rules = [
      { aging: 7, stale: 21 },
      { topic: "voice", never: true as const },
      { topic: "clients", aging: 30, stale: 90 },
    ];
    expect(toRules(toDrafts(rules))).toEqual({ rules });
    expect(toRules(toDrafts([]))).toEqual({ rules: [] });
  });

  it("are refused where they cannot be read", () => {
    const [whole] = toDrafts([]);
    if (!whole) throw new Error("no rule for the whole brain");
    for (const drafts of [
      [{ ...whole, aging: "a" }],
      [{ ...whole, stale: "1.5" }],
      [{ ...whole, stale: "" }],
      [whole, { topic: " ", aging: "14", stale: "45", never: false }],
    ])
      expect(toRules(drafts)).toHaveProperty("problem");
  });
});

describe("drafts", () => {
  it("write only what was changed", () => {
    const from = draftOf({ topic: "voice", title: "Tone", body: "Plain.", tags: ["a", "b"] }, 4);
    expect(changedFields(from, from)).toEqual({});
    expect(changedFields({ ...from, tags: "b, a ,c,c" }, from)).toEqual({ tags: ["b", "a", "c"] });
    expect(changedFields({ ...from, body: "Plainer.", freshFor: "30" }, from)).toEqual({ body: "Plainer.", fresh_for_days: 30 });
    expect(differs(from, from)).toBe(false);
    expect(changedFields({ ...from, title: " " }, from)).toEqual({ clear: ["title"] });
    expect(changedFields({ ...from, tags: "" }, from)).toEqual({ tags: [] });
    const full = { ...from, source: "Elin", freshFor: "30" };
    expect(changedFields({ ...full, source: "", freshFor: "" }, full)).toEqual({ clear: ["source", "fresh_for_days"] });
    expect(changedFields({ ...full, source: "Tom", freshFor: "" }, full)).toEqual({ source: "Tom", clear: ["fresh_for_days"] });
    expect(differs({ ...blank, body: "x" }, blank)).toBe(true);
  });

  it("show every field that differs from a head that moved", () => {
    const head = draftOf({ topic: "voice", title: "Tone", body: "x", tags: ["a"], source: "Elin" }, 5);
    expect(otherDifferences({ ...head, body: "y", tags: "a,  b", source: "" }, head)).toEqual([
      ["tags", "a, b", "a"],
      ["source", "", "Elin"],
    ]);
  });

  it("read days and tags", () => {
    // How many days are too many, the server knows.
    expect([readDays(""), readDays("14"), readDays("a"), readDays("1.5"), readDays("9".repeat(20))]).toEqual([
      undefined,
      14,
      "unreadable",
      "unreadable",
      "unreadable",
    ]);
    expect(splitTags(" a, ,b,a")).toEqual(["a", "b"]);
  });
});
