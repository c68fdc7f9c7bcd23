import { copy } from "./clipboard";
import { readEvents } from "./events";
import { kept } from "./kept";
import type { Hear, Platform } from "./platform";
import { type Stream, sharedStream } from "./shared-stream";
import { storage } from "./storage";

const BEARER = "ozbrain.bearer";
/** What tabs of one release share the stream by. */
const STREAM = "ozbrain.stream.1";

/** A browser tab: the bearer lives in the tab's session storage, events come over HTTP. */
export function browser(): Platform {
  const tab = storage(() => window.sessionStorage);

  function send(request: Request): Promise<Response> {
    const bearer = tab.get(BEARER);
    if (bearer) request.headers.set("Authorization", `Bearer ${bearer}`);
    return fetch(request);
  }

  const stream: Stream = async (after, hear, signal) => {
    const response = await send(
      new Request(after === undefined ? "/api/events" : `/api/events?after=${after}`, {
        headers: { Accept: "text/event-stream", ...(after === undefined ? {} : { "Last-Event-ID": String(after) }) },
        cache: "no-store",
        signal,
      }),
    );
    if (!response.ok || !response.body) throw new Error(`events: ${response.status}`);
    hear.opened();
    await readEvents(response.body, hear.change, undefined, hear.alive);
  };
  // Both are in every browser that runs the rest, where the address is this computer's own.
  const follow =
    "locks" in navigator && "BroadcastChannel" in window
      ? sharedStream(
          stream,
          () => new BroadcastChannel(STREAM),
          async (held, how) => void (await navigator.locks.request(STREAM, how, held)),
        )
      : (after: number | undefined, hear: Hear, signal: AbortSignal) => stream(after, { ...hear, alive: () => undefined }, signal);

  return {
    ...kept(tab),
    send,
    signsOut: true,
    signedIn: () => tab.get(BEARER) !== undefined,
    keepBearer: (bearer) => tab.set(BEARER, bearer),
    forgetBearer: () => tab.set(BEARER, undefined),
    takeToken() {
      const token = tokenIn(window.location.hash);
      if (token !== undefined) {
        window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search);
      }
      return token;
    },
    onToken(tell) {
      const look = () => {
        const token = this.takeToken();
        if (token !== undefined) tell(token);
      };
      window.addEventListener("hashchange", look);
      return () => window.removeEventListener("hashchange", look);
    },
    follow,
    copy,
    // A browser's own addresses say where it is.
    onPlace: () => () => undefined,
    openLink(address) {
      window.open(address, "_blank", "noopener,noreferrer");
    },
  };
}

/** The token in `#token=…`, of an address or a pasted link. */
export function tokenIn(text: string): string | undefined {
  const at = text.indexOf("#");
  if (at < 0) return undefined;
  return new URLSearchParams(text.slice(at + 1).trim()).get("token") || undefined;
}
