import { type ReactNode, useEffect, useState } from "react";
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
