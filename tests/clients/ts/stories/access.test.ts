// A brain that a connection may not read does not exist for it, anywhere.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { LegacyAgent, PythonAgent, RawAgent, type Agent } from "../support/agents.ts";
import { Home, type Json, type Server } from "../support/ozbrain.ts";

const secret = { brain: "vault", topic: "salaries", title: "Bands" };

describe("a brain without a grant", () => {
  let home: Home;
  let server: Server;
  let insider: RawAgent;
  let outsiders: Agent[];
  let id: string;

  before(async () => {
    home = new Home();
    home.sharedBrain("team");
    home.sharedBrain("vault");
    server = await home.serve();
    insider = new RawAgent(server, home.key("insider"), "insider");
    const http = home.key("outsider");
    // A first call over stdio makes the connection that the grant names.
    const stdio = await PythonAgent.connect(home, "stdio-outsider", "auto");
    home.ok("brain", "grant", "vault", "outsider", "none");
    home.ok("brain", "grant", "vault", "stdio-outsider", "none");
    outsiders = [new RawAgent(server, http, "outsider"), await LegacyAgent.connect(server, http, "outsider"), stdio];
    ({ id } = await insider.call("write", { ...secret, body: "Band C starts at 70", tags: ["pay"] }));
    await insider.call("write", { brain: "team", topic: "lunch", body: "Lunch is at noon" });
  });

  after(async () => {
    for (const agent of outsiders ?? []) await agent.close();
    await home?.close();
  });

  const each = (body: (agent: Agent) => Promise<void>) => async () => {
    for (const agent of outsiders) await body(agent);
  };

  it("is there for who may read it", async () => {
    const { results } = await insider.call("search", { query: "band salaries" });
    assert.deepEqual(results.map((pointer: Json) => pointer.id), [id]);
  });

  it(
    "is in no list and no count",
    each(async (agent) => {
      const { brains } = await agent.call("brains");
      assert.deepEqual(brains.map((brain: Json) => brain.brain).sort(), ["personal", "team"]);
      const { topics } = await agent.call("topics");
      assert.deepEqual(topics.map((topic: Json) => topic.topic), ["lunch"]);
    }),
  );

  it(
    "is in no search, brief, count left out or suggestion",
    each(async (agent) => {
      for (const args of [{ query: "band salaries pay" }, { topic: "salaries" }, { query: "salaries", topic: "salaries/x" }]) {
        for (const tool of ["search", "brief"]) {
          const text = await agent.text(tool, args);
          assert.doesNotMatch(text, /vault|salaries|Band|70/, `${tool} ${JSON.stringify(args)}`);
          assert.equal((JSON.parse(text).left_out ?? { count: 0 }).count, 0);
        }
      }
    }),
  );

  it(
    "refuses as if it were not there, word for word",
    each(async (agent) => {
      const inBrain: [string, Json][] = [
        ["topics", {}],
        ["search", { query: "pay" }],
        ["brief", { query: "pay" }],
        ["write", { topic: "salaries", body: "x" }],
        ["write", { id, body: "x" }],
      ];
      for (const [tool, args] of inBrain) {
        const hidden = await agent.refusal(tool, { ...args, brain: "vault" });
        const absent = await agent.refusal(tool, { ...args, brain: "vaulx" });
        assert.equal(hidden.code, "unknown_brain");
        assert.deepEqual(JSON.parse(JSON.stringify(hidden).replaceAll("vault", "vaulx")), absent, tool);
      }
      const absentId = "0".repeat(12);
      const byId: [string, Json][] = [
        ["fetch", {}],
        ["history", {}],
        ["retire", {}],
        ["confirm", {}],
        ["resolve", { version: 1, choice: "keep_head", decision: "x" }],
        ["write", { brain: "team", body: "x" }],
      ];
      for (const [tool, args] of byId) {
        const hidden = await agent.refusal(tool, { ...args, id });
        const absent = await agent.refusal(tool, { ...args, id: absentId });
        assert.equal(hidden.code, "unknown_unit");
        assert.deepEqual(JSON.parse(JSON.stringify(hidden).replaceAll(id, absentId)), absent, tool);
      }
      const hidden = await agent.refusal("fetch", { id: "vault:salaries#Bands" });
      const absent = await agent.refusal("fetch", { id: "vaulx:salaries#Bands" });
      assert.deepEqual(JSON.parse(JSON.stringify(hidden).replaceAll("vault", "vaulx")), absent);
    }),
  );

  it("is no resource", async () => {
    const raw = outsiders[0] as RawAgent;
    const { resources } = await raw.request("resources/list", {});
    assert.ok(resources.some(({ uri }: Json) => uri === "ozbrain://team/lunch"));
    assert.doesNotMatch(JSON.stringify(resources), /vault|salaries/);
    const hidden = await raw.post("resources/read", { uri: "ozbrain://vault/salaries" }, "ozbrain://vault/salaries");
    const absent = await raw.post("resources/read", { uri: "ozbrain://vaulx/salaries" }, "ozbrain://vaulx/salaries");
    assert.ok(hidden.messages.at(-1)!.error);
    assert.equal(hidden.status, absent.status);
    assert.deepEqual(
      JSON.parse(JSON.stringify(hidden.messages.at(-1)!.error).replaceAll("vault", "vaulx")),
      absent.messages.at(-1)!.error,
    );
  });

  it("read alone does not write", async () => {
    home.ok("brain", "grant", "vault", "outsider", "read");
    const raw = outsiders[0]!;
    assert.equal((await raw.call("fetch", { id })).text, "Band C starts at 70");
    const { brains } = await raw.call("brains");
    assert.equal(brains.find((brain: Json) => brain.brain === "vault").grant, "read");
    for (const [tool, args] of [
      ["write", { ...secret, body: "Band C starts at 90" }],
      ["write", { brain: "vault", topic: "new", body: "x" }],
      ["retire", { id }],
      ["confirm", { id, revision: 1, verdict: "still_true" }],
    ] as [string, Json][]) {
      assert.equal((await raw.refusal(tool, args)).code, "not_allowed", tool);
    }
    assert.equal((await insider.call("history", { id })).revisions.length, 1);
    home.ok("brain", "grant", "vault", "outsider", "none");
    assert.equal((await raw.refusal("fetch", { id })).code, "unknown_unit");
  });
});

