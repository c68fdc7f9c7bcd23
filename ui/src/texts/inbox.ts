import type { DecisionItem, InboxItem, InboxKind } from "../api/types";
import { count, listed } from "./common";

const settled: Record<string, string> = {
  resolved: "You settled the conflict",
  confirmed: "You confirmed it",
  updated: "You changed it",
  created: "You wrote it",
  retired: "You retired it",
  returned: "You brought it back",
  later: "You put it off",
  accepted: "You accepted the proposal",
  rejected: "You rejected the proposal",
  joined: "You joined two units",
  undone: "You undid it",
  erased: "You erased a text of it",
  dismissed: "You put it away",
  connection_revoked: "You revoked it, for good",
};

const acts: Record<DecisionItem["act"], string> = { resolved: "settled", confirmed: "confirmed", changed: "changed" };

export const inbox = {
  sub: (c: { conflicts: number; proposals: number; decisions: number; problems: number; aging: number }) =>
    listedPlain(
      [
        c.conflicts > 0 && count(c.conflicts, "conflict", "conflicts"),
        c.proposals > 0 && count(c.proposals, "proposal", "proposals"),
        c.decisions > 0 && `${c.decisions} done in your name`,
        c.problems > 0 && count(c.problems, "problem", "problems"),
        c.aging > 0 && count(c.aging, "aging or stale unit", "aging or stale units"),
      ].filter((part) => part !== false),
    ),
  show: "Show",
  all: "All",
  conflicts: "Conflicts",
  proposals: "Proposals",
  freshness: "Freshness",
  toList: "Back to the list",
  list: "What waits for you",
  kinds: {
    conflict: "Conflicts",
    proposal: "Proposals",
    decision: "Done in your name",
    problem: "Problems",
    aging: "Aging and stale",
  } satisfies Record<InboxKind, string>,
  ofOzBrain: "OzBrain",
  brainSays: (kind: string, policy: string) =>
    kind === "personal"
      ? "kept on this computer"
      : policy === "review"
        ? "shared, agents propose"
        : policy === "owners"
          ? "shared, owners write"
          : "shared, open",
  kindOf: (item: InboxItem) =>
    ({ conflict: "conflict", proposal: "proposal", decision: "done in your name", problem: "problem", aging: "" })[item.kind],
  displaced: " displaced ",
  /** Of a head that came after what displaced it. */
  insteadOf: " in place of ",
  hisRetirement: (owner: string) => `${owner} retirement`,
  andMore: (n: number) => (n === 1 ? " and one more" : ` and ${n} more`),
  proposes: (name: string, what: string) => (what === "retire" ? `${name} proposes to retire it` : `${name} proposes: `),
  proposesNew: (name: string) => `${name} proposes a new unit: `,
  inYourName: (act: DecisionItem["act"], name: string) => `${acts[act].charAt(0).toUpperCase()}${acts[act].slice(1)} in your name by ${name}`,
  vouched: {
    wrote: (name: string, age: string, day: string) => `${name} wrote it ${age} ago, ${day}`,
    saw: (name: string, age: string, day: string) => `${name} saw it hold ${age} ago, ${day}`,
    confirmed: (name: string, age: string, day: string) => `${name} confirmed it ${age} ago, ${day}`,
  },
  agingSince: (day: string) => `aging since ${day}`,
  settledToday: "Settled today",
  latestOf: (shown: number, all: number) => `latest ${shown} of ${all}`,
  settledAt: (kind: string, at: string) => `${settled[kind] ?? "You acted on it"} at ${at}`,
  undoneAt: (act: string, at: string) => `${act}, undone at ${at}`,
  showAll: "Show all",
  erasedProposal: "A proposal whose text was erased",
  undoOf: (title: string) => `Undo: ${title}`,

  emptyTitle: "Nothing waits for you",
  empty: "Your agents agree, and no unit has aged.",
  noAgent: "No agent is connected yet",
  noAgentHow: "Connect the clients on this computer, and they share one memory.",
  connectOne: "Connect a client",
  waitsFor: (names: string[]) => `${listed(names)} ${names.length === 1 ? "waits for its first call." : "wait for their first call."}`,
  seeAgents: "See how",
  emptyFresh: (n: number) => `${count(n, "unit is", "units are")} fresh.`,
  emptyKind: "Nothing of this kind waits for you.",
  browse: "Browse brains",

  /** What displaced something unseen, and what is the head. */
  story: (by: string, revision: number, retired: boolean, unseen: string, head: string) =>
    `${by} ${retired ? "retired it as" : "wrote"} revision ${revision} without having seen ${unseen}. ${head}`,
  unseenOne: (revision: number, by: string, earlier: string) => `revision ${revision}, which ${by} had written ${earlier} earlier`,
  unseenMany: (revisions: number[]) => `revisions ${listed(revisions.map(String))}`,
  headItself: (revision: number) => `Revision ${revision} is the head.`,
  headSince: (by: string, revision: number, retired: boolean) => `Since then ${by} ${retired ? "retired it as" : "wrote"} revision ${revision}, which is the head.`,
  side: (revision: number) => `Displaced, r${revision}`,
  head: (revision: number) => `Head, r${revision}`,
  retiredSide: "Retired the unit: it takes it out of routing.",
  more: (n: number, names: string[]) => `${count(n, "more difference", "more differences")}: ${names.join(", ")}`,
  fieldIs: (field: string) => `${field}: `,
  none: "none",
  read: "What each had read",
  steps: {
    read: "read",
    wrote: "wrote",
    retired: "retired it as",
    resolved: "settled as",
  },
  revision: (n: number) => `revision ${n}`,
  from: ", from ",
  told: ". Told of the conflict",

  restore: (revision: number) => `Restore r${revision}`,
  keepHead: "Keep head",
  editMerge: "Edit merge",
  open: "Open",
  stillTrue: "Still true",
  changed: "Changed",
  later: "Ask later",
  retire: "Retire",
  accept: "Accept",
  editAccept: "Edit, then accept",
  reject: "Reject",
  undoIt: "Undo it",
  putAway: "Put away",
  write: (revision: number) => `Write revision ${revision}`,
  writeOver: (revision: number) => `Write over r${revision}`,
  headMoved: (who: string, revision: number) =>
    `${who} wrote revision ${revision} since you began. Your text is kept, and nothing is written over unseen: what differs is marked.`,
  acceptEdited: "Accept as edited",
  begun: "You had begun to write. What you wrote is kept.",
  goOn: "Go on",
  throwAway: "Throw it away",
  newText: "The text as it is now, Markdown",
  proposedText: "The text that will stand, Markdown",

  age: "Age",
  askAgain: "Ask again",
  writtenBy: "Written by",
  readSince: "Read since",
  writtenLine: (name: string, day: string, revision: number) => `${name}, ${day}. Revision ${revision}`,
  reads: (n: number, names: string[]) =>
    `${n === 1 ? "once" : `${n} times`}${names.length ? ` by ${listed(names)}` : ""}. Reading does not make it younger`,
  notRead: "No agent read it since it aged",

  newUnit: "new unit",
  proposal: "proposal",
  proposalStory: (name: string, when: string, what: string) =>
    what === "retire"
      ? `${name} proposed ${when} to retire this unit. Nothing has changed yet.`
      : `${name} proposed this ${when}. Nothing has changed yet.`,
  proposalNew: (name: string, when: string) => `${name} proposed a new unit ${when}. It does not exist yet.`,
  proposalMoved: (revision: number) =>
    `The unit has changed since the agent read it: revision ${revision} is the head. The difference is against that.`,
  stands: "Stands",
  proposed: "Proposed",
  decisionStory: (act: DecisionItem["act"], name: string, when: string, quoted: boolean) =>
    `${name} ${acts[act]} this in your name ${when}${quoted ? ", and quotes you:" : ". It quotes no words of yours."}`,
  decisionNow: "What stands now",
  problem: "problem",
  openInAgents: "Open in Agents",
  revoke: (name: string) => `Revoke ${name}`,
  revokeAsks: (name: string) => `Revoke ${name}…`,
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeSays: (name: string) =>
    `${name} loses every grant at once, and its key works no more. This cannot be undone: the name stays revoked, and the client can come back only under another one. What it wrote stays, and can be undone.`,

  did: {
    restored: (title: string, revision: number) => `${title}: r${revision} restored.`,
    kept: (title: string) => `${title}: head kept.`,
    confirmed: (title: string) => `${title}: still true.`,
    changed: (title: string) => `${title}: changed.`,
    later: (title: string) => `${title}: asked again in 7 days.`,
    retired: (title: string) => `${title}: retired.`,
    retireConflict: (title: string) => `${title}: retired over a revision that you had not seen. It is in conflict now.`,
    accepted: (title: string) => `${title}: accepted.`,
    rejected: (title: string) => `${title}: rejected.`,
    undone: (title: string) => `${title}: undone.`,
    putAway: (title: string) => `${title}: put away.`,
    revoked: (title: string) => `${title} is revoked, and stays so.`,
  },
  moved: (name: string, revision: number) =>
    `Nothing was changed. ${name} wrote revision ${revision} while you were here. Look at it, then decide.`,
  movedSettled: "Nothing was changed. It was settled elsewhere while you were here.",
  justChanged: "Nothing was changed. This has just come, or moved. Look at it, then decide.",
  notHere: "Nothing was changed. Not all of it is here yet.",
  keys: { next: "Next", previous: "Previous", undoIt: "Undo what was done in your name", putAway: "Put away", mend: "Mend it: makes the change that is shown", revoke: "Revoke the connection: asks first, and cannot be undone" },
};

function listedPlain(parts: string[]): string {
  return parts.join(", ");
}
