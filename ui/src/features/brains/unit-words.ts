import { texts } from "../../texts";

const MINUTE = 60_000;
const DAY = 86_400_000;

/** The title that stands for a unit: its topic where it has none. */
export function titleOf(unit: { title?: string; topic: string }): string {
  return unit.title ?? unit.topic;
}

/** How old: "14 min", "1 h", "52 d". */
export function shortAge(at: string, now: Date): string {
  const past = Math.max(0, now.getTime() - Date.parse(at));
  if (past < MINUTE) return texts.time.now;
  if (past < 60 * MINUTE) return texts.time.minutes(Math.floor(past / MINUTE));
  if (past < DAY) return texts.time.hours(Math.floor(past / (60 * MINUTE)));
  return texts.review.days(Math.floor(past / DAY));
}

/** How old, in words: "2 days". */
export function longAge(at: string, now: Date): string {
  const past = Math.max(0, now.getTime() - Date.parse(at));
  if (past < 60 * MINUTE) return texts.time.spanMinutes(Math.max(1, Math.floor(past / MINUTE)));
  if (past < DAY) return texts.time.spanHours(Math.floor(past / (60 * MINUTE)));
  return texts.time.spanDays(Math.floor(past / DAY));
}
