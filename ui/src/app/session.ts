import { useSyncExternalStore } from "react";
import { acts } from "../api/acts";
import { ApiError, onUnknownBearer } from "../api/client";
import { platform } from "../platform";
import { didNot } from "../shared/undo";
import { texts } from "../texts";

/** Whether this tab may call the server. `ended`: it could before. */
export type Session =
  | { status: "in" }
  | { status: "entering" }
  | { status: "out"; ended: boolean; /** By the person's own word. */ left?: true; failure?: { code: string; message: string } };

let session: Session = platform.signedIn() ? { status: "in" } : { status: "out", ended: false };
const listeners = new Set<() => void>();

function become(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

/** Exchanges a one-time token for the bearer that this tab holds. A tab that holds one stays signed in, whatever becomes of the token. */
export async function enter(token: string): Promise<void> {
  const was = session;
  become({ status: "entering" });
  try {
    const { bearer } = await acts.signIn(token);
    platform.keepBearer(bearer);
    become({ status: "in" });
  } catch (error) {
    const failure = error instanceof ApiError ? error : { code: "unknown", message: String(error) };
    if (platform.signedIn()) {
      become({ status: "in" });
      return didNot(failure.code === "not_allowed" ? texts.signIn.usedIn : texts.signIn.failedIn);
    }
    become({ status: "out", ended: was.status === "out" && was.ended, failure: { code: failure.code, message: failure.message } });
  }
}

/** Ends this tab's sign-in, on the server too: nothing that it held works any more. */
export function leave(): void {
  // It is on its way with the bearer. A server that does not answer ends it by itself in time; this tab forgets it now.
  acts.signOut().catch(() => undefined);
  platform.forgetBearer();
  become({ status: "out", ended: false, left: true });
}

/** Takes the token out of the address, at the start and whenever a link is opened in this tab. */
export function startSession(): void {
  const token = platform.takeToken();
  if (token !== undefined) void enter(token);
  platform.onToken((next) => void enter(next));
  onUnknownBearer(() => {
    if (session.status !== "in") return;
    platform.forgetBearer();
    become({ status: "out", ended: true });
  });
}

/** Whether this tab may call the server, as it is now. */
export function useSession(): Session {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => session,
  );
}
