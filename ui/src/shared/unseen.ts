import type { ConflictView } from "../api/types";

/** The sides that whoever displaced the newest of them had not seen, by their numbers. Of those before, it may have seen some. */
export function unseenBy(by: ConflictView["displacer"], sides: ConflictView["sides"]): number[] {
  const seen = by.base?.revision ?? 0;
  return sides.filter((side, i) => side.revision > seen || i === sides.length - 1).map((side) => side.revision);
}
