import { expect, test } from "vitest";
import { hindered } from "./hindrance";

const now = new Date(2026, 8, 8, 12);
const at = new Date(2026, 8, 8, 9, 12).toISOString();
const cursor = { name: "cursor", you: false };

test("what is in the way of an undo is said with who did it and when", () => {
  const told = (of: Parameters<typeof hindered>[0]["hindrance"]) => hindered(of ? { hindrance: of } : {}, now);
  expect(told({ what: "since", kind: "updated", revision: 3, by: cursor, at })).toBe("Cursor wrote it (revision 3) at 09:12.");
  expect(told({ what: "since", kind: "confirmed", by: { name: "you", you: true }, at })).toBe("You confirmed it at 09:12.");
  expect(told({ what: "already", kind: "undone", by: { name: "you", you: true }, at })).toBe("It is undone already: you undid it at 09:12.");
  expect(told({ what: "proposed_anew", by: cursor })).toBe("Cursor proposed anew since.");
  expect(told({ what: "proposed_anew", by: cursor, at })).toBe("Cursor proposed anew at 09:12.");
  expect(told({ what: "unit_erased" })).toBe("The unit was erased since.");
  expect(told(undefined)).toBe("It has changed since.");
});
