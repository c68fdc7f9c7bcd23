// What a client's file is after disconnecting: nothing but our entry went.
import assert from "node:assert/strict";
import type { Json } from "./ozbrain.ts";

/** A client's file over time. */
export interface Times {
  /** Before the client was connected. */
  before: string;
  /** As connecting wrote it. */
  connected: string;
  /** As the client left it. */
  rewritten: string;
  /** After it was disconnected. */
  after: string;
}

/**
 * Fails unless the file is what it was, where the client left it alone, and otherwise what the client wrote without our
 * entry: one piece of it, in which nothing of what stood there before lies. Of JSON it says the same but for the entry.
 */
export function nothingElseWent({ before, connected, rewritten, after }: Times): void {
  if (rewritten === connected) {
    assert.equal(after, before);
    return;
  }
  let start = 0;
  while (start < after.length && after[start] === rewritten[start]) start += 1;
  let end = 0;
  while (end < after.length - start && after.at(-1 - end) === rewritten.at(-1 - end)) end += 1;
  assert.equal(start + end, after.length, `more than one piece changed:\n${rewritten}\nbecame\n${after}`);
  const gone = rewritten.slice(start, rewritten.length - end);
  assert.match(gone, /--data-dir/, "our entry is still there");
  for (const line of before.split("\n").map((line) => line.trim())) {
    if (/\w/.test(line) && rewritten.includes(line)) assert.ok(after.includes(line), `${line} went too:\n${gone}`);
  }
  const was = parsed(rewritten);
  if (was) assert.deepEqual(bare(parsed(after)), bare(was));
}

/** What JSON says; of another format nothing. */
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Without our entry, and without a container that is empty then. */
function bare(json: Json | undefined): Json {
  const rest = structuredClone(json ?? {});
  for (const [name, servers] of Object.entries<Json>(rest)) {
    if (typeof servers !== "object" || servers === null || Array.isArray(servers)) continue;
    delete servers.ozbrain;
    if (Object.keys(servers).length === 0) delete rest[name];
  }
  return rest;
}
