import type { Field, SideView } from "../../api/types";
import { asText, BESIDE_BODY } from "../../shared/fields";
import { type Alignment, align, type Part } from "../../shared/align";

/** One disputed field beside the text. */
export interface FieldRow {
  n: number;
  field: Field;
  left: string;
  right: string;
  /** Whether a merge can write it. How long a unit stays fresh comes back with a restored side alone. */
  mergeable: boolean;
}

/** A displaced side next to the head: aligned text, then the other disputed fields, numbered through. */
export interface Comparison {
  text: Alignment;
  fields: FieldRow[];
  /** Fields that differ and are not in dispute: whatever is chosen, the head's stays. */
  stays: { field: Field; left: string; right: string }[];
  differences: number;
  /** A retirement has no text to compare. */
  leftRetired: boolean;
  rightRetired: boolean;
}

const MERGEABLE = new Set<Field>(["title", "topic", "source", "tags"]);
/** More differences than a person takes one by one: those that touch become one. */
const MANY = 200;

/**
 * What restoring the side would change. Only disputed fields are differences to settle: the head's others stay whatever
 * the person chooses, and are told apart.
 */
export function compare(side: SideView, head: SideView): Comparison {
  const disputed = new Set(side.disputed);
  const texted = disputed.has("body") && !side.retired && !head.retired;
  const left = texted ? side.content.body : head.content.body;
  const whole = align(left, head.content.body);
  const text = whole.differences > MANY ? joined(whole) : whole;
  let n = text.differences;
  const fields = BESIDE_BODY.filter((field) => disputed.has(field) && asText(side.content, field) !== asText(head.content, field)).map(
    (field) => ({
      n: ++n,
      field,
      left: asText(side.content, field),
      right: asText(head.content, field),
      mergeable: MERGEABLE.has(field),
    }),
  );
  const stays = BESIDE_BODY.flatMap((field) => {
    const [was, is] = [asText(side.content, field), asText(head.content, field)];
    return disputed.has(field) || side.retired || head.retired || was === is ? [] : [{ field, left: was, right: is }];
  });
  return { text, fields, stays, differences: n, leftRetired: side.retired, rightRetired: head.retired };
}

/** A field that is merged, and the two revisions whose values it can take. */
export type MergeRow = FieldRow & { r: [number, number] };

/** The fields that came into dispute after `rows` were: each beside the newest side that disputes it, numbered on from `last`. */
export function cameSince(rows: readonly FieldRow[], sides: readonly SideView[], head: SideView, last: number): MergeRow[] {
  let n = Math.max(last, ...rows.map((row) => row.n));
  return BESIDE_BODY.flatMap((field) => {
    if (!MERGEABLE.has(field) || rows.some((row) => row.field === field)) return [];
    const side = sides.findLast((one) => one.disputed.includes(field) && asText(one.content, field) !== asText(head.content, field));
    if (!side) return [];
    const [left, right] = [asText(side.content, field), asText(head.content, field)];
    return [{ n: ++n, field, left, right, mergeable: true, r: [side.revision, head.revision] as [number, number] }];
  });
}

/** Differences with nothing between them as one. */
function joined(from: Alignment): Alignment {
  const parts: Part[] = [];
  let n = 0;
  for (const part of from.parts) {
    const last = parts[parts.length - 1];
    if (!part.same && last && !last.same) {
      // The arrays of `last` are this function's own.
      for (const line of part.left) last.left.push(line);
      for (const line of part.right) last.right.push(line);
    } else parts.push(part.same ? part : { ...part, n: ++n, left: [...part.left], right: [...part.right] });
  }
  return { parts, differences: n, coarse: from.coarse };
}
