import { expect, test } from "vitest";
import { asClock, toMinute, untilWhen } from "./minutes";

test("every minute of the day is shown and read back", () => {
  for (let minute = 0; minute < 1440; minute++) expect(toMinute(asClock(minute))).toBe(minute);
  expect(asClock(450)).toBe("07:30");
});

test("a time is read as people type it, and nothing else is", () => {
  for (const typed of ["07:30", "7:30", "7.30", " 7:30 "]) expect(toMinute(typed)).toBe(450);
  expect(toMinute("22")).toBe(1320);
  for (const typed of ["", ":", "7:3", "24:00", "12:60", "-1:00", "7:30 pm", "half past seven"]) expect(toMinute(typed)).toBeUndefined();
});

test("an end is told with its day unless it is today's", () => {
  const now = new Date(2026, 11, 1, 22, 0);
  expect(untilWhen(new Date(2026, 11, 1, 23, 0).toISOString(), now)).toBe("23:00");
  expect(untilWhen(new Date(2026, 11, 2, 8, 0).toISOString(), now)).toBe("tomorrow, 08:00");
  expect(untilWhen(new Date(2026, 11, 3, 8, 0).toISOString(), now)).toBe("3 Dec 08:00");
});
