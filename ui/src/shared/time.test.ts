import { expect, test } from "vitest";
import { ageDays, ago, calendarDays, dayAndClock, longAge, longDay, shortAge, span } from "./time";

const now = new Date(2026, 8, 8, 9, 40);
const at = (year: number, month: number, day: number, hour = 0, minute = 0) =>
  new Date(year, month, day, hour, minute).toISOString();

test("a row says how long ago", () => {
  expect(ago(at(2026, 8, 8, 9, 40), now)).toBe("now");
  expect(ago(at(2026, 8, 8, 9, 26), now)).toBe("14 min");
  expect(ago(at(2026, 8, 8, 8, 12), now)).toBe("1 h");
  expect(ago(at(2026, 8, 7, 23, 59), now)).toBe("yesterday");
  expect(ago(at(2026, 8, 6, 23, 59), now)).toBe("6 Sep");
  expect(ago(at(2025, 8, 6), now)).toBe("6 Sep 2025");
});

test("minutes count across midnight", () => {
  expect(ago(at(2026, 8, 7, 23, 50), new Date(2026, 8, 8, 0, 10))).toBe("20 min");
});

test("days are those of the calendar, ages are full days", () => {
  expect(calendarDays(new Date(2026, 8, 7, 23, 59), now)).toBe(1);
  expect(ageDays(at(2026, 8, 7, 23, 59), now)).toBe(0);
  expect(ageDays(at(2026, 6, 18, 9, 40), now)).toBe(52);
});

test("a time never stands without its day", () => {
  expect(dayAndClock(at(2026, 8, 8, 9, 12), now)).toBe("Today 09:12");
  expect(dayAndClock(at(2026, 8, 7, 9, 12), now)).toBe("Yesterday 09:12");
  expect(dayAndClock(at(2026, 8, 6, 16, 20), now)).toBe("6 Sep 16:20");
  expect(longDay(at(2026, 7, 23), now)).toBe("23 August");
});

test("a span", () => {
  expect(span(at(2026, 8, 8, 9, 12), at(2026, 8, 8, 9, 26))).toBe("14 minutes");
  expect(span(at(2026, 8, 8, 9, 12), at(2026, 8, 8, 9, 12))).toBe("a moment");
  expect(span(at(2026, 8, 6, 9, 12), at(2026, 8, 8, 9, 26))).toBe("2 days");
});

test("an age is short in a list and words in a unit", () => {
  const now = new Date("2026-09-08T09:00:00Z");
  expect(
    [
      "2026-09-08T08:59:40Z",
      "2026-09-08T08:46:00Z",
      "2026-09-08T06:00:00Z",
      "2026-09-06T08:00:00Z",
      "2027-01-01T00:00:00Z",
    ].map((at) => shortAge(at, now)),
  ).toEqual(["now", "14 min", "3 h", "2 d", "now"]);
  expect(longAge("2026-09-06T08:00:00Z", now)).toBe("2 days");
});
