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

/**
 * One stream for all tabs of a browser, which opens only six connections to a server: one tab has it and tells the others,
 * each of which knows how far it was told. Whoever has the stream next begins where it stands itself, and goes back for a
 * tab that stands before that: so nothing is missed, and something may be told twice. A tab that stopped following
 * (hidden, signed out) hears nothing.
 */
export function sharedStream(stream: Stream, open: () => Channel, turn: Turn, silence = SILENCE) {
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
      if (opened) return;
      opened = true;
      hear.opened();
    };
    const change = (event: number, data: string) => {
      place = Math.max(place ?? event, event);
      hear.change(data);
    };

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
        if ("begin" in told) {
          joined = place === undefined || (told.begin !== null && told.begin <= place);
          if (joined) begun();
          else if (place !== undefined) channel.postMessage({ want: place });
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
    const how = stuck ? { steal: true as const } : { signal: end };
    stuck = false;
    channel.postMessage({ want: place ?? null });
    try {
      await Promise.race([listen, turn(() => (end.aborted ? Promise.resolve() : lead()), how)]);
    } finally {
      over.abort();
    }
  };
}
