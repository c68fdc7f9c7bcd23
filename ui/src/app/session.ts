import { useSyncExternalStore } from "react";
import { acts } from "../api/acts";
import { ApiError, onUnknownBearer } from "../api/client";
import { platform } from "../platform";

/** Whether this tab may call the server. `ended`: it could before. */
export type Session =
  | { status: "in" }
  | { status: "entering" }
  | { status: "out"; ended: boolean; failure?: { code: string; message: string } };

let session: Session = platform.signedIn() ? { status: "in" } : { status: "out", ended: false };
const listeners = new Set<() => void>();

function become(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

/** Exchanges a one-time token for the bearer that this tab holds. */
export async function enter(token: string): Promise<void> {
  const ended = session.status === "out" && session.ended;
  become({ status: "entering" });
  try {
    const { bearer } = await acts.signIn(token);
    platform.keepBearer(bearer);
    become({ status: "in" });
  } catch (error) {
    const failure = error instanceof ApiError ? error : { code: "unknown", message: String(error) };
    become({ status: "out", ended, failure: { code: failure.code, message: failure.message } });
  }
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

export function useSession(): Session {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => session,
  );
}
