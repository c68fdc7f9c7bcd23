import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { SignIn } from "../features/sign-in/page";
import { platform } from "../platform";
import { Announcer } from "../shared/announce";
import { KeyboardProvider } from "../shared/keyboard";
import { setStanding, useStanding } from "../shared/standing";
import { forgetActs } from "../shared/undo";
import { live } from "./live";
import { enter, useSession } from "./session";
import { Shell } from "./shell";
import { tide } from "./tide";

/** Signed in: the window. Signed out: how to get in; a window that stood before stays beneath with what was written in it. */
export function App() {
  const session = useSession();
  const client = useQueryClient();
  const router = useRouter();
  const up = useStanding();
  const stood = useRef(false);
  const isIn = session.status === "in";
  const left = session.status === "out" && session.left === true;
  if (isIn) stood.current = true;
  if (left) stood.current = false;

  // Who signs out leaves nothing of what was shown in the tab.
  useEffect(() => {
    if (!left) return;
    client.clear();
    forgetActs();
  }, [client, left]);

  useEffect(() => {
    if (!isIn) return;
    const end = new AbortController();
    void client.invalidateQueries({ predicate: (query) => query.state.status === "error" });
    void live(client, setStanding, end.signal);
    tide(client, end.signal);
    return () => end.abort();
  }, [client, isIn]);

  useEffect(
    () =>
      platform.onPlace((place) => {
        if (router.state.location.href !== place) router.history.push(place);
      }),
    [router],
  );

  return (
    <>
      {stood.current && (
        <div className="under" inert={!isIn} hidden={!isIn}>
          <KeyboardProvider>
            <Shell up={up} />
          </KeyboardProvider>
        </div>
      )}
      {!isIn && <SignIn session={session} enter={(token) => void enter(token)} />}
      <Announcer />
    </>
  );
}
