import { listed } from "./common";

const FIELD: Record<string, string> = {
  topic: "the topic",
  title: "the title",
  body: "the body",
  tags: "the tags",
  source: "the source",
  fresh_for_days: "how long it stays fresh",
};

/** What is said of a unit's events, wherever its history shows. Each stands after the name of who did it. */
export const history = {
  none: "Nothing is recorded.",
  older: "Show older",
  quote: (words: string) => `“${words}”`,
  created: "wrote it",
  moved: "moved it",
  retitled: "changed the title",
  again: "wrote it again",
  changed: (fields: readonly string[]) => `changed ${listed(fields.map((field) => FIELD[field] ?? field))}`,
  tagsAdded: (n: number) => `added the ${n === 1 ? "tag" : "tags"}`,
  tagsRemoved: (n: number) => `removed the ${n === 1 ? "tag" : "tags"}`,
  and: " and ",
  unseen: ", without having seen the revision before",
  unseenOnly: "wrote without having seen the revision before",
  resolved: "settled the conflict",
  retired: "retired it",
  returned: "put it back",
  confirmed: "confirmed it",
  checked: "checked it against its source",
  noted: "could not tell whether it holds",
  later: "put it off",
  undone: "undid a change",
  joined: "joined another unit into it",
  acceptedAs: (by: string) => `, accepted by ${by}`,
  accepted: (by: string) => `had a proposal accepted by ${by}`,
  proposed: "proposed a change",
  rejected: "rejected a proposal",
  erased: "erased a revision",
  erasedProposal: "erased a rejected proposal’s text",
  /** Why nobody can tell what a revision changed. */
  unknown: {
    its: ". What it said was erased",
    before: ". What it changed is not known: what stood before was erased",
  },
};
