import { describe, expect, test } from "vitest";
import { about, align, type Part } from "./align";

const sketch = (parts: Part[]) =>
  parts.map((p) => (p.same ? `=${p.lines.join("/")}` : `${p.n}:${p.left.join("/")}|${p.right.join("/")}`));

describe("aligning two bodies", () => {
  test("paragraphs that changed next to each other are paired and numbered", () => {
    const a = align("One.\n\nTwo a.\n\nThree a.\n\nFour.", "One.\n\nTwo b.\n\nThree b.\n\nFour.");
    expect(sketch(a.parts)).toEqual(["=One./", "1:Two a./|Two b./", "2:Three a./|Three b./", "=Four."]);
  });

  test("a line that one side alone has stands alone", () => {
    const a = align("- red apples\n- green pears", "- red apples, ripe\n- something new\n- green pears, hard");
    expect(sketch(a.parts)).toEqual(["1:- red apples|- red apples, ripe", "2:|- something new", "3:- green pears|- green pears, hard"]);
  });

  test("blank lines and line ends alone are no difference", () => {
    expect(align("A\r\n\r\n\r\nB\r\n", "A\n\nB").differences).toBe(0);
  });

  test("each side can be put together again, whatever the texts are", () => {
    let seed = 11;
    const random = (n: number) => (seed = (seed * 16807) % 2147483647) % n;
    const body = () => Array.from({ length: random(12) }, () => ["a b", "c", "", "a b c", "d e", "- x"][random(6)]).join("\n");
    const dense = (text: string) => text.split("\n").map((l) => l.trimEnd()).filter(Boolean);
    for (let i = 0; i < 500; i++) {
      const [l, r] = [body(), body()];
      const { parts } = align(l, r);
      expect(parts.flatMap((p) => (p.same ? p.lines : p.left)).filter(Boolean)).toEqual(dense(l));
      expect(parts.flatMap((p) => (p.same ? p.lines : p.right)).filter(Boolean)).toEqual(dense(r));
    }
  });

  test("large texts end in time", () => {
    const text = (f: (i: number) => string) => Array.from({ length: 6000 }, (_, i) => f(i)).join("\n");
    const start = performance.now();
    const a = align(text((i) => `left ${i}`), text((i) => `right ${i * 3}`));
    expect(performance.now() - start).toBeLessThan(1500);
    expect(a.differences).toBeGreaterThan(0);
    expect(align("same\n".repeat(20_000), "same\n".repeat(20_000)).differences).toBe(0);
  });
});

test("a difference is called by its own words", () => {
  expect(about("Pricing page: Meridian approves.", "Pricing page: merged.")).toBe("Pricing page");
  expect(about("- **Budget:** Tom", "- **Budget:** Priya")).toBe("Budget");
  expect(about("The launch moves to Thursday", "The launch stays on Thursday 17")).toBe("The launch stays on…");
  expect(about("", "")).toBeUndefined();
});
