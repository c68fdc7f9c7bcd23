import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test, vi } from "vitest";
import type { Settled } from "../api/types";

const undo = vi.hoisted(() => vi.fn<(event: number) => Promise<unknown>>());
const settled = vi.hoisted(() => ({ now: [] as unknown[] }));
vi.mock("../api/acts", () => ({ acts: { undo } }));
vi.mock("../api/client", () => {
  class ApiError extends Error {
    constructor(
      readonly status: number,
      readonly code: string,
      message: string,
    ) {
      super(message);
    }
  }
  return { ApiError, answer: () => undefined, client: {} };
});
vi.mock("./keyboard", () => ({ Key: () => null }));
vi.mock("@tanstack/react-query", async (original) => ({
  ...(await original<object>()),
  useQueryClient: () => ({ invalidateQueries: async () => undefined, fetchQuery: async () => ({ settled: settled.now }) }),
}));

const { ApiError } = await import("../api/client");
const { clearLine, didAct, didNot, dropAct, forgetActs, newest, noteAct, onItsWay, settledTitle, UndoLine, useUndo } = await import("./undo");
const { setStanding } = await import("./standing");

const line = () => renderToStaticMarkup(<UndoLine />).replace(/<[^>]*>/g, "");
/** What `U` does. */
function press(event?: number): Promise<void> {
  let now: Promise<void> = Promise.resolve();
  function Presses() {
    now = useUndo()(event);
    return null;
  }
  renderToStaticMarkup(<Presses />);
  return now;
}
const act = (event: number, kind: string, undoable: boolean) => ({ event, kind, undoable, unit: { title: `Unit ${event}`, topic: "t" } }) as Settled;

beforeEach(() => {
  forgetActs();
  settled.now = [];
  undo.mockReset();
  undo.mockResolvedValue({ outcome: "undone" });
});

test("the newest of today that can be undone is an act, and no undo", () => {
  expect(newest([act(4, "undone", true), act(3, "confirmed", false), act(2, "retired", true), act(1, "updated", true)])?.event).toBe(2);
  expect(newest([act(4, "undone", true)])).toBeUndefined();
});

test("an act is named by what it was about: a unit, a connection, or what was proposed", () => {
  const about = (of: Partial<Settled>) => settledTitle({ event: 1, kind: "rejected", at: "", undoable: true, ...of });
  expect(about({ unit: { title: "Unit", topic: "t" } as Settled["unit"] })).toBe("Unit");
  expect(about({ connection: "claude-code" })).toBe("Claude Code");
  expect(about({ brain: "facts", topic: "prices", title: "Day rate", proposal: 3 })).toBe("Day rate");
  expect(about({ brain: "facts", topic: "prices" })).toBe("prices");
  expect(about({ brain: "facts" })).toBe("A proposal whose text was erased");
});

test("after an undo U takes the act before it, and says which", async () => {
  didAct("One.", 1);
  didAct("Two.", 2);
  settled.now = [act(9, "undone", true), act(7, "retired", true)];
  for (const said of ["Undone. Two.", "Undone. One.", "Undone. Unit 7."]) {
    await press();
    expect(line()).toBe(said);
  }
  expect(undo.mock.calls).toEqual([[2], [1], [7]]);
  settled.now = [];
  await press();
  expect(line()).toBe("Nothing to undo.");
});

test("what the server takes back no more stands in no act's way", async () => {
  didAct("One.", 1);
  didAct("Two.", 2);
  undo.mockRejectedValueOnce(new ApiError(400, "invalid", "It is undone already."));
  await press();
  expect(line()).toBe("Nothing was undone. It is undone already.");
  await press();
  expect(line()).toBe("Undone. One.");
});

test("pressed twice at once, one act is undone", async () => {
  didAct("One.", 1);
  didAct("Two.", 2);
  await Promise.all([press(), press()]);
  expect(undo.mock.calls).toEqual([[2]]);
});

test("a line that only tells goes with its screen, or when what it told is over; one with an undo stays", () => {
  didNot("Nothing was changed.");
  clearLine();
  expect(line()).toBe("Nothing was changed.");
  clearLine(Date.now() + 5_000);
  expect(line()).toBe("");
  setStanding(false);
  didNot("Nothing was changed. OzBrain did not answer.");
  setStanding(true);
  expect(line()).toBe("");
  didAct("One.", 1);
  clearLine(Date.now() + 5_000);
  expect(line()).toContain("One.");
});

test("an act that is on its way is undone first, once it is there", async () => {
  didAct("One.", 1);
  let answer: () => void = () => undefined;
  const sent = new Promise<void>((resolve) => (answer = resolve));
  void onItsWay(sent.then(() => didAct("Two.", 2)));
  const pressed = press();
  await Promise.resolve();
  expect(undo).not.toHaveBeenCalled();
  answer();
  await pressed;
  expect(undo.mock.calls).toEqual([[2]]);
});

test("an act that was refused on its way is waited for, and the one before it is undone", async () => {
  didAct("One.", 1);
  let refuse: () => void = () => undefined;
  const sent = new Promise<void>((_, reject) => (refuse = () => reject(new Error("busy"))));
  onItsWay(sent).catch(() => undefined);
  const pressed = press();
  refuse();
  await pressed;
  expect(undo.mock.calls).toEqual([[1]]);
});

test("what a screen says by itself is undone in its turn, unless it was undone there", async () => {
  didAct("One.", 1);
  noteAct("Two.", 2);
  noteAct("Three.", 3);
  expect(line()).toContain("One.");
  dropAct(3);
  await press();
  expect(undo.mock.calls).toEqual([[2]]);
  expect(line()).toBe("Undone. Two.");
});

test("of an undo whose answer is lost nobody says that nothing was undone", async () => {
  didAct("One.", 1);
  undo.mockRejectedValueOnce(new ApiError(0, "gone", ""));
  await press();
  expect(line()).toBe("OzBrain did not answer. Whether it was done shows once it is back.");
});
