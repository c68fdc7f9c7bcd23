import { EditorState } from "@codemirror/state";
import { describe, expect, test } from "vitest";
import { align } from "../../shared/align";
import { begin, bodyOf, type Choice, choosing, differences, mergedFields, open, placed } from "./merge";

function editor(left: string, right: string) {
  const { parts } = align(left, right);
  const { text, ranges, sides } = begin(parts);
  let state = EditorState.create({ doc: text, extensions: [differences.init(() => ranges)] });
  return {
    get state() {
      return state;
    },
    get body() {
      return bodyOf(state.doc);
    },
    get ranges() {
      return state.field(differences);
    },
    choose(n: number, choice: Choice) {
      const step = choosing(state.field(differences), sides, n, choice);
      if (step) state = state.update(step).state;
    },
    type(from: number, to: number, insert: string) {
      state = state.update({ changes: { from, to, insert } }).state;
    },
    text(n: number) {
      const range = state.field(differences).find((r) => r.n === n);
      return range && state.sliceDoc(range.from, range.to);
    },
  };
}

const LEFT = "Plan.\n\nDate: 24.\n\nOwner: Tom.\n\nLegal must approve.\n\nEnd.";
const RIGHT = "Plan.\n\nDate: 17.\n\nOwner: Lena.\n\nEnd.";

describe("a merge", () => {
  test("starts from the head, every difference open", () => {
    const e = editor(LEFT, RIGHT);
    expect(e.body).toBe(RIGHT);
    expect(open(e.ranges)).toBe(3);
  });

  test("choosing one side everywhere gives that side", () => {
    const e = editor(LEFT, RIGHT);
    for (const { n } of e.ranges) e.choose(n, "left");
    expect(e.body).toBe(LEFT);
    expect(open(e.ranges)).toBe(0);
    for (const { n } of e.ranges) e.choose(n, "right");
    expect(e.body).toBe(RIGHT);
  });

  test("typing inside a difference writes it here, elsewhere it does not", () => {
    const e = editor(LEFT, RIGHT);
    const at = e.body.indexOf("17");
    e.type(at, at + 2, "30");
    expect(e.ranges.map((r) => r.choice)).toEqual(["written", "open", "open"]);
    e.type(0, 0, "New first line.\n");
    expect(e.ranges.map((r) => r.choice)).toEqual(["written", "open", "open"]);
    expect(e.text(1)).toContain("Date: 30.");
    expect(e.text(2)).toContain("Owner: Lena.");
  });

  test("a choice after typing touches its own lines alone", () => {
    const e = editor(LEFT, RIGHT);
    e.type(0, 0, "First.\n");
    e.choose(2, "left");
    expect(e.body).toBe(`First.\n${RIGHT.replace("Lena", "Tom")}`);
    e.choose(3, "left");
    expect(e.body).toContain("Legal must approve.");
    e.choose(3, "right");
    expect(e.body).not.toContain("Legal");
  });

  test("any order of choices ends at the text that was chosen", () => {
    let seed = 3;
    const random = (n: number) => (seed = (seed * 16807) % 2147483647) % n;
    const body = () => Array.from({ length: 2 + random(10) }, () => ["a one", "b two", "c three", "d", "a one two"][random(5)]).join("\n");
    for (let i = 0; i < 200; i++) {
      const [l, r] = [body(), body()];
      const e = editor(l, r);
      for (let k = 0; k < 12; k++) {
        const range = e.ranges[random(Math.max(1, e.ranges.length))];
        if (range) e.choose(range.n, (["left", "right", "written"] as const)[random(3)] as Choice);
      }
      for (const { n } of e.ranges) e.choose(n, "left");
      expect(e.body.split("\n").filter(Boolean)).toEqual(l.split("\n").filter(Boolean));
      for (const { n } of e.ranges) e.choose(n, "right");
      expect(e.body).toBe(r);
    }
  });
});

test("a kept text meets another state: what still stands is found, the rest was written here", () => {
  const { ranges, sides } = begin(align(LEFT, RIGHT).parts);
  const kept = "Plan.\n\nDate: 24.\n\nOwner: both.\n\nEnd.\n";
  expect(placed(kept, ranges, sides).map((r) => [r.choice, kept.slice(r.from, r.to)])).toEqual([
    ["left", "Date: 24.\n\n"],
    ["written", ""],
    ["written", ""],
  ]);
});

test("a merge writes what is not the head's, and clears what comes out empty", () => {
  const merged = mergedFields(
    new Map([
      ["title", { choice: "left" as const, value: "" }],
      ["source", { choice: "written" as const, value: "  " }],
      ["topic", { choice: "left" as const, value: "clients/oakwell" }],
      ["tags", { choice: "left" as const, value: "" }],
    ]),
    false,
  );
  expect(merged).toEqual({ clear: ["title", "source"], topic: "clients/oakwell", tags: [] });
  expect(mergedFields(new Map([["source", { choice: "right" as const, value: "" }]]), false)).toEqual({});
  expect(mergedFields(new Map([["title", { choice: "written" as const, value: " Kept " }]]), false)).toEqual({ title: "Kept" });
});

test("what was taken from a head that is none any more is written", () => {
  const taken = new Map([
    ["source", { choice: "right" as const, value: "Tom" }],
    ["title", { choice: "right" as const, value: "" }],
    ["tags", { choice: "right" as const, value: "a, b" }],
  ] as const);
  expect(mergedFields(taken, true)).toEqual({ source: "Tom", clear: ["title"], tags: ["a", "b"] });
});
