import { describe, expect, it } from "vitest";
import { FIRST_PART, firstPart, isCostly, pieces, sections, sourceParts, target } from "./safe-text";

describe("links of a unit's text", () => {
  it("lead outside by http, https and mailto alone", () => {
    expect(target("https://example.com/a b")).toEqual({ kind: "outside", href: "https://example.com/a%20b" });
    expect(target("HTTP://EXAMPLE.COM")).toMatchObject({ kind: "outside" });
    expect(target("mailto:a@b.example")).toEqual({ kind: "outside", href: "mailto:a@b.example" });
    for (const bad of [
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      " \u0001javascript:alert(1)",
      "java\nscript:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "file:///etc/passwd",
      "//evil.example",
      "/api/sign-out",
      "#token=x",
      "blob:x",
      "https://",
      "",
      undefined,
    ]) {
      expect(target(bad), String(bad)).toBeUndefined();
    }
  });

  it("lead to a unit by its id", () => {
    expect(target("ozbrain:4F6K2M9Q0X1C")).toEqual({ kind: "unit", id: "4F6K2M9Q0X1C" });
    for (const bad of ["ozbrain:../../x", "ozbrain:short", "ozbrain:4f6k2m9q0x1c/erase", "ozbrain://4f6k2m9q0x1c"])
      expect(target(bad)).toBeUndefined();
  });
});

describe("the size of a text", () => {
  it("is costly when it is long, or of a shape that costs more than its length", () => {
    expect(isCostly("- **a** b\n".repeat(500))).toBe(false);
    expect(isCostly("| a | b | c |\n".repeat(400))).toBe(false);
    for (const text of [
      "x".repeat(30_000),
      ">".repeat(200),
      "*a_".repeat(1000),
      `${"|a".repeat(500)}\n${"|-".repeat(500)}\n${"x\n".repeat(500)}`,
      `${" ".repeat(400)}- deep`,
      "[".repeat(5000),
    ]) {
      expect(isCostly(text), text.slice(0, 20)).toBe(true);
    }
  });

  it("is cut without losing a letter", () => {
    const text = Array.from({ length: 3000 }, (_, i) => `line ${i} ${"y".repeat(i % 90)}`).join("\n");
    expect(text.startsWith(firstPart(text))).toBe(true);
    expect(firstPart(text).length).toBeLessThanOrEqual(FIRST_PART);
    for (const whole of [text, "z".repeat(100_000), "\n\n\n", "a\n\nb"])
      expect(
        pieces(whole).reduce((all, piece) => all + piece, ""),
        whole.slice(0, 9),
      ).toBe(whole);
  });
});

describe("a long text's sections", () => {
  it("begin at headings and paragraphs, never within code, and are the text when joined", () => {
    const code = `\`\`\`sh\n${"# no heading\n\nno paragraph\n".repeat(40)}\`\`\`\n`;
    const text = Array.from({ length: 60 }, (_, i) => `## Part ${i}\n\nWords of part ${i}.\n\n- one\n\n  still one\n- two\n\n${i % 9 ? "" : code}> said\n\n`).join("");
    const parts = sections(text, 1_000);
    expect(parts.join("")).toBe(text);
    expect(parts.length).toBeGreaterThan(10);
    for (const part of parts) {
      expect(part).toMatch(/^(## Part|Words of|```sh)/);
      expect(part.split("```").length % 2).toBe(1);
    }
  });

  it("lose no letter of any shape", () => {
    for (const text of ["", "\n\n", "z".repeat(50_000), "```\n".repeat(900), "a\n\nb\n\n".repeat(4_000), "- x\n".repeat(9_000)]) expect(sections(text).join("")).toBe(text);
  });
});

describe("a source", () => {
  it("is text, with what can be opened in it", () => {
    expect(sourceParts("Elin Strand, kick-off notes")).toEqual([{ text: "Elin Strand, kick-off notes" }]);
    expect(sourceParts("See https://a.example/x. Then ask.")).toEqual([
      { text: "See " },
      { text: "https://a.example/x", href: "https://a.example/x" },
      { text: ". Then ask." },
    ]);
    expect(sourceParts("Priya, [section 7](https://a.example/7)")).toEqual([
      { text: "Priya, " },
      { text: "section 7", href: "https://a.example/7" },
    ]);
    expect(sourceParts("[x](javascript:alert(1))")).toEqual([{ text: "[x](javascript:alert(1))" }]);
    expect(sourceParts("")).toEqual([]);
  });
});
