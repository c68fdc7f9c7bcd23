/** A unit as it is typed, and what of it is written. */
import type { Content, Field } from "../api/types";
import { splitTags } from "./fields";

/** A unit as it is typed. */
export type UnitDraft = {
  topic: string;
  title: string;
  body: string;
  /** Separated by commas. */
  tags: string;
  source: string;
  freshFor: string;
  /** The revision that the person was shown when they began; absent for a new unit. */
  base?: number;
};

/** What a new unit begins with. */
export const blank: UnitDraft = { topic: "", title: "", body: "", tags: "", source: "", freshFor: "" };

/** The draft that an edit begins with. */
export function draftOf(content: Content, revision: number): UnitDraft {
  return {
    topic: content.topic,
    title: content.title ?? "",
    body: content.body,
    tags: content.tags.join(", "),
    source: content.source ?? "",
    freshFor: content.fresh_for_days === undefined ? "" : String(content.fresh_for_days),
    base: revision,
  };
}

/**
 * An edit as it is kept: its text, the revision it was begun from, and the other fields where they were typed too. One
 * for all places that edit a unit, so what was begun in one goes on in another.
 */
export type Edit = { body: string; base: number } & Partial<UnitDraft>;

/** Whether what was kept is an edit. */
export function isEdit(held: unknown): held is Edit {
  const edit = held as Partial<Edit> | null | undefined;
  return typeof edit?.body === "string" && typeof edit.base === "number";
}

/** An edit with all its fields: those that nobody typed are the unit's. */
export function whole(edit: Edit, content: Content): UnitDraft {
  return { ...draftOf(content, edit.base), ...edit };
}

/** What is left of an edit where `content` of `revision` has its text: nothing, unless other fields were typed too. */
export function rest(edit: Edit, content: Content, revision: number): Edit | undefined {
  const stands = draftOf(content, revision);
  const left = { ...whole(edit, content), body: content.body, base: revision };
  return differs(left, stands) ? left : undefined;
}

/** Whether anything was typed that would be lost. */
export function differs(draft: UnitDraft, from: UnitDraft): boolean {
  return (["topic", "title", "body", "tags", "source", "freshFor"] as const).some((field) => draft[field] !== from[field]);
}

/** Days, nothing, or what cannot be days. */
export function readDays(typed: string): number | undefined | "unreadable" {
  const text = typed.trim();
  if (text === "") return undefined;
  const days = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(days) ? days : "unreadable";
}

/** What an edit changes: only this is written, so that an edit of the tags never fights over the body. `clear` names what was emptied. */
export function changedFields(draft: UnitDraft, from: UnitDraft) {
  const tags = splitTags(draft.tags);
  const [topic, title, source, freshFor] = [draft.topic, draft.title, draft.source, draft.freshFor].map((typed) => typed.trim()) as [string, string, string, string];
  const days = readDays(freshFor);
  const emptied: Field[] = [
    ...(title === "" && from.title !== "" ? (["title"] as const) : []),
    ...(source === "" && from.source !== "" ? (["source"] as const) : []),
    ...(freshFor === "" && from.freshFor !== "" ? (["fresh_for_days"] as const) : []),
  ];
  return {
    ...(topic === from.topic ? {} : { topic }),
    ...(title === from.title || title === "" ? {} : { title }),
    ...(draft.body === from.body ? {} : { body: draft.body }),
    ...(tags.join("\n") === splitTags(from.tags).join("\n") ? {} : { tags }),
    ...(source === from.source || source === "" ? {} : { source }),
    ...(freshFor === from.freshFor || typeof days !== "number" ? {} : { fresh_for_days: days }),
    ...(emptied.length === 0 ? {} : { clear: emptied }),
  };
}

/** Where mine and theirs differ beside the body: field, mine, theirs. */
export function otherDifferences(mine: UnitDraft, theirs: UnitDraft): [Field, string, string][] {
  const rows: [Field, string, string][] = [
    ["topic", mine.topic.trim(), theirs.topic],
    ["title", mine.title.trim(), theirs.title],
    ["tags", splitTags(mine.tags).join(", "), theirs.tags],
    ["source", mine.source.trim(), theirs.source],
    ["fresh_for_days", mine.freshFor.trim(), theirs.freshFor],
  ];
  return rows.filter(([, a, b]) => a !== b);
}
