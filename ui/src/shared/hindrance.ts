import type { Hindrance } from "../api/types";
import { texts } from "../texts";
import { NameOf } from "./agent";
import { clockOrDay } from "./time";

const t = texts.hindrances;

/** Why an undo was not carried out, in a sentence. */
export function hindered({ hindrance }: { hindrance?: Hindrance }, now = new Date()): string {
  if (!hindrance) return t.unknown;
  const { what, kind, revision, by, at } = hindrance;
  const who = by ? NameOf(by) : "";
  const when = at === undefined ? "" : clockOrDay(at, now);
  switch (what) {
    case "already":
      return t.already(by?.you ? texts.app.you : who, when);
    case "since": {
      const did = t.did[kind ?? ""] ?? t.changed;
      return t.since(who, revision === undefined ? did : t.revision(did, revision), when);
    }
    case "proposed_anew":
      return t.proposed_anew(who, when);
    default:
      return t[what];
  }
}
