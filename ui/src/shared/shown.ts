import { useCallback, useEffect, useRef } from "react";

/** Nobody decides in this time about something that has just changed before their eyes. */
const BLINK = 600;
/** Nobody decides in this time about something that has just come: the second press of a key pressed twice falls into it. */
const GLANCE = 300;

/** What the person can have seen of one thing after another. Times are milliseconds of one clock. */
export class Sight {
  private of: string | undefined;
  private state: number | undefined;
  private since = Number.POSITIVE_INFINITY;
  private wait = GLANCE;

  /** `state` of the thing `of` stands on screen at `at`. `undefined`: it is not here whole. */
  show(of: string | undefined, state: number | undefined, at: number): void {
    const same = this.of === of && this.state !== undefined;
    if (same && (state === undefined || state === this.state)) return;
    if (this.of === of && state === this.state) return;
    this.since = of === undefined || state === undefined ? Number.POSITIVE_INFINITY : at;
    this.wait = same ? BLINK : GLANCE;
    this.of = of;
    this.state = state;
  }

  /** Whether that is what was shown last: what was drawn since is not on screen yet. */
  stands(of: string | undefined, state: number | undefined): boolean {
    return this.of === of && (this.state === state || state === undefined);
  }

  /** From when a key that is pressed counts. */
  get due(): number {
    return this.since + this.wait;
  }

  /** Whether what was pressed at `at` was pressed by someone who could have seen it. Who aimed at a button saw what had come. */
  seen(at: number, aimed = false): boolean {
    return at >= this.since + (aimed && this.wait === GLANCE ? 0 : this.wait);
  }
}

/** What is on screen to be decided about, and whether it stands there long enough. */
const sights = new Map<Sight, boolean>();

/** The page says in `data-seen` whether a key that acts would count now. Absent: nothing is there to be decided about. */
function mark(sight: Sight, seen: boolean | undefined): void {
  if (seen === undefined) sights.delete(sight);
  else sights.set(sight, seen);
  const page = document.documentElement.dataset;
  if (sights.size === 0) delete page.seen;
  else page.seen = [...sights.values()].every(Boolean) ? "yes" : "no";
}

/**
 * Whether the person can have seen `state` of the thing `of` when they pressed what is being handled: not before it stood
 * whole on screen for a moment, nor for a longer one after it changed there. To be asked while the press is handled.
 */
export function useSeen(of: string | undefined, state: number | undefined): () => boolean {
  const sight = useRef<Sight>(undefined);
  sight.current ??= new Sight();
  const shown = sight.current;
  useEffect(() => {
    // What is drawn now is on screen with the next frame, and a tab that is not shown has none.
    let counts: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      shown.show(of, state, performance.now());
      const due = Math.max(0, shown.due - performance.now());
      if (Number.isFinite(due)) counts = setTimeout(() => mark(shown, true), due);
    });
    mark(shown, false);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(counts);
    };
  }, [of, state, shown]);
  useEffect(() => () => mark(shown, undefined), [shown]);
  const now = useRef({ of, state });
  now.current = { of, state };
  return useCallback(() => shown.stands(now.current.of, now.current.state) && shown.seen(pressedAt(), aimed()), [shown]);
}

/** Whether it is a click of a pointer, and not the second of a double one. */
function aimed(): boolean {
  return window.event instanceof MouseEvent && window.event.type === "click" && window.event.detail === 1;
}

/** When the key or the button that is being handled was pressed: a busy page may handle it late. */
function pressedAt(): number {
  const now = performance.now();
  const pressed = window.event?.timeStamp;
  return pressed === undefined ? now : Math.min(now, pressed);
}
