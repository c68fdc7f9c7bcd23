// A fact that grows old is flagged, is not made younger by being read, and is
// fresh again once a person says so.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { LegacyAgent, ModernAgent, personWho, PythonAgent, RawAgent, type Agent } from "../support/agents.ts";
import { daysAgo, isRecent } from "../support/checks.ts";
import { Home, type Json, type Server } from "../support/ozbrain.ts";

describe("the aging fact", () => {
  let home: Home;
  let server: Server;
  let writer: LegacyAgent;
  const opened: Agent[] = [];

  before(async () => {
    home = new Home();
    home.sharedBrain("team");
    server = await home.serve();
    writer = await LegacyAgent.connect(server, home.key("writer"), "writer");
    opened.push(writer);
  });

  after(async () => {
    for (const agent of opened) await agent.close();
    await home?.close();
  });

  /** Writes a fact that was seen to hold three weeks ago; returns its id. */
  async function aged(topic: string, body: string): Promise<string> {
    const reply = await writer.call("write", { brain: "team", topic, body, observed_at: daysAgo(21) });
    assert.equal(reply.outcome, "created");
    return reply.id;
  }

  async function freshness(id: string): Promise<string> {
    return (await writer.call("fetch", { id })).metadata.freshness;
  }

  async function confirms(id: string): Promise<Json[]> {
    const { events } = await writer.call("history", { id });
    return events.filter((event: Json) => /confirm/.test(event.kind));
  }

  it("is aging everywhere, and a hundred reads change nothing", async () => {
    const id = await aged("limits/api", "The API allows 500 calls a minute");
    await writer.call("write", { brain: "team", topic: "limits/web", body: "The site allows 50 calls a minute" });

    const everywhere = async () => {
      const { results } = await writer.call("search", { query: "API calls a minute" });
      const { topics } = await writer.call("topics", { brain: "team", prefix: "limits" });
      const { brains } = await writer.call("brains");
      const { units } = await writer.call("brief", { topic: "limits/api" });
      return {
        pointer: results.find((pointer: Json) => pointer.id === id),
        unit: await writer.call("fetch", { id }),
        brief: units.find((unit: Json) => unit.id === id),
        topic: topics.find((topic: Json) => topic.topic === "limits/api"),
        brain: brains.find((brain: Json) => brain.brain === "team"),
      };
    };
    const seen = await everywhere();
    assert.equal(seen.pointer.freshness, "aging");
    assert.equal(seen.unit.metadata.freshness, "aging");
    assert.equal(seen.brief.freshness, "aging");
    assert.deepEqual([seen.topic.units, seen.topic.fresh, seen.topic.aging, seen.topic.stale], [1, 0, 1, 0]);
    assert.equal(seen.brain.aging, 1);
    assert.equal(seen.brain.units, 2);
    const needing = await writer.call("search", { needs: "aging" });
    assert.deepEqual(needing.results.map((pointer: Json) => pointer.id), [id]);
    const fresh = await writer.call("search", { query: "API calls", topic: "limits/api", freshness: "fresh" });
    assert.ok(fresh.results.every((pointer: Json) => pointer.id !== id && pointer.freshness === "fresh"));

    for (let read = 0; read < 50; read++) {
      await writer.call("fetch", { id });
      await writer.call("search", { query: "API calls a minute" });
    }
    assert.deepEqual(await everywhere(), seen);
    assert.equal((await writer.call("history", { id })).revisions.length, 1);
  });

  it("repeating what was read makes nothing younger", async () => {
    const id = await aged("limits/echo", "Echo replies within a second");
    const reply = await writer.call("write", { brain: "team", topic: "limits/echo", body: "Echo replies within a second" });
    assert.equal(reply.outcome, "unchanged");
    assert.equal(await freshness(id), "aging");
  });

  it("a re-tag keeps its age, a new text makes it fresh", async () => {
    const id = await aged("limits/upload", "Uploads stop at 5 MB");
    await writer.call("write", { brain: "team", id, tags: ["quota"] });
    assert.equal(await freshness(id), "aging");
    await writer.call("write", { brain: "team", id, body: "Uploads stop at 8 MB" });
    assert.equal(await freshness(id), "fresh");
  });

  it("a unit's own threshold counts, and past three times it the fact is stale", async () => {
    const own = { fresh_for_days: 5, observed_at: daysAgo(6) };
    const { id } = await writer.call("write", { brain: "team", topic: "limits/own", body: "Own clock", ...own });
    assert.equal(await freshness(id), "aging");
    const old = { fresh_for_days: 5, observed_at: daysAgo(16) };
    const stale = await writer.call("write", { brain: "team", topic: "limits/older", body: "Older clock", ...old });
    assert.equal(await freshness(stale.id), "stale");
    const later = { observed_at: daysAgo(-30) };
    const ahead = await writer.call("write", { brain: "team", topic: "limits/ahead", body: "Ahead of time", ...later });
    const { metadata } = await writer.call("fetch", { id: ahead.id });
    assert.equal(metadata.freshness, "fresh");
    assert.ok(Date.parse(metadata.observed_at) <= Date.now() + 2_000, "a date in the future counts as now");
  });

  /** The person is asked once, says that it still holds, and the history says who asked. */
  async function asksAndConfirms(name: string, topic: string, connect: (person: ReturnType<typeof personWho>) => Promise<Agent>) {
    const body = `The badge of ${topic} opens door 7`;
    const id = await aged(topic, body);
    const person = personWho("still_true");
    const agent = await connect(person);
    opened.push(agent);
    const reply = await agent.call("confirm", { id });
    assert.equal(reply.outcome, "confirmed");
    assert.equal(reply.id, id);
    assert.equal(reply.revision, 1);
    assert.equal(reply.freshness, "fresh");
    assert.equal(person.asked.length, 1);
    assert.ok(person.asked[0]!.includes(body), `the question quotes the fact: ${person.asked[0]}`);
    const unit = await writer.call("fetch", { id });
    assert.equal(unit.metadata.freshness, "fresh");
    isRecent(unit.metadata.confirmed_at);
    assert.match(unit.metadata.confirmed_by, new RegExp(name));
    const events = await confirms(id);
    assert.equal(events.length, 1);
    assert.match(events[0]!.agent, new RegExp(name));
    assert.equal(events[0]!.revision, 1);
  }

  it("a client of the handshake era over HTTP asks the person", () =>
    asksAndConfirms("asker-legacy", "doors/legacy-http", ({ answer }) =>
      LegacyAgent.connect(server, home.key("asker-legacy"), "asker-legacy", answer),
    ));

  it("a client of the 2026-07-28 era over HTTP asks the person", () =>
    asksAndConfirms("asker-modern", "doors/modern-http", ({ answer }) =>
      ModernAgent.connect(server, home.key("asker-modern"), "asker-modern", answer),
    ));

  it("a client of the handshake era over stdio asks the person", () =>
    asksAndConfirms("asker-stdio", "doors/legacy-stdio", ({ answer }) =>
      PythonAgent.connect(home, "asker-stdio", "legacy", answer),
    ));

  it("a client of the 2026-07-28 era over stdio asks the person", () =>
    asksAndConfirms("asker-python", "doors/modern-stdio", async ({ answer }) => {
      const agent = await PythonAgent.connect(home, "asker-python", "auto", answer);
      assert.equal(agent.protocol, "2026-07-28");
      return agent;
    }));

  it("a question that the person closes changes nothing", async () => {
    const id = await aged("doors/declined", "Door 9 is locked");
    const person = personWho("decline");
    const agent = await LegacyAgent.connect(server, home.key("decliner"), "decliner", person.answer);
    opened.push(agent);
    const reply = await agent.call("confirm", { id });
    assert.equal(reply.outcome, "declined");
    assert.equal(person.asked.length, 1);
    assert.equal(await freshness(id), "aging");
    assert.deepEqual(await confirms(id), []);
  });

  it("a client that cannot ask gets the question", async () => {
    const id = await aged("doors/unasked", "Door 3 squeaks");
    const unable = await LegacyAgent.connect(server, home.key("unable-legacy"), "unable-legacy");
    opened.push(unable);
    const raw = new RawAgent(server, home.key("unable-modern"), "unable-modern");
    for (const agent of [unable, raw]) {
      const reply = await agent.call("confirm", { id });
      assert.equal(reply.outcome, "ask_person");
      assert.ok(reply.question.includes("Door 3 squeaks"), `the question quotes the fact: ${reply.question}`);
      assert.equal(await freshness(id), "aging");
    }
    const { revision } = (await raw.call("fetch", { id })).metadata;
    const told = await raw.call("confirm", { id, revision, verdict: "still_true" });
    assert.equal(told.outcome, "confirmed");
    assert.equal(await freshness(id), "fresh");
  });

  it("a question is carried by the client between two requests, and cannot be forged", async () => {
    const id = await aged("doors/by-hand", "Door 4 is red");
    const raw = new RawAgent(server, home.key("by-hand"), "by-hand", { elicitation: { form: {} } });
    const asked = await raw.callTool("confirm", { id });
    assert.equal(asked.resultType, "input_required");
    const [[key, request]] = Object.entries(asked.inputRequests) as [[string, Json]];
    assert.equal(request.method, "elicitation/create");
    assert.equal(typeof asked.requestState, "string");
    const answer = personWho("still_true").answer(request.params.message, request.params.requestedSchema);

    const forged = asked.requestState.slice(0, -4) + (asked.requestState.endsWith("AAAA") ? "BBBB" : "AAAA");
    const attempt = await raw.post(
      "tools/call",
      { name: "confirm", arguments: { id }, inputResponses: { [key]: answer }, requestState: forged },
      "confirm",
    );
    const outcome = attempt.messages.at(-1)!;
    assert.ok(outcome.error || outcome.result?.isError, `a forged state is refused: ${JSON.stringify(outcome)}`);
    assert.equal(await freshness(id), "aging");

    const more = { inputResponses: { [key]: answer }, requestState: asked.requestState };
    const reply = await raw.callTool("confirm", { id }, more);
    assert.equal(reply.resultType ?? "complete", "complete");
    assert.equal(reply.structuredContent.outcome, "confirmed");
    assert.equal(await freshness(id), "fresh");
    assert.match((await confirms(id))[0]!.agent, /by-hand/);
  });

  it("a verdict names the revision that it speaks of", async () => {
    const id = await aged("doors/verdict", "Door 5 opens at six");
    const bare = await writer.refusal("confirm", { id, verdict: "still_true" });
    assert.equal(bare.code, "invalid");
    assert.match(bare.message, /revision/);
    assert.equal((await writer.call("confirm", { id, revision: 1, verdict: "unknown" })).outcome, "noted");
    assert.equal(await freshness(id), "aging");
    const changed = await writer.call("confirm", { id, revision: 1, verdict: "changed", body: "Door 5 opens at seven" });
    assert.equal(changed.outcome, "updated");
    assert.equal(changed.revision, 2);
    assert.equal((await writer.call("fetch", { id })).text, "Door 5 opens at seven");
    const late = await writer.call("confirm", { id, revision: 1, verdict: "still_true" });
    assert.equal(late.outcome, "moved");
    const unsaid = await writer.refusal("confirm", { id, revision: 2, verdict: "changed" });
    assert.equal(unsaid.code, "invalid");
    assert.match(unsaid.message, /body/);
  });
});
