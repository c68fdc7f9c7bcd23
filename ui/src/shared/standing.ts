/** Whether the server answers, for all that tells of it. */
import { useSyncExternalStore } from "react";

let up = true;
const listeners = new Set<() => void>();

/** Says whether the server answers. Whoever was waiting for that is told only when it changes. */
export function setStanding(now: boolean): void {
  if (now === up) return;
  up = now;
  for (const listener of listeners) listener();
}

/** Calls back whenever it changes; what it returns ends that. */
export function onStanding(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the server answers. */
export const standing = (): boolean => up;

/** Whether the server answers, as state. */
export function useStanding(): boolean {
  return useSyncExternalStore(onStanding, standing);
}
