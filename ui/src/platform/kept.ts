import type { Platform } from "./platform";
import { storage } from "./storage";

const DRAFT = "ozbrain.draft.";
const CHOICE = "ozbrain.choice.";

/** What a tab and a window keep alike: choices on this device, drafts for as long as `here` lives. */
export function kept(here: ReturnType<typeof storage>): Pick<Platform, "remember" | "recall" | "keepDraft" | "draft" | "drafts" | "mac"> {
  const device = storage(() => window.localStorage);
  return {
    remember: (name, value) => device.set(CHOICE + name, value),
    recall: (name) => device.get(CHOICE + name),
    keepDraft: (name, text) => here.set(DRAFT + name, text),
    draft: (name) => here.get(DRAFT + name),
    drafts: () => here.names(DRAFT),
    mac: /Mac|iP(hone|ad)/.test(navigator.platform),
  };
}
