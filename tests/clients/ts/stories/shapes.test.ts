// The tools as clients see them: names, schemas, the shapes that clients insist on.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { LegacyAgent, RawAgent } from "../support/agents.ts";
import { isRecent } from "../support/checks.ts";
import { Home, type Json } from "../support/ozbrain.ts";

const names = ["brains", "brief", "confirm", "fetch", "history", "resolve", "retire", "search", "topics", "write"];
const reading = ["brains", "brief", "fetch", "history", "search", "topics"];

/** Every schema inside a schema, itself included. */
function* schemas(schema: Json): Generator<Json> {
  yield schema;
  for (const value of Object.values(schema)) {
    for (const inner of Array.isArray(value) ? value : [value]) {
      if (inner && typeof inner === "object") yield* schemas(inner);
    }
  }
}

describe("the tools", () => {
  let home: Home;
  let raw: RawAgent;
  let legacy: LegacyAgent;
  let tools: Json[];

  before(async () => {
    home = new Home();
    home.sharedBrain("team");
    const server = await home.serve();
    raw = new RawAgent(server, home.key("raw"), "raw");
    legacy = await LegacyAgent.connect(server, home.key("legacy"), "legacy");
    ({ tools } = await raw.request("tools/list", {}));
  });

  after(async () => {
    await legacy?.close();
    await home?.close();
  });

  it("are ten, the same in both eras and in each listing", async () => {
    assert.deepEqual(tools.map((tool) => tool.name).sort(), names);
    assert.deepEqual((await raw.request("tools/list", {})).tools, tools);
    const old = (await legacy.client.listTools()).tools;
    assert.deepEqual(old.map(({ name }) => name), tools.map((tool) => tool.name));
    for (const [index, tool] of old.entries()) assert.deepEqual(tool.inputSchema, tools[index]!.inputSchema);
  });

  it("say what they are and what they do", () => {
    for (const { name, title, description, annotations } of tools) {
      assert.ok(title, name);
      assert.ok(description.length > 20, name);
      assert.equal(annotations.readOnlyHint ?? false, reading.includes(name), `${name} reads only`);
      if (!reading.includes(name)) assert.equal(typeof annotations.destructiveHint, "boolean", name);
      assert.equal(annotations.openWorldHint, false, name);
    }
  });

  it("have input schemas that the strictest clients take", () => {
    for (const { name, inputSchema } of tools) {
      assert.equal(inputSchema.type, "object", name);
      for (const schema of schemas(inputSchema)) {
        assert.ok(!Array.isArray(schema.type), `${name} has no list of types: ${JSON.stringify(schema)}`);
        for (const word of ["$ref", "$defs", "definitions", "anyOf", "oneOf", "allOf", "format"]) {
          assert.ok(!(word in schema), `${name} has no ${word}: ${JSON.stringify(schema)}`);
        }
      }
      for (const property of Object.values(inputSchema.properties ?? {}) as Json[]) {
        assert.ok(property.type, `${name}: each property has a type: ${JSON.stringify(property)}`);
      }
    }
  });

  it("have output schemas that a refusal satisfies too", () => {
    for (const { name, outputSchema } of tools) {
      assert.equal(outputSchema.type, "object", name);
      assert.deepEqual(outputSchema.required ?? [], [], name);
      assert.notEqual(outputSchema.additionalProperties, false, name);
    }
  });

  it("search and fetch have the shapes that chat clients require", async () => {
    const tags = ["tone", "style"];
    const written = await raw.call("write", {
      brain: "team",
      topic: "Voice / Brand Tone",
      title: "House style",
      body: "Short sentences.\r\nNo jargon.",
      tags,
      source: "https://example.com/style",
    });
    assert.equal(written.topic, "voice/brand-tone");
    const { results, left_out } = await raw.call("search", { query: "house style" });
    assert.deepEqual(left_out.count, 0);
    const [pointer] = results;
    assert.deepEqual(
      { ...pointer, snippet: undefined, tokens: undefined },
      {
        id: written.id,
        title: "House style",
        url: `ozbrain:${written.id}`,
        brain: "team",
        topic: "voice/brand-tone",
        snippet: undefined,
        revision: 1,
        freshness: "fresh",
        conflicted: false,
        tokens: undefined,
      },
    );
    assert.match(pointer.snippet, /Short sentences/);
    const unit = await raw.call("fetch", { id: written.id });
    assert.equal(unit.id, written.id);
    assert.equal(unit.title, "House style");
    assert.equal(unit.url, `ozbrain:${written.id}`);
    assert.equal(unit.text, "Short sentences.\nNo jargon.");
    const { metadata } = unit;
    assert.equal(metadata.brain, "team");
    assert.equal(metadata.topic, "voice/brand-tone");
    assert.equal(metadata.revision, 1);
    assert.deepEqual(metadata.tags, tags);
    assert.equal(metadata.source, "https://example.com/style");
    assert.match(metadata.agent, /raw/);
    isRecent(metadata.created_at);
    isRecent(metadata.updated_at);
  });

  it("a unit answers to its id, its address and its title in any case", async () => {
    const { id } = await raw.call("write", { brain: "team", topic: "clients/nova", title: "Café hours", body: "8 to 18" });
    for (const address of [id, id.toLowerCase(), "team:clients/nova#Café hours", "team:clients/nova#CAFE\u0301 HOURS", "team:clients/nova"]) {
      assert.equal((await raw.call("fetch", { id: address })).id, id, address);
    }
    await raw.call("write", { brain: "team", topic: "clients/nova", title: "Address", body: "Pier 4" });
    const refusal = await raw.refusal("fetch", { id: "team:clients/nova" });
    assert.equal(refusal.code, "ambiguous");
    assert.equal((refusal.pointers as Json[]).length, 2);
    const untitled = await raw.refusal("write", { brain: "team", topic: "clients/nova", body: "Something" });
    assert.equal(untitled.code, "ambiguous");
    assert.equal((untitled.pointers as Json[]).length, 2);
  });

  it("a topic that nobody has names the nearest that exist", async () => {
    await raw.call("write", { brain: "team", topic: "projects/website-relaunch", body: "Starts in May" });
    const reply = await raw.call("search", { topic: "projects/website-relanch" });
    assert.deepEqual(reply.results, []);
    assert.ok(
      reply.nearest_topics.some((near: Json) => near.brain === "team" && near.topic === "projects/website-relaunch"),
      JSON.stringify(reply),
    );
  });

  it("search takes what people type as words, never as syntax", async () => {
    await raw.call("write", { brain: "team", topic: "notes/syntax", body: "C++ and NEAR the \"quay\", 50% off* (really)" });
    for (const query of ['"', "quay AND", "NEAR(", "c++ -quay", "body:quay", "quay*", "'; DROP TABLE units; --", "(((", "^quay", "a".repeat(5_000)]) {
      await raw.call("search", { query });
    }
    const { results } = await raw.call("search", { query: '"quay" OR NOT' });
    assert.equal(results[0].topic, "notes/syntax");
  });

  it("a question finds what its words say, whatever the filler", async () => {
    await raw.call("write", { brain: "team", topic: "office/parking", body: "Parking permits come from reception" });
    await raw.call("write", { brain: "team", topic: "office/lunch", body: "The canteen is the place that opens at noon for the team" });
    const { results } = await raw.call("search", { query: "where do I get the permit for the parking of the team?" });
    assert.equal(results[0].topic, "office/parking");
    const accents = await raw.call("search", { query: "CAFE hours" });
    assert.equal(accents.results[0].topic, "clients/nova");
  });
});
