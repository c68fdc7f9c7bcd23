/** Text that is not written yet. The platform keeps it for as long as the tab or window lives: it outlives a reload and a server's restart. */
import { platform } from "../../platform";

/** The draft of a unit, by id. */
export const editKey = (id: string) => `edit.${id}`;
/** The draft of a new unit in a brain. */
export const newKey = (brain: string) => `new.${brain}`;
/** The draft of a changed text in Review. */
export const reviewKey = (id: string) => `review.${id}`;

export function loadDraft<T>(key: string): T | undefined {
  const text = platform.draft(key);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined; // Not written by us.
  }
}

export function saveDraft(key: string, draft: unknown): void {
  platform.keepDraft(key, JSON.stringify(draft));
}

export function dropDraft(key: string): void {
  platform.keepDraft(key, undefined);
}
