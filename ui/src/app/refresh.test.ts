import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { gather, Refresher } from "./refresh";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("the first change is told at once, a steady stream about once a second", async () => {
  const flushed: number[] = [];
  const start = Date.now();
  const add = gather(() => flushed.push(Date.now() - start));
  for (let i = 0; i < 80; i++) {
    add([["unit", String(i)]]);
    await vi.advanceTimersByTimeAsync(125);
  }
  await vi.advanceTimersByTimeAsync(3_000);
  expect(flushed[0]).toBe(0);
  expect(flushed.length).toBeLessThanOrEqual(13);
  for (let i = 3; i < flushed.length; i++) expect((flushed[i] ?? 0) - (flushed[i - 1] ?? 0)).toBeGreaterThanOrEqual(500);
  // After a rest the next one is told at once again.
  const now = Date.now() - start;
  add([["unit", "last"]]);
  await vi.advanceTimersByTimeAsync(10);
  expect(flushed.at(-1)).toBeLessThanOrEqual(now + 10);
});

test("no change is lost, and none waits longer than a second", async () => {
  const told = new Map<string, number>();
  const add = gather((keys) => {
    for (const key of keys) told.set(String(key[1]), Date.now());
  });
  const at = new Map<string, number>();
  for (let i = 0; i < 60; i++) {
    at.set(String(i), Date.now());
    add([["unit", String(i)]]);
    await vi.advanceTimersByTimeAsync(i % 7 === 0 ? 1_700 : 90);
  }
  await vi.advanceTimersByTimeAsync(2_000);
  for (const [unit, when] of at) expect((told.get(unit) ?? Infinity) - when).toBeLessThanOrEqual(1_000);
});

test("what is being asked for is not asked anew, but once more afterwards", async () => {
  const client = new QueryClient();
  let started = 0;
  let cut = 0;
  const observer = new QueryObserver(client, {
    queryKey: ["inbox", "all", 0],
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      new Promise((resolve) => {
        const n = ++started;
        signal.addEventListener("abort", () => cut++);
        setTimeout(() => resolve(n), 2_000);
      }),
  });
  const end = observer.subscribe(() => undefined);
  const refresher = new Refresher(client);
  for (let i = 0; i < 15; i++) {
    void refresher.refresh([["inbox"]]);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(started).toBe(1);
  await vi.advanceTimersByTimeAsync(600);
  expect(observer.getCurrentResult().data).toBe(1);
  expect(started).toBe(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([started, cut]).toEqual([2, 0]);
  expect(observer.getCurrentResult().data).toBe(2);
  end();
});

test("what is not on screen is stale, and not asked for", async () => {
  const client = new QueryClient();
  client.setQueryData(["unit", "X"], {});
  await new Refresher(client).refresh([["unit", "X"]]);
  expect(client.getQueryState(["unit", "X"])?.isInvalidated).toBe(true);
});
