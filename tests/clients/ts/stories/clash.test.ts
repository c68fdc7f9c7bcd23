// Three agents, one brain, two truths: seen by all, settled once, told whole.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { LegacyAgent, PythonAgent, RawAgent } from "../support/agents.ts";
import { isRecent } from "../support/checks.ts";
import { Home, type Json, type Server } from "../support/ozbrain.ts";

const address = { brain: "team", topic: "projects/q3-launch" };

describe("the clash", () => {
  let home: Home;
  let server: Server;
  let first: LegacyAgent;
  let second: PythonAgent;
  let third: RawAgent;
  let id: string;
  let clash: Json;

  before(async () => {
    home = new Home();
    home.sharedBrain("team");
    server = await home.serve();
    first = await LegacyAgent.connect(server, home.key("typescript"), "typescript");
    second = await PythonAgent.connect(home, "python", "auto");
    third = new RawAgent(server, home.key("modern"), "modern");
  });

  after(async () => {
    await first?.close();
    await second?.close();
    await home?.close();
  });

  it("the first writes where nothing was", async () => {
    const reply = await first.call("write", { ...address, body: "Status: delayed" });
    assert.equal(reply.outcome, "created");
    assert.equal(reply.brain, "team");
    assert.equal(reply.topic, "projects/q3-launch");
    assert.equal(reply.revision, 1);
    assert.equal(reply.displaced, undefined);
    assert.match(reply.id, /^[0-9A-HJKMNP-TV-Z]{12}$/i);
    id = reply.id;
  });

  it("the second, who has not read it, lands and is told what it displaced", async () => {
    const reply = await second.call("write", { ...address, body: "Status: on track" });
    assert.equal(reply.outcome, "conflicted");
    assert.equal(reply.id, id);
    assert.equal(reply.revision, 2);
    assert.equal(reply.displaced.text, "Status: delayed");
    assert.equal(reply.displaced.revision, 1);
    assert.match(reply.displaced.agent, /typescript/);
    isRecent(reply.displaced.at);
    assert.deepEqual(reply.displaced.disputed, ["body"]);
    assert.equal(reply.conflict.sides.length, 1);
  });

  it("the third sees the flag in search, topics and brains", async () => {
    const { results } = await third.call("search", { query: "status of the q3 launch", brain: "team" });
    assert.equal(results.length, 1);
    assert.equal(results[0].id, id);
    assert.equal(results[0].conflicted, true);
    const needing = await third.call("search", { needs: "conflicted" });
    assert.deepEqual(needing.results.map((pointer: Json) => pointer.id), [id]);
    const { topics } = await third.call("topics", { brain: "team" });
    assert.deepEqual(topics.map((topic: Json) => [topic.topic, topic.conflicted]), [["projects/q3-launch", 1]]);
    const { brains } = await third.call("brains");
    assert.equal(brains.find((brain: Json) => brain.brain === "team").conflicted, 1);
  });

  it("the third sees both sides in fetch", async () => {
    const unit = await third.call("fetch", { id });
    assert.equal(unit.text, "Status: on track");
    assert.match(unit.metadata.agent, /python/);
    assert.equal(unit.metadata.conflicted, true);
    clash = unit.metadata.conflict;
    assert.equal(clash.sides.length, 1);
    const [side] = clash.sides;
    assert.equal(side.text, "Status: delayed");
    assert.equal(side.revision, 1);
    assert.match(side.agent, /typescript/);
    assert.deepEqual(side.disputed, ["body"]);
  });

  it("neither reading, nor a clean write, nor a confirm clears it", async () => {
    await first.call("brief", { topic: address.topic, brain: "team" });
    const appended = await second.call("write", { ...address, append: "Owner: Ada" });
    assert.equal(appended.outcome, "updated");
    const refusal = await first.refusal("confirm", { id, revision: appended.revision, verdict: "still_true" });
    assert.equal(refusal.code, "conflicted");
    const unit = await third.call("fetch", { id });
    assert.equal(unit.metadata.conflicted, true);
    assert.equal(unit.metadata.conflict.sides.length, 1);
    assert.ok(unit.metadata.conflict.version > clash.version, "the version counts the change of head");
  });

  it("an outdated settlement moves nothing and shows the new state", async () => {
    const outdated = ["--version", String(clash.version), "--choice", "restore", "--revision", "1"];
    const ran = home.run("resolve", id, ...outdated, "--decision", "It is delayed.", "--json");
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /^moved: /);
    const reply = JSON.parse(ran.stdout);
    assert.equal(reply.outcome, "moved");
    assert.ok(reply.conflict.version > clash.version);
    clash = reply.conflict;
    assert.equal((await third.call("fetch", { id })).metadata.conflicted, true);
  });

  it("the command line settles it, and the next reader gets the settled text and no flag", async () => {
    const choice = ["--version", String(clash.version), "--choice", "merged", "--body", "Status: on track again since May"];
    const reply = home.json("resolve", id, ...choice, "--decision", "Ada says it recovered in May.");
    assert.equal(reply.outcome, "resolved");
    assert.equal(reply.conflicted, false);
    for (const agent of [first, second, third]) {
      const unit = await agent.call("fetch", { id });
      assert.equal(unit.text, "Status: on track again since May");
      assert.equal(unit.metadata.conflicted, false);
      assert.equal(unit.metadata.conflict, undefined);
      assert.equal(unit.metadata.revision, reply.revision);
      const { results } = await agent.call("search", { query: "q3 launch status" });
      assert.equal(results[0].conflicted, false);
    }
    assert.deepEqual((await third.call("search", { needs: "conflicted" })).results, []);
  });

  it("history tells the whole story", async () => {
    const { revisions, events } = await third.call("history", { id });
    assert.deepEqual(revisions.map((revision: Json) => revision.revision), [4, 3, 2, 1]);
    const byNumber = new Map<number, Json>(revisions.map((revision: Json) => [revision.revision, revision]));
    assert.equal(byNumber.get(1)!.text, "Status: delayed");
    assert.equal(byNumber.get(1)!.outcome, "created");
    assert.match(byNumber.get(1)!.agent, /typescript/);
    assert.equal(byNumber.get(2)!.text, "Status: on track");
    assert.equal(byNumber.get(2)!.outcome, "conflicted");
    assert.match(byNumber.get(2)!.agent, /python/);
    assert.match(byNumber.get(3)!.text, /Owner: Ada/);
    assert.equal(byNumber.get(4)!.text, "Status: on track again since May");
    assert.match(byNumber.get(4)!.agent, /cli/);
    const conflict = events.find((event: Json) => /conflict/.test(event.kind));
    assert.ok(conflict, `a conflict is among ${JSON.stringify(events)}`);
    assert.match(conflict.agent, /python/);
    const resolved = events.find((event: Json) => /resolve/.test(event.kind));
    assert.ok(resolved, `a resolve is among ${JSON.stringify(events)}`);
    assert.match(resolved.agent, /cli/);
    assert.equal(resolved.decision, "Ada says it recovered in May.");
  });
});

