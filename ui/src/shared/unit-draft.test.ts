import { expect, test } from "vitest";
import { draftOf, isEdit, rest, whole } from "./unit-draft";

const content = { topic: "voice", title: "Tone", body: "Plain.", tags: ["a"], source: "Lena" };

test("an edit of the text alone has the unit's other fields, and leaves nothing once it stands", () => {
  const edit = { body: "Plainer.", base: 4 };
  expect(whole(edit, content)).toEqual({ ...draftOf(content, 4), body: "Plainer." });
  expect(rest(edit, { ...content, body: "Plainer." }, 5)).toBeUndefined();
});

test("what was typed beside the text is left once the text stands, begun from the revision that it made", () => {
  const edit = { ...draftOf(content, 4), body: "Plainer.", base: 4, source: "Tom" };
  expect(rest(edit, { ...content, body: "Plainer." }, 5)).toEqual({ ...edit, base: 5 });
});

test("only a text with the revision it was begun from is an edit", () => {
  expect([{ body: "x", base: 1 }, { body: "x" }, { base: 1 }, "x", null, undefined].map(isEdit)).toEqual([true, false, false, false, false, false]);
});
