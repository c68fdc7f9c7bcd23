/** The shapes of the agreed interface. */
export type Freshness = "fresh" | "aging" | "stale";
export type Field = "topic" | "title" | "body" | "tags" | "source" | "fresh_for_days";
export type Grant = "none" | "read" | "write";
export type WritePolicy = "open" | "owners" | "review";
export type BrainKind = "personal" | "shared";

/** Who acted. `name` is the connection; the person in the app is `you`. */
export type Who = { name: string; you: boolean; client?: string };

export type Content = {
  topic: string;
  title?: string;
  body: string;
  tags: string[];
  source?: string;
  fresh_for_days?: number;
};

/** A unit in a list. */
export type UnitRow = {
  id: string;
  brain: string;
  topic: string;
  title?: string;
  snippet: string;
  revision: number;
  freshness: Freshness;
  conflicted: boolean;
  retired: boolean;
  tokens: number;
  updated_at: string;
  agent: Who;
  anchor: string;
  aging_at?: string;
  stale_at?: string;
  confirmed?: { at: string; by: Who };
  later_until?: string;
};

/** A unit, whole. */
export type UnitView = {
  id: string;
  brain: string;
  content: Content;
  revision: number;
  version: number;
  freshness: Freshness;
  conflicted: boolean;
  retired: boolean;
  anchor: string;
  aging_at?: string;
  stale_at?: string;
  created_at: string;
  updated_at: string;
  agent: Who;
  observed_at?: string;
  confirmed?: { at: string; by: Who };
  later_until?: string;
  tokens: number;
  joined?: true;
  conflict?: ConflictView;
  proposals: number;
};

/** The sides of an open conflict, oldest first, and the head. */
export type ConflictView = { version: number; head: SideView; sides: SideView[]; trail: TrailStep[] };

export type SideView = {
  revision: number;
  content: Content;
  retired: boolean;
  /** Of the head: the union over the sides. */
  disputed: Field[];
  agent: Who;
  at: string;
  outcome: string;
  /** What its writer had seen, and when that was delivered. */
  base?: { revision: number; at: string };
};

/** What happened around a conflict, oldest first. */
export type TrailStep = {
  at: string;
  agent: Who;
  what: "read" | "wrote" | "retired" | "resolved";
  revision: number;
  source?: string;
};

export type RevisionView = {
  id: string;
  revision: number;
  content: Content;
  retired: boolean;
  erased: boolean;
  outcome: "created" | "updated" | "conflicted" | "resolved" | "retired" | "undone" | "joined" | "accepted";
  agent: Who;
  at: string;
  base?: { revision: number; at: string };
  parents: number[];
  observed_at?: string;
  source?: string;
};

/** One line of a unit's history. */
export type HistoryEntry = {
  event: number;
  at: string;
  agent: Who;
  kind: string;
  revision?: number;
  decision?: string;
  changed: Field[];
  before?: string;
  after?: string;
  undoable: boolean;
};

export type ProposalView = {
  id: number;
  kind: "write" | "retire";
  brain: string;
  unit?: string;
  agent: Who;
  at: string;
  reason: "review";
  content: Content;
  changed: Field[];
  base?: { revision: number; at: string };
  head?: { revision: number; content: Content; retired: boolean; agent: Who; at: string };
  moved: boolean;
};

export type ConflictItem = {
  kind: "conflict";
  at: string;
  unit: UnitRow;
  version: number;
  sides: number;
  disputed: Field[];
  head: Who;
  displaced: Who;
  head_revision: number;
  displaced_revision: number;
  head_text: string;
  displaced_text: string;
};
export type ProposalItem = {
  kind: "proposal";
  at: string;
  proposal: number;
  what: "write" | "retire";
  brain: string;
  topic: string;
  title?: string;
  unit?: string;
  agent: Who;
  changed: Field[];
  text: string;
  moved: boolean;
};
export type DecisionItem = { kind: "decision"; at: string; unit: UnitRow; event: number; agent: Who; decision: string };
export type ProblemItem = {
  kind: "problem";
  at: string;
  event: number;
  code: string;
  message: string;
  connection?: string;
};
export type AgingItem = { kind: "aging"; at: string; unit: UnitRow; reads: number; readers: string[] };

