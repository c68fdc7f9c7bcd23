// What a story asks of a page beside what a person does with it.
import type { Page } from "@playwright/test";

export const weeksAgo = (weeks: number) => new Date(Date.now() - weeks * 7 * 86_400_000).toISOString();

/** Asks the API as the person of a page: the state of the store, or an act of theirs elsewhere. */
export function asPerson(page: Page, path: string, body?: object): Promise<any> {
  return page.evaluate(
    async ([path, body]) => {
      const headers = { Authorization: `Bearer ${sessionStorage.getItem("ozbrain.bearer")}`, "Content-Type": "application/json" };
      const answer = await fetch(path, body === null ? { headers } : { method: "POST", headers, body: JSON.stringify(body) });
      return answer.json();
    },
    [path, body ?? null] as const,
  );
}

/** How many things that the tab keeps hold a word. */
export function keeps(page: Page, word: string): Promise<number> {
  return page.evaluate((word) => Object.values(sessionStorage).filter((text) => text.includes(word)).length, word);
}

/** Lets what is asked under an address wait, until `go` is called. `asked`: the first of it is on its way. */
export async function hold(page: Page, address: string): Promise<{ asked: Promise<void>; go: () => void }> {
  let go: () => void = () => undefined;
  let tell: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => (go = resolve));
  const asked = new Promise<void>((resolve) => (tell = resolve));
  await page.route(address, async (route) => {
    tell();
    await gone;
    await route.continue();
  });
  return { asked, go };
}

/** Presses Ctrl or ⌘ Enter by itself two frames after a text has come on the page: too soon for anyone to have read it. */
export async function pressOnceShown(page: Page, text: string): Promise<void> {
  await page.evaluate((text) => {
    const seen = new MutationObserver(() => {
      if (!document.body.innerText.includes(text)) return;
      seen.disconnect();
      const press = () => {
        const at = document.activeElement ?? document.body;
        at.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true, composed: true, cancelable: true }));
        (window as unknown as { pressed: boolean }).pressed = true;
      };
      requestAnimationFrame(() => requestAnimationFrame(press));
    });
    (window as unknown as { pressed: boolean }).pressed = false;
    seen.observe(document.body, { subtree: true, childList: true, characterData: true });
  }, text);
}

/** Resolves once that key was pressed. */
export async function pressed(page: Page): Promise<void> {
  await page.waitForFunction(() => (window as unknown as { pressed?: boolean }).pressed === true);
}

/** Whether the page lost the focus. */
export function lostFocus(page: Page): Promise<boolean> {
  return page.evaluate(() => document.activeElement === null || document.activeElement === document.body);
}

