import { describe, expect, test } from "vitest";
import { glimpse, wordDifference } from "./words";

const marked = (pieces: { text: string; changed: boolean }[]) =>
  pieces.map((p) => (p.changed ? `[${p.text}]` : p.text)).join("");

describe("word differences", () => {
  test("mark words, not the space around them", () => {
    const d = wordDifference(
      "The launch moves to Thursday 24 September, 10:00.",
      "The launch stays on Thursday 17 September, 10:00.",
    );
    expect(marked(d.left)).toBe("The launch [moves to] Thursday [24] September, 10:00.");
    expect(marked(d.right)).toBe("The launch [stays on] Thursday [17] September, 10:00.");
  });

  test("a rewritten sentence is one mark", () => {
    const d = wordDifference(
      "Pricing page: Meridian’s legal team must approve it. Priya expects that by Friday.",
      "Pricing page: merged, behind the flag `pricing_v2`.",
    );
    expect(marked(d.left)).toBe("Pricing page: [Meridian’s legal team must approve it. Priya expects that by Friday].");
    expect(marked(d.right)).toBe("Pricing page: [merged, behind the flag `pricing_v2`].");
  });

  test("a tag more is that tag alone", () => {
    const d = wordDifference("launch, legal", "launch");
    expect(marked(d.left)).toBe("launch, [legal]");
    expect(marked(wordDifference("a, b", "a; b").left)).toBe("a[,] b");
  });

  test("lose no character, whatever the texts are", () => {
    let seed = 7;
    const random = (n: number) => (seed = (seed * 16807) % 2147483647) % n;
    const text = () => Array.from({ length: random(30) }, () => ["a", "b", " ", "\n", "é", "1.5", "ünd", "。", "`x`"][random(9)]).join("");
    for (let i = 0; i < 500; i++) {
      const [a, b] = [text(), text()];
      const d = wordDifference(a, b);
      expect(d.left.map((p) => p.text).join("")).toBe(a);
      expect(d.right.map((p) => p.text).join("")).toBe(b);
      if (a === b) expect(d.left.some((p) => p.changed)).toBe(false);
    }
  });

  test("end in time on large texts that have nothing in common", () => {
    const words = (n: number, of: string) => Array.from({ length: n }, (_, i) => of + ((i * 7919) % 1000)).join(" ");
    const start = performance.now();
    const d = wordDifference(words(3000, "a"), words(3000, "b"));
    expect(performance.now() - start).toBeLessThan(500);
    expect(d.left.length).toBeGreaterThan(0);
    expect(wordDifference("x ".repeat(100_000), "y ".repeat(100_000)).coarse).toBe(true);
  });
});

describe("a glimpse of a difference", () => {
  const seen = (left: string, right: string) => {
    const g = glimpse(left, right);
    return [marked(g.left), marked(g.right)];
  };
  test("short texts are whole", () => expect(seen("net 30", "net 45")).toEqual(["[net 30]", "[net 45]"]));
  test("numbers tell most", () =>
    expect(seen("…of the plan. The launch moves to Thursday 24 September. Owner: Tom…", "…of the plan. The launch stays on Thursday 17 September. Owner: Lena…")).toEqual([
      "[24 September]",
      "[17 September]",
    ]));
  test("a short one takes its neighbours along", () =>
    expect(seen("Meridian pays net 30 from receipt of an invoice.", "Meridian pays net 45 from receipt of an invoice.")).toEqual([
      "[net 30 from]",
      "[net 45 from]",
    ]));
  test("else the first difference, a long one cut at a word", () => {
    const [left, right] = seen("Pricing page: Meridian’s legal team must approve it, and Priya expects that.", "Pricing page: merged, behind the flag.");
    expect(left).toBe("[Meridian’s legal team…]");
    expect(right).toBe("[merged, behind the flag]");
  });
  test("what one side alone has leaves the other empty", () => expect(seen("The same words stand here on both sides.", "The same words stand here on both sides. And more.")[0]).toBe(""));
});
