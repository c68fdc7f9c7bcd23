/**
 * The deck of Review: what waits, what was settled in this visit, and what a reply does to both.
 * An act moves on at once; its request goes on behind. A card leaves the deck for good only when the
 * server said so: a refusal brings it back, with the text that the person had written. Once the deck is left there is no
 * card to bring back: what was refused is told where the person is.
 */
import type { ReviewCard } from "../../api/types";

/** What the person may do with a card. */
export type Act = "still_true" | "changed" | "later" | "retired";

/** One act of this visit. `writing` until the server answered, then `done` with the event that undo takes. */
export interface Settled {
  key: number;
  card: ReviewCard;
  act: Act;
  state: "writing" | "done" | "undoing";
  /** What undo takes; absent while writing, and where nothing happened that could be undone. */
  event?: number;
  /** When a card that was put off comes back. */
  until?: string;
  /** The text written under `changed`. */
  body?: string;
  /** Undo was asked for while the act was still being written. */
  undoWanted: boolean;
}

/** Why a card came back, or why nothing was undone. `body` is text that the person had written. */
export interface DeckNotice {
  kind: "moved" | "failed" | "conflicted" | "undo_failed";
  card: ReviewCard;
  act: Act;
  message: string;
  body?: string;
}

export interface Deck {
  /** What waits, the current card first. */
  cards: ReviewCard[];
  /** How many wait on the server in all, `cards` included. */
  waiting: number;
  settled: Settled[];
  notice?: DeckNotice;
  nextKey: number;
}

export type DeckAction =
  | { type: "loaded"; cards: ReviewCard[]; total: number }
  | { type: "settle"; act: Act; body?: string }
  | { type: "done"; key: number; event?: number; until?: string }
  | { type: "refused"; key: number; kind: "moved" | "failed" | "conflicted"; message: string; editing: boolean }
  | { type: "undo"; key: number }
  | { type: "undone"; key: number; revision?: number; editing: boolean }
  | { type: "undo_refused"; key: number; message: string; again?: number }
  | { type: "notice"; notice: DeckNotice }
  | { type: "gone"; id: string }
  | { type: "dismiss_notice" };

export const emptyDeck: Deck = { cards: [], waiting: 0, settled: [], nextKey: 1 };

/** The card to decide on. */
export function current(deck: Deck): ReviewCard | undefined {
  return deck.cards[0];
}

/** The act that `U` undoes: the newest that is not being undone already. */
export function lastUndoable(deck: Deck): Settled | undefined {
  return deck.settled.findLast((one) =>
    one.state === "writing" ? !one.undoWanted : one.state === "done" && one.event !== undefined,
  );
}

/** Where the person stands: `at` of `of`, counted over what was settled here and what waits. */
export function progress(deck: Deck): { settled: number; at: number; of: number } {
  const settled = deck.settled.length;
  const of = settled + deck.waiting;
  return { settled, at: Math.min(settled + 1, of), of };
}

/** Puts a card back where it is met next, without taking away the one that is being edited. */
function putBack(deck: Deck, card: ReviewCard, editing: boolean): ReviewCard[] {
  const others = deck.cards.filter((other) => other.id !== card.id);
  const [first, ...rest] = others;
  return editing && first ? [first, card, ...rest] : [card, ...others];
}

function without(deck: Deck, key: number): Settled[] {
  return deck.settled.filter((one) => one.key !== key);
}

function update(deck: Deck, key: number, change: (one: Settled) => Settled): Settled[] {
  return deck.settled.map((one) => (one.key === key ? change(one) : one));
}

/** The deck after one action. */
export function deckReducer(deck: Deck, action: DeckAction): Deck {
  switch (action.type) {
    case "loaded": {
      const settled = new Set(deck.settled.map((one) => one.card.id));
      const known = new Map(deck.cards.map((card) => [card.id, card]));
      const fetched = action.cards.filter((card) => !settled.has(card.id));
      const inReply = new Set(fetched.map((card) => card.id));
      // Settled here but listed still: the reply is older than the act.
      const late = action.cards.length - fetched.length;
      const newest = (card: ReviewCard) => {
        const before = known.get(card.id);
        return before && before.revision > card.revision ? before : card;
      };
      // The order of what is on the table stays; only what is new comes in behind.
      const whole = action.cards.length >= action.total;
      // The current card stays under the person's eyes, whatever happened to its unit elsewhere.
      const stay = deck.cards.filter((card, place) => place === 0 || inReply.has(card.id) || !whole);
      const staying = new Set(stay.map((card) => card.id));
      const fresh = new Map(fetched.map((card) => [card.id, newest(card)]));
      const cards = [
        ...stay.map((card) => fresh.get(card.id) ?? card),
        ...fetched.filter((card) => !staying.has(card.id)).map(newest),
      ];
      return { ...deck, cards, waiting: Math.max(cards.length, action.total - late) };
    }
    case "settle": {
      const [card, ...cards] = deck.cards;
      if (!card) return deck;
      const one: Settled = { key: deck.nextKey, card, act: action.act, state: "writing", undoWanted: false, body: action.body };
      const { notice: _, ...rest } = deck;
      return {
        ...rest,
        cards,
        waiting: Math.max(cards.length, deck.waiting - 1),
        settled: [...deck.settled, one],
        nextKey: deck.nextKey + 1,
      };
    }
    case "done":
      return {
        ...deck,
        settled: update(deck, action.key, (one) => ({ ...one, state: "done", event: action.event, until: action.until })),
      };
    case "refused": {
      const one = deck.settled.find((settled) => settled.key === action.key);
      if (!one) return deck;
      const cards = putBack(deck, one.card, action.editing);
      const notice: DeckNotice = { kind: action.kind, card: one.card, act: one.act, message: action.message, body: one.body };
      return { ...deck, cards, waiting: Math.max(cards.length, deck.waiting + 1), settled: without(deck, action.key), notice };
    }
    case "undo":
      return {
        ...deck,
        settled: update(deck, action.key, (one) =>
          one.state === "writing" ? { ...one, undoWanted: true } : { ...one, state: "undoing" },
        ),
      };
    case "undone": {
      const one = deck.settled.find((settled) => settled.key === action.key);
      if (!one) return deck;
      const card = action.revision === undefined ? one.card : { ...one.card, revision: action.revision };
      const cards = putBack(deck, card, action.editing);
      return { ...deck, cards, waiting: Math.max(cards.length, deck.waiting + 1), settled: without(deck, action.key) };
    }
    case "undo_refused": {
      const one = deck.settled.find((settled) => settled.key === action.key);
      if (!one) return deck;
      const { event: _, ...kept } = one;
      return {
        ...deck,
        settled: update(deck, action.key, () => ({
          ...kept,
          state: "done",
          undoWanted: false,
          ...(action.again === undefined ? {} : { event: action.again }),
        })),
        notice: { kind: "undo_failed", card: one.card, act: one.act, message: action.message },
      };
    }
    case "gone": {
      const cards = deck.cards.filter((card) => card.id !== action.id);
      return cards.length === deck.cards.length ? deck : { ...deck, cards, waiting: Math.max(cards.length, deck.waiting - 1) };
    }
    case "notice":
      return { ...deck, notice: action.notice };
    case "dismiss_notice": {
      const { notice: _, ...rest } = deck;
      return rest;
    }
  }
}
