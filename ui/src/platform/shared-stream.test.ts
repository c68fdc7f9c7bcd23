import { afterEach, expect, test, vi } from "vitest";
import { type Channel, sharedStream, type Stream, type Told, type Turn } from "./shared-stream";

/** A browser: what its tabs say is heard by the others, in order and a moment later; one holds the turn, the others queue. */
function browser() {
  const channels = new Set<Channel>();
  const queue: (() => void)[] = [];
  let held = false;
  let robbed: (() => void) | undefined;
  const open = (): Channel => {
    const mine: Channel = {
      onmessage: null,
      postMessage(told: Told) {
        if (!channels.has(mine)) throw new Error("closed");
        const others = [...channels].filter((other) => other !== mine);
        queueMicrotask(() => others.forEach((other) => other.onmessage?.(new MessageEvent("message", { data: structuredClone(told) }))));
      },
      close: () => channels.delete(mine),
    };
    channels.add(mine);
    return mine;
  };
  const turn: Turn = async (work, how) => {
    if ("steal" in how) robbed?.();
    else if (held) {
      await new Promise<void>((resolve, reject) => {
        queue.push(resolve);
        how.signal.addEventListener("abort", () => {
          queue.splice(queue.indexOf(resolve) >>> 0, 1);
          reject(how.signal.reason);
        });
      });
    }
    held = true;
    let mine = true;
    const taken = new Promise<never>((_, reject) => {
      robbed = () => {
        mine = false;
        reject(new DOMException("stolen", "AbortError"));
      };
    });
    try {
      await Promise.race([work(), taken]);
    } finally {
      if (mine) {
        held = false;
        queue.shift()?.();
      }
    }
  };
  return { open, turn };
}

/** A server whose changes are numbers, and the streams that are open at it. */
function server() {
  let last = 0;
  const open = new Set<{ after: number; tell: (event: number) => void; end: () => void }>();
  const asked: (number | undefined)[] = [];
  const stream: Stream = async (after, hear, signal) => {
    asked.push(after);
    await Promise.resolve();
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const one = { after: after ?? last, tell: (event: number) => hear.change(JSON.stringify({ event })), end: resolve };
      open.add(one);
      const close = (then: () => void) => () => {
        open.delete(one);
        then();
      };
      one.end = close(resolve);
      signal.addEventListener("abort", close(() => reject(signal.reason)));
      hear.opened();
      for (let event = one.after + 1; event <= last; event++) one.tell(event);
    });
  };
  return {
    stream,
    asked,
    open,
    happen() {
      last += 1;
      for (const one of [...open]) one.tell(last);
    },
  };
}

const tabs: AbortController[] = [];
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.abort();
  vi.useRealTimers();
});

function tab(of: ReturnType<typeof sharedStream>, after: number | undefined) {
  const control = new AbortController();
  tabs.push(control);
  const heard: number[] = [];
  let opened = 0;
  const done = of(after, { opened: () => (opened += 1), change: (data) => heard.push((JSON.parse(data) as { event: number }).event) }, control.signal).then(
    () => "ended",
    (error: Error) => error.message,
  );
  return { heard, done, close: () => control.abort(), opened: () => opened };
}

/** Until nothing is on its way any more. */
const calm = async () => {
  for (let i = 0; i < 30; i++) await Promise.resolve();
};

test("eight tabs follow over one stream, each from where it stood", async () => {
  const [at, from] = [browser(), server()];
  for (let i = 0; i < 5; i++) from.happen();
  const all = [];
  for (let i = 0; i < 8; i++) {
    all.push(tab(sharedStream(from.stream, at.open, at.turn), 5 - (i % 3)));
    await calm();
  }
  from.happen();
  await calm();
  expect(from.open.size).toBe(1);
  for (const [i, one] of all.entries()) {
    expect(one.opened()).toBe(1);
    // From its place on, none left out; some may come twice.
    const wanted = Array.from({ length: 1 + (i % 3) }, (_, n) => 6 - (i % 3) + n);
    expect([...new Set(one.heard)].filter((event) => wanted.includes(event))).toEqual(wanted);
  }
});

test("whoever has the stream closes at any moment: the others miss nothing", async () => {
  for (let moment = 0; moment < 40; moment++) {
    const [at, from] = [browser(), server()];
    const all = [1, 2, 3].map(() => tab(sharedStream(from.stream, at.open, at.turn), 0));
    await calm();
    from.happen();
    for (let i = 0; i < moment % 20; i++) await Promise.resolve();
    if (moment < 20) from.happen();
    all[0]?.close();
    for (let i = 0; i < moment % 20; i++) await Promise.resolve();
    from.happen();
    await calm();
    for (const one of all.slice(1)) expect([...new Set(one.heard)]).toEqual(moment < 20 ? [1, 2, 3] : [1, 2]);
    expect(from.open.size).toBe(1);
    for (const one of all) one.close();
  }
});

