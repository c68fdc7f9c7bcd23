import { createParser } from "eventsource-parser";

/** Longer than two of the server's 15 s comment lines: after that a silent stream counts as lost. */
const SILENCE = 40_000;

/** Reads a stream of server-sent events; `alive` is told of its comments. Resolves when it ends; rejects when it breaks or stays silent. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  change: (data: string) => void,
  silence = SILENCE,
  alive: () => void = () => undefined,
): Promise<void> {
  const parser = createParser({
    onEvent(event) {
      if (event.event === "change") change(event.data);
    },
    onComment: alive,
  });
  const reader = body.getReader();
  const text = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), silence);
      if (done) return;
      parser.feed(text.decode(value, { stream: true }));
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the event stream fell silent")), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
