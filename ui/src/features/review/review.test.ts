import { describe, expect, it } from "vitest";
import type { ReviewCard } from "../../api/types";
import { type Deck, type DeckAction, current, deckReducer, emptyDeck, lastUndoable, progress } from "./deck";
import { layOut, textWidth } from "./timeline";

const card = (id: string, revision = 1): ReviewCard => ({
  id,
  brain: "studio",
  topic: "clients",
  title: id,
  snippet: "",
  revision,
  freshness: "aging",
  conflicted: false,
  retired: false,
  tokens: 1,
  updated_at: "2026-08-01T00:00:00Z",
  agent: { name: "Claude", you: false },
  anchor: "2026-08-01T00:00:00Z",
  reads: 0,
  readers: [],
});
const play = (...actions: DeckAction[]): Deck => actions.reduce(deckReducer, emptyDeck);
const loaded: DeckAction = { type: "loaded", cards: [card("a"), card("b"), card("c")], total: 7 };
const ids = (deck: Deck) => deck.cards.map((one) => one.id);

describe("deck", () => {
  it("moves on at once, and counts what was settled", () => {
    const deck = play(loaded, { type: "settle", act: "still_true" });
    expect(current(deck)?.id).toBe("b");
    expect(progress(deck)).toEqual({ settled: 1, at: 2, of: 7 });
    expect(deck.settled[0]).toMatchObject({ act: "still_true", state: "writing" });
  });

  it("brings a refused card back with its text", () => {
    const deck = play(
      loaded,
      { type: "settle", act: "changed", body: "mine" },
      { type: "refused", key: 1, kind: "moved", message: "Cursor wrote r2", editing: false },
    );
    expect(ids(deck)).toEqual(["a", "b", "c"]);
    expect(deck.settled).toEqual([]);
    expect(deck.notice).toMatchObject({ kind: "moved", body: "mine", card: { id: "a" } });
    expect(progress(deck).of).toBe(7);
  });

  it("does not take away the card that is being edited", () => {
    const deck = play(
      loaded,
      { type: "settle", act: "later" },
      { type: "refused", key: 1, kind: "failed", message: "busy", editing: true },
    );
    expect(ids(deck)).toEqual(["b", "a", "c"]);
  });

  it("undoes the newest first, one that is still being written too", () => {
    const deck = play(
      loaded,
      { type: "settle", act: "still_true" },
      { type: "done", key: 1, event: 9 },
      { type: "settle", act: "retired" },
    );
    expect(lastUndoable(deck)?.key).toBe(2);
    const wanted = deckReducer(deck, { type: "undo", key: 2 });
    expect(wanted.settled[1]).toMatchObject({ undoWanted: true, state: "writing" });
    expect(lastUndoable(wanted)?.key).toBe(1);
    const undone = deckReducer(deckReducer(wanted, { type: "done", key: 2, event: 10 }), {
      type: "undone",
      key: 2,
      revision: 3,
      editing: false,
    });
    expect(ids(undone)).toEqual(["b", "c"]);
    expect(current(undone)?.revision).toBe(3);
  });

  it("keeps the order on the table when the server's list comes again, and never shows a settled card twice", () => {
    const settled = play(loaded, { type: "settle", act: "still_true" });
    const deck = deckReducer(settled, { type: "loaded", cards: [card("d"), card("c", 2), card("a"), card("b")], total: 8 });
    expect(ids(deck)).toEqual(["b", "c", "d"]);
    expect(deck.cards[1]?.revision).toBe(2);
    expect(deck.waiting).toBe(7);
  });

  it("drops what is settled elsewhere once the whole list says so, but never the card that is looked at", () => {
    const deck = deckReducer(play(loaded), { type: "loaded", cards: [card("c")], total: 1 });
    expect(ids(deck)).toEqual(["a", "c"]);
  });

  it("offers no undo where nothing happened", () => {
    expect(lastUndoable(play(loaded, { type: "settle", act: "retired" }, { type: "done", key: 1 }))).toBeUndefined();
  });

  it("loses no card, whatever comes", () => {
    let seed = 3;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % below;
    };
    for (let run = 0; run < 200; run += 1) {
      const all = ["a", "b", "c", "d", "e"];
      let deck = deckReducer(emptyDeck, { type: "loaded", cards: all.map((id) => card(id)), total: all.length });
      for (let turn = 0; turn < 20; turn += 1) {
        const key = 1 + random(deck.nextKey);
        const editing = random(2) === 0;
        const choices: DeckAction[] = [
          { type: "settle", act: "later" },
          { type: "done", key, event: key },
          { type: "refused", key, kind: "failed", message: "", editing },
          { type: "undo", key },
          { type: "undone", key, editing },
          { type: "undo_refused", key, message: "" },
        ];
        const action = choices[random(choices.length)];
        if (action) deck = deckReducer(deck, action);
        expect([...ids(deck), ...deck.settled.map((one) => one.card.id)].sort()).toEqual(all);
        expect(progress(deck).of).toBe(all.length);
      }
    }
  });
});

describe("age timeline", () => {
  const texts = { anchor: "18 Jul, you confirmed", aging: "1 Aug, aging", stale: "1 Sep, stale" };
  const ages = { anchor: "2026-07-18T09:00:00Z", aging_at: "2026-08-01T09:00:00Z", stale_at: "2026-09-01T09:00:00Z" };

  it("is in true proportion", () => {
    const line = layOut(ages, Date.parse("2026-09-08T09:00:00Z"), 552, texts);
    expect(line.segments.map((one) => [one.kind, Math.round(one.from), Math.round(one.to)])).toEqual([
      ["fresh", 4, 148],
      ["aging", 148, 468],
      ["stale", 468, 540],
    ]);
    expect(line.rows).toBe(1);
  });

  it("never lets two labels meet, and keeps them inside", () => {
    for (let day = 0; day < 900; day += 7) {
      const line = layOut(ages, Date.parse(ages.anchor) + day * 86_400_000, 552, texts);
      for (const [place, label] of line.labels.entries()) {
        const size = textWidth(label.text);
        const left = label.align === "start" ? label.x : label.x - size / 2;
        expect(left).toBeGreaterThanOrEqual(0);
        expect(left + size).toBeLessThanOrEqual(552.01);
        for (const other of line.labels.slice(place + 1).filter((one) => one.row === label.row)) {
          const otherSize = textWidth(other.text);
          const otherLeft = other.align === "start" ? other.x : other.x - otherSize / 2;
          expect(otherLeft >= left + size || left >= otherLeft + otherSize).toBe(true);
        }
      }
    }
  });

  it("has no aging where a unit never ages, and none in the future", () => {
    expect(
      layOut({ anchor: ages.anchor }, Date.parse("2026-09-08T09:00:00Z"), 552, texts).segments.map((one) => one.kind),
    ).toEqual(["fresh"]);
    expect(layOut(ages, Date.parse("2026-08-10T09:00:00Z"), 552, texts).segments.map((one) => one.kind)).toEqual([
      "fresh",
      "aging",
    ]);
    expect(layOut(ages, Date.parse("2020-01-01T00:00:00Z"), 552, texts).segments.length).toBe(1);
  });
});
