/** What of a unit's text may become a link, and how much of it is set as Markdown. A text is anyone's: it runs and loads nothing. */

/** Where a link leads: outside, to a unit here, or nowhere (then it stays text). */
export type Target = { kind: "outside"; href: string } | { kind: "unit"; id: string };

const UNIT = /^ozbrain:([0-9a-hjkmnp-tv-z]{12})$/i;

/** Reads an address. Only http, https, mailto and `ozbrain:ID` lead somewhere. */
export function target(address: string | undefined): Target | undefined {
  const text = address?.trim() ?? "";
  const unit = UNIT.exec(text);
  if (unit?.[1]) return { kind: "unit", id: unit[1] };
  if (!/^(https?:\/\/|mailto:)/i.test(text)) return undefined;
  try {
    const url = new URL(text);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? { kind: "outside", href: url.href } : undefined;
  } catch {
    return undefined;
  }
}

/** Longest text that is set as Markdown at once; a longer one is set section by section. */
export const MOST_FORMATTED = 24 * 1024;
/** How much of a longer text shows before "Show all". */
export const FIRST_PART = 6 * 1024;

const MOST_QUOTES = 60;
const MOST_CELLS = 6_000;
const MOST_EMPHASIS = 1_600;
const MOST_INDENT = 200;
const MOST_BRACKETS = 600;

/** True where setting the text could hold the page up: too long, or of a shape that costs far more than its length. */
export function isCostly(text: string): boolean {
  if (text.length > MOST_FORMATTED) return true;
  let columns = 0;
  let rows = 0;
  let emphasis = 0;
  let brackets = 0;
  for (const line of text.split("\n")) {
    // Emphasis and brackets are matched within one paragraph or item.
    if (/^\s*$|^\s*([-+*]|\d+[.)])\s/.test(line)) {
      emphasis = 0;
      brackets = 0;
    }
    let pipes = 0;
    let quotes = 0;
    for (const letter of line) {
      if (letter === "|") pipes += 1;
      else if (letter === "*" || letter === "_" || letter === "~") emphasis += 1;
      else if (letter === ">") quotes += 1;
      else if (letter === "[") brackets += 1;
    }
    columns = Math.max(columns, pipes);
    // A row needs no pipe of its own: any line right after one continues the table.
    if (pipes > 0 || rows > 0) rows += 1;
    if (
      emphasis > MOST_EMPHASIS ||
      brackets > MOST_BRACKETS ||
      quotes > MOST_QUOTES ||
      line.length - line.trimStart().length > MOST_INDENT
    )
      return true;
  }
  return columns * rows > MOST_CELLS;
}

/** How long a section of a long text gets before the next is begun. */
const SECTION = 8 * 1024;
/** What begins a block of its own at the margin, after an empty line: no item, quotation or row of a table. */
const BEGINS = /^(?!([-+*]|\d+[.)])\s)[^\s>|]/u;

/**
 * A long text in sections that can each be set as Markdown by themselves: cut before a heading or a paragraph at the margin,
 * never within a block of code. Joined they are the text.
 */
export function sections(text: string, letters = SECTION): string[] {
  const found: string[] = [];
  let from = 0;
  let cut = 0;
  let at = 0;
  let fence: string | undefined;
  let blank = true;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) {
      if (at > from && (/^#{1,6}\s/.test(line) || (blank && BEGINS.test(line)))) cut = at;
      fence = mark;
    } else if (mark !== undefined && mark.startsWith(fence) && line.trim() === mark) fence = undefined;
    if (at + line.length - from > letters && cut > from) {
      found.push(text.slice(from, cut));
      from = cut;
    }
    blank = line.trim() === "";
    at += line.length + 1;
  }
  if (from < text.length) found.push(text.slice(from));
  return found;
}

/** The beginning of a long text, cut at a line where one ends near. */
export function firstPart(text: string): string {
  if (text.length <= FIRST_PART) return text;
  const end = text.lastIndexOf("\n", FIRST_PART);
  return text.slice(0, end > FIRST_PART / 2 ? end : FIRST_PART);
}

/** A long text in pieces that the browser lays out only when they come into view. Joined they are the text. */
export function pieces(text: string, letters = 4 * 1024): string[] {
  const found: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = text.lastIndexOf("\n", from + letters);
    const to = end >= from && from + letters < text.length ? end + 1 : Math.min(from + letters, text.length);
    found.push(text.slice(from, to));
    from = to;
  }
  return found;
}

/** A piece of a source: where it leads, if it leads anywhere. */
export type SourcePart = { text: string; href?: string };

const LINK = /\[([^\]\n]{1,400})\]\(([^()\s]{1,2000})\)|https?:\/\/[^\s<>"']{1,2000}/g;

/** A source is text; addresses and Markdown links in it can be opened. */
export function sourceParts(source: string): SourcePart[] {
  const parts: SourcePart[] = [];
  let from = 0;
  for (const found of source.matchAll(LINK)) {
    const bare = found[2] === undefined;
    // A full stop or bracket after a bare address belongs to the sentence.
    const address = bare ? found[0].replace(/[.,;:!?)\]]+$/, "") : (found[2] ?? "");
    const leads = target(address);
    const length = bare ? address.length : found[0].length;
    if (leads?.kind !== "outside") continue;
    if (found.index > from) parts.push({ text: source.slice(from, found.index) });
    parts.push({ text: bare ? address : (found[1] ?? address), href: leads.href });
    from = found.index + length;
  }
  if (from < source.length) parts.push({ text: source.slice(from) });
  return parts;
}

/** Characters that are drawn as nothing, or that change how what is around them is drawn. Joiners and a style mark have uses, told below. */
const UNSEEN = /(?![\t\n\r\u0600-\u0605\u06DD\u070F\u08E2])[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u2800]/gu;
const JOINER = /[\u200C\u200D]/u;
// Alternatives instead of one class: before `$` some engines match no letter beyond U+FFFF by a class.
const JOINED = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)$/u;
const STYLED = /(?:\p{Emoji}|\p{Extended_Pictographic})$/u;
/** Letters of scripts that are written with joiners. */
const SCRIPT = /(?:\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Gurmukhi}|\p{Script=Gujarati}|\p{Script=Oriya}|\p{Script=Tamil}|\p{Script=Telugu}|\p{Script=Kannada}|\p{Script=Malayalam}|\p{Script=Sinhala}|\p{Script=Mongolian})$/u;

/** The text with every character that would not be seen shown by its number: `⟨U+E0041⟩`. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (letter, at: number) => {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + letter.length, at + letter.length + 2);
    // A heart that is red, a family in one picture, a word of a script that joins its letters.
    if (letter === "\uFE0F" && STYLED.test(before)) return letter;
    if (letter === "\u200D" && JOINED.test(before) && /^\p{Extended_Pictographic}/u.test(after)) return letter;
    if (JOINER.test(letter) && SCRIPT.test(before)) return letter;
    return `⟨U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}
