import { Fragment, useMemo } from "react";
import { align } from "./align";
import { Marked } from "./marked";
import { type WordDifference, wordDifference } from "./words";
import { texts } from "../texts";
import "./versus.css";

/** A run of equal lines longer than this is folded to its ends. */
const FOLD = 6;
const ENDS = 2;
/** What comparing words may cost in all; what is left then is marked whole. */
const ALL_MS = 150;

/** Two texts beside each other: rows aligned across, and in them the words that differ. */
export function Sides({
  left,
  right,
  leftName,
  rightName,
  tall = false,
}: {
  left: string;
  right: string;
  leftName: string;
  rightName: string;
  tall?: boolean;
}) {
  const rows = useMemo(() => compare(left, right), [left, right]);
  if (left === right) return <p className="meta dim">{texts.difference.sameText}</p>;
  return (
    <>
      {rows.coarse && <p className="meta dim">{texts.difference.tooMuch}</p>}
      <div
        className={tall ? "versus tall" : "versus"}
        tabIndex={0}
        role="group"
        aria-label={texts.difference.beside(leftName, rightName)}
      >
        <p className="names">
          <span className="tag-disp">{leftName}</span>
          <span className="tag-head">{rightName}</span>
        </p>
        {rows.rows.map((row, place) =>
          "alike" in row ? (
            <p key={place} className="alike">
              {texts.difference.alike(row.alike)}
            </p>
          ) : row.words ? (
            <Fragment key={place}>
              <p className="left">
                {row.words.left.length > 0 && <span className="vh">{leftName}: </span>}
                <Marked pieces={row.words.left} as="disp" />
              </p>
              <p className="right">
                {row.words.right.length > 0 && <span className="vh">{rightName}: </span>}
                <Marked pieces={row.words.right} as="head" />
              </p>
            </Fragment>
          ) : (
            <Fragment key={place}>
              <p>{row.text}</p>
              <p aria-hidden="true">{row.text}</p>
            </Fragment>
          ),
        )}
      </div>
    </>
  );
}

type Row = { text: string; words?: WordDifference } | { alike: number; words?: undefined };

function compare(left: string, right: string): { rows: Row[]; coarse: boolean } {
  const { parts, coarse } = align(left, right);
  const end = performance.now() + ALL_MS;
  let rough = coarse;
  const rows = parts.flatMap((part): Row[] => {
    if (!part.same) {
      const words = wordDifference(part.left.join("\n"), part.right.join("\n"), Math.min(40, end - performance.now()));
      rough ||= words.coarse;
      return [{ text: "", words }];
    }
    if (part.lines.length <= FOLD) return [{ text: part.lines.join("\n") }];
    return [
      { text: part.lines.slice(0, ENDS).join("\n") },
      { alike: part.lines.length - 2 * ENDS },
      { text: part.lines.slice(-ENDS).join("\n") },
    ];
  });
  return { rows, coarse: rough };
}

/** My text beside the new head. */
export function Versus({ mine, theirs, revision }: { mine: string; theirs: string; revision: number }) {
  return <Sides left={mine} right={theirs} leftName={texts.difference.yourText} rightName={texts.difference.headNow(revision)} />;
}
