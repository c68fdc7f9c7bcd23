import { useCallback, useEffect, useRef } from "react";

/** Nobody decides in this time about something that has just changed before their eyes. */
const BLINK = 600;

/**
 * Whether the person can have seen `state` of the thing `of`: false for a moment after it changed while it was on screen.
 * Another thing coming on screen was asked for, so it counts as seen at once.
 */
export function useSeen(of: string | undefined, state: number | undefined): () => boolean {
  const shown = useRef({ of, state, since: Number.NEGATIVE_INFINITY });
  useEffect(() => {
    const before = shown.current;
    if (before.of !== of || before.state === undefined) shown.current = { of, state, since: Number.NEGATIVE_INFINITY };
    else if (before.state !== state && state !== undefined) shown.current = { of, state, since: performance.now() };
  }, [of, state]);
  return useCallback(() => performance.now() - shown.current.since > BLINK, []);
}
