import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../api/client";
import type { Hear } from "../platform/platform";

const follow = vi.hoisted(() => vi.fn<(after: number | undefined, hear: Hear, signal: AbortSignal) => Promise<void>>());
const state = vi.hoisted(() => vi.fn<() => Promise<unknown>>());
const kept = vi.hoisted(() => new Map<string, string>());
vi.mock("../platform", () => ({
  platform: {
    follow,
    recall: () => undefined,
    drafts: () => [...kept.keys()],
    draft: (name: string) => kept.get(name),
    keepDraft: (name: string, text?: string) => (text === undefined ? kept.delete(name) : kept.set(name, text)),
  },
}));
vi.mock("../api/client", () => {
  class ApiError extends Error {
    constructor(
      readonly status: number,
      readonly code: string,
      message: string,
    ) {
      super(message);
    }
  }
  return { ApiError, answer: () => state(), client: { GET: () => undefined } };
});

const { live, backoff } = await import("./live");

const events = new EventTarget();
const end = { now: new AbortController() };
beforeEach(() => {
  vi.stubGlobal("window", events);
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
  end.now = new AbortController();
  follow.mockReset();
  state.mockReset();
  kept.clear();
});
afterEach(() => {
  end.now.abort();
  vi.unstubAllGlobals();
});

const from = (store: string, event: number) => ({ store, event, version: "1", connections: 0, counts: {} });
const change = (event: number, unit: string) => JSON.stringify({ event, kind: "updated", unit, at: "", agent: {}, own: false });
const forever = (signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));

test("after a break it goes on where it stopped, and says when it is gone and back", async () => {
  const client = new QueryClient();
  const stood: boolean[] = [];
  const starts: (number | undefined)[] = [];
  state.mockResolvedValueOnce(from("A", 5)).mockRejectedValueOnce(new ApiError(0, "gone", "")).mockResolvedValue(from("A", 9));
  let back: () => void;
  const second = new Promise<void>((resolve) => {
    back = resolve;
  });
  follow.mockImplementation(async (after, hear, signal) => {
    starts.push(after);
    hear.opened();
    if (starts.length === 1) {
      hear.change(change(7, "X"));
      return;
    }
    back();
    await forever(signal);
  });
  void live(client, (up) => stood.push(up), end.now.signal);
  await second;
  // Event 7 arrived before the break; 8 and 9 did not, so the stream starts after 7, not after the state's 9.
  expect(starts).toEqual([5, 7]);
  expect(stood).toEqual([true, false, false, true]);
});

test("a change makes its own queries stale, many at once each once", async () => {
  const client = new QueryClient();
  for (const key of [["unit", "X"], ["unit", "Y"], ["unit", "Z"], ["inbox", "all", 0], ["clients"]]) client.setQueryData(key, {});
  const stale = vi.spyOn(client, "invalidateQueries");
  state.mockResolvedValue(from("A", 1));
  follow.mockImplementation(async (_, hear, signal) => {
    hear.opened();
    stale.mockClear();
    for (let i = 2; i < 50; i++) hear.change(change(i, i % 2 ? "X" : "Y"));
    await forever(signal);
  });
  void live(client, () => undefined, end.now.signal);
  await vi.waitFor(() => expect(stale).toHaveBeenCalled());
  const keys = stale.mock.calls.map(([filter]) => (filter?.queryKey ?? []).join("/"));
  expect(keys.sort()).toEqual(["inbox/all/0", "state", "unit/X", "unit/Y"]);
});

test("it follows before a slow state is there, and misses nothing", async () => {
  const client = new QueryClient();
  client.setQueryData(["unit", "X"], { old: true });
  let answer: (value: unknown) => void = () => undefined;
  state.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  const starts: (number | undefined)[] = [];
  let breaks: () => void = () => undefined;
  follow.mockImplementation(async (after, hear, signal) => {
    starts.push(after);
    hear.opened();
    if (starts.length === 1) await new Promise<void>((resolve) => (breaks = resolve));
    else await forever(signal);
  });
  const stood: boolean[] = [];
  void live(client, (up) => stood.push(up), end.now.signal);
  await vi.waitFor(() => expect(starts).toEqual([undefined]), 2_000);
  expect(stood).toEqual([true]);
  // What was read before the stream began may be older than its beginning.
  expect(client.getQueryState(["unit", "X"])?.isInvalidated).toBe(true);
  answer(from("A", 40));
  await new Promise((resolve) => setTimeout(resolve, 10));
  breaks();
  await vi.waitFor(() => expect(starts).toEqual([undefined, 40]), 2_000);
});

