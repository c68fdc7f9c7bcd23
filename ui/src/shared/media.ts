import { useSyncExternalStore } from "react";

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    () => window.matchMedia(query).matches,
  );
}

/** A window with room for one pane: a phone, a window beside others. */
export const SMALL = "(max-width: 639px)";

/** A window too narrow for a third pane. */
export const NARROW = "(max-width: 999px)";
