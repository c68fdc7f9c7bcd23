import { expect, test } from "vitest";
import type { Settled } from "../../api/types";
import { standingOf, today } from "./settled";

const act = (event: number, kind: Settled["kind"], unit = "A", at = `09:${event}`, undoable = true) =>
  ({ event, kind, at, undoable, unit: { id: unit } }) as Settled;
const told = (settled: Settled[]) => today(settled).map(({ act, undone }) => [act.event, act.kind, undone]);

test("an undone act is told once, as undone, and is not settled", () => {
  const settled = [act(3, "undone"), act(2, "confirmed", "B"), act(1, "confirmed")];
  expect(told(settled)).toEqual([
    [2, "confirmed", undefined],
    [1, "confirmed", "09:3"],
  ]);
  expect(standingOf(today(settled))).toBe(1);
});

test("what is done again after an undo is another act", () => {
  expect(told([act(3, "retired"), act(2, "undone"), act(1, "confirmed")])).toEqual([
    [3, "retired", undefined],
    [1, "confirmed", "09:2"],
  ]);
});

test("undos take acts back newest first, and an undo of an undo brings it back", () => {
  expect(told([act(4, "undone"), act(3, "undone"), act(2, "retired"), act(1, "confirmed")])).toEqual([
    [2, "retired", "09:3"],
    [1, "confirmed", "09:4"],
  ]);
  expect(told([act(3, "undone"), act(2, "undone"), act(1, "confirmed")])).toEqual([[1, "confirmed", undefined]]);
});

test("a new text and the confirm that goes with it are one act", () => {
  expect(told([act(2, "confirmed", "A", "09:00"), act(1, "updated", "A", "09:00", false)])).toEqual([[2, "updated", undefined]]);
});

test("an undo of what was done before today stands by itself, and settles nothing", () => {
  const settled = [act(2, "undone")];
  expect(told(settled)).toEqual([[2, "undone", undefined]]);
  expect(standingOf(today(settled))).toBe(0);
});
