import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer, useRef } from "react";
import { acts } from "../../api/acts";
import { queries } from "../../api/queries";
import type { ReviewCard, UnitView } from "../../api/types";
import { announce } from "../../shared/announce";
import { describe } from "../../shared/failure";
import { texts } from "../../texts";
import { drafts, dropDraft, loadDraft, saveDraft } from "../../shared/drafts";
import { isEdit, rest } from "../../shared/unit-draft";
import { titleOf } from "../../shared/fields";
import { didAct, didNot, dropAct, noteAct, onItsWay } from "../../shared/undo";
import { type Act, current, deckReducer, emptyDeck, lastUndoable, type Settled } from "./deck";

/** The cards before this place are held ready; the current one is shown. */
const READY = 4;
/** With fewer cards at hand than this, the rest is asked for. */
const FEW = 12;

/** What is said of an act when it is undone somewhere else. */
const SAID: Record<Act, (title: string) => string> = {
  still_true: texts.inbox.did.confirmed,
  changed: texts.inbox.did.changed,
  later: texts.inbox.did.later,
  retired: texts.inbox.did.retired,
};

/** Sends one act. Each names the revision that the person was shown. */
async function send(
  act: Act,
  shown: UnitView,
  body: string | undefined,
): Promise<{ event?: number; until?: string; moved?: true; conflict?: true }> {
  switch (act) {
    case "later": {
      const { event, until } = await acts.later({ id: shown.id });
      return { event, until };
    }
    case "retired": {
      const { outcome, event } = await acts.retire({ id: shown.id, base_revision: shown.revision });
      return outcome === "conflicted" ? { event, conflict: true } : { event };
    }
    default: {
      const text =
        act === "changed" && body !== undefined ? { verdict: "changed" as const, body } : { verdict: "still_true" as const };
      const { outcome, event } = await acts.confirm({ id: shown.id, revision: shown.revision, ...text });
      return outcome === "moved" ? { moved: true } : { event };
    }
  }
}

/** A text that was begun is done with once it is written; what else was typed of the unit waits in Brains. */
function written({ brain, id }: ReviewCard, { content, revision }: UnitView, body: string): void {
  const key = drafts.edit({ brain, unit: id });
  const held = loadDraft<unknown>(key);
  const left = isEdit(held) ? rest(held, { ...content, body }, revision + 1) : undefined;
  if (left) saveDraft(key, left);
  else dropDraft(key);
}

