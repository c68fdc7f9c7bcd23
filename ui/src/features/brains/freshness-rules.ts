import type { BrainRow, FreshnessRule } from "../../api/types";
import { texts } from "../../texts";
import { readDays } from "../../shared/unit-draft";

/** A freshness rule as it is typed. No topic: the whole brain. */
export interface RuleDraft {
  topic?: string;
  aging: string;
  stale: string;
  never: boolean;
}

/** A brain's rules, and what holds in the whole of it, be it by a rule or without one. */
type Rules = Pick<BrainRow, "freshness" | "ages">;

const draftOf = (rule: FreshnessRule): RuleDraft => ({
  ...(rule.topic === undefined ? {} : { topic: rule.topic }),
  aging: rule.aging === undefined ? "" : String(rule.aging),
  stale: rule.stale === undefined ? "" : String(rule.stale),
  never: rule.never === true,
});

/** The rules to edit: first what holds in the whole brain. */
export function toDrafts({ freshness, ages }: Rules): RuleDraft[] {
  return [draftOf(ages), ...freshness.filter((rule) => rule.topic !== undefined).map(draftOf)];
}

/** A rule to be written for a topic: what holds in the whole brain, to be changed. */
export function another({ ages }: Rules): RuleDraft {
  return { ...draftOf(ages), topic: "", never: false };
}

/**
 * The rules to write, or what cannot be read of them: what they may be, the server knows. Where the whole brain has no rule
 * and nothing was typed for it, it gets none.
 */
export function toRules(drafts: readonly RuleDraft[], from: Rules): { rules: FreshnessRule[] } | { problem: string } {
  const t = texts.brains;
  const rules: FreshnessRule[] = [];
  const ruled = from.freshness.some((rule) => rule.topic === undefined);
  const held = JSON.stringify(draftOf(from.ages));
  for (const [place, draft] of drafts.entries()) {
    const topic = draft.topic?.trim();
    if (place > 0 && !topic) return { problem: t.ruleNeedsTopic };
    if (!topic && !ruled && JSON.stringify(draft) === held) continue;
    const named = topic ? { topic } : {};
    if (draft.never) {
      rules.push({ ...named, never: true });
      continue;
    }
    const [aging, stale] = [readDays(draft.aging), readDays(draft.stale)];
    if (typeof aging !== "number" || typeof stale !== "number") return { problem: t.badRule };
    rules.push({ ...named, aging, stale });
  }
  return { rules };
}