/** What waits for the person, in this order of kinds. */
export type InboxItem = ConflictItem | ProposalItem | DecisionItem | ProblemItem | AgingItem;
export type InboxKind = InboxItem["kind"];
export type Settled = { event: number; kind: string; at: string; unit: UnitRow; revision?: number; undoable: boolean };

export type Counts = {
  conflicts: number;
  proposals: number;
  decisions: number;
  problems: number;
  aging: number;
  review: number;
};
export type State = {
  store: string;
  version: string;
  event: number;
  connections: number;
  wrote_at?: string;
  counts: Counts;
};
export type Change = {
  event: number;
  kind: string;
  at: string;
  agent: Who;
  brain?: string;
  unit?: string;
  topic?: string;
  revision?: number;
  own: boolean;
};
export type FreshnessRule = { topic?: string; aging?: number; stale?: number; never?: true };
export type BrainRow = {
  brain: string;
  name: string;
  kind: BrainKind;
  grant: Grant;
  write_policy: WritePolicy;
  units: number;
  aging: number;
  stale: number;
  conflicted: number;
  retired: number;
  proposals: number;
  freshness: FreshnessRule[];
};
export type TopicRow = {
  brain: string;
  topic: string;
  units: number;
  fresh: number;
  aging: number;
  stale: number;
  conflicted: number;
};
export type Needs = "conflicted" | "aging" | "stale";
export type UnitsQuery = {
  brain?: string;
  topic?: string;
  exact?: boolean;
  needs?: Needs;
  retired?: boolean;
  order?: "needs" | "latest" | "title";
  offset?: number;
  limit?: number;
};
export type SearchQuery = {
  query?: string;
  topic?: string;
  brain?: string;
  limit?: number;
  needs?: Needs;
  freshness?: "any" | "not_stale" | "fresh";
};
export type SearchRow = UnitRow & { score: number };
export type Reader = { name: string; you: boolean; revision: number; times: number; last_at: string };
export type ReviewCard = UnitRow & { reads: number; readers: string[] };
export type ConnectionRow = {
  connection: string;
  created_at: string;
  last_seen?: string;
  revoked_at?: string;
  key: boolean;
  grants: Record<string, Grant>;
  owner: string[];
};
export type ActivityEvent = {
  event: number;
  kind: string;
  at: string;
  agent: Who;
  brain?: string;
  unit?: string;
  topic?: string;
  title?: string;
  revision?: number;
  decision?: string;
};
export type Inbox = { items: InboxItem[]; total: number; counts: Counts; settled: Settled[] };

export type Pointer = { id: string; title: string; brain: string; topic: string; revision: number };
export type Refusal = { code: string; message: string; pointers?: Pointer[] };

/** A side as the tools name it. */
export type ToolConflict = { version: number; sides: { revision: number; text: string | null; agent: string; at: string }[] };
export type WriteInput = {
  brain: string;
  topic?: string;
  title?: string;
  body?: string;
  append?: string;
  tags?: string[];
  source?: string;
  id?: string;
  base_revision?: number;
  observed_at?: string;
  fresh_for_days?: number;
};
export type WriteReply = {
  outcome: "created" | "updated" | "unchanged" | "conflicted" | "proposed";
  brain: string;
  topic: string;
  title?: string;
  id: string;
  revision: number;
  conflict?: ToolConflict;
  similar?: Pointer[];
  notice?: string;
  event?: number;
};
export type ConfirmInput = { id: string; revision: number; verdict: "still_true" | "changed" | "unknown"; body?: string };
export type ConfirmReply = {
  outcome: "confirmed" | "updated" | "noted" | "ask_person" | "declined" | "moved";
  id: string;
  revision: number;
  freshness: Freshness;
  event?: number;
};
export type ResolveInput = {
  id: string;
  version: number;
  choice: "keep_head" | "restore" | "merged";
  revision?: number;
  body?: string;
  title?: string;
  tags?: string[];
  source?: string;
  topic?: string;
  decision?: string;
};
export type ResolveReply = { outcome: "resolved" | "moved"; id: string; revision: number; conflicted: boolean; event?: number };
export type RetireReply = {
  outcome: "retired" | "unchanged" | "conflicted" | "proposed";
  id: string;
  revision: number;
  event?: number;
};
export type AcceptInput = {
  id: number;
  revision: number | null;
  topic?: string;
  title?: string;
  body?: string;
  tags?: string[];
  source?: string;
};
