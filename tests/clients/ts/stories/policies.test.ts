// Who may write a shared brain: in a review brain agents propose, in a brain of
// owners the marked ones write.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { LegacyAgent, ModernAgent, PythonAgent, type Agent } from "../support/agents.ts";
import { Home, type Json, type Server } from "../support/ozbrain.ts";

describe("a brain under review", () => {
  let home: Home;
  let server: Server;
  let agents: Agent[];
  let reader: LegacyAgent;
  const fact = { brain: "facts", topic: "clients/meridian", title: "Renewal" };

  before(async () => {
    home = new Home();
    home.ok("brain", "create", "facts", "--shared", "--write-policy", "review");
    server = await home.serve();
    reader = await LegacyAgent.connect(server, home.key("reader"), "reader");
    agents = [
      await LegacyAgent.connect(server, home.key("handshake"), "handshake"),
      await ModernAgent.connect(server, home.key("modern"), "modern"),
      await PythonAgent.connect(home, "python", "auto"),
    ];
  });

  after(async () => {
    for (const agent of [...(agents ?? []), reader]) await agent?.close();
    await home?.close();
  });

  it("is told as such", async () => {
    const { brains } = await reader.call("brains");
    const row = brains.find(({ brain }: Json) => brain === "facts");
    assert.equal(row.write_policy, "review");
    assert.equal(row.grant, "write");
  });

  it("takes each agent's write as a proposal, and says what stands until then", async () => {
    for (const agent of agents) {
      const reply = await agent.call("write", { ...fact, body: `Renews in March, says ${agent.name}` });
      assert.equal(reply.outcome, "proposed");
      assert.equal(reply.brain, "facts");
      assert.equal(reply.topic, fact.topic);
      assert.equal(reply.title, fact.title);
      assert.equal(reply.revision, 0);
      assert.match(reply.id, /^[0-9A-HJKMNP-TV-Z]{12}$/);
      assert.match(reply.notice, /waits until they accept it/);
      assert.match(reply.notice, /nothing stands there/);
    }
  });

  it("answers the same write again with the same unit", async () => {
    for (const agent of agents) {
      const again = { ...fact, body: `Renews in March, says ${agent.name}` };
      const one = await agent.call("write", again);
      const two = await agent.call("write", again);
      assert.equal(one.outcome, "proposed");
      assert.equal(one.id, two.id);
      assert.match(two.notice, /proposed just this before/);
    }
  });

  it("shows no reader what waits, its author included", async () => {
    for (const agent of [reader, ...agents]) {
      for (const tool of ["search", "brief"]) {
        assert.doesNotMatch(await agent.text(tool, { query: "when does meridian renew in march" }), /March/);
      }
      const { topics } = await agent.call("topics", { brain: "facts" });
      assert.deepEqual(topics, []);
      assert.equal((await agent.refusal("fetch", { id: "facts:clients/meridian#Renewal" })).code, "unknown_unit");
      const { brains } = await agent.call("brains");
      assert.equal(brains.find(({ brain }: Json) => brain === "facts").units, 0);
    }
    const { resources } = await reader.client.listResources();
    assert.doesNotMatch(JSON.stringify(resources), /meridian/);
  });

  it("refuses what a landing write would be refused for", async () => {
    for (const agent of agents) {
      assert.equal((await agent.refusal("write", { ...fact, topic: "new", tags: ["x"] })).code, "invalid");
      assert.equal((await agent.refusal("write", { ...fact, topic: "new", body: " " })).code, "invalid");
      assert.equal((await agent.refusal("write", { ...fact, title: "x".repeat(201), body: "y" })).code, "too_large");
    }
  });

  it("holds the command line to it too", () => {
    const args = ["--brain", "facts", "--topic", "x", "--body", "y"];
    const reply = home.json("write", ...args);
    assert.equal(reply.outcome, "proposed");
    assert.match(home.ok("write", ...args), /^proposed: x\n.*not there yet/);
  });
});

describe("a brain of owners", () => {
  let home: Home;
  let server: Server;
  let marked: ModernAgent;
  let other: LegacyAgent;

  before(async () => {
    home = new Home();
    home.ok("brain", "create", "board", "--shared", "--write-policy", "owners");
    server = await home.serve();
    marked = await ModernAgent.connect(server, home.key("marked"), "marked");
    other = await LegacyAgent.connect(server, home.key("other"), "other");
    home.ok("brain", "grant", "board", "marked", "write", "--owner");
  });

  after(async () => {
    await marked?.close();
    await other?.close();
    await home?.close();
  });

  it("is written by whom the person marked, and read by all", async () => {
    const reply = await marked.call("write", { brain: "board", topic: "budget", body: "Frozen until May" });
    assert.equal(reply.outcome, "created");
    assert.equal((await other.call("fetch", { id: reply.id })).text, "Frozen until May");
    const { revision, id } = reply;
    const acts: [string, Json][] = [
      ["write", { brain: "board", topic: "budget", body: "Free" }],
      ["write", { brain: "board", topic: "new", body: "Free" }],
      ["retire", { id }],
      ["confirm", { id }],
      ["confirm", { id, revision, verdict: "still_true" }],
    ];
    for (const [tool, args] of acts) {
      const refused = await other.refusal(tool, args);
      assert.equal(refused.code, "not_allowed", tool);
      assert.match(refused.message, /owners/);
    }
  });

  it("is closed to one whose mark is taken, at once", async () => {
    home.ok("brain", "grant", "board", "marked", "write", "--owner=false");
    const refused = await marked.refusal("write", { brain: "board", topic: "budget", body: "Free" });
    assert.equal(refused.code, "not_allowed");
    home.ok("brain", "grant", "board", "marked", "write", "--owner");
    const reply = await marked.call("write", { brain: "board", topic: "budget", append: "Signed" });
    assert.equal(reply.outcome, "updated");
  });
});
