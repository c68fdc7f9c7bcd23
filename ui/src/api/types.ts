import type { components, paths } from "./schema";

/** The shapes of the interface by their names on screen. All come from the server's document: `npm run api` renews them. */
type Schemas = components["schemas"];

export type Freshness = Schemas["Freshness"];
export type Field = Schemas["Field"];
export type ConnectBy = Schemas["ConnectBy"];
export type Grant = Schemas["Grant"];
export type WritePolicy = Schemas["WritePolicy"];
export type BrainKind = Schemas["BrainKind"];
export type Who = Schemas["Who"];
export type Content = Schemas["Content"];
export type UnitRow = Schemas["UnitRow"];
export type UnitView = Schemas["UnitView"];
export type ConflictView = Schemas["ConflictView"];
export type SideView = Schemas["SideView"];
export type TrailStep = Schemas["TrailStep"];
export type RevisionView = Schemas["RevisionView"];
export type HistoryEntry = Schemas["HistoryEntry"];

export type InboxItem = Schemas["InboxItem"];
export type InboxKind = InboxItem["kind"];
export type ConflictItem = Extract<InboxItem, { kind: "conflict" }>;
export type ProposalItem = Extract<InboxItem, { kind: "proposal" }>;
export type DecisionItem = Extract<InboxItem, { kind: "decision" }>;
export type ProblemItem = Extract<InboxItem, { kind: "problem" }>;
export type AgingItem = Extract<InboxItem, { kind: "aging" }>;
export type Settled = Schemas["Settled"];
export type Inbox = Schemas["InboxView"];

export type Counts = Schemas["Waiting"];
export type State = Schemas["StateView"];
export type Change = Schemas["Change"];
export type FreshnessRule = Schemas["FreshnessRule"];
export type BrainRow = Schemas["BrainView"];
export type TopicRow = Schemas["TopicRow"];
export type ReviewCard = Schemas["ReviewCard"];
export type ConnectionRow = Schemas["ConnectionRow"];
export type Pointer = Schemas["Pointer"];
export type Hindrance = Schemas["Hindrance"];
export type Vouched = Schemas["Vouched"];
export type Refusal = Schemas["Refusal"];
export type Settings = Schemas["SettingsView"];
export type SettingsInput = Schemas["SettingsInput"];
export type About = Schemas["AboutView"];

type Query<Route extends keyof paths> = paths[Route] extends { get: { parameters: { query?: infer Q } } } ? NonNullable<Q> : never;
export type UnitsQuery = Query<"/api/units">;
export type SearchQuery = Query<"/api/search">;
export type Needs = NonNullable<UnitsQuery["needs"]>;

type Body<Route extends keyof paths> = paths[Route] extends { post: { requestBody: { content: { "application/json": infer B } } } } ? B : never;
export type WriteInput = Body<"/api/write">;
export type ConfirmInput = Body<"/api/confirm">;
export type ResolveInput = Body<"/api/resolve">;
export type AcceptInput = Body<"/api/accept">;

type Reply<Route extends keyof paths> = paths[Route] extends {
  post: { responses: { 200: { content: { "application/json": infer R } } } };
}
  ? R
  : never;
export type WriteReply = Reply<"/api/write">;

// Clients on this computer.
export type ClientState = Schemas["ClientState"];
export type AfterChange = Schemas["AfterChange"];
export type FileEffect = Schemas["FileEffect"];
export type ClientAct = Schemas["ClientAct"];
export type ClientView = Schemas["ClientView"];
export type ClientPlan = Schemas["ClientPlan"];
export type ClientReply = Schemas["ClientReply"];
export type DiffLine = Schemas["DiffLine"];
