// Topics as resources, with notices that cross processes; prompts.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { LegacyAgent, ModernAgent, PythonAgent, RawAgent } from "../support/agents.ts";
import { Home, type Json, type Server } from "../support/ozbrain.ts";

const uri = "ozbrain://team/projects/atlas";

describe("resources", () => {
  let home: Home;
  let server: Server;
  let legacy: LegacyAgent;
  let modern: ModernAgent;
  let writer: PythonAgent;

  before(async () => {
    home = new Home();
    home.sharedBrain("team");
    server = await home.serve();
    legacy = await LegacyAgent.connect(server, home.key("legacy"), "legacy");
    modern = await ModernAgent.connect(server, home.key("modern"), "modern");
    writer = await PythonAgent.connect(home, "writer", "auto");
    await writer.call("write", { brain: "team", topic: "projects/atlas", title: "Goal", body: "Maps for hikers" });
    await writer.call("write", { brain: "team", topic: "projects/atlas", title: "Owner", body: "Owned by Lee" });
  });

  after(async () => {
    await legacy?.close();
    await modern?.close();
    await writer?.close();
    await home?.close();
  });

  it("are listed, with a template for the rest", async () => {
    for (const { client } of [legacy, modern]) {
      const { resources } = await client.listResources();
      const topic = resources.find((resource: Json) => resource.uri === uri);
      assert.ok(topic, JSON.stringify(resources));
      assert.ok(topic.name);
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.ok(resourceTemplates.some(({ uriTemplate }: Json) => uriTemplate.startsWith("ozbrain://{")));
    }
  });

  it("read as the topic's whole text, and count as seen", async () => {
    for (const { client } of [legacy, modern]) {
      const { contents } = await client.readResource({ uri });
      const text = contents.map((content: Json) => content.text).join("\n");
      assert.match(text, /Maps for hikers/);
      assert.match(text, /Owned by Lee/);
      assert.equal(contents[0]!.mimeType, "text/markdown");
    }
    const { contents } = await writer.order({ read: uri });
    assert.match(JSON.stringify(contents), /Maps for hikers/);
    const reply = await legacy.call("write", { brain: "team", topic: "projects/atlas", title: "Owner", body: "Owned by Max" });
    assert.equal(reply.outcome, "updated");
  });

  it("that do not exist are an error of the protocol", async () => {
    const notFound = (error: unknown) => [-32002, -32602].includes((error as { code: number }).code);
    for (const { client } of [legacy, modern]) {
      await assert.rejects(client.readResource({ uri: "ozbrain://team/no/such/topic" }), notFound);
      await assert.rejects(client.readResource({ uri: "file:///etc/hostname" }), notFound);
    }
  });

  it("a write in another process reaches a subscriber of the handshake era", async () => {
    await legacy.client.subscribeResource({ uri });
    await writer.call("write", { brain: "team", topic: "projects/atlas", title: "Goal", append: "And for cyclists" });
    assert.equal(await legacy.updated.next("the notice"), uri);
    await legacy.client.unsubscribeResource({ uri });
    await writer.call("write", { brain: "team", topic: "projects/atlas", title: "Goal", append: "And for sailors" });
    // The notice of a new topic comes after the one that must not come.
    await writer.call("write", { brain: "team", topic: "projects/borealis", body: "A new project" });
    await legacy.listChanged.next("the notice of a new topic");
    assert.equal(legacy.updated.size, 0);
  });

  it("a write in another process reaches a listener of the 2026-07-28 era", async () => {
    const listening = await modern.client.listen({ resourceSubscriptions: [uri] });
    assert.deepEqual(listening.honoredFilter.resourceSubscriptions, [uri]);
    await writer.call("write", { brain: "team", topic: "projects/other", body: "Not listened to" });
    await writer.call("write", { brain: "team", topic: "projects/atlas", title: "Owner", append: "Since June" });
    assert.equal(await modern.updated.next("the notice"), uri);
    await listening.close();
  });

  it("a notice tells nothing of a brain that may not be read", async () => {
    home.sharedBrain("vault");
    const key = home.key("blind");
    home.ok("brain", "grant", "vault", "blind", "none");
    const blind = await ModernAgent.connect(server, key, "blind");
    const listening = await blind.client.listen({ resourceSubscriptions: ["ozbrain://vault/plans", uri] });
    await writer.call("write", { brain: "vault", topic: "plans", body: "Secret" });
    await writer.call("write", { brain: "team", topic: "projects/atlas", title: "Owner", append: "Until July" });
    // The second write's notice is the first to come.
    assert.equal(await blind.updated.next("the notice"), uri);
    await listening.close();
    await blind.close();
  });
});

describe("prompts", () => {
  let home: Home;
  let raw: RawAgent;
  let legacy: LegacyAgent;

  before(async () => {
    home = new Home();
    home.sharedBrain("team");
    const server = await home.serve();
    raw = new RawAgent(server, home.key("raw"), "raw");
    legacy = await LegacyAgent.connect(server, home.key("legacy"), "legacy");
    await raw.call("write", { brain: "team", topic: "voice", body: "We write short sentences" });
  });

  after(async () => {
    await legacy?.close();
    await home?.close();
  });

  it("are two, described, and give messages", async () => {
    const { prompts } = await raw.request("prompts/list", {});
    assert.equal(prompts.length, 2);
    assert.deepEqual((await legacy.client.listPrompts()).prompts.map(({ name }) => name), prompts.map((prompt: Json) => prompt.name));
    for (const prompt of prompts) {
      assert.ok(prompt.description.length > 10);
      const args = Object.fromEntries((prompt.arguments ?? []).map((argument: Json) => [argument.name, "voice"]));
      const { messages } = await raw.request("prompts/get", { name: prompt.name, arguments: args }, prompt.name);
      assert.ok(messages.length > 0);
      const { messages: same } = await legacy.client.getPrompt({ name: prompt.name, arguments: args });
      assert.deepEqual(same, messages);
    }
  });

  it("one briefs on a topic", async () => {
    const { prompts } = await raw.request("prompts/list", {});
    const brief = prompts.find((prompt: Json) => (prompt.arguments ?? []).some(({ name }: Json) => name === "topic"));
    assert.ok(brief, "a prompt takes a topic");
    const { messages } = await raw.request("prompts/get", { name: brief.name, arguments: { topic: "voice" } }, brief.name);
    assert.match(JSON.stringify(messages), /voice/);
  });

  it("that do not exist are an error of the protocol", async () => {
    const { messages } = await raw.post("prompts/get", { name: "nonesuch" }, "nonesuch");
    assert.equal(messages.at(-1)!.error.code, -32602);
  });
});
