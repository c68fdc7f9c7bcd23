import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { acts } from "../api/acts";
import { texts } from "../texts";
import { announce } from "./announce";
import { describe } from "./failure";
import { Key } from "./keyboard";

/** What the person did in this window, newest last: `event` is what an undo takes. Without one it is final. */
export interface Act {
  event?: number | undefined;
  said: string;
}

let done: Act[] = [];
let line: { text: string; act?: Act } | undefined;
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Records what was done, says it, and shows it with an undo. Without an event it is only said. */
export function didAct(said: string, event?: number): void {
  const act = event === undefined ? undefined : { event, said };
  if (act) done = [...done.slice(-49), act];
  line = { text: said, act };
  announce(said);
  tell();
}

/** Records what was done and cannot be undone: an undo says so first, before it goes on to what was done earlier. */
export function didFinally(said: string): void {
  done = [...done.slice(-49), { said }];
  line = { text: said };
  announce(said);
  tell();
}

/** Says what became of something that was not carried out. */
export function didNot(said: string): void {
  line = { text: said };
  announce(said);
  tell();
}

export function forgetActs(): void {
  done = [];
  line = undefined;
  tell();
}

/** Undoes one act, the last one of this window unless told. */
export function useUndo(): (event?: number) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    async (event) => {
      const act = event === undefined ? done[done.length - 1] : { event, said: "" };
      if (!act) return didNot(texts.undo.nothing);
      if (act.event === undefined) {
        done = done.filter((a) => a !== act);
        return didNot(texts.undo.final(act.said));
      }
      try {
        const reply = await acts.undo(act.event);
        done = done.filter((a) => a.event !== act.event);
        didNot(reply.outcome === "undone" ? texts.undo.done : (reply.message ?? texts.undo.moved));
      } catch (error) {
        didNot(texts.undo.failed(describe(error).message));
      }
      await client.invalidateQueries();
    },
    [client],
  );
}

export function useLine() {
  return useSyncExternalStore(subscribe, () => line);
}

/** The line that says what was done last, with its undo beside it. It stays until the next act. */
export function UndoLine() {
  const now = useLine();
  const undo = useUndo();
  if (!now) return null;
  return (
    <span className="undo-line">
      <span className="clip">{now.text}</span>
      {now.act && (
        <button type="button" className="link" onClick={() => void undo(now.act?.event)}>
          {texts.app.undo} <Key of="u" />
        </button>
      )}
    </span>
  );
}
