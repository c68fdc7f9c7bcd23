/** What a line of a unit's history says, and the words that differ in it. */
import { diffWordsWithSpace } from "diff";
import type { HistoryEntry, Who } from "../api/types";
import { texts } from "../texts";
import { nameOf } from "./agent";

/** Whose doing an event is: of an accepted proposal its author's, who accepted it is told behind. */
export function actorOf(entry: Pick<HistoryEntry, "kind" | "agent" | "author">): Who {
  return entry.kind === "accepted" ? (entry.author ?? entry.agent) : entry.agent;
}

/** What was done, to stand after the name of who did it. */
export function whatHappened(entry: Pick<HistoryEntry, "kind" | "changed" | "erased" | "agent" | "revision">): string {
  const t = texts.history;
  const { kind, changed, erased, agent, revision } = entry;
  switch (kind) {
    case "updated":
      if (erased) return t.created + t.unknown[erased];
      if (changed.length === 0) return t.again;
      if (changed.every((field) => field === "topic" || field === "title"))
        return changed.includes("topic") ? t.moved : t.retitled;
      return t.changed(changed);
    case "conflicted":
      if (erased) return t.unseenOnly + t.unknown[erased];
      return changed.length > 0 ? t.changed(changed) + t.unseen : t.unseenOnly;
    case "accepted":
      if (erased) return t.accepted(nameOf(agent)) + t.unknown[erased];
      if (revision === 1) return t.created + t.acceptedAs(nameOf(agent));
      return changed.length > 0 ? t.changed(changed) + t.acceptedAs(nameOf(agent)) : t.accepted(nameOf(agent));
    case "created":
    case "resolved":
    case "retired":
    case "returned":
    case "confirmed":
    case "checked":
    case "noted":
    case "later":
    case "undone":
    case "joined":
    case "proposed":
    case "rejected":
      return t[kind];
    case "erased":
      return revision === undefined ? t.erasedProposal : t.erased;
    default:
      return kind.replaceAll("_", " ");
  }
}

/** How many words stand before the first change and after the last, so that it is found in the text. */
const AROUND = 4;

/** The words around what changed: the rest of the excerpts tells nothing new. */
function near(marks: readonly Mark[]): Mark[] {
  const last = marks.length - 1;
  return marks.map((mark, place) => {
    if (mark.kind !== "same") return mark;
    const words = mark.text.split(/(?<=\s)(?=\S)/);
    if (place === 0 && words.length > AROUND) return { ...mark, text: `…${words.slice(-AROUND).join("")}` };
    if (place === last && words.length > AROUND) return { ...mark, text: `${words.slice(0, AROUND).join("").trimEnd()}…` };
    return mark;
  });
}

export type Mark = { kind: "same" | "disp" | "head"; text: string };

/** Both excerpts in one line: what went is `disp`, what came is `head`. */
export function inlineMarks(before: string, after: string): Mark[] {
  const parts = diffWordsWithSpace(before, after);
  const marks: Mark[] = [];
  let went = "";
  let came = "";
  const flush = () => {
    // White space at the end of both is theirs alike, and not marked.
    const end = /\s+$/.exec(went)?.[0] ?? "";
    const shared = end !== "" && came.endsWith(end) ? end : "";
    const cut = (text: string) => text.slice(0, text.length - shared.length);
    const lone = (went.trim() === "") !== (came.trim() === "");
    for (const [kind, text] of [
      ["disp", cut(went)],
      ["head", cut(came)],
    ] as const) {
      if (text.trim() === "") continue;
      // The space before a word that stands alone is between the words.
      const space = lone ? (/^\s+/.exec(text)?.[0] ?? "") : "";
      if (space !== "") marks.push({ kind: "same", text: space });
      marks.push({ kind, text: text.slice(space.length) });
    }
    if (shared !== "") marks.push({ kind: "same", text: shared });
    went = "";
    came = "";
  };
  parts.forEach((part, place) => {
    const next = parts[place + 1];
    if (part.removed) went += part.value;
    else if (part.added) came += part.value;
    else if ((went !== "" || came !== "") && /^\s+$/.test(part.value) && (next?.added || next?.removed)) {
      // Two changed words with a space between are one change to a reader.
      went += part.value;
      came += part.value;
    } else {
      flush();
      marks.push({ kind: "same", text: part.value });
    }
  });
  flush();
  return near(marks);
}
