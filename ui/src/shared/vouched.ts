import type { Who } from "../api/types";

/** Who last vouched for a unit, and how: from then its age counts. */
export interface Vouch {
  how: "confirmed" | "saw" | "wrote";
  by: Who;
  /** From when the age counts. */
  at: string;
}

const MINUTE = 60_000;

/** What is known of a unit's age. Its age may count from before it was written: from when its writer saw it hold. */
export function vouch(unit: { anchor: string; updated_at: string; agent: Who; confirmed?: { at: string; by: Who } }): Vouch {
  const at = Date.parse(unit.anchor);
  if (unit.confirmed && Date.parse(unit.confirmed.at) >= at) return { how: "confirmed", by: unit.confirmed.by, at: unit.anchor };
  return { how: Date.parse(unit.updated_at) - at > MINUTE ? "saw" : "wrote", by: unit.agent, at: unit.anchor };
}
