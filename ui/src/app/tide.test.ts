import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const state = vi.hoisted(() => vi.fn<() => Promise<unknown>>());
vi.mock("../platform", () => ({ platform: {} }));
vi.mock("../api/client", () => ({ answer: () => state(), client: { GET: () => undefined } }));

const { tide } = await import("./tide");

const counts = { conflicts: 0, proposals: 0, decisions: 0, problems: 0, aging: 0, review: 0 };
const end = { now: new AbortController() };
const tab = Object.assign(new EventTarget(), { visibilityState: "visible" });
let client: QueryClient;
let asked: string[];

/** Holds an answer that a screen shows, and notes when it is asked for again. */
function shows(queryKey: string[], data: unknown) {
  client.setQueryData(queryKey, data);
  const queryFn = async () => {
    asked.push(queryKey[0]!);
    return data;
  };
  new QueryObserver(client, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => undefined);
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 4, 4, 23, 50) });
  vi.stubGlobal("document", tab);
  tab.visibilityState = "visible";
  end.now = new AbortController();
  client = new QueryClient();
  asked = [];
  state.mockReset().mockImplementation(async () => ({ counts }));
  shows(["inbox", "all", "0"], { counts });
  shows(["review", "x"], {});
  shows(["settings"], {});
  tide(client, end.now.signal);
});
afterEach(() => {
  end.now.abort();
  client.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("where the Inbox says what still is so, nothing but the counts is asked for", async () => {
  await vi.advanceTimersByTimeAsync(61_000);
  expect(state).toHaveBeenCalledTimes(2);
  expect(asked).toEqual([]);
});

test("what an agent's read brought is shown within half a minute", async () => {
  state.mockImplementation(async () => ({ counts: { ...counts, aging: 1 } }));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(asked.sort()).toEqual(["inbox", "review"]);
});

test("counts that another look brought into the title are compared too", async () => {
  client.setQueryData(["state"], { counts: { ...counts, aging: 1 } });
  state.mockImplementation(async () => ({ counts: { ...counts, aging: 1 } }));
  tab.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toContain("inbox");
});

test("a new day ends what was settled on the one before", async () => {
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect(asked).toEqual([]);
  // Nothing that is held is ten minutes old, nor do the counts differ.
  shows(["units", "x"], {});
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.sort()).toEqual(["inbox", "review", "units"]);
});

test("an answer that tells ages does not grow old on the screen", async () => {
  vi.setSystemTime(new Date(2026, 4, 4, 12));
  client.setQueryData(["inbox", "all", "0"], { counts });
  client.setQueryData(["review", "x"], {});
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  asked.length = 0;
  await vi.advanceTimersByTimeAsync(90_000);
  expect(asked.sort()).toEqual(["inbox", "review"]);
});

test("a hidden tab asks for nothing here, and looks at once when it is shown", async () => {
  tab.visibilityState = "hidden";
  await vi.advanceTimersByTimeAsync(300_000);
  expect(state).not.toHaveBeenCalled();
  tab.visibilityState = "visible";
  tab.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(1);
  expect(asked.sort()).toEqual(["inbox", "review"]);
});

test("signed out, it asks no more", async () => {
  end.now.abort();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(state).not.toHaveBeenCalled();
});
