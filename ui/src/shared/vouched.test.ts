import { expect, test } from "vitest";
import { vouch } from "./vouched";

const cursor = { name: "cursor", you: false };
const you = { name: "you", you: true };
const unit = { anchor: "2026-11-10T09:00:00Z", updated_at: "2026-12-01T09:00:00Z", agent: cursor };

test("an age that counts from before the writing counts from when its writer saw it hold", () => {
  expect(vouch(unit)).toEqual({ how: "saw", by: cursor, at: unit.anchor });
  expect(vouch({ ...unit, anchor: unit.updated_at }).how).toBe("wrote");
  expect(vouch({ ...unit, anchor: "2026-12-01T08:59:30Z" }).how).toBe("wrote");
});

test("a confirm counts for who confirmed, unless something newer was seen", () => {
  expect(vouch({ ...unit, confirmed: { at: unit.anchor, by: you } })).toEqual({ how: "confirmed", by: you, at: unit.anchor });
  expect(vouch({ ...unit, confirmed: { at: "2026-11-01T09:00:00Z", by: you } }).how).toBe("saw");
});
