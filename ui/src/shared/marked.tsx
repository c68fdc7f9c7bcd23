import { useMemo } from "react";
import { type Piece, wordDifference } from "./words";

/** A text with its changed words marked: `head` underlined solid, `disp` dashed. `` `code` `` is set as code. */
export function Marked({ pieces, as }: { pieces: readonly Piece[]; as: "head" | "disp" }) {
  return pieces.map((piece, i) =>
    piece.changed ? (
      <mark key={i} className={as}>
        <Inline text={piece.text} />
      </mark>
    ) : (
      <Inline key={i} text={piece.text} />
    ),
  );
}

/** One line of text: `code` is set as code. */
export function Inline({ text }: { text: string }) {
  const parts = text.split(/(`[^`\n]+`)/);
  return parts.map((part, i) => (i % 2 ? <code key={i}>{part.slice(1, -1)}</code> : part));
}

/** Two short texts in one line: what was (dashed), then what is (solid). */
export function BeforeAfter({ before, after }: { before: string; after: string }) {
  const words = useMemo(() => wordDifference(before, after), [before, after]);
  return (
    <>
      <Marked pieces={words.left} as="disp" /> <Marked pieces={words.right} as="head" />
    </>
  );
}
