import { expect, test } from "vitest";
import { readEvents } from "./events";
import { tokenIn } from "./browser";

function stream(chunks: string[], end = true): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(bytes.encode(chunk));
      if (end) controller.close();
    },
  });
}

test("changes arrive whole, however the stream is cut", async () => {
  const text = ': hello\n\nid: 7\nevent: change\ndata: {"event":7}\n\nevent: other\ndata: no\n\nid: 8\nevent: change\ndata: {"event":8,"topic":"ü"}\n\n';
  for (const size of [1, 3, 1000]) {
    const got: string[] = [];
    const chunks = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
    await readEvents(stream(chunks), (data) => got.push(data));
    expect(got).toEqual(['{"event":7}', '{"event":8,"topic":"ü"}']);
  }
});

test("a silent stream is given up", async () => {
  await expect(readEvents(stream([": hi\n\n"], false), () => undefined, 20)).rejects.toThrow("silent");
});

test("a link's token", () => {
  expect(tokenIn("http://127.0.0.1:4747/#token=abc")).toBe("abc");
  expect(tokenIn("#token=a%2Fb ")).toBe("a/b");
  expect(tokenIn("http://127.0.0.1:4747/")).toBeUndefined();
  expect(tokenIn("#token=")).toBeUndefined();
});
