import type { Settled } from "../../api/types";

/** One act of today. `undone`: when it was undone. */
export interface Today {
  act: Settled;
  undone?: string;
}

/**
 * What the person did today, each act once, newest first. An undo stands with the act that it undid, and an act that was
 * told as two events (a new text, and the confirm that goes with it) is one.
 */
export function today(settled: readonly Settled[]): Today[] {
  const found: Today[] = [];
  const oldestFirst = [...settled].sort((a, b) => a.event - b.event);
  for (const act of oldestFirst) {
    const of = found.filter((one) => one.act.unit.id === act.unit.id && one.act.kind !== "undone");
    const before = of.at(-1);
    if (act.kind === "undone") {
      const undid = of.findLast((one) => one.undone === undefined);
      if (undid) undid.undone = act.at;
      // An undo of the undo: the act stands again.
      else if (before) delete before.undone;
      else found.push({ act });
      continue;
    }
    if (before && act.kind === "confirmed" && before.act.at === act.at) {
      before.act = { ...before.act, event: act.undoable ? act.event : before.act.event, undoable: before.act.undoable || act.undoable };
      continue;
    }
    found.push({ act });
  }
  return found.reverse();
}

/** How many of them stand. */
export function standingOf(acts: readonly Today[]): number {
  return acts.filter((one) => one.undone === undefined && one.act.kind !== "undone").length;
}
