import { diffWordsWithSpace } from "diff";

/** A piece of a text: whether the other text has it too. */
export interface Piece {
  text: string;
  changed: boolean;
}

export interface WordDifference {
  left: Piece[];
  right: Piece[];
  /** The texts were too large or too different to compare by words: each is one changed piece. */
  coarse: boolean;
}

/** No comparison of words holds up the window longer than this. */
const MOST_MS = 40;
const MOST_CHARS = 40_000;

/** Which words of two texts differ. Always ends in `budget` milliseconds or falls back to `coarse`. */
export function wordDifference(left: string, right: string, budget = MOST_MS): WordDifference {
  if (left === right) return { left: whole(left, false), right: whole(right, false), coarse: false };
  const coarse = { left: whole(left, true), right: whole(right, true), coarse: true };
  if (left === "" || right === "") return { ...coarse, coarse: false };
  if (budget <= 0 || left.length + right.length > MOST_CHARS) return coarse;
  const parts = diffWordsWithSpace(left, right, { timeout: budget });
  if (!parts) return coarse;
  const steps = bridge(
    parts.map((part) => ({
      left: part.added ? "" : part.value,
      right: part.removed ? "" : part.value,
      changed: part.added || part.removed,
    })),
  );
  return { left: trimmed(steps.map((s) => side(s, "left"))), right: trimmed(steps.map((s) => side(s, "right"))), coarse: false };
}

interface Step {
  left: string;
  right: string;
  changed: boolean;
}

/**
 * Joins what is one change to a reader: neighbours, and changes with only a little between them (white space,
 * a mark, one short word among long changes), so that a rewritten sentence is one mark and not confetti.
 */
function bridge(steps: Step[]): Step[] {
  const joined: Step[] = [];
  for (const step of steps) {
    const last = joined[joined.length - 1];
    if (last && last.changed === step.changed) {
      last.left += step.left;
      last.right += step.right;
    } else joined.push({ ...step });
  }
  const out: Step[] = [];
  for (let i = 0; i < joined.length; i++) {
    const step = joined[i] as Step;
    const before = out[out.length - 1];
    const after = joined[i + 1];
    if (before?.changed && after?.changed && !step.changed && little(step.left, before, after)) {
      before.left += step.left + after.left;
      before.right += step.right + after.right;
      i++;
    } else out.push(step);
  }
  return out.flatMap(unwrap);
}

const EDGE = /[^\p{L}\p{N}\p{Cs}]/u;

/** What two sides of a change share at their edges, marks and white space alone, is not part of it. */
function unwrap(step: Step): Step[] {
  if (!step.changed) return [step];
  const { left, right } = step;
  const most = Math.min(left.length, right.length);
  let from = 0;
  while (from < most && left[from] === right[from] && EDGE.test(left[from] as string)) from++;
  let to = 0;
  while (to < most - from && left.at(-1 - to) === right.at(-1 - to) && EDGE.test(left.at(-1 - to) as string)) to++;
  const same = (text: string): Step => ({ left: text, right: text, changed: false });
  const core = { left: left.slice(from, left.length - to), right: right.slice(from, right.length - to), changed: true };
  return [same(left.slice(0, from)), core, same(left.slice(left.length - to))].filter((s) => s.left !== "" || s.right !== "");
}

function little(between: string, before: Step, after: Step): boolean {
  const word = between.trim();
  if (/^[^\p{L}\p{N}\n]*$/u.test(word) && !between.includes("\n")) return true;
  const around = Math.min(before.left.length + before.right.length, after.left.length + after.right.length);
  return word.length <= 4 && around >= 24;
}

function side(step: Step, of: "left" | "right"): Piece {
  return { text: step[of], changed: step.changed };
}

/** White space and separators at the edge of a change are not marked, unless they are all of it. */
function trimmed(pieces: Piece[]): Piece[] {
  const out: Piece[] = [];
  const push = (text: string, changed: boolean) => {
    if (text === "") return;
    const last = out[out.length - 1];
    if (last && last.changed === changed) last.text += text;
    else out.push({ text, changed });
  };
  for (const { text, changed } of pieces) {
    if (!changed || text.trim() === "") {
      push(text, changed && text.trim() !== "");
      continue;
    }
    const core = /[^\s,;][^]*?(?=[\s,;]*$)/.exec(text)?.[0] ?? text.trim();
    const start = text.indexOf(core);
    push(text.slice(0, start), false);
    push(core, true);
    push(text.slice(start + core.length), false);
  }
  return out;
}

function whole(text: string, changed: boolean): Piece[] {
  return text === "" ? [] : [{ text, changed }];
}

/** Texts this short are shown whole. */
const SHORT = 28;
/** A row has room for two pieces of this length and the names of who wrote them. */
const PIECE = 26;

/** Both are excerpts of a line, done in a moment: only a machine that stands still needs the limit. */
const EXCERPT_MS = 500;

/**
 * The one difference that tells two texts apart at a glance: one with numbers on both sides before any other, else the
 * first. A short one takes the word after it along, and the word before it where there is room: "17 September", "net 30".
 */
export function glimpse(left: string, right: string): { left: Piece[]; right: Piece[] } {
  if (left.length <= SHORT && right.length <= SHORT) return { left: whole(left, true), right: whole(right, true) };
  const { left: lefts, right: rights } = wordDifference(left, right, EXCERPT_MS);
  const places = [lefts, rights].map((pieces) => pieces.flatMap((piece, i) => (piece.changed ? [i] : [])));
  const [a = [], b = []] = places;
  const numbered = a.length === b.length ? a.findIndex((at, i) => /\d/.test(lefts[at]?.text ?? "") && /\d/.test(rights[b[i] ?? -1]?.text ?? "")) : -1;
  const nth = Math.max(0, numbered);
  return { left: around(lefts, a[nth]), right: around(rights, b[nth]) };
}

function around(pieces: readonly Piece[], at: number | undefined): Piece[] {
  const piece = at === undefined ? undefined : pieces[at];
  if (at === undefined || !piece) return [];
  if (piece.text.length > PIECE) return whole(`${piece.text.slice(0, PIECE).replace(/\s+\S*$/, "")}…`, true);
  const before = /[^\s.…]+\s+$/u.exec(pieces[at - 1]?.text ?? "")?.[0] ?? "";
  const after = (/^\s+[^\s]+/u.exec(pieces[at + 1]?.text ?? "")?.[0] ?? "").replace(/[.,;:…]+$/, "");
  const room = PIECE / 2;
  const next = piece.text.length + after.length <= room ? after : "";
  const lead = before.length + piece.text.length + next.length <= room ? before : "";
  return whole(`${lead}${piece.text}${next}`, true);
}
