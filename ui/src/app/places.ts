import type { Counts } from "../api/types";
import type { IconName } from "../shared/icons";
import { texts } from "../texts";

/** The places of the window, in the order of their keys. */
export interface PlaceEntry {
  to: "/inbox" | "/review" | "/brains" | "/agents" | "/settings";
  /** Addresses that belong to it. */
  under: readonly string[];
  name: string;
  icon: IconName;
  /** What stands behind the name, and how loud. */
  count?: (counts: Counts) => { n: number; alarm: boolean; says: string };
}

export const waiting = (c: Counts): number => c.conflicts + c.proposals + c.decisions + c.problems + c.aging;

export const places: readonly PlaceEntry[] = [
  {
    to: "/inbox",
    under: ["/inbox", "/conflict"],
    name: texts.app.inbox,
    icon: "inbox",
    count: (c) => ({ n: waiting(c), alarm: c.conflicts > 0, says: texts.app.waiting(waiting(c)) }),
  },
  {
    to: "/review",
    under: ["/review"],
    name: texts.app.review,
    icon: "review",
    count: (c) => ({ n: c.review, alarm: false, says: texts.app.toConfirm }),
  },
  { to: "/brains", under: ["/brains"], name: texts.app.brains, icon: "brains" },
  { to: "/agents", under: ["/agents"], name: texts.app.agents, icon: "agents" },
];

/** What is no place to work in: it stands apart, and has a key of its own. */
export const settingsPlace: PlaceEntry = { to: "/settings", under: ["/settings"], name: texts.settings.title, icon: "settings" };
