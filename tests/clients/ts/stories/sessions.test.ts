// Sessions of the handshake era outlive the server that began them.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { LegacyAgent, RawAgent } from "../support/agents.ts";
import { Home, type Server } from "../support/ozbrain.ts";

describe("a session and a restart", () => {
  let home: Home;
  let server: Server;
  let agent: LegacyAgent;
  let other: RawAgent;

  before(async () => {
    home = new Home();
    home.sharedBrain("team");
    server = await home.serve();
    agent = await LegacyAgent.connect(server, home.key("editor"), "editor");
    other = new RawAgent(server, home.key("other"), "other");
  });

  after(async () => {
    await agent?.close();
    await home?.close();
  });

  const sessionId = () => agent.client.transport?.sessionId;

  it("goes on after the server was killed", async () => {
    const { id } = await agent.call("write", { brain: "team", topic: "deploys", body: "Deploys happen on Tuesdays" });
    const before = sessionId();
    assert.ok(before);
    await server.stop("SIGKILL");
    server = await home.serve(server.port);
    assert.equal((await agent.call("fetch", { id })).text, "Deploys happen on Tuesdays");
    assert.equal(sessionId(), before);
    const reply = await agent.call("write", { brain: "team", id, body: "Deploys happen on Wednesdays" });
    assert.equal(reply.outcome, "updated");
  });

  it("what it had read before counts by base_revision", async () => {
    const { id } = await other.call("write", { brain: "team", topic: "oncall", body: "On call: Ada" });
    await agent.call("fetch", { id });
    await server.stop("SIGTERM");
    server = await home.serve(server.port);
    const reply = await agent.call("write", { brain: "team", id, body: "On call: Ben", base_revision: 1 });
    assert.equal(reply.outcome, "updated");
  });

  it("a server that is told to stop ends well and soon", async () => {
    const began = Date.now();
    await server.stop("SIGTERM");
    assert.ok(Date.now() - began < 10_000);
    server = await home.serve(server.port);
    const reply = await agent.call("topics", { brain: "team" });
    assert.equal(reply.topics.length, 2);
  });

  it("a session that was never begun is not found", async () => {
    const response = await fetch(server.url, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${other.key}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "Mcp-Session-Id": "00000000-0000-4000-8000-000000000000",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    });
    assert.equal(response.status, 404);
    await response.body?.cancel();
  });

  it("another connection's session is not its to use", async () => {
    const response = await fetch(server.url, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${other.key}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "Mcp-Session-Id": sessionId()!,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    });
    assert.ok([401, 403, 404].includes(response.status), `status ${response.status}`);
    await response.body?.cancel();
  });
});
