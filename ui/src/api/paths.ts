import type * as T from "./types";

/** The routes in the shape of the generated schema, so that the generated one can take this file's place. */
type Ok<R> = { 200: { headers: Record<string, string>; content: { "application/json": R } } };
type Failed = { default: { headers: Record<string, string>; content: { "application/json": T.Refusal } } };
type Params<Query, Path> = {
  query?: Query;
  path: Path;
  header?: never;
  cookie?: never;
};
type NoPath<Query> = { query?: Query; path?: never; header?: never; cookie?: never };
type Parameters<Query, Path> = [Path] extends [never] ? NoPath<Query> : Params<Query, Path>;
type Op<R, Query, Path, Body> = {
  parameters: Parameters<Query, Path>;
  requestBody: { content: { "application/json": Body } };
  responses: Ok<R> & Failed;
};
type ReadOp<R, Query, Path> = {
  parameters: Parameters<Query, Path>;
  requestBody?: never;
  responses: Ok<R> & Failed;
};
type Get<R, Query = never, Path = never> = { get: ReadOp<R, Query, Path> };
type Post<Body, R> = { post: Op<R, never, never, Body> };
type Id = { id: string };

export interface paths {
  "/api/state": Get<T.State>;
  "/api/brains": Get<{ brains: T.BrainRow[] }> &
    Post<{ brain: string; name?: string; kind: T.BrainKind; write_policy?: T.WritePolicy }, T.BrainRow>;
  "/api/brains/{brain}": {
    patch: Op<
      T.BrainRow,
      never,
      { brain: string },
      { name?: string; write_policy?: T.WritePolicy; freshness?: T.FreshnessRule[] }
    >;
  };
  "/api/brains/{brain}/grants/{connection}": {
    put: Op<T.ConnectionRow, never, { brain: string; connection: string }, { grant: T.Grant; owner?: boolean }>;
  };
  "/api/topics": Get<{ topics: T.TopicRow[] }, { brain?: string; prefix?: string; depth?: number }>;
  "/api/units": Get<{ units: T.UnitRow[]; total: number }, T.UnitsQuery>;
  "/api/units/{id}": Get<T.UnitView, never, Id>;
  "/api/units/{id}/history": Get<{ entries: T.HistoryEntry[]; more: boolean }, { before?: number; limit?: number }, Id>;
  "/api/units/{id}/revisions/{n}": Get<T.RevisionView, never, { id: string; n: number }>;
  "/api/units/{id}/readers": Get<{ readers: T.Reader[] }, never, Id>;
  "/api/search": Get<{ results: T.SearchRow[]; total: number }, T.SearchQuery>;
  "/api/inbox": Get<T.Inbox, { kind?: T.InboxKind | "freshness"; offset?: number; limit?: number }>;
  "/api/review": Get<{ cards: T.ReviewCard[]; total: number }, { offset?: number; limit?: number }>;
  "/api/proposals/{id}": Get<T.ProposalView, never, { id: number }>;
  "/api/connections": Get<{ connections: T.ConnectionRow[] }> &
    Post<{ connection: string }, { connection: string; key: string }>;
  "/api/activity": Get<
    { events: T.ActivityEvent[]; more: boolean },
    { brain?: string; connection?: string; before?: number; limit?: number }
  >;
  "/api/write": Post<T.WriteInput, T.WriteReply>;
  "/api/confirm": Post<T.ConfirmInput, T.ConfirmReply>;
  "/api/resolve": Post<T.ResolveInput, T.ResolveReply>;
  "/api/retire": Post<{ id: string; base_revision?: number; reason?: string }, T.RetireReply>;
  "/api/return": Post<
    { id: string; revision: number },
    { outcome: "returned" | "moved"; id: string; revision: number; event?: number }
  >;
  "/api/later": Post<{ id: string; days?: number }, { outcome: "later"; id: string; until: string; event: number }>;
  "/api/join": Post<
    { id: string; revision: number; other: string; other_revision: number },
    { outcome: "joined" | "moved"; id: string; revision: number; event?: number }
  >;
  "/api/erase": Post<
    { what: "revision"; id: string; revision: number } | { what: "unit"; id: string } | { what: "brain"; brain: string },
    { outcome: "erased" }
  >;
  "/api/undo": Post<
    { event: number },
    { outcome: "undone" | "moved"; id: string; revision: number; event?: number; message?: string }
  >;
  "/api/accept": Post<
    T.AcceptInput,
    { outcome: "accepted" | "moved"; id?: string; revision?: number; event?: number }
  >;
  "/api/reject": Post<{ id: number; reason?: string }, { outcome: "rejected"; event: number }>;
  "/api/dismiss": Post<{ event: number }, { outcome: "dismissed"; event: number }>;
  "/api/connections/{connection}/revoke": {
    post: Op<T.ConnectionRow, never, { connection: string }, Record<string, never>>;
  };
  "/api/sign-in": Post<{ token: string }, { bearer: string; expires_at: string }>;
  "/api/sign-in-links": Post<Record<string, never>, { url: string }>;
  "/api/sign-out": Post<Record<string, never>, Record<string, never>>;
}
