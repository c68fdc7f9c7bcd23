import { afterEach, expect, test, vi } from "vitest";

const held = vi.hoisted(() => new Map<string, string>());
const owners = vi.hoisted(() => new Map<string, { brain: string; unit?: string | undefined } | undefined>());
vi.mock("../platform", () => ({
  platform: {
    draft: (name: string) => held.get(name),
    keepDraft(name: string, text?: string, of?: { brain: string; unit?: string }) {
      if (text === undefined) return held.delete(name);
      owners.set(name, of);
      return held.set(name, text);
    },
    drafts: () => [...held.keys()],
  },
}));
const { drafts, dropDraftsBut, dropDraftsOf, followedBefore, keepFollowed, loadDraft, saveDraft } = await import("./drafts");

afterEach(() => {
  held.clear();
  owners.clear();
});

const team = { brain: "team", unit: "A" };
const all = () => [
  drafts.new("team"),
  drafts.edit(team),
  drafts.merge(team),
  drafts.proposal(team, 7),
  drafts.proposal({ brain: "team" }, 8),
  drafts.edit({ brain: "team", unit: "AB" }),
  drafts.edit({ brain: "team-2", unit: "C" }),
];

test("an erased unit takes every draft of it along, and no other", () => {
  for (const name of all()) saveDraft(name, "text");
  dropDraftsOf({ brain: "team", unit: "A" });
  expect([...held.keys()]).toEqual([
    drafts.new("team"),
    drafts.proposal({ brain: "team" }, 8),
    drafts.edit({ brain: "team", unit: "AB" }),
    drafts.edit({ brain: "team-2", unit: "C" }),
  ]);
});

test("the place that keeps a draft is told what takes it along", () => {
  saveDraft(drafts.merge(team), "text");
  saveDraft(drafts.proposal({ brain: "team" }, 8), "text");
  keepFollowed({ store: "A", event: 7 });
  expect([...owners.values()]).toEqual([team, { brain: "team", unit: undefined }, undefined]);
});

test("an erased brain takes the drafts of all its units along", () => {
  for (const name of all()) saveDraft(name, "text");
  dropDraftsOf({ brain: "team" });
  expect([...held.keys()]).toEqual([drafts.edit({ brain: "team-2", unit: "C" })]);
});

test("only the drafts of brains that there are stay", () => {
  for (const name of all()) saveDraft(name, "text");
  dropDraftsBut(["personal", "team-2"]);
  expect([...held.keys()]).toEqual([drafts.edit({ brain: "team-2", unit: "C" })]);
});

test("a tab that holds drafts knows where it goes on, and one without has nothing to catch up on", () => {
  keepFollowed({ store: "A", event: 7 });
  expect(followedBefore()).toBeUndefined();
  saveDraft(drafts.edit(team), "text");
  expect(followedBefore()).toEqual({ store: "A", event: 7 });
  // Where it was is no draft of any brain.
  dropDraftsBut(["team"]);
  expect(followedBefore()).toEqual({ store: "A", event: 7 });
  dropDraftsOf({ unit: "A" });
  expect(followedBefore()).toBeUndefined();
});

test("what was not written by us is no draft", () => {
  held.set("edit/team/A/", "{");
  expect(loadDraft("edit/team/A/")).toBeUndefined();
});
