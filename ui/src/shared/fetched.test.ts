import { beforeEach, expect, test, vi } from "vitest";

const platform = { send: vi.fn(), startAnew: vi.fn() };
vi.mock("../platform", () => ({ platform }));
vi.stubGlobal("window", { location: { href: "http://127.0.0.1:4747/inbox" } });
const { fetched } = await import("./fetched");

const failed = new TypeError("Failed to fetch dynamically imported module");

beforeEach(() => {
  vi.useFakeTimers();
  platform.send.mockReset().mockResolvedValue(new Response("page"));
  platform.startAnew.mockReset().mockReturnValue(true);
});

test("what is there is given at once", async () => {
  expect(await fetched(async () => 1)).toBe(1);
  expect(platform.send).not.toHaveBeenCalled();
});

test("what failed is asked for again once the server answers", async () => {
  platform.send.mockRejectedValueOnce(failed).mockResolvedValueOnce(new Response("", { status: 503 }));
  const load = vi.fn().mockRejectedValueOnce(failed).mockResolvedValueOnce("screen");
  const got = fetched(load);
  await vi.runAllTimersAsync();
  expect(await got).toBe("screen");
  expect(platform.send).toHaveBeenCalledTimes(3);
  expect(platform.startAnew).not.toHaveBeenCalled();
});

test("what the browser holds as failed starts the page anew", async () => {
  const done = vi.fn();
  void fetched(() => Promise.reject(failed)).then(done, done);
  await vi.runAllTimersAsync();
  expect(platform.startAnew).toHaveBeenCalledOnce();
  expect(done).not.toHaveBeenCalled();
});

test("where a new start did not help, it says what failed", async () => {
  platform.startAnew.mockReturnValue(false);
  await expect(fetched(() => Promise.reject(failed))).rejects.toBe(failed);
});