test("another store: nothing that was held is kept", async () => {
  const client = new QueryClient();
  client.setQueryData(["unit", "X"], { old: true });
  const starts: (number | undefined)[] = [];
  state.mockResolvedValueOnce(from("A", 50)).mockResolvedValue(from("B", 3));
  follow.mockImplementation(async (after, hear, signal) => {
    starts.push(after);
    hear.opened();
    if (starts.length > 1) await forever(signal);
  });
  void live(client, () => undefined, end.now.signal);
  await vi.waitFor(() => expect(starts).toEqual([50, 3]));
  expect(client.getQueryData(["unit", "X"])).toBeUndefined();
});

test("a hidden tab holds no stream, and catches up when it is shown", async () => {
  vi.useFakeTimers();
  try {
    const starts: (number | undefined)[] = [];
    const stood: boolean[] = [];
    state.mockResolvedValue(from("A", 5));
    follow.mockImplementation(async (after, hear, signal) => {
      starts.push(after);
      hear.opened();
      hear.change(change((after ?? 0) + 1, "X"));
      await forever(signal);
      throw new DOMException("", "AbortError");
    });
    void live(new QueryClient(), (up) => stood.push(up), end.now.signal);
    await vi.waitFor(() => expect(starts).toEqual([5]));
    const turn = (to: string) => {
      Object.assign(document, { visibilityState: to });
      document.dispatchEvent(new Event("visibilitychange"));
    };
    turn("hidden");
    await vi.advanceTimersByTimeAsync(1_000);
    turn("visible");
    await vi.advanceTimersByTimeAsync(20_000);
    // A glance elsewhere costs nothing.
    expect(starts).toEqual([5]);
    turn("hidden");
    await vi.advanceTimersByTimeAsync(6_000);
    const asked = state.mock.calls.length;
    await vi.advanceTimersByTimeAsync(61_000);
    // It still looks now and then what waits, for its title.
    expect(state.mock.calls.length).toBe(asked + 2);
    expect(starts).toEqual([5]);
    turn("visible");
    await vi.waitFor(() => expect(starts).toEqual([5, 6]));
    expect(stood).not.toContain(false);
  } finally {
    vi.useRealTimers();
  }
});

test("an erasure takes along what was typed about the unit", async () => {
  kept.set("edit/team/X/", "text");
  kept.set("edit/team/Y/", "text");
  state.mockResolvedValue(from("A", 1));
  follow.mockImplementation(async (_, hear, signal) => {
    hear.opened();
    hear.change(JSON.stringify({ event: 2, kind: "erased", unit: "X", at: "", agent: {}, own: false }));
    await forever(signal);
  });
  void live(new QueryClient(), () => undefined, end.now.signal);
  await vi.waitFor(() => expect([...kept.keys()].filter((name) => name !== "place")).toEqual(["edit/team/Y/"]));
});

test("a tab that was signed out while something was erased forgets what was typed about it once it is back", async () => {
  const starts: (number | undefined)[] = [];
  const erased = JSON.stringify({ event: 6, kind: "erased", unit: "X", at: "", agent: {}, own: false });
  follow.mockImplementation(async (after, hear, signal) => {
    starts.push(after);
    hear.opened();
    // Of what happened since a tab follows, it is told.
    if (after !== undefined && after < 6 && starts.length > 1) hear.change(erased);
    await forever(signal);
  });
  state.mockResolvedValueOnce(from("A", 5)).mockResolvedValue(from("A", 9));
  void live(new QueryClient(), () => undefined, end.now.signal);
  await vi.waitFor(() => expect(starts).toEqual([5]));
  kept.set("edit/team/X/", "text");
  kept.set("edit/team/Y/", "text");
  end.now.abort();
  end.now = new AbortController();
  void live(new QueryClient(), () => undefined, end.now.signal);
  await vi.waitFor(() => expect(kept.has("edit/team/X/")).toBe(false));
  expect(starts).toEqual([5, 5]);
  expect(kept.has("edit/team/Y/")).toBe(true);
});

test("drafts of another store's tab catch up on nothing", async () => {
  kept.set("edit/team/X/", "text");
  kept.set("place", JSON.stringify({ store: "A", event: 50 }));
  const starts: (number | undefined)[] = [];
  state.mockResolvedValue(from("B", 3));
  follow.mockImplementation(async (after, hear, signal) => {
    starts.push(after);
    hear.opened();
    await forever(signal);
  });
  void live(new QueryClient(), () => undefined, end.now.signal);
  await vi.waitFor(() => expect(starts).toEqual([3]));
});

test("without a bearer it stops", async () => {
  state.mockRejectedValue(new ApiError(401, "not_allowed", ""));
  await live(new QueryClient(), () => undefined, end.now.signal);
  expect(follow).not.toHaveBeenCalled();
});

test("it waits longer each time, and never long", () => {
  expect([0, 1, 2, 3, 4, 5, 20].map(backoff)).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
});