describe("what is no clash", () => {
  let home: Home;
  let reader: LegacyAgent;
  let writer: PythonAgent;
  let raw: RawAgent;

  before(async () => {
    home = new Home();
    home.sharedBrain("team");
    const server = await home.serve();
    reader = await LegacyAgent.connect(server, home.key("reader"), "reader");
    writer = await PythonAgent.connect(home, "writer", "legacy");
    raw = new RawAgent(server, home.key("raw"), "raw");
  });

  after(async () => {
    await reader?.close();
    await writer?.close();
    await home?.close();
  });

  it("who has read the head updates it, and still hears what it replaced", async () => {
    const { id } = await writer.call("write", { brain: "team", topic: "clients/meridian", body: "Contact: Jo" });
    await reader.call("fetch", { id });
    const reply = await reader.call("write", { brain: "team", id, body: "Contact: Sam" });
    assert.equal(reply.outcome, "updated");
    assert.equal(reply.displaced.text, "Contact: Jo");
    assert.match(reply.displaced.agent, /writer/);
    assert.equal(reply.conflict, undefined);
  });

  it("a pointer is not enough to have seen it", async () => {
    const topic = "clients/harbour";
    await writer.call("write", { brain: "team", topic, body: "Invoice day: 1" });
    const { results } = await reader.call("search", { query: "harbour invoice" });
    assert.equal(results.length, 1);
    const reply = await reader.call("write", { brain: "team", topic, body: "Invoice day: 15" });
    assert.equal(reply.outcome, "conflicted");
  });

  it("a re-tag never fights an edit of the body", async () => {
    const topic = "clients/orchard";
    const { id } = await writer.call("write", { brain: "team", topic, body: "Plan: basic" });
    await reader.call("fetch", { id });
    await writer.call("write", { brain: "team", id, body: "Plan: premium" });
    const reply = await reader.call("write", { brain: "team", id, tags: ["subscription"] });
    assert.equal(reply.outcome, "updated");
    const unit = await reader.call("fetch", { id });
    assert.equal(unit.text, "Plan: premium");
    assert.deepEqual(unit.metadata.tags, ["subscription"]);
  });

  it("without a session of its own, base_revision says what was seen", async () => {
    const topic = "clients/quarry";
    const { id } = await writer.call("write", { brain: "team", topic, body: "Region: north" });
    await raw.call("fetch", { id });
    const clean = await raw.call("write", { brain: "team", id, body: "Region: south", base_revision: 1 });
    assert.equal(clean.outcome, "updated");
    const stale = await writer.call("write", { brain: "team", id, body: "Region: west", base_revision: 1 });
    assert.equal(stale.outcome, "conflicted");
    assert.equal(stale.displaced.text, "Region: south");
    const never = await raw.refusal("write", { brain: "team", id, body: "Region: east", base_revision: 9 });
    assert.equal(never.code, "invalid");
    assert.match(never.message, /base_revision|revision/);
  });

  it("the same text again changes nothing", async () => {
    const topic = "clients/ferry";
    const text = "Sails at nine on weekdays";
    const { id, revision } = await writer.call("write", { brain: "team", topic, body: text });
    const reply = await reader.call("write", { brain: "team", topic, body: `  ${text}\r\n` });
    assert.equal(reply.outcome, "unchanged");
    assert.equal(reply.id, id);
    assert.equal(reply.revision, revision);
  });

  it("a displaced side can be restored, a retired unit comes back as a clash", async () => {
    const topic = "clients/lighthouse";
    const { id } = await writer.call("write", { brain: "team", topic, body: "Rate: 100" });
    const clash = await reader.call("write", { brain: "team", topic, body: "Rate: 120" });
    assert.equal(clash.outcome, "conflicted");
    const restore = ["--version", String(clash.conflict.version), "--choice", "restore", "--revision", "1"];
    assert.equal(home.json("resolve", id, ...restore, "--decision", "The old rate stays.").outcome, "resolved");
    assert.equal((await reader.call("fetch", { id })).text, "Rate: 100");

    const retired = await reader.call("retire", { id, reason: "the client left" });
    assert.equal(retired.outcome, "retired");
    assert.deepEqual((await reader.call("search", { query: "lighthouse rate" })).results, []);
    const fetched = await raw.call("fetch", { id });
    assert.equal(fetched.text, "");
    assert.ok(fetched.metadata.retired);
    const back = await writer.call("write", { brain: "team", topic, body: "Rate: 130" });
    assert.equal(back.outcome, "conflicted");
    const unit = await raw.call("fetch", { id });
    assert.equal(unit.text, "Rate: 130");
    assert.deepEqual(unit.metadata.conflict.sides.map((side: Json) => side.text), [null]);
  });

  it("an agent settles only with the person's decision, and it is quoted", async () => {
    const topic = "clients/mill";
    const { id } = await writer.call("write", { brain: "team", topic, body: "Fee: 5" });
    const clash = await raw.call("write", { brain: "team", topic, body: "Fee: 6" });
    const settle = { id, version: clash.conflict.version, choice: "keep_head" };
    const silent = await raw.refusal("resolve", settle);
    assert.equal(silent.code, "invalid");
    assert.match(silent.message, /decision/);
    const reply = await raw.call("resolve", { ...settle, decision: "Kim: the fee is six" });
    assert.equal(reply.outcome, "resolved");
    const { events } = await raw.call("history", { id });
    assert.ok(events.some((event: Json) => event.decision === "Kim: the fee is six" && /raw/.test(event.agent)));
  });
});
