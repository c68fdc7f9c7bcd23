import { answer, client } from "../../api/client";
import type { SettingsInput } from "../../api/types";

/** What the person changes here: one function a route. */
export const settingsActs = {
  change: (body: SettingsInput) => answer(client.PATCH("/api/settings", { body })),
};
