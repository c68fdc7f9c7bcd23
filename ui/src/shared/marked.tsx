import { visible } from "./safe-text";
import type { Piece } from "./words";

/** A text with its changed words marked: `head` underlined solid, `disp` dashed. `` `code` `` is set as code. */
export function Marked({ pieces, as }: { pieces: readonly Piece[]; as: "head" | "disp" }) {
  return pieces.map((piece, i) =>
    piece.changed ? (
      lines(piece.text).map((line, n) =>
        n % 2 ? (
          line
        ) : line === "" ? null : (
          <mark key={`${i} ${n}`} className={as}>
            <Inline text={line} />
          </mark>
        ),
      )
    ) : (
      <Inline key={i} text={piece.text} />
    ),
  );
}

/** Every second one is the space between lines, which bears no mark: an empty line would show as a sliver. */
function lines(text: string): string[] {
  return text.trim() === "" ? [text] : text.split(/(\n\s*)/);
}

/** One line of text: `code` is set as code. */
export function Inline({ text }: { text: string }) {
  const parts = visible(text).split(/(`[^`\n]+`)/);
  return parts.map((part, i) => (i % 2 ? <code key={i}>{part.slice(1, -1)}</code> : part));
}
