import { expect, test } from "vitest";
import type { ConflictView } from "../api/types";
import { unseenBy } from "./unseen";

const agent = { name: "cursor", you: false };
const by = (revision: number, base?: number): ConflictView["displacer"] => ({
  revision,
  retired: false,
  agent,
  at: "2026-12-01T12:00:00Z",
  ...(base === undefined ? {} : { base: { revision: base, at: "2026-12-01T11:00:00Z" } }),
});
const sides = (...revisions: number[]) => revisions.map((revision) => ({ revision })) as ConflictView["sides"];

test("whoever knew nothing had seen no side", () => {
  expect(unseenBy(by(3), sides(1, 2))).toEqual([1, 2]);
});

test("a side that the last writer had seen is not told as unseen", () => {
  expect(unseenBy(by(4, 2), sides(1, 3))).toEqual([3]);
  // The newest it displaced without having seen it, whatever came after.
  expect(unseenBy(by(4, 4), sides(1, 3))).toEqual([3]);
});
