import { browser } from "./browser";
import type { Platform } from "./platform";
import { desktopWindow } from "./window";

export { tokenIn } from "./browser";
export type { Desktop, DraftOf, Platform } from "./platform";

/** Known before anything is shown: the desktop's shell leaves its mark in its window before the page runs. */
export const platform: Platform = "__TAURI_INTERNALS__" in globalThis ? desktopWindow() : browser();
