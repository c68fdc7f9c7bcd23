import { describe, expect, test } from "vitest";
import { acts, cap, chord, find, heeds, listing, type KeyPress, type Scope } from "./keys";

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

describe("a key's name", () => {
  test.each([
    [press("j"), "j"],
    [press("J", { shiftKey: true }), "Shift+j"],
    [press("?", { shiftKey: true }), "?"],
    [press("1", { ctrlKey: true }), "Mod+1"],
    [press("Enter", { ctrlKey: true }), "Mod+Enter"],
    [press("ArrowDown"), "ArrowDown"],
    [press("u", { metaKey: true }), "Other+u"],
  ])("%o", (given, name) => expect(chord(given, false)).toBe(name));

  test("on a Mac the command key is the modifier", () => {
    expect(chord(press("1", { metaKey: true }), true)).toBe("Mod+1");
    expect(chord(press("1", { ctrlKey: true }), true)).toBe("Other+1");
  });

  test("is printed as its cap", () => {
    expect(cap("Mod+Enter", true)).toBe("⌘↵");
    expect(cap("Mod+1", false)).toBe("Ctrl 1");
    expect(cap("r", false)).toBe("R");
    expect(cap("Escape", false)).toBe("Esc");
  });
});

describe("where keys act", () => {
  test("single letters act only outside text", () => {
    expect(acts("r", "elsewhere", true)).toBe(true);
    expect(acts("r", "control", true)).toBe(true);
    expect(acts("r", "text", true)).toBe(false);
    expect(acts("Mod+Enter", "text", true)).toBe(true);
    expect(acts("Escape", "text", true)).toBe(true);
  });
  test("a control keeps Enter and arrows", () => {
    expect(acts("Enter", "control", true)).toBe(false);
    expect(acts("ArrowDown", "control", true)).toBe(false);
  });
  test("single letters can be off", () => {
    expect(acts("r", "elsewhere", false)).toBe(false);
    expect(acts("ArrowDown", "elsewhere", false)).toBe(true);
    expect(acts("Mod+1", "elsewhere", false)).toBe(true);
  });
});

describe("scopes", () => {
  const run = () => undefined;
  const outer: Scope = { name: "outer", modal: false, bindings: [{ keys: ["u"], does: "undo", run }, { keys: ["n"], does: "outer n", run }] };
  const inner: Scope = { name: "inner", modal: false, bindings: [{ keys: ["n"], does: "inner n", run }, { keys: ["k"], does: "keep", run, when: false }] };
  const dialog: Scope = { name: "dialog", modal: true, bindings: [{ keys: ["Escape"], does: "close", run }] };

  test("the innermost wins, and outer ones stay reachable", () => {
    expect(find([outer, inner], "n")?.does).toBe("inner n");
    expect(find([outer, inner], "u")?.does).toBe("undo");
    expect(find([outer, inner], "k")).toBeUndefined();
  });
  test("each key is listed once, with what it does now", () => {
    const item: Scope = {
      name: "item",
      modal: false,
      bindings: [{ keys: ["n", "j"], does: "inner n", run }, { keys: ["Escape"], does: "cancel", run, when: false }, { keys: ["x"], does: "secret", run, hidden: true }],
    };
    const page: Scope = { name: "page", modal: false, bindings: [{ keys: ["j"], does: "down", run }, { keys: ["ArrowDown", "n"], does: "next", run }, { keys: ["x"], does: "x", run }, { keys: ["Escape"], does: "leave", run }] };
    const told = listing([page, item, dialog]).map((scope) => [scope.name, scope.bindings.map((b) => `${b.keys.join(" ")}: ${b.does}`)]);
    expect(told).toEqual([
      ["item", ["n j: inner n"]],
      ["page", ["ArrowDown: next", "Escape: leave"]],
    ]);
  });
  test("a dialog silences what is beneath", () => {
    expect(find([outer, inner, dialog], "u")).toBeUndefined();
    expect(find([outer, inner, dialog], "Escape")?.does).toBe("close");
  });
});

test("a key that is held down moves on, and acts once", () => {
  expect(heeds({}, false)).toBe(true);
  expect(heeds({}, true)).toBe(false);
  expect(heeds({ moves: true }, true)).toBe(true);
});
