import { QueryCache, QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";

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
  return { ApiError };
});
const { ApiError } = await import("../api/client");
const { dropsWhatIsGone, forgetErased } = await import("./erasure");

/** A client whose screens show `key`; what the server answers is set by `answers`. */
function showing(key: readonly unknown[]) {
  const cache = new QueryCache();
  const client = new QueryClient({ queryCache: cache, defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  dropsWhatIsGone(cache);
  const answers = vi.fn<() => Promise<unknown>>();
  answers.mockResolvedValueOnce({ id: "X", body: "a secret" });
  const shown = new QueryObserver(client, { queryKey: key, queryFn: () => answers() });
  const end = shown.subscribe(() => undefined);
  return { client, answers, end, now: () => shown.getCurrentResult() };
}

test.each([
  ["unknown_unit", undefined],
  ["unknown_brain", undefined],
  ["gone", { id: "X", body: "a secret" }],
  ["busy", { id: "X", body: "a secret" }],
])("asked anew and refused as %s, a screen shows what is left", async (code, data) => {
  const { client, answers, end, now } = showing(["unit", "X"]);
  await vi.waitFor(() => expect(now().data).toBeDefined());
  answers.mockRejectedValue(new ApiError(404, code, ""));
  await client.invalidateQueries();
  expect(now()).toMatchObject({ status: "error", error: { code } });
  expect(now().data).toEqual(data);
  end();
});

test.each([[["unit", "X"]], [["unit", "alias"]], [["revision", "X", 3]], [["proposal", 7]]])("what was read of an erased unit is on no screen while it is asked for anew: %j", async (key) => {
  const { client, answers, end, now } = showing(key);
  await vi.waitFor(() => expect(now().data).toBeDefined());
  client.setQueryData(["units", {}], "a secret in a list that is not shown");
  answers.mockReturnValue(new Promise(() => undefined));
  void forgetErased(client, { unit: "X" });
  expect(now()).toMatchObject({ status: "pending", data: undefined });
  expect(client.getQueryData(["units", {}])).toBeUndefined();
  end();
});

test("other units stay as they are, unless nobody knows what was erased", async () => {
  const { client, answers, end, now } = showing(["unit", "X"]);
  await vi.waitFor(() => expect(now().data).toBeDefined());
  answers.mockReturnValue(new Promise(() => undefined));
  void forgetErased(client, { unit: "Y" });
  expect(now().data).toBeDefined();
  void forgetErased(client, {});
  expect(now().data).toBeUndefined();
  end();
});
