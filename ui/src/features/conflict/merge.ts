import { type ChangeDesc, type ChangeSpec, StateEffect, StateField, type Text, type TransactionSpec } from "@codemirror/state";
import type { Field, ResolveInput } from "../../api/types";
import type { Part } from "../../shared/align";
import { splitTags } from "../../shared/fields";

/** How one difference is settled: not yet, with a side's words, or with the person's own. */
export type Choice = "open" | "left" | "right" | "written";

/** Where a difference stands in the merged text. Whole lines, with the line end after each. Empty: no line. */
export interface Range {
  n: number;
  from: number;
  to: number;
  choice: Choice;
}

export interface Sides {
  left: string;
  right: string;
}

const block = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** The merged text to start from: the head's words, each difference open. */
export function begin(parts: readonly Part[]): { text: string; ranges: Range[]; sides: Map<number, Sides> } {
  let text = "";
  const ranges: Range[] = [];
  const sides = new Map<number, Sides>();
  for (const part of parts) {
    if (part.same) {
      text += block(part.lines);
      continue;
    }
    const right = block(part.right);
    ranges.push({ n: part.n, from: text.length, to: text.length + right.length, choice: "open" });
    sides.set(part.n, { left: block(part.left), right });
    text += right;
  }
  return { text, ranges, sides };
}

/** Says how a difference is settled, where the text itself does not change or is replaced in the same step. */
export const settle = StateEffect.define<{ n: number; choice: Choice; to?: number }>();

/**
 * The ranges after a change of the text. What was typed inside a difference makes it "written". A change that is the
 * choice of difference `chosen` touches no other, even where they meet.
 */
export function carry(ranges: readonly Range[], changes: ChangeDesc, chosen?: number): Range[] {
  return ranges.map((range) => {
    let touched = false;
    if (chosen === undefined) {
      changes.iterChangedRanges((from, to) => {
        const inside = from < range.to && to > range.from;
        const typed = from === to && from >= range.from && from < range.to;
        touched ||= inside || typed;
      });
    }
    const side = chosen !== undefined && range.n > chosen ? 1 : -1;
    const from = changes.mapPos(range.from, side);
    const to = Math.max(from, changes.mapPos(range.to, side));
    return { ...range, from, to, choice: touched ? "written" : range.choice };
  });
}

/** The differences inside the editor. */
export const differences = StateField.define<Range[]>({
  create: () => [],
  update(ranges, tr) {
    const chosen = tr.effects.find((effect) => effect.is(settle) && effect.value.to !== undefined)?.value as { n: number } | undefined;
    let next = tr.docChanged ? carry(ranges, tr.changes, chosen?.n) : ranges;
    for (const effect of tr.effects) {
      if (!effect.is(settle)) continue;
      const { n, choice, to } = effect.value;
      next = next.map((range) => (range.n === n ? { ...range, choice, to: to === undefined ? range.to : range.from + to } : range));
    }
    return next;
  },
});

/** The step that settles one difference: a side's words take the place of what stands there; own words stay. */
export function choosing(ranges: readonly Range[], sides: ReadonlyMap<number, Sides>, n: number, choice: Choice): TransactionSpec | undefined {
  const range = ranges.find((r) => r.n === n);
  const words = sides.get(n);
  if (!range || !words) return undefined;
  if (choice === "written") return { effects: settle.of({ n, choice }) };
  const insert = choice === "left" ? words.left : words.right;
  const changes: ChangeSpec = { from: range.from, to: range.to, insert };
  return { changes, effects: settle.of({ n, choice, to: insert.length }) };
}

/**
 * Finds the differences again in a text that was written against another state: a side's words where they still stand,
 * in order; what is not found was written here.
 */
export function placed(text: string, fresh: readonly Range[], sides: ReadonlyMap<number, Sides>): Range[] {
  let at = 0;
  return fresh.map(({ n }) => {
    const words = sides.get(n);
    for (const choice of ["right", "left"] as const) {
      const block = words?.[choice] ?? "";
      const from = block === "" ? -1 : lineStart(text, block, at);
      if (from < 0) continue;
      at = from + block.length;
      return { n, from, to: at, choice: choice === "right" ? "open" : "left" };
    }
    return { n, from: at, to: at, choice: "written" };
  });
}

function lineStart(text: string, block: string, after: number): number {
  for (let at = text.indexOf(block, after); at >= 0; at = text.indexOf(block, at + 1)) {
    if (at === 0 || text[at - 1] === "\n") return at;
  }
  return -1;
}

/** How many differences are not settled yet. */
export const open = (ranges: readonly { choice: Choice }[]): number => ranges.filter((range) => range.choice === "open").length;

/** The body to write: blank ends belong to the editor alone. */
export function bodyOf(text: Text | string): string {
  return text.toString().replace(/^\n+|\s+$/g, "");
}

/** How a field is settled, and what it will be. */
export type FieldChoice = { choice: Choice; value: string };

/** What is kept of a merge that is not written yet: what it was begun from, and how far it came. */
export type Kept = {
  /** The conflict's version, the displaced side and the head, by their revisions. */
  version: number;
  side: number;
  head: number;
  text: string;
  ranges: Range[];
  fields: [Field, FieldChoice][];
};

/** Whether what was kept is a merge. */
export function isKept(held: unknown): held is Kept {
  const kept = held as Partial<Kept> | null | undefined;
  return typeof kept?.text === "string" && typeof kept.head === "number" && Array.isArray(kept.ranges) && Array.isArray(kept.fields);
}

/**
 * The fields beside the body that a merge writes; what comes out empty is cleared. What the head has stays by itself, so
 * what is taken from it is not written: unless the head is not the one any more that it was taken from (`moved`).
 */
export function mergedFields(
  fields: ReadonlyMap<Field, FieldChoice>,
  moved: boolean,
): Pick<ResolveInput, "topic" | "title" | "source" | "tags" | "clear"> {
  const merged: ReturnType<typeof mergedFields> = {};
  for (const field of ["topic", "title", "source"] as const) {
    const now = fields.get(field);
    if (!now || (now.choice === "right" && !moved)) continue;
    const value = now.value.trim();
    if (value === "" && field !== "topic") merged.clear = [...(merged.clear ?? []), field];
    else merged[field] = value;
  }
  const tags = fields.get("tags");
  if (tags && (tags.choice !== "right" || moved)) merged.tags = splitTags(tags.value);
  return merged;
}
