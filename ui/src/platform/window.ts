import { kept } from "./kept";
import type { Platform } from "./platform";
import { storage } from "./storage";

/** The shell calls out by an event of this name that there is a place to take. */
const PLACE = "ozbrain:place";

/** Stands in the window's storage once its first page has begun. */
const OPENED = "ozbrain.window";

/** The desktop's own window: its requests never leave the process, which knows the window, and changes come from the shell. */
export function desktopWindow(): Platform {
  // Only a window needs the bridge to the shell: no browser loads it.
  let loaded: Promise<typeof import("@tauri-apps/api/core")> | undefined;
  const bridge = () => (loaded ??= import("@tauri-apps/api/core"));
  const ask = async <T>(command: string, input: Record<string, unknown> = {}): Promise<T> =>
    (await bridge()).invoke<T>(`plugin:ozbrain|${command}`, input);
  let streams = 0;
  const mark = storage(() => window.sessionStorage);
  const here = kept(mark);

  return {
    ...here,
    // The window is destroyed when it is closed: the shell holds what was typed until it is opened again. A page that is loaded again knows better.
    async ready() {
      if (mark.get(OPENED) !== undefined) return;
      const held = await ask<Record<string, string>>("drafts").catch(() => ({}));
      for (const [name, text] of Object.entries(held)) here.keepDraft(name, text);
      mark.set(OPENED, "yes");
    },
    keepDraft(name, text, of) {
      here.keepDraft(name, text);
      ask("keep_draft", { name, text: text ?? null, brain: of?.brain ?? null, unit: of?.unit ?? null }).catch(() => undefined);
    },
    send: (request) => fetch(request),
    signsOut: false,
    signedIn: () => true,
    keepBearer: () => undefined,
    forgetBearer: () => undefined,
    takeToken: () => undefined,
    onToken: () => () => undefined,
    async follow(after, hear, signal) {
      const { Channel } = await bridge();
      if (signal.aborted) return;
      const id = ++streams;
      let done = false;
      const ended = new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
      // First that the stream stands, then each change.
      const channel = new Channel<string | null>((data) => {
        if (done) return;
        if (data === null) hear.opened();
        else hear.change(data);
      });
      try {
        await ask("follow", { id, after: after ?? null, hear: channel });
        await ended;
      } finally {
        done = true;
        ask("unfollow", { id }).catch(() => undefined);
      }
    },
    onPlace(go) {
      let listens = true;
      const take = () => {
        ask<string | null>("place").then(
          (place) => {
            if (listens && typeof place === "string") go(place);
          },
          () => undefined,
        );
      };
      window.addEventListener(PLACE, take);
      // What was called out before anybody listened waits.
      take();
      return () => {
        listens = false;
        window.removeEventListener(PLACE, take);
      };
    },
    openLink(address) {
      ask("open_link", { address }).catch(() => undefined);
    },
    desktop: {
      startsAtLogin: () => ask<boolean>("starts_at_login"),
      startAtLogin: (on) => ask<void>("start_at_login", { on }),
    },
  };
}
