import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useCallback, useSyncExternalStore } from "react";
import { acts } from "../api/acts";
import { ApiError } from "../api/client";
import { queries } from "../api/queries";
import type { Settled } from "../api/types";
import { texts } from "../texts";
import { nameOf } from "./agent";
import { announce } from "./announce";
import { describe } from "./failure";
import { titleOf } from "./fields";
import { Key } from "./keyboard";
import { onStanding, standing } from "./standing";

/** What the person did in this window, newest last: `event` is what an undo takes. Without one it is final. */
export interface Act {
  event?: number | undefined;
  said: string;
  /** The unit that it left in conflict. */
  conflict?: string | undefined;
}

let done: Act[] = [];
/** Acts whose answer is awaited. */
const coming = new Set<Promise<unknown>>();
let undoing = false;
let line: { text: string; act?: Act | undefined; at: number } | undefined;
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * An act on its way, up to and with what records it: an undo that is pressed meanwhile waits for it, and takes it first.
 * Resolves and rejects as `work` does.
 */
export function onItsWay<T>(work: Promise<T>): Promise<T> {
  coming.add(work);
  const end = () => void coming.delete(work);
  work.then(end, end);
  return work;
}

/** Records what was done where the screen itself says it: an undo anywhere takes it in its turn. */
export function noteAct(said: string, event: number): void {
  done = [...done.slice(-49), { event, said }];
}

/** Strikes out an act that was undone where it was done. */
export function dropAct(event: number): void {
  done = done.filter((act) => act.event !== event);
}

/** Records what was done, says it, and shows it with an undo. Without an event it is only said. `conflict`: the unit that it left in conflict. */
export function didAct(said: string, event?: number, conflict?: string): void {
  const act = event === undefined ? undefined : { event, said, conflict };
  if (act) done = [...done.slice(-49), act];
  line = { text: said, act, at: Date.now() };
  announce(said);
  tell();
}

/**
 * Records what was done and cannot be undone, which was asked about before: an undo says so first, before it goes on to
 * what was done earlier.
 */
export function didFinally(said: string): void {
  done = [...done.slice(-49), { said }];
  line = { text: said, at: Date.now() };
  announce(said);
  tell();
}

/** Says what became of something that was not carried out. */
export function didNot(said: string): void {
  line = { text: said, at: Date.now() };
  announce(said);
  tell();
}

/** What is said together with leaving a screen is meant for the next one. */
const TOGETHER = 1_000;

/** Takes away a line that only told something: the screen that it told it on was left, or what it told is over. */
export function clearLine(now = Date.now()): void {
  if (!line || line.act || now - line.at < TOGETHER) return;
  line = undefined;
  tell();
}

// Back from being gone, that it is gone is no longer so.
onStanding(() => {
  if (standing()) clearLine(Number.POSITIVE_INFINITY);
});

/** Whether a refusal is for good: the server knows the act, and takes it back no more. */
function final(error: unknown): boolean {
  return error instanceof ApiError && !["gone", "busy", "unavailable"].includes(error.code) && error.status !== 401;
}

/** Forgets what was done: who signed out, and another store, leave nothing to undo. */
export function forgetActs(): void {
  done = [];
  line = undefined;
  tell();
}

async function newestOf(client: QueryClient): Promise<Act | undefined> {
  return newest((await client.fetchQuery({ ...queries.inbox(undefined, 0), staleTime: 0, retry: false })).settled);
}

/** Undoes one act. Unless told: the newest that can be undone, of this window or else of today. */
export function useUndo(): (event?: number) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    async (event) => {
      // The same act is undone once, however fast the key is pressed again.
      if (undoing) return;
      undoing = true;
      const drop = (gone: Act) => {
        done = done.filter((act) => act !== gone);
      };
      try {
        while (event === undefined && coming.size > 0) await Promise.allSettled([...coming]);
        const act = event === undefined ? (done[done.length - 1] ?? (await newestOf(client))) : (done.find((one) => one.event === event) ?? { event, said: "" });
        if (!act) return didNot(texts.undo.nothing);
        if (act.event === undefined) {
          drop(act);
          return didNot(texts.undo.final(act.said));
        }
        try {
          const reply = await acts.undo(act.event);
          drop(act);
          didNot(reply.outcome === "undone" ? texts.undo.done(act.said) : (reply.message ?? texts.undo.moved));
        } catch (error) {
          if (final(error)) drop(act);
          throw error;
        }
      } catch (error) {
        const { code, message } = describe(error);
        didNot(code === "gone" ? texts.app.unknownOutcome : texts.undo.failed(message));
      } finally {
        undoing = false;
      }
      await client.invalidateQueries();
    },
    [client],
  );
}

/** The newest act of today that can be undone. What an undo did is taken back by doing it again, not by a second undo. */
export function newest(settled: readonly Settled[]): Act | undefined {
  const act = settled.find((one) => one.undoable && one.kind !== "undone");
  return act && { event: act.event, said: texts.undo.of(settledTitle(act)) };
}

/** The title that stands for what an act of today was about. */
export function settledTitle(act: Settled): string {
  if (act.unit) return titleOf(act.unit);
  if (act.connection !== undefined) return nameOf({ name: act.connection, you: false });
  return act.topic === undefined ? texts.inbox.erasedProposal : titleOf({ title: act.title, topic: act.topic });
}

const current = () => line;

/** What was said last, with the act that it was said of; nothing until something was. */
export function useLine() {
  return useSyncExternalStore(subscribe, current, current);
}

/** The line that says what was done last, with its undo beside it. It stays until the next act. */
export function UndoLine() {
  const now = useLine();
  const undo = useUndo();
  if (!now) return null;
  return (
    <span className="undo-line">
      <span className="clip">{now.text}</span>
      {now.act?.conflict !== undefined && (
        <Link className="link nowrap" to="/conflict/$unit" params={{ unit: now.act.conflict }}>
          {texts.brains.openConflict}
        </Link>
      )}
      {now.act && (
        <button type="button" className="link" onClick={() => void undo(now.act?.event)}>
          {texts.app.undo} <Key of="u" />
        </button>
      )}
    </span>
  );
}
