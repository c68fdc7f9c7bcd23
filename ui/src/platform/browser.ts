import { readEvents } from "./events";
import { kept } from "./kept";
import type { Platform } from "./platform";
import { storage } from "./storage";

const BEARER = "ozbrain.bearer";

/** A browser tab: the bearer lives in the tab's session storage, events come over HTTP. */
export function browser(): Platform {
  const tab = storage(() => window.sessionStorage);

  function send(request: Request): Promise<Response> {
    const bearer = tab.get(BEARER);
    if (bearer) request.headers.set("Authorization", `Bearer ${bearer}`);
    return fetch(request);
  }

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
    async follow(after, hear, signal) {
      const response = await send(
        new Request(after === undefined ? "/api/events" : `/api/events?after=${after}`, {
          headers: { Accept: "text/event-stream", ...(after === undefined ? {} : { "Last-Event-ID": String(after) }) },
          cache: "no-store",
          signal,
        }),
      );
      if (!response.ok || !response.body) throw new Error(`events: ${response.status}`);
      hear.opened();
      await readEvents(response.body, hear.change);
    },
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
