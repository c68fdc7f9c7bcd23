// Waiting for a condition that no event tells of.
import { setTimeout as pause } from "node:timers/promises";

/**
 * What `look` finds, as soon as it is neither false nor nothing; a look that
 * throws has found nothing yet. Fails after the deadline, saying why the last
 * look was in vain. `between`: the milliseconds from one look to the next.
 */
export async function until<T>(
  what: string,
  look: () => T | false | null | undefined | Promise<T | false | null | undefined>,
  milliseconds = 20_000,
  between = 40,
): Promise<T> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    let last: unknown = "nothing was found";
    try {
      const found = await look();
      if (found !== false && found !== null && found !== undefined) return found;
    } catch (error) {
      last = error instanceof Error ? error.message : error;
    }
    if (Date.now() > deadline) throw new Error(`${what}: not within ${milliseconds} ms (${last})`);
    await pause(between);
  }
}