/** The deck, live: acts move on at once, their requests go on behind. */
export function useDeck(editing: boolean) {
  const client = useQueryClient();
  const [deck, dispatch] = useReducer(deckReducer, emptyDeck);
  const asked = useQuery(queries.review());
  const latest = useRef({ deck, editing });
  latest.current = { deck, editing };

  useEffect(() => {
    if (asked.data) dispatch({ type: "loaded", cards: asked.data.cards, total: asked.data.total });
  }, [asked.data]);

  // The next cards wait with their whole text, so that a key shows them at once. What was not shown was not read.
  const ready = deck.cards
    .slice(1, READY)
    .map((card) => card.id)
    .join(" ");
  useEffect(() => {
    for (const id of ready.split(" ")) if (id !== "") void client.prefetchQuery({ ...queries.peek(id), staleTime: 60_000 });
  }, [client, ready]);

  // The rest of a long deck comes in before the cards at hand run out.
  const few = deck.cards.length < FEW && deck.waiting > deck.cards.length;
  const settledCount = deck.settled.length;
  const { refetch } = asked;
  useEffect(() => {
    if (few) void refetch();
  }, [few, settledCount, refetch]);

  // An act goes on when the deck is left: what becomes of it then is told where the person is.
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => void (here.current = false);
  }, []);
  const told = useCallback((text: string) => (here.current ? announce(text) : didNot(text)), []);
  /** The acts that are to be undone once they are written. */
  const wanted = useRef(new Set<number>());

  const undoDone = useCallback(
    async (one: Pick<Settled, "key" | "card">, event: number) => {
      const title = titleOf(one.card);
      try {
        const reply = await acts.undo(event);
        if (reply.outcome === "moved") {
          dispatch({ type: "undo_refused", key: one.key, message: reply.message ?? texts.review.undoMoved });
          told(texts.review.undoFailed(title, reply.message ?? texts.review.undoMoved));
          return;
        }
        dropAct(event);
        await client.invalidateQueries({ queryKey: ["unit", one.card.id], refetchType: "all" });
        dispatch({ type: "undone", key: one.key, revision: reply.revision, editing: latest.current.editing });
        told(texts.review.undone(title));
      } catch (error) {
        const { code, message } = describe(error);
        const says = code === "gone" ? texts.app.unknownOutcome : texts.review.undoFailed(title, message);
        dispatch({ type: "undo_refused", key: one.key, message: code === "gone" ? says : message, again: event });
        told(says);
      }
    },
    [client, told],
  );

  /** Settles the current card as it was shown. */
  const settle = useCallback(
    (act: Act, shown: UnitView, body?: string) => {
      const { deck: before } = latest.current;
      const card = current(before);
      if (!card || card.id !== shown.id) return;
      const key = before.nextKey;
      const title = titleOf(card);
      dispatch({ type: "settle", act, ...(body === undefined ? {} : { body }) });
      const next = before.cards[1];
      announce(texts.review.said(texts.review.did[act], title, next && titleOf(next)));
      const refused = (kind: "moved" | "failed" | "conflicted", message: string) => {
        wanted.current.delete(key);
        dispatch({ type: "refused", key, kind, message, editing: latest.current.editing });
        told(message);
      };
      const sent = send(act, shown, body).then(
        ({ event, until, moved, conflict }) => {
          if (moved) {
            void client.invalidateQueries({ queryKey: ["unit", card.id], refetchType: "all" });
            return refused("moved", texts.review.moved(title));
          }
          if (body !== undefined) written(card, shown, body);
          if (conflict && !here.current) didAct(texts.review.retiredOver(title), event, card.id);
          else if (event !== undefined) noteAct(SAID[act](title), event);
          dispatch({ type: "done", key, event, until });
          if (conflict)
            dispatch({ type: "notice", notice: { kind: "conflicted", card, act, message: texts.review.retiredOver(title) } });
          if (wanted.current.delete(key) && event !== undefined) {
            dispatch({ type: "undo", key });
            return undoDone({ key, card }, event);
          }
        },
        (error: unknown) => {
          const { code, message } = describe(error);
          // What stands is asked for: the card may be in conflict, be gone, or be settled after all.
          if (["conflicted", "unknown_unit", "gone"].includes(code)) void client.invalidateQueries({ queryKey: ["unit", card.id], refetchType: "all" });
          if (code === "gone") void client.invalidateQueries({ queryKey: ["review"] });
          if (code === "unknown_unit") {
            refused("failed", texts.review.goneMeanwhile);
            // The card itself says it.
            dispatch({ type: "dismiss_notice" });
          } else if (code === "conflicted") refused("conflicted", texts.review.conflicted(title));
          else refused("failed", code === "gone" ? texts.review.unknown(title) : texts.review.failed(title, message));
        },
      );
      void onItsWay(sent);
    },
    [client, told, undoDone],
  );

  const undo = useCallback(
    (one: Settled | undefined = lastUndoable(latest.current.deck)) => {
      if (!one) {
        announce(texts.undo.nothing);
        return;
      }
      dispatch({ type: "undo", key: one.key });
      if (one.state === "writing") wanted.current.add(one.key);
      else if (one.event !== undefined) void onItsWay(undoDone(one, one.event));
    },
    [undoDone],
  );

  return { deck, dispatch, asked, settle, undo };
}
