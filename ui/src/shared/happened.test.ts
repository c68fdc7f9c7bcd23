import { describe, expect, it } from "vitest";
import { actorOf, inlineMarks, whatHappened } from "./happened";

const you = { name: "you", you: true };
const cursor = { name: "cursor", you: false };

describe("history", () => {
  it("names what changed", () => {
    expect(whatHappened({ agent: you, kind: "updated", changed: ["body", "tags", "source"] })).toBe(
      "changed the body, the tags and the source",
    );
    expect(whatHappened({ agent: you, kind: "conflicted", changed: ["body"] })).toBe(
      "changed the body, without having seen the revision before",
    );
    expect(whatHappened({ agent: you, kind: "confirmed", changed: [] })).toBe("confirmed it");
    expect(whatHappened({ agent: you, kind: "updated", changed: ["body"] })).toBe("changed the body");
    expect(whatHappened({ agent: you, kind: "updated", changed: ["topic"] })).toBe("moved it");
    expect(whatHappened({ agent: you, kind: "something_new" as "updated", changed: [] })).toBe("something new");
  });

  it("says what is not known where a text was erased", () => {
    const entry = { agent: you, changed: [] };
    expect(whatHappened({ ...entry, kind: "updated", erased: "before" })).toBe(
      "wrote it. What it changed is not known: what stood before was erased",
    );
    expect(whatHappened({ ...entry, kind: "updated", erased: "its" })).toBe("wrote it. What it said was erased");
    expect(whatHappened({ ...entry, kind: "erased", revision: 2 })).toBe("erased a revision");
    expect(whatHappened({ ...entry, kind: "erased" })).toBe("erased a rejected proposal’s text");
  });

  it("of an accepted proposal is its author's, and tells who accepted it", () => {
    const entry = { kind: "accepted" as const, agent: you, author: cursor, changed: ["body" as const] };
    expect(actorOf(entry)).toBe(cursor);
    expect(whatHappened(entry)).toBe("changed the body, accepted by you");
    expect(whatHappened({ ...entry, changed: [] })).toBe("had a proposal accepted by you");
    expect(whatHappened({ ...entry, revision: 1, changed: ["topic", "body"] })).toBe("wrote it, accepted by you");
    expect(actorOf({ kind: "resolved", agent: you, author: cursor })).toBe(you);
  });

  it("marks the words that went and the words that came", () => {
    expect(inlineMarks("Budget: Tom Adeyemi. Above", "Budget: Priya Nair. Above")).toEqual([
      { kind: "same", text: "Budget: " },
      { kind: "disp", text: "Tom Adeyemi" },
      { kind: "head", text: "Priya Nair" },
      { kind: "same", text: ". Above" },
    ]);
  });

  it("loses no word of either side", () => {
    for (const [before, after] of [
      ["a b c", "a c d"],
      ["", "new"],
      ["gone", ""],
      ["x  y\nz", "x y z"],
      ["one two three four", "two one four three"],
    ] as const) {
      const marks = inlineMarks(before, after);
      const words = (kinds: string[]) =>
        marks
          .filter((mark) => kinds.includes(mark.kind))
          .map((mark) => mark.text)
          .join(" ")
          .split(/\s+/)
          .filter((word) => word !== "");
      expect(words(["same", "disp"])).toEqual(before.split(/\s+/).filter((word) => word !== ""));
      expect(words(["same", "head"])).toEqual(after.split(/\s+/).filter((word) => word !== ""));
    }
  });
});
