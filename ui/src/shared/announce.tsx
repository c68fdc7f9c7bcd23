import { useSyncExternalStore } from "react";

let said = { n: 0, text: "" };
const listeners = new Set<() => void>();

/** Tells a screen reader what happened. */
export function announce(text: string): void {
  said = { n: said.n + 1, text };
  for (const listener of listeners) listener();
}

/** The live region: two lines in turn, so that the same words twice are said twice. */
export function Announcer() {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => said,
  );
  return (
    <div className="vh announcer" aria-live="polite" role="status">
      <p>{now.n % 2 ? now.text : ""}</p>
      <p>{now.n % 2 ? "" : now.text}</p>
    </div>
  );
}
