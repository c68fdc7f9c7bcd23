import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { desktopWindow } from "./window";

type Hearing = { say(data: string | null): void };

const shell = vi.hoisted(() => ({
  calls: [] as { command: string; input: Record<string, unknown> }[],
  refuses: undefined as string | undefined,
  drafts: {} as Record<string, string>,
  place: undefined as string | undefined,
}));

vi.mock("@tauri-apps/api/core", () => ({
  Channel: class {
    say: (data: string | null) => void;
    constructor(hear: (data: string | null) => void) {
      this.say = hear;
    }
  },
  invoke: async (command: string, input: Record<string, unknown>) => {
    shell.calls.push({ command, input });
    if (shell.refuses !== undefined) throw new Error(shell.refuses);
    if (command === "plugin:ozbrain|place") {
      const { place = null } = shell;
      shell.place = undefined;
      return place;
    }
    return command === "plugin:ozbrain|drafts" ? shell.drafts : undefined;
  },
}));

const told = async (command: string) =>
  vi.waitFor(() => {
    const call = shell.calls.find((one) => one.command === `plugin:ozbrain|${command}`);
    expect(call).toBeDefined();
    return call!.input;
  });

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal("navigator", { platform: "Linux x86_64" });
  vi.stubGlobal(
    "window",
    Object.assign(new EventTarget(), {
      sessionStorage: {
        getItem: (name: string) => stored.get(name) ?? null,
        setItem: (name: string, value: string) => void stored.set(name, value),
        removeItem: (name: string) => void stored.delete(name),
      },
    }),
  );
  shell.calls.length = 0;
  shell.refuses = undefined;
  shell.drafts = {};
  shell.place = undefined;
});
afterEach(() => vi.unstubAllGlobals());

test("changes are followed from where the page stopped, first that the stream stands", async () => {
  const heard: string[] = [];
  const end = new AbortController();
  const hear = { opened: () => heard.push("opened"), change: (data: string) => heard.push(data) };
  const followed = desktopWindow().follow(7, hear, end.signal);
  const { id, after, hear: channel } = await told("follow");
  expect(after).toBe(7);
  (channel as Hearing).say(null);
  (channel as Hearing).say('{"event":8}');
  expect(heard).toEqual(["opened", '{"event":8}']);
  end.abort();
  await followed;
  expect((await told("unfollow")).id).toBe(id);
  (channel as Hearing).say('{"event":9}');
  expect(heard).toHaveLength(2);
});

test("a store that cannot be read is told as a stream that did not open", async () => {
  shell.refuses = "The store is busy.";
  const hear = { opened: () => expect.unreachable(), change: () => expect.unreachable() };
  await expect(desktopWindow().follow(undefined, hear, new AbortController().signal)).rejects.toThrow("busy");
});

test("a place is taken from the shell, also one that it called out before anybody listened", async () => {
  const places: string[] = [];
  shell.place = "/brains?write=true";
  const stop = desktopWindow().onPlace((place) => places.push(place));
  await vi.waitFor(() => expect(places).toEqual(["/brains?write=true"]));
  shell.place = "/conflict/7ZK2";
  window.dispatchEvent(new Event("ozbrain:place"));
  await vi.waitFor(() => expect(places).toEqual(["/brains?write=true", "/conflict/7ZK2"]));
  stop();
  window.dispatchEvent(new Event("ozbrain:place"));
  expect(shell.calls).toHaveLength(2);
});

test("what was typed outlives the window, and a page that is loaded again knows better than the shell", async () => {
  shell.drafts = { "edit/team/A/": "before", "new/team//": "kept" };
  const first = desktopWindow();
  await first.ready();
  expect(first.draft("edit/team/A/")).toBe("before");
  first.keepDraft("edit/team/A/", "after", { brain: "team", unit: "A" });
  first.keepDraft("new/team//", undefined);
  await vi.waitFor(() =>
    expect(shell.calls.slice(1).map((call) => call.input)).toEqual([
      { name: "edit/team/A/", text: "after", brain: "team", unit: "A" },
      { name: "new/team//", text: null, brain: null, unit: null },
    ]),
  );
  const again = desktopWindow();
  await again.ready();
  expect(again.draft("edit/team/A/")).toBe("after");
  expect(again.draft("new/team//")).toBeUndefined();
});

test("what was erased is in no page that is loaded later", async () => {
  shell.drafts = { "edit/team/A/": "erased" };
  const first = desktopWindow();
  await first.ready();
  first.keepDraft("edit/team/A/", undefined);
  const again = desktopWindow();
  await again.ready();
  expect(again.drafts()).toEqual([]);
});

test("a shell that does not answer keeps nobody from the screens", async () => {
  shell.refuses = "no";
  const platform = desktopWindow();
  await platform.ready();
  expect(platform.drafts()).toEqual([]);
});

test("the person is signed in for as long as there is a window", () => {
  const platform = desktopWindow();
  platform.forgetBearer();
  expect([platform.signedIn(), platform.signsOut, platform.takeToken()]).toEqual([true, false, undefined]);
});
