/** Text that is not written yet. The platform keeps it for as long as the tab or window lives: it outlives a reload, a sign-out and a server's restart, but no erasure. */
import { useCallback, useMemo, useState } from "react";
import { type DraftOf as Of, platform } from "../platform";

/** The name of a draft: what it is, and what it belongs to. */
function name(kind: string, { brain, unit }: Of, more = ""): string {
  return [kind, brain, unit ?? "", more].join("/");
}

export const drafts = {
  /** Of a new unit. */
  new: (brain: string) => name("new", { brain }),
  /** Of an edit. */
  edit: (of: Of) => name("edit", of),
  /** Of a text that replaces an aged one: in the Inbox, and in Review. */
  changed: (of: Of) => name("changed", of),
  review: (of: Of) => name("review", of),
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
  for (const held of platform.drafts()) {
    const of = ownerOf(held);
    if (of && (erased.unit === undefined ? of.brain === erased.brain : of.unit === erased.unit)) platform.keepDraft(held, undefined);
  }
}

/** Drops every draft whose brain is not among `brains`. */
export function dropDraftsBut(brains: readonly string[]): void {
  for (const held of platform.drafts()) {
    const of = ownerOf(held);
    if (of && !brains.includes(of.brain)) platform.keepDraft(held, undefined);
  }
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

export function loadDraft<T>(key: string): T | undefined {
  const text = platform.draft(key);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined; // Not written by us.
  }
}

export function saveDraft(key: string, draft: unknown): void {
  platform.keepDraft(key, JSON.stringify(draft), ownerOf(key));
}

export function dropDraft(key: string): void {
  platform.keepDraft(key, undefined);
}

/** A draft of one shape, as state. `undefined`: there is none of it. */
export function useDraftOf<T>(key: string, is: (held: unknown) => held is T): [T | undefined, (draft: T | undefined) => void] {
  const [text, setText] = useDraft(key);
  const draft = useMemo(() => {
    const held = text === undefined ? undefined : loadDraft<unknown>(key);
    return is(held) ? held : undefined;
  }, [key, text, is]);
  const keep = useCallback((next: T | undefined) => setText(next === undefined ? undefined : JSON.stringify(next)), [setText]);
  return [draft, keep];
}

/** A draft of plain text, as state. `undefined`: there is none. */
export function useDraft(key: string): [string | undefined, (text: string | undefined) => void] {
  const [held, setHeld] = useState(() => ({ key, text: platform.draft(key) }));
  const now = held.key === key ? held : { key, text: platform.draft(key) };
  if (now !== held) setHeld(now);
  const keep = useCallback(
    (text: string | undefined) => {
      platform.keepDraft(key, text, ownerOf(key));
      setHeld({ key, text });
    },
    [key],
  );
  return [now.text, keep];
}
