import { expect, test } from "vitest";
import { inOrder } from "./in-order";

test("what was asked for last is done last, however long the first takes, and whether or not it fails", async () => {
  const run = inOrder();
  const done: string[] = [];
  let land: (() => void)[] = [];
  const task = (name: string, fails = false) =>
    run(async () => {
      await new Promise<void>((resolve) => land.push(resolve));
      done.push(name);
      if (fails) throw new Error(name);
      return name;
    });
  const all = [task("read"), task("write", true), task("none")];
  void all[1]!.catch(() => undefined);
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve));
    // One is on its way at a time.
    expect(land).toHaveLength(1);
    land[0]!();
    land = [];
  }
  expect(await all[0]).toBe("read");
  await expect(all[1]).rejects.toThrow("write");
  expect(await all[2]).toBe("none");
  expect(done).toEqual(["read", "write", "none"]);
});
