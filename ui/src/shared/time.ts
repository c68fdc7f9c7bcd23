import { texts } from "../texts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function midnight(of: Date): number {
  return new Date(of.getFullYear(), of.getMonth(), of.getDate()).getTime();
}

/** Whole calendar days from `at` to `now`, on this computer's calendar. Negative for days to come. */
export function calendarDays(at: Date, now: Date): number {
  return Math.round((midnight(now) - midnight(at)) / DAY);
}

/** Whole 24-hour days from `at` to `now`: how an age is counted. */
export function ageDays(at: string, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(at)) / DAY));
}

/** "now", "14 min", "3 h", "yesterday", "6 Sep", "6 Sep 2025": for the end of a row. */
export function ago(at: string, now: Date): string {
  const then = new Date(at);
  const past = now.getTime() - then.getTime();
  if (past < MINUTE && past > -MINUTE) return texts.time.now;
  const days = calendarDays(then, now);
  if (past > 0 && past < HOUR) return texts.time.minutes(Math.floor(past / MINUTE));
  if (past > 0 && days === 0) return texts.time.hours(Math.floor(past / HOUR));
  if (days === 1) return texts.time.yesterday;
  return shortDay(then, now);
}

/** "just now", "14 minutes ago", "3 hours ago", "yesterday", "6 Sep": inside a sentence. */
export function agoInWords(at: string, now: Date): string {
  const past = Math.max(0, now.getTime() - Date.parse(at));
  if (past < MINUTE) return texts.time.justNow;
  if (calendarDays(new Date(at), now) > 0) return ago(at, now);
  return texts.time.ago(past < HOUR ? texts.time.spanMinutes(Math.floor(past / MINUTE)) : texts.time.spanHours(Math.floor(past / HOUR)));
}

/** "6 Sep", with the year when it is another one. */
export function shortDay(then: Date, now: Date): string {
  const day = `${then.getDate()} ${texts.time.shortMonths[then.getMonth()]}`;
  return then.getFullYear() === now.getFullYear() ? day : `${day} ${then.getFullYear()}`;
}

/** "23 August", with the year when it is another one. */
export function longDay(at: string, now: Date): string {
  const then = new Date(at);
  const day = `${then.getDate()} ${texts.time.months[then.getMonth()]}`;
  return then.getFullYear() === now.getFullYear() ? day : `${day} ${then.getFullYear()}`;
}

/** "09:26". */
export function clock(at: string): string {
  const then = new Date(at);
  return `${String(then.getHours()).padStart(2, "0")}:${String(then.getMinutes()).padStart(2, "0")}`;
}

/** "Today 09:12", "Yesterday 18:40", "6 Sep 16:20": a time is never without its day. */
export function dayAndClock(at: string, now: Date): string {
  const then = new Date(at);
  const days = calendarDays(then, now);
  const day = days === 0 ? texts.time.today : days === 1 ? texts.time.yesterdayFirst : shortDay(then, now);
  return `${day} ${clock(at)}`;
}

/** "today 09:12", "yesterday 18:40", "6 Sep 16:20": inside a sentence. */
export function dayAndClockWithin(at: string, now: Date): string {
  const words = dayAndClock(at, now);
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** "09:12" of today, else with its day: where the reader takes today for granted. */
export function clockOrDay(at: string, now: Date): string {
  return calendarDays(new Date(at), now) === 0 ? clock(at) : dayAndClock(at, now);
}

/** "14 minutes", "3 hours", "2 days": the length of a span. */
export function span(from: string, to: string): string {
  const ms = Math.max(0, Date.parse(to) - Date.parse(from));
  if (ms < MINUTE) return texts.time.moment;
  if (ms < HOUR) return texts.time.spanMinutes(Math.round(ms / MINUTE));
  if (ms < 2 * DAY) return texts.time.spanHours(Math.round(ms / HOUR));
  return texts.time.spanDays(Math.round(ms / DAY));
}

/** How old: "14 min", "1 h", "52 d". */
export function shortAge(at: string, now: Date): string {
  const past = Math.max(0, now.getTime() - Date.parse(at));
  if (past < MINUTE) return texts.time.now;
  if (past < HOUR) return texts.time.minutes(Math.floor(past / MINUTE));
  if (past < DAY) return texts.time.hours(Math.floor(past / (HOUR)));
  return texts.time.shortDays(Math.floor(past / DAY));
}

/** How old, in words: "2 days". */
export function longAge(at: string, now: Date): string {
  const past = Math.max(0, now.getTime() - Date.parse(at));
  if (past < HOUR) return texts.time.spanMinutes(Math.max(1, Math.floor(past / MINUTE)));
  if (past < DAY) return texts.time.spanHours(Math.floor(past / (HOUR)));
  return texts.time.spanDays(Math.floor(past / DAY));
}
