import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../api/client";

const held = vi.hoisted(() => ({ bearer: "old" as string | undefined }));
const signIn = vi.hoisted(() => vi.fn<(token: string) => Promise<{ bearer: string }>>());
const signOut = vi.hoisted(() => vi.fn<() => Promise<unknown>>());
const said = vi.hoisted(() => vi.fn());
const unknown = vi.hoisted(() => ({ tell: () => undefined as void }));
const token = vi.hoisted(() => ({ tell: (_: string) => undefined as void }));
vi.mock("../platform", () => ({
  platform: {
    signedIn: () => held.bearer !== undefined,
    keepBearer: (bearer: string) => (held.bearer = bearer),
    forgetBearer: () => (held.bearer = undefined),
    takeToken: () => undefined,
    onToken: (tell: (token: string) => void) => (token.tell = tell),
  },
}));
vi.mock("../shared/undo", () => ({ didNot: said }));
vi.mock("../api/acts", () => ({ acts: { signIn, signOut } }));
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
  return { ApiError, onUnknownBearer: (tell: () => void) => (unknown.tell = tell) };
});

const { enter, leave, startSession } = await import("./session");
startSession();

beforeEach(() => {
  said.mockReset();
  signIn.mockReset();
});

test("a used link opened in a tab that is signed in leaves it signed in, and says so", async () => {
  signIn.mockRejectedValue(new ApiError(401, "not_allowed", "used"));
  await enter("used");
  expect(held.bearer).toBe("old");
  expect(said).toHaveBeenCalledWith("This link was used already. You are signed in.");
});

test("a link that works gives the tab its bearer", async () => {
  signIn.mockResolvedValue({ bearer: "new" });
  await enter("fresh");
  expect(held.bearer).toBe("new");
});

test("a bearer that the server does not know is forgotten, and a used link then signs nobody in", async () => {
  unknown.tell();
  expect(held.bearer).toBeUndefined();
  signIn.mockRejectedValue(new ApiError(401, "not_allowed", "used"));
  await enter("used");
  expect(held.bearer).toBeUndefined();
  expect(said).not.toHaveBeenCalled();
});

test("who signs out is out at once, whether the server answers or not", async () => {
  signIn.mockResolvedValue({ bearer: "new" });
  await enter("fresh");
  const sentWith: (string | undefined)[] = [];
  signOut.mockImplementation(() => {
    sentWith.push(held.bearer);
    return new Promise(() => undefined);
  });
  leave();
  expect(held.bearer).toBeUndefined();
  // The server is told with the bearer that it is to forget.
  expect(sentWith).toEqual(["new"]);
});
