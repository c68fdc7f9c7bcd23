import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer, useRef } from "react";
import { acts } from "../../api/acts";
import { ApiError } from "../../api/client";
import { queries } from "../../api/queries";
import type { UnitView } from "../../api/types";
import { announce } from "../../shared/announce";
import { describe } from "../../shared/failure";
import { texts } from "../../texts";
import { drafts, dropDraft } from "../../shared/drafts";
import { titleOf } from "../../shared/fields";
import { hindered } from "../../shared/hindrance";
import { type Act, current, deckReducer, emptyDeck, lastUndoable, type Settled } from "./deck";

/** The cards before this place are held ready; the current one is shown. */
const READY = 4;
/** With fewer cards at hand than this, the rest is asked for. */
const FEW = 12;

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

  const undoDone = useCallback(
    async (one: Settled, event: number) => {
      const title = titleOf(one.card);
      try {
        const reply = await acts.undo(event);
        if (reply.outcome === "moved") {
          dispatch({ type: "undo_refused", key: one.key, message: hindered(reply) });
          announce(texts.review.undoFailed(title, hindered(reply)));
          return;
        }
        await client.invalidateQueries({ queryKey: ["unit", one.card.id], refetchType: "all" });
        dispatch({ type: "undone", key: one.key, revision: reply.revision, editing: latest.current.editing });
        announce(texts.review.undone(title));
      } catch (error) {
        const { message } = describe(error);
        dispatch({ type: "undo_refused", key: one.key, message, again: event });
        announce(texts.review.undoFailed(title, message));
      }
    },
    [client],
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
      send(act, shown, body).then(
        ({ event, until, moved, conflict }) => {
          if (moved) {
            void client.invalidateQueries({ queryKey: ["unit", card.id], refetchType: "all" });
            dispatch({
              type: "refused",
              key,
              kind: "moved",
              message: texts.review.moved(title),
              editing: latest.current.editing,
            });
            announce(texts.review.moved(title));
            return;
          }
          dropDraft(drafts.review({ brain: card.brain, unit: card.id }));
          dispatch({ type: "done", key, event, until });
          if (conflict)
            dispatch({ type: "notice", notice: { kind: "conflicted", card, act, message: texts.review.retiredOver(title) } });
        },
        (error: unknown) => {
          const conflicted = error instanceof ApiError && error.code === "conflicted";
          const message = conflicted ? texts.review.conflicted(title) : texts.review.failed(title, describe(error).message);
          if (conflicted) void client.invalidateQueries({ queryKey: ["unit", card.id], refetchType: "all" });
          dispatch({
            type: "refused",
            key,
            kind: conflicted ? "conflicted" : "failed",
            message,
            editing: latest.current.editing,
          });
          announce(message);
        },
      );
    },
    [client],
  );

  const undo = useCallback(
    (one: Settled | undefined = lastUndoable(latest.current.deck)) => {
      if (!one) {
        announce(texts.undo.nothing);
        return;
      }
      dispatch({ type: "undo", key: one.key });
      if (one.state === "done" && one.event !== undefined) void undoDone(one, one.event);
    },
    [undoDone],
  );

  // What was to be undone while it was still being written is undone once it is.
  useEffect(() => {
    for (const one of deck.settled) {
      if (one.state !== "done" || !one.undoWanted || one.event === undefined) continue;
      dispatch({ type: "undo", key: one.key });
      void undoDone(one, one.event);
    }
  }, [deck.settled, undoDone]);

  return { deck, dispatch, asked, settle, undo };
}
