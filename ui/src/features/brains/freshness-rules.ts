import type { FreshnessRule } from "../../api/types";
import { texts } from "../../texts";
import { readDays } from "../../shared/unit-draft";

/** A freshness rule as it is typed. No topic: the whole brain. */
export interface RuleDraft {
  topic?: string;
  aging: string;
  stale: string;
  never: boolean;
}

const DEFAULT = { aging: "14", stale: "45" };

/** The rules to edit, the whole brain's first. */
export function toDrafts(rules: readonly FreshnessRule[]): RuleDraft[] {
  const draft = (rule: FreshnessRule): RuleDraft => ({
    topic: rule.topic,
    aging: rule.aging === undefined ? DEFAULT.aging : String(rule.aging),
    stale: rule.stale === undefined ? DEFAULT.stale : String(rule.stale),
    never: rule.never === true,
  });
  const whole = rules.find((rule) => rule.topic === undefined);
  return [whole ? draft(whole) : { ...DEFAULT, never: false }, ...rules.filter((rule) => rule.topic !== undefined).map(draft)];
}

/** The rules to write, or what cannot be read of them: what they may be, the server knows. A whole-brain rule that says what holds anyway is none. */
export function toRules(drafts: readonly RuleDraft[]): { rules: FreshnessRule[] } | { problem: string } {
  const t = texts.brains;
  const rules: FreshnessRule[] = [];
  for (const [place, draft] of drafts.entries()) {
    const topic = draft.topic?.trim();
    if (place > 0 && !topic) return { problem: t.ruleNeedsTopic };
    const named = topic ? { topic } : {};
    if (draft.never) {
      rules.push({ ...named, never: true });
      continue;
    }
    const [aging, stale] = [readDays(draft.aging), readDays(draft.stale)];
    if (typeof aging !== "number" || typeof stale !== "number") return { problem: t.badRule };
    if (!topic && draft.aging.trim() === DEFAULT.aging && draft.stale.trim() === DEFAULT.stale) continue;
    rules.push({ ...named, aging, stale });
  }
  return { rules };
}