describe("a revoked connection", () => {
  let home: Home;
  let server: Server;

  before(async () => {
    home = new Home();
    home.sharedBrain("team");
    server = await home.serve();
  });

  after(() => home?.close());

  it("over HTTP is out at once, in an open session too", async () => {
    const key = home.key("leaver");
    const raw = new RawAgent(server, key, "leaver");
    const legacy = await LegacyAgent.connect(server, key, "leaver");
    await raw.call("brains");
    await legacy.call("brains");
    home.ok("connection", "revoke", "leaver");
    assert.equal((await raw.post("tools/list", {})).status, 401);
    await assert.rejects(legacy.callTool("brains", {}));
    await legacy.close();
  });

  it("over stdio is out at once, and its name stays out", async () => {
    const agent = await PythonAgent.connect(home, "stdio-leaver", "legacy");
    const { id } = await agent.call("write", { brain: "team", topic: "desk", body: "Desk 4" });
    home.ok("connection", "revoke", "stdio-leaver");
    const refused = async (speaker: PythonAgent) => {
      for (const [tool, args] of [["brains", {}], ["fetch", { id }], ["write", { brain: "team", topic: "desk", body: "Desk 5" }]] as [string, Json][]) {
        const refusal = await speaker.refusal(tool, args);
        assert.equal(refusal.code, "not_allowed", tool);
      }
    };
    await refused(agent);
    await agent.close();
    // A client that starts again under that name gets no further.
    let again: PythonAgent | undefined;
    try {
      again = await PythonAgent.connect(home, "stdio-leaver", "legacy");
    } catch {
      return;
    }
    await refused(again);
    await again.close();
  });
});
