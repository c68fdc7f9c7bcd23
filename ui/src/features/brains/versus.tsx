import { useMemo } from "react";
import { Marked } from "../../shared/marked";
import { wordDifference } from "../../shared/words";
import { texts } from "../../texts";
import "./versus.css";

/** Two texts beside each other, with the words that differ. */
export function Sides({ left, right, leftName, rightName, tall = false }: { left: string; right: string; leftName: string; rightName: string; tall?: boolean }) {
  const words = useMemo(() => wordDifference(left, right), [left, right]);
  return (
    <>
      {words.coarse && <p className="meta dim">{texts.brains.coarse}</p>}
      {left === right && <p className="meta dim">{texts.brains.sameText}</p>}
      <div className={tall ? "versus tall" : "versus"}>
        <div className="left" tabIndex={0} role="group" aria-label={leftName}>
          <span className="tag-disp">{leftName}</span>
          {words.coarse ? left : <Marked pieces={words.left} as="disp" />}
        </div>
        <div className="right" tabIndex={0} role="group" aria-label={rightName}>
          <span className="tag-head">{rightName}</span>
          {words.coarse ? right : <Marked pieces={words.right} as="head" />}
        </div>
      </div>
    </>
  );
}

/** My text beside the new head. */
export function Versus({ mine, theirs, revision }: { mine: string; theirs: string; revision: number }) {
  return <Sides left={mine} right={theirs} leftName={texts.brains.yourText} rightName={texts.brains.headNow(revision)} />;
}
