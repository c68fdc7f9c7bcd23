import type { Platform } from "./platform";
import { storage } from "./storage";

const DRAFT = "ozbrain.draft.";
const CHOICE = "ozbrain.choice.";
const STARTED_ANEW = "ozbrain.started-anew";
/** Two new starts within this are one too many. */
const MOMENT = 30_000;

/** What a tab and a window have alike: choices kept on this device, drafts for as long as `here` lives, a page to load anew. */
export function kept(
  here: ReturnType<typeof storage>,
): Pick<Platform, "ready" | "remember" | "recall" | "keepDraft" | "draft" | "drafts" | "mac" | "startAnew" | "copy"> {
  const device = storage(() => window.localStorage);
  return {
    ready: () => Promise.resolve(),
    remember: (name, value) => device.set(CHOICE + name, value),
    recall: (name) => device.get(CHOICE + name),
    keepDraft: (name, text) => here.set(DRAFT + name, text),
    draft: (name) => here.get(DRAFT + name),
    drafts: () => here.names(DRAFT),
    async copy(text) {
      // Only a page that the browser trusts has one.
      const clipboard = navigator.clipboard as Clipboard | undefined;
      if (!clipboard) return false;
      return clipboard.writeText(text).then(
        () => true,
        () => false,
      );
    },
    startAnew() {
      const now = Date.now();
      if (now - Number(here.get(STARTED_ANEW) ?? Number.NEGATIVE_INFINITY) < MOMENT) return false;
      here.set(STARTED_ANEW, String(now));
      window.location.reload();
      return true;
    },
    mac: /Mac|iP(hone|ad)/.test(navigator.platform),
  };
}
