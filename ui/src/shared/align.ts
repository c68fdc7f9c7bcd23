import { diffArrays } from "diff";

/** A line with the blank lines after it: blank lines alone never align two texts. */
interface Chunk {
  line: string;
  blanks: number;
}

/** Two bodies next to each other: what both have, and numbered differences. Lines hold no line ends. */
export type Part =
  | { same: true; lines: string[] }
  | { same: false; n: number; left: string[]; right: string[] };

export interface Alignment {
  parts: Part[];
  differences: number;
  /** The texts were too different to align line by line: what is between their common ends is one difference. */
  coarse: boolean;
}

const MOST_MS = 120;
/** Above this many pairs the lines of a changed stretch are paired in order. */
const MOST_PAIRS = 1_600;

/** Aligns two bodies by lines. What both have is taken from the right one, the head. */
export function align(leftBody: string, rightBody: string, budget = MOST_MS): Alignment {
  const left = chunks(leftBody);
  const right = chunks(rightBody);
  const steps = diffArrays(left, right, { comparator: (a, b) => a.line === b.line, timeout: budget });
  const parts: Part[] = [];
  let n = 0;
  const same = (run: Chunk[]) => {
    if (run.length) parts.push({ same: true, lines: run.flatMap(lines) });
  };
  const different = (a: Chunk[], b: Chunk[]) => {
    if (a.length || b.length) parts.push({ same: false, n: ++n, left: a.flatMap(lines), right: b.flatMap(lines) });
  };
  if (!steps) {
    const most = Math.min(left.length, right.length);
    let from = 0;
    while (from < most && left[from]?.line === right[from]?.line) from++;
    let to = 0;
    while (to < most - from && left.at(-1 - to)?.line === right.at(-1 - to)?.line) to++;
    same(right.slice(0, from));
    different(left.slice(from, left.length - to), right.slice(from, right.length - to));
    same(right.slice(right.length - to));
    return { parts, differences: n, coarse: true };
  }
  let i = 0;
  let j = 0;
  for (let s = 0; s < steps.length; s++) {
    const step = steps[s];
    if (!step) continue;
    if (!step.added && !step.removed) {
      same(right.slice(j, j + step.count));
      i += step.count;
      j += step.count;
      continue;
    }
    // Removals and additions that touch are one stretch, in either order.
    let gone = 0;
    let come = 0;
    for (; s < steps.length && (steps[s]?.added || steps[s]?.removed); s++) {
      if (steps[s]?.removed) gone += steps[s]?.count ?? 0;
      else come += steps[s]?.count ?? 0;
    }
    s--;
    for (const [a, b] of pair(left.slice(i, i + gone), right.slice(j, j + come))) different(a, b);
    i += gone;
    j += come;
  }
  return { parts, differences: n, coarse: false };
}

function chunks(body: string): Chunk[] {
  const out: Chunk[] = [];
  for (const raw of body.replaceAll("\r\n", "\n").split("\n")) {
    const line = raw.trimEnd();
    const last = out[out.length - 1];
    if (line === "" && last) last.blanks++;
    else if (line !== "") out.push({ line, blanks: 0 });
  }
  const last = out[out.length - 1];
  if (last) last.blanks = 0;
  return out;
}

const lines = (chunk: Chunk): string[] => [chunk.line, ...Array<string>(chunk.blanks).fill("")];

/** Pairs the lines of a changed stretch: as many as there can be, those that are most alike. */
function pair(left: Chunk[], right: Chunk[]): [Chunk[], Chunk[]][] {
  const [m, n] = [left.length, right.length];
  if (m === 0 || n === 0) return [[left, right]];
  if (m === n || m * n > MOST_PAIRS) {
    const most = Math.max(m, n);
    return Array.from({ length: most }, (_, i) => [left.slice(i, i + 1), right.slice(i, i + 1)]);
  }
  const bags = [left, right].map((side) => side.map((chunk) => new Set(chunk.line.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])));
  const like = (i: number, j: number): number => {
    const [a, b] = [bags[0]?.[i], bags[1]?.[j]];
    if (!a || !b) return 0;
    let both = 0;
    for (const word of a) if (b.has(word)) both++;
    return 0.05 + (2 * both) / Math.max(1, a.size + b.size);
  };
  const best = Array.from({ length: m + 1 }, () => new Float64Array(n + 1));
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  for (let i = m - 1; i >= 0; i--)
    for (let j = n - 1; j >= 0; j--)
      (best[i] as Float64Array)[j] = Math.max(like(i, j) + at(i + 1, j + 1), at(i + 1, j), at(i, j + 1));
  const out: [Chunk[], Chunk[]][] = [];
  let [i, j] = [0, 0];
  while (i < m || j < n) {
    if (i < m && j < n && at(i, j) === like(i, j) + at(i + 1, j + 1)) out.push([left.slice(i, ++i), right.slice(j, ++j)]);
    else if (j >= n || (i < m && at(i, j) === at(i + 1, j))) out.push([left.slice(i, ++i), []]);
    else out.push([[], right.slice(j, ++j)]);
  }
  return out;
}

/** What a difference is about, in its own words: "Pricing page" of "Pricing page: merged", else its first words. */
export function about(left: string, right: string): string | undefined {
  const line = right.trim() || left.trim();
  const named = /^[\s#>*+\d.)-]*\**([^:*\n]{2,32}?)\**:/u.exec(line);
  if (named?.[1] && (right.trim() === "" || left.trim() === "" || left.includes(`${named[1]}`))) return named[1].trim();
  const words = line.replace(/^[\s#>*+-]+/, "").replaceAll(/[`*_]/g, "");
  if (words === "") return undefined;
  const cut = words.slice(0, 22);
  return cut.length < words.length ? `${cut.replace(/\s+\S*$/, "")}…` : words;
}
