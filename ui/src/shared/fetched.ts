import { platform } from "../platform";

const FIRST = 250;
const LAST = 4_000;

/**
 * Fetches a part of the app that is not there from the start, such as a screen. Where that fails it waits until the server
 * answers and asks once more. A browser may hold a module that failed as failed for as long as the page lives, and a newer
 * server has other files: then the page starts anew, where it was, with the drafts that it holds. Rejects only where a new
 * start did not help.
 */
export async function fetched<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    await answers();
  }
  try {
    return await load();
  } catch (error) {
    if (platform.startAnew()) return new Promise(() => undefined);
    throw error;
  }
}

/** Resolves once the server gives out its page. */
async function answers(): Promise<void> {
  for (let wait = FIRST; ; wait = Math.min(LAST, 2 * wait)) {
    const page = await platform.send(new Request(new URL("/", window.location.href), { cache: "no-store" })).catch(() => undefined);
    if (page?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
