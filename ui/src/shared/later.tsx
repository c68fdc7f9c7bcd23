import { type ReactNode, useEffect, useRef, useState } from "react";
import { texts } from "../texts";

/** True once `ms` have passed while `waiting`. */
export function useLate(waiting: boolean, ms = 400): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!waiting) {
      setLate(false);
      return;
    }
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [waiting, ms]);
  return waiting && late;
}

/** Says that something loads, but only after 400 ms: most things are there before. */
export function Loading({ children = texts.app.loading }: { children?: ReactNode }) {
  const late = useLate(true);
  return late ? (
    <p className="calm" role="status">
      {children}
    </p>
  ) : null;
}

/** A key that is held down moves on within this. */
const RUNNING = 200;

/**
 * Whether the person has come to rest at `place`. At once where they came after a pause; while they run over many, only
 * where they stay for `ms`: what is passed by is not asked for.
 */
export function useRests(place: string | undefined, ms = 80): boolean {
  const [rested, setRested] = useState(place);
  const moved = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (place === undefined) return;
    const now = performance.now();
    const running = now - moved.current < RUNNING;
    moved.current = now;
    if (!running) {
      setRested(place);
      return;
    }
    const timer = setTimeout(() => setRested(place), ms);
    return () => clearTimeout(timer);
  }, [place, ms]);
  return rested === place;
}
