import type { Hear } from "./platform";

/** Follows the server over a connection of its own. `alive` tells that the stream is, when nothing happens. */
export type Stream = (after: number | undefined, hear: Hear & { alive(): void }, signal: AbortSignal) => Promise<void>;

/** What tabs tell each other: who changed what, never what a unit says. */
export type Told =
  /** Of a tab that knows what happened up to an event: whoever has the stream goes on from there. `null`: from now on. */
  | { want: number | null }
  /** From here on every change after this event is told, in order. `null`: from now on. */
  | { begin: number | null }
  | { event: number; change: string }
  | { alive: true }
  /** The stream broke: each tab looks for itself whether the server is there. */
  | { broke: true };

/** What a tab hears others on. */
export interface Channel {
  onmessage: ((message: MessageEvent<Told>) => void) | null;
  postMessage(told: Told): void;
  close(): void;
}

/** The turn to have the stream: one tab's at a time, the next one's when that tab lets go, closes or dies. */
export type Turn = (held: () => Promise<void>, how: { signal: AbortSignal } | { steal: true }) => Promise<void>;

/** Longer than the stream itself may be silent: then the tab that has it is stuck, and its turn is taken. */
const SILENCE = 45_000;
/** All tabs notice such a silence at one time: each waits up to so long before it takes the turn, so that one does. */
const APART = 2_000;

/**
 * One stream for all tabs of a browser, which opens only six connections to a server: one tab has it and tells the others,
 * each of which knows how far it was told. Whoever has the stream next begins where it stands itself, and goes back for a
 * tab that stands before that: so nothing is missed, and something may be told twice. A tab that stopped following
 * (hidden, signed out) hears nothing.
 */
export function sharedStream(stream: Stream, open: () => Channel, turn: Turn, silence = SILENCE, apart = () => Math.random() * APART) {
  let stuck = false;
  return async (after: number | undefined, hear: Hear, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    const channel = open();
    const over = new AbortController();
    const end = AbortSignal.any([signal, over.signal]);
    let place = after;
    let joined = false;
    let opened = false;
    /** How far the stream is, while this tab has it and it stands. */
    let mine: { at: number | undefined; back: (to: number) => void } | undefined;

    const begun = () => {
      joined = true;
      // Without a place, what happened between two streams is told by neither.
      if (opened && place !== undefined) return;
      opened = true;
      hear.opened();
    };
    const change = (event: number, data: string) => {
      place = Math.max(place ?? event, event);
      hear.change(data);
    };

    /** Aborts once another tab is heard that has the stream. */
    const led = new AbortController();
    const listen = new Promise<void>((_, reject) => {
      let timer: ReturnType<typeof setTimeout>;
      const heard = () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          if (leads) return;
          stuck = true;
          reject(new Error("the tab that has the stream fell silent"));
        }, silence);
      };
      channel.onmessage = ({ data: told }) => {
        if ("want" in told) {
          if (!mine) return;
          if (told.want === null || (mine.at !== undefined && mine.at <= told.want)) channel.postMessage({ begin: mine.at ?? null });
          else mine.back(told.want);
          return;
        }
        if (leads) return;
        heard();
        if (!("broke" in told)) led.abort();
        if ("begin" in told) {
          joined = place === undefined || (told.begin !== null && told.begin <= place);
          if (joined) {
            begun();
            place ??= told.begin ?? undefined;
          } else if (place !== undefined) channel.postMessage({ want: place });
        } else if ("event" in told) {
          if (joined) change(told.event, told.change);
        } else if ("broke" in told) reject(new Error("the stream broke"));
      };
      end.addEventListener("abort", () => {
        clearTimeout(timer);
        channel.onmessage = null;
        channel.close();
        reject(end.reason);
      });
      heard();
    });

    let leads = false;
    const lead = async () => {
      leads = true;
      channel.postMessage({ alive: true });
      let from = place;
      try {
        for (;;) {
          const again = new AbortController();
          let to: number | undefined;
          const back = (want: number) => {
            to = want;
            again.abort();
          };
          const standing = { at: from, back };
          const hears = {
            opened() {
              mine = standing;
              channel.postMessage({ begin: from ?? null });
              begun();
            },
            change(data: string) {
              const { event } = JSON.parse(data) as { event: number };
              standing.at = event;
              channel.postMessage({ event, change: data });
              change(event, data);
            },
            alive: () => channel.postMessage({ alive: true }),
          };
          await stream(from, hears, AbortSignal.any([end, again.signal])).catch((error: unknown) => {
            if (to === undefined) throw error;
          });
          mine = undefined;
          if (to === undefined || end.aborted) return;
          from = to;
        }
      } finally {
        mine = undefined;
        // Who lets go while the stream stands hands it over: nothing broke.
        if (!end.aborted) channel.postMessage({ broke: true });
      }
    };
    const mineNow = async () => {
      let how: Parameters<Turn>[1] = { signal: end };
      if (stuck) {
        stuck = false;
        await pause(apart(), AbortSignal.any([end, led.signal]));
        end.throwIfAborted();
        if (!led.signal.aborted) how = { steal: true };
      }
      await turn(() => (end.aborted ? Promise.resolve() : lead()), how);
    };
    channel.postMessage({ want: place ?? null });
    try {
      await Promise.race([listen, mineNow()]);
    } finally {
      over.abort();
    }
  };
}

/** Waits, but no longer than until it is called off. */
function pause(ms: number, off: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      off.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    off.addEventListener("abort", done);
  });
}
