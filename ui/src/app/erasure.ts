/** What is not there any more is on no screen: neither what an erasure took, nor what the server does not know. */
import { type QueryCache, type QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/client";
import type { Change } from "../api/types";

/** The codes that say for good that there is nothing. Any other failure leaves what was read on screen. */
const NOT_THERE: ReadonlySet<string> = new Set(["unknown_unit", "unknown_brain"]);

/** Lets no query hold on to what the server does not know any more: the screens see the refusal alone. */
export function dropsWhatIsGone(cache: QueryCache): void {
  cache.config.onError = (error, query) => {
    if (!(error instanceof ApiError) || !NOT_THERE.has(error.code) || query.state.data === undefined) return;
    query.setState({ data: undefined, dataUpdatedAt: 0 });
  };
}

/**
 * Forgets what was read of what was erased: a unit, whole or in one revision; or, where the erasure names none, of
 * anything. What is on screen is asked for anew, and shown no more until then. What is on no screen is not kept for one.
 */
export async function forgetErased(client: QueryClient, { unit }: Pick<Change, "unit">): Promise<void> {
  client.removeQueries({ type: "inactive", predicate: ({ queryKey: [kind] }) => kind !== "state" });
  await client.resetQueries({
    predicate: ({ queryKey: [kind, id], state }) =>
      kind === "proposal" ||
      ((kind === "unit" || kind === "revision") &&
        // A unit answers under the address of one that was joined into it too.
        (unit === undefined || id === unit || (state.data as { id?: unknown } | undefined)?.id === unit)),
  });
}
