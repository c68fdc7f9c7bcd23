import { describe, expect, test } from "vitest";
import { Sight } from "./shown";

describe("what the person can have seen", () => {
  test("nothing is seen before it is here", () => {
    const sight = new Sight();
    expect(sight.seen(10_000)).toBe(false);
    sight.show("A", undefined, 0);
    expect(sight.seen(10_000)).toBe(false);
    sight.show("A", 1, 10_000);
    expect(sight.seen(10_100)).toBe(false);
    expect(sight.seen(10_400)).toBe(true);
  });
  test("the second press of a double press does not settle what came after the first", () => {
    const sight = new Sight();
    sight.show("A", 1, 0);
    expect(sight.seen(1_000)).toBe(true);
    sight.show("B", 1, 1_020);
    for (const press of [1_030, 1_150, 1_250]) expect(sight.seen(press)).toBe(false);
    // Nor one that was pressed before it came, and handled late.
    expect(sight.seen(1_010)).toBe(false);
    expect(sight.seen(1_400)).toBe(true);
  });
  test("a click that was aimed at a button counts at once, but not where it changed", () => {
    const sight = new Sight();
    sight.show("A", 1, 1_000);
    expect(sight.seen(990, true)).toBe(false);
    expect(sight.seen(1_050, true)).toBe(true);
    sight.show("A", 2, 5_000);
    expect(sight.seen(5_050, true)).toBe(false);
  });
  test("what changes on screen takes longer to be seen", () => {
    const sight = new Sight();
    sight.show("A", 1, 0);
    sight.show("A", 2, 5_000);
    expect(sight.seen(5_400)).toBe(false);
    expect(sight.seen(5_700)).toBe(true);
    // Being asked for again changes nothing.
    sight.show("A", 2, 6_000);
    sight.show("A", undefined, 6_000);
    expect(sight.seen(6_001)).toBe(true);
  });
  test("what was drawn but is not on screen yet is not what was seen", () => {
    const sight = new Sight();
    sight.show("A", 1, 0);
    expect(sight.stands("A", 1)).toBe(true);
    expect(sight.stands("A", 2)).toBe(false);
    expect(sight.stands("B", 1)).toBe(false);
  });
});
