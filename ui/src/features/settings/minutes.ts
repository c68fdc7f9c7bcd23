import { calendarDays, clock, dayAndClock } from "../../shared/time";
import { texts } from "../../texts";

/** A minute of the day as a clock shows it: "07:30". */
export function asClock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}

/** The minute of the day that was typed, as "07:30", "7:30", "7.30" or "7". Nothing where it is no time. */
export function toMinute(typed: string): number | undefined {
  const parts = /^(\d{1,2})(?:[:.](\d{2}))?$/.exec(typed.trim());
  if (!parts) return undefined;
  const [hour, minute] = [Number(parts[1]), Number(parts[2] ?? 0)];
  return hour < 24 && minute < 60 ? hour * 60 + minute : undefined;
}

/** When something to come ends: "10:15" of today, "tomorrow, 08:00", else with its day. */
export function untilWhen(at: string, now: Date): string {
  const days = calendarDays(new Date(at), now);
  if (days === 0) return clock(at);
  return days === -1 ? texts.settings.tomorrow(clock(at)) : dayAndClock(at, now);
}