test("a tab that comes back from long ago is told all of it, and the others nothing is lost of", async () => {
  const [at, from] = [browser(), server()];
  const first = tab(sharedStream(from.stream, at.open, at.turn), 0);
  await calm();
  for (let i = 0; i < 4; i++) from.happen();
  await calm();
  const late = tab(sharedStream(from.stream, at.open, at.turn), 1);
  await calm();
  from.happen();
  await calm();
  expect(late.heard).toEqual([2, 3, 4, 5]);
  expect(new Set(first.heard)).toEqual(new Set([1, 2, 3, 4, 5]));
  expect(from.asked).toEqual([0, 1]);
});

test("a tab that stopped following hears nothing more", async () => {
  const [at, from] = [browser(), server()];
  tab(sharedStream(from.stream, at.open, at.turn), 0);
  await calm();
  const out = tab(sharedStream(from.stream, at.open, at.turn), 0);
  await calm();
  from.happen();
  await calm();
  out.close();
  from.happen();
  await calm();
  expect(out.heard).toEqual([1]);
});

test("a stream that breaks breaks for every tab", async () => {
  const [at, from] = [browser(), server()];
  const all = [1, 2].map(() => tab(sharedStream(from.stream, at.open, at.turn), 0));
  await calm();
  for (const one of [...from.open]) one.end();
  expect(await Promise.all(all.map((one) => one.done))).toEqual(["ended", "the stream broke"]);
});

test("where whoever has the stream falls silent, another takes its turn", async () => {
  vi.useFakeTimers();
  const [at, from] = [browser(), server()];
  // Its page hangs: it holds the turn and says nothing.
  void at.turn(() => new Promise(() => undefined), { signal: new AbortController().signal }).catch(() => undefined);
  const follow = sharedStream(from.stream, at.open, at.turn, 1_000, () => 0);
  const waits = tab(follow, 0);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(await waits.done).toMatch(/silent/);
  const again = tab(follow, 0);
  await vi.advanceTimersByTimeAsync(1);
  from.happen();
  await vi.advanceTimersByTimeAsync(1);
  expect(again.heard).toEqual([1]);
});

test("where all find whoever has the stream silent at once, one of them takes its turn", async () => {
  vi.useFakeTimers();
  const [at, from] = [browser(), server()];
  void at.turn(() => new Promise(() => undefined), { signal: new AbortController().signal }).catch(() => undefined);
  const ends: string[] = [];
  const follows = [300, 100, 200, 400, 500].map((apart) => sharedStream(from.stream, at.open, at.turn, 1_000, () => apart));
  const now = follows.map((follow) => tab(follow, 0));
  await vi.advanceTimersByTimeAsync(1_001);
  for (const one of now) expect(await one.done).toMatch(/silent/);
  const again = follows.map((follow) => {
    const one = tab(follow, 0);
    void one.done.then((end) => ends.push(end));
    return one;
  });
  await vi.advanceTimersByTimeAsync(900);
  from.happen();
  await vi.advanceTimersByTimeAsync(1);
  expect(again.map((one) => one.heard)).toEqual([[1], [1], [1], [1], [1]]);
  expect(from.asked).toEqual([0]);
  expect(ends).toEqual([]);
});

test("a tab that began from now on goes on where the others stand", async () => {
  const [at, from] = [browser(), server()];
  for (let i = 0; i < 5; i++) from.happen();
  const first = tab(sharedStream(from.stream, at.open, at.turn), 5);
  await calm();
  const late = tab(sharedStream(from.stream, at.open, at.turn), undefined);
  await calm();
  first.close();
  from.happen();
  await calm();
  from.happen();
  await calm();
  expect(late.heard).toEqual([6, 7]);
  expect(from.asked).toEqual([5, 5]);
});

test("where nobody knows how far the stream was when it changed hands, each is told that it began anew", async () => {
  const [at, from] = [browser(), server()];
  from.happen();
  const all = [1, 2, 3].map(() => tab(sharedStream(from.stream, at.open, at.turn), undefined));
  await calm();
  const before = all.map((one) => one.opened());
  all[0]!.close();
  from.happen();
  await calm();
  for (const [i, one] of all.entries()) if (i > 0) expect(one.opened()).toBeGreaterThan(before[i]!);
});
