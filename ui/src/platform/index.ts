import { browser } from "./browser";

export { tokenIn } from "./browser";
export type { Platform } from "./platform";

export const platform = browser();
