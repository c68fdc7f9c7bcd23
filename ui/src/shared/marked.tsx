import { visible } from "./safe-text";
import type { Piece } from "./words";

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
  const parts = visible(text).split(/(`[^`\n]+`)/);
  return parts.map((part, i) => (i % 2 ? <code key={i}>{part.slice(1, -1)}</code> : part));
}
