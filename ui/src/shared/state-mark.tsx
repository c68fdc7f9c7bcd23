import type { Freshness } from "../api/types";
import { texts } from "../texts";
import { Mark } from "./icons";

/** A unit's one loud or quiet state: a conflict before its freshness. */
export function stateOf(unit: { conflicted: boolean; freshness: Freshness }): Freshness | "conflict" {
  return unit.conflicted ? "conflict" : unit.freshness;
}

/** Shape and word. */
export function State({ of, children }: { of: Freshness | "conflict"; children?: React.ReactNode }) {
  return (
    <span className={`fr ${of}`}>
      <Mark of={of} />
      {children ?? texts.freshness[of]}
    </span>
  );
}

/** The shape alone, for dense lists: the word is there for a screen reader. */
export function StateMark({ of }: { of: Freshness | "conflict" }) {
  return (
    <>
      <Mark of={of} />
      <span className="vh">{texts.freshness[of]}: </span>
    </>
  );
}
