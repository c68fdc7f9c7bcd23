/** Text that is not written yet. The platform keeps it for as long as the tab or window lives: it outlives a reload, a sign-out and a server's restart, but no erasure. */
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { type DraftOf as Of, platform } from "../platform";

/** The name of a draft: what it is, and what it belongs to. */
function name(kind: string, { brain, unit }: Of, more = ""): string {
  return [kind, brain, unit ?? "", more].join("/");
}

export const drafts = {
  /** Of a new unit. */
  new: (brain: string) => name("new", { brain }),
  /** Of an edit, wherever it was begun: in the Inbox, in Review, in Brains. */
  edit: (of: Of) => name("edit", of),
  /** Of a text that settles a conflict. */
  merge: (of: Of) => name("merge", of),
  /** Of a proposal's text as it will be accepted. */
  proposal: (of: Of, id: number) => name("proposal", of, String(id)),
};

/** What a draft belongs to, by its name. An erasure of its unit or brain takes it along. */
function ownerOf(key: string): Of | undefined {
  const [, brain, unit] = key.split("/");
  return brain === undefined ? undefined : { brain, unit: unit || undefined };
}

/** Drops every draft of a unit, or of a brain and all that is in it. */
export function dropDraftsOf(erased: { brain?: string | undefined; unit?: string | undefined }): void {
  erase((of) => (erased.unit === undefined ? of.brain === erased.brain : of.unit === erased.unit));
}

/** Drops every draft whose brain is not among `brains`. */
export function dropDraftsBut(brains: readonly string[]): void {
  erase((of) => !brains.includes(of.brain));
}

/** Who shows a draft, and who types one. */
const readers = new Set<() => void>();
const typists = new Set<(taken: (of: Of) => boolean) => void>();

function keep(name: string, text: string | undefined): void {
  platform.keepDraft(name, text, ownerOf(name));
  for (const reader of readers) reader();
}

/** Takes drafts for good. What is being typed goes too, whether it was kept yet or not: the next letter would keep it again. */
function erase(taken: (of: Of) => boolean): void {
  for (const typist of typists) typist(taken);
  for (const held of platform.drafts()) {
    const of = ownerOf(held);
    if (of && taken(of)) keep(held, undefined);
  }
}

/** Calls back when an erasure takes what the draft `key` is of: what was typed is forgotten then, and kept no more. */
export function useErased(key: string, forget: () => void): void {
  const latest = useRef(forget);
  useEffect(() => {
    latest.current = forget;
  });
  useEffect(() => {
    const of = ownerOf(key);
    const typist = (taken: (of: Of) => boolean) => {
      if (of && taken(of)) latest.current();
    };
    typists.add(typist);
    return () => void typists.delete(typist);
  }, [key]);
}

/** Kept beside the drafts, for as long as they are: up to where this tab knows what was erased. */
const PLACE = "place";

/** How far this tab has followed the changes of a store. */
export interface Followed {
  store: string;
  event: number;
}

/** Notes how far this tab has followed. */
export function keepFollowed(followed: Followed): void {
  saveDraft(PLACE, followed);
}

/** Where a tab that holds drafts goes on: an erasure that it did not hear of may be about one of them. Without drafts nothing is to be caught up on. */
export function followedBefore(): Followed | undefined {
  if (!platform.drafts().some((held) => held !== PLACE)) return undefined;
  const held = loadDraft<Partial<Followed> | null>(PLACE);
  return typeof held?.store === "string" && typeof held.event === "number" ? { store: held.store, event: held.event } : undefined;
}

/** What is kept under a name; `undefined`: nothing, or nothing that was written by us. */
export function loadDraft<T>(key: string): T | undefined {
  const text = platform.draft(key);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined; // Not written by us.
  }
}

/** Keeps a draft, for whoever shows it too. */
export function saveDraft(key: string, draft: unknown): void {
  keep(key, JSON.stringify(draft));
}

/** Forgets a draft: it was written, or thrown away. */
export function dropDraft(key: string): void {
  keep(key, undefined);
}

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

/** A draft of one shape, as state. `undefined`: there is none of it. What is kept elsewhere, or erased, shows at once. */
export function useDraftOf<T>(key: string, is: (held: unknown) => held is T): [T | undefined, (draft: T | undefined) => void] {
  const text = useSyncExternalStore(subscribe, () => platform.draft(key));
  const draft = useMemo(() => {
    const held = text === undefined ? undefined : loadDraft<unknown>(key);
    return is(held) ? held : undefined;
  }, [key, text, is]);
  const put = useCallback((next: T | undefined) => keep(key, next === undefined ? undefined : JSON.stringify(next)), [key]);
  return [draft, put];
}
