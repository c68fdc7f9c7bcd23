// What the tests of real clients rest on: that a file which lost more than our entry is noticed.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nothingElseWent } from "../support/left.ts";

const ours = '"ozbrain":{"command":"o","args":["--data-dir","/x"]}';

describe("a client's file after disconnecting", () => {
  it("is what it was, where the client left it alone", () => {
    const file = { before: "# mine\na: 1\n", connected: "# mine\na: 1\n--data-dir\n", rewritten: "# mine\na: 1\n--data-dir\n" };
    nothingElseWent({ ...file, after: "# mine\na: 1\n" });
    assert.throws(() => nothingElseWent({ ...file, after: "a: 1\n" }));
    assert.throws(() => nothingElseWent({ ...file, after: file.rewritten }));
  });

  it("is what the client wrote, without our entry", () => {
    const file = { before: '{"a": 1}', connected: "", rewritten: `{"a":1,"new":{"b":2},"mcpServers":{"x":{},${ours}}}` };
    nothingElseWent({ ...file, after: '{"a":1,"new":{"b":2},"mcpServers":{"x":{}}}' });
    for (const after of [
      file.rewritten,
      '{"a":1,"new":{"b":2},"mcpServers":{}}',
      '{"new":{"b":2},"mcpServers":{"x":{}}}',
      '{"a":1,"new":{},"mcpServers":{"x":{}}}',
      '{"a": 1}',
      "",
    ]) {
      assert.throws(() => nothingElseWent({ ...file, after }), after);
    }
    const toml = { before: "a = 1 # mine\n", connected: "", rewritten: 'a = 1 # mine\n\n[s.ozbrain]\nargs = ["--data-dir"]\n[t]\nb = 2\n' };
    nothingElseWent({ ...toml, after: "a = 1 # mine\n\n[t]\nb = 2\n" });
    assert.throws(() => nothingElseWent({ ...toml, after: "[t]\nb = 2\n" }));
    assert.throws(() => nothingElseWent({ ...toml, after: "" }));
  });
});
