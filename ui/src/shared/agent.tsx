import type { Who } from "../api/types";
import { texts } from "../texts";

/** "Cursor", "you". */
export function nameOf(who: Who): string {
  return who.you ? texts.app.you : (texts.clients[who.name] ?? who.name);
}

/** At the beginning of a sentence: "Cursor", "You". */
export function NameOf(who: Who): string {
  return who.you ? texts.app.You : nameOf(who);
}

/** "Cursor’s", "yours". */
export function ownerOf(who: Who): string {
  return who.you ? texts.app.yours : texts.app.of(nameOf(who));
}

const LETTERS: Record<string, string> = { chatgpt: "Gp", codex: "Cx", "claude-code": "Cc", "claude-desktop": "Cd", vscode: "Vs" };

/** The two letters of an agent's tile. */
export function lettersOf(who: Who): string {
  if (who.you) return "Y";
  const known = LETTERS[who.name.toLowerCase()];
  if (known) return known;
  const words = nameOf(who).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const [first = "?", second] = words;
  const letters = second ? [...first][0] + ([...second][0] ?? "") : [...first].slice(0, 2).join("");
  return letters.charAt(0).toUpperCase() + letters.slice(1).toLowerCase();
}

/** Who acted: two letters in a neutral tile. The name stands beside it. */
export function AgentTile({ who, large = false }: { who: Who; large?: boolean }) {
  return (
    <span className={`ag${large ? " lg" : ""}${who.you ? " you" : ""}`} aria-hidden="true">
      {lettersOf(who)}
    </span>
  );
}
