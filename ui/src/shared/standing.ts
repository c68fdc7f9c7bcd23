/** Whether the server answers, for all that tells of it. */
import { useSyncExternalStore } from "react";

let up = true;
const listeners = new Set<() => void>();

export function setStanding(now: boolean): void {
  if (now === up) return;
  up = now;
  for (const listener of listeners) listener();
}

export function onStanding(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const standing = (): boolean => up;

export function useStanding(): boolean {
  return useSyncExternalStore(onStanding, standing);
}
