// What agents pay for: tokens, counted from the outside.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { LegacyAgent, RawAgent } from "../support/agents.ts";
import { tokens } from "../support/checks.ts";
import { Home, type Json } from "../support/ozbrain.ts";

const paragraph =
  "The Meridian rollout moves region by region, and each region keeps its own freeze window around the end of a quarter. ";
const scripts = [
  "Die Auslieferung läuft über das Lager in Köln, außer freitags. ",
  "配送は毎週水曜日の午後に行われ、担当者は山田さんです。",
  "Доставка идёт через склад в Риге, кроме пятницы. ",
  "\"quoted\" \\back\\slashes\\ and\ttabs\tand {\"json\": [1, 2, 3]} ",
  "🚚📦🗺️ ",
];

describe("the price of being connected", () => {
  let home: Home;
  let raw: RawAgent;
  let legacy: LegacyAgent;

  before(async () => {
    home = new Home();
    const server = await home.serve();
    raw = new RawAgent(server, home.key("raw"), "raw");
    legacy = await LegacyAgent.connect(server, home.key("legacy"), "legacy");
  });

  after(async () => {
    await legacy?.close();
    await home?.close();
  });

  it("tools/list stays within 2,500 tokens in both eras", async (t) => {
    const modern = tokens(JSON.stringify(await raw.request("tools/list", {})));
    const old = tokens(JSON.stringify(await legacy.client.listTools()));
    t.diagnostic(`tools/list: ${modern} tokens (2026-07-28), ${old} (handshake)`);
    assert.ok(modern <= 2_500, `${modern} tokens`);
    assert.ok(old <= 2_500, `${old} tokens`);
  });

  it("the instructions stay under 300 tokens and teach what matters", async (t) => {
    const { instructions } = await raw.request("server/discover", {});
    assert.equal(legacy.client.getInstructions(), instructions);
    const count = tokens(instructions);
    t.diagnostic(`instructions: ${count} tokens`);
    assert.ok(count < 300, `${count} tokens`);
    for (const word of ["search", "topic", "base_revision", "conflict", "aging"]) assert.match(instructions, new RegExp(word));
  });
});

describe("the budget", () => {
  let home: Home;
  let raw: RawAgent;

  before(async () => {
    home = new Home();
    home.sharedBrain("team");
    const server = await home.serve();
    raw = new RawAgent(server, home.key("raw"), "raw");
    for (let unit = 0; unit < 30; unit++) {
      const script = scripts[unit % scripts.length]!;
      const body = `Meridian fact ${unit}. ${paragraph.repeat(1 + (unit % 7))}${script.repeat(1 + (unit % 5))}`;
      const tags = unit % 3 === 0 ? ["rollout", "freeze"] : [];
      await raw.call("write", { brain: "team", topic: `clients/meridian/part-${unit % 6}`, title: `Fact ${unit}`, body, tags });
    }
    const long = { topic: `clients/${"meridian-".repeat(20)}x`, title: "Meridian ".repeat(22).trim() };
    await raw.call("write", { brain: "team", ...long, body: `Meridian in full. ${paragraph.repeat(60)}` });
  });

  after(() => home?.close());

  for (const tool of ["search", "brief"]) {
    const all = tool === "search" ? { limit: 50 } : {};
    it(`${tool} never exceeds it and never comes back empty`, async () => {
      for (const budget of [120, 121, 135, 150, 200, 300, 450, 700, 1_000, 1_500, 3_000, 8_000]) {
        for (const query of ["meridian", "meridian rollout freeze window", "Köln 配送 Риге", "meridian in full"]) {
          const text = await raw.text(tool, { query, budget, ...all });
          const cost = tokens(text);
          assert.ok(cost <= budget, `${tool} ${query} within ${budget} cost ${cost}: ${text}`);
          const reply = JSON.parse(text) as Json;
          const given = (reply.results ?? [...reply.units, ...reply.pointers]).length;
          assert.ok(given > 0, `${tool} ${query} within ${budget} is not empty`);
        }
      }
    });

    it(`${tool} uses the budget it gets, and accounts for what it left out`, async () => {
      const small = await raw.call(tool, { query: "meridian", budget: 200, ...all });
      assert.ok(small.left_out.count > 0);
      assert.ok(small.left_out.tokens > 0);
      assert.ok(small.left_out.reasons.length > 0, "it says why");
      const large = JSON.parse(await raw.text(tool, { query: "meridian", budget: 30_000, ...all })) as Json;
      const items = (reply: Json) => (reply.results ?? [...reply.units, ...reply.pointers]).length as number;
      assert.ok(items(large) > items(small));
      const middle = tokens(await raw.text(tool, { query: "meridian", budget: 1_000, ...all }));
      assert.ok(middle > 600, `a budget of 1,000 with plenty to say cost ${middle}`);
    });

    it(`${tool} refuses a budget below one pointer`, async () => {
      for (const budget of [0, 1, 119]) {
        const refusal = await raw.refusal(tool, { query: "meridian", budget });
        assert.equal(refusal.code, "invalid");
        assert.match(refusal.message, /budget/);
        assert.match(refusal.message, /120/);
      }
    });
  }

  it("a reply of ten pointers costs at most 1,000 tokens, a pointer at most 70 without its snippet", async (t) => {
    const text = await raw.text("search", { query: "meridian rollout freeze" });
    const { results } = JSON.parse(text) as Json;
    assert.equal(results.length, 10);
    const cost = tokens(text);
    t.diagnostic(`ten pointers: ${cost} tokens`);
    assert.ok(cost <= 1_000, `${cost} tokens`);
    for (const { snippet, ...pointer } of results) {
      const bare = tokens(JSON.stringify(pointer));
      if (pointer.title.length + pointer.topic.length < 60) assert.ok(bare <= 70, `${bare}: ${JSON.stringify(pointer)}`);
    }
  });

  it("the price that a pointer names is the unit's", async () => {
    const { results } = await raw.call("search", { query: "meridian", budget: 8_000 });
    for (const pointer of results) {
      const { text, metadata } = await raw.call("fetch", { id: pointer.id });
      assert.equal(metadata.tokens, pointer.tokens);
      assert.equal(metadata.tokens, tokens(JSON.stringify(text)), `${pointer.title}`);
    }
  });

  it("a unit too large for the budget is skipped for smaller ones, and stays as a pointer", async () => {
    const { units, pointers, left_out } = await raw.call("brief", { query: "meridian in full", budget: 700 });
    assert.ok(units.length > 0, "smaller units are there whole");
    const large = [...units, ...pointers].find((item: Json) => item.tokens > 700);
    assert.ok(large ? pointers.includes(large) : left_out.count > 0);
  });
});
