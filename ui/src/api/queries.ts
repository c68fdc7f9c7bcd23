import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answer, client } from "./client";
import type { ClientAct, ConnectBy, InboxKind, SearchQuery, UnitsQuery } from "./types";

/** How many items a page of a long list holds. */
export const PAGE = 100;
/** What is read of files is not read again within this. */
const MOMENT = 1_000;
export type InboxFilter = InboxKind | undefined;

/** What the screens read. The first element of each key is what `affected` names when a change makes it stale. */
export const queries = {
  state: () =>
    queryOptions({ queryKey: ["state"], queryFn: ({ signal }) => answer(client.GET("/api/state", { signal })) }),
  brains: () =>
    queryOptions({
      queryKey: ["brains"],
      queryFn: async ({ signal }) => (await answer(client.GET("/api/brains", { signal }))).brains,
    }),
  topics: (query: { brain?: string; prefix?: string; depth?: number } = {}) =>
    queryOptions({
      queryKey: ["topics", query],
      queryFn: async ({ signal }) => (await answer(client.GET("/api/topics", { params: params(query), signal }))).topics,
    }),
  units: (query: UnitsQuery) =>
    queryOptions({
      queryKey: ["units", query],
      queryFn: ({ signal }) => answer(client.GET("/api/units", { params: params(query), signal })),
    }),
  /** The unit as the person is shown it: this counts as reading it. */
  unit: (id: string) =>
    queryOptions({
      queryKey: ["unit", id],
      queryFn: ({ signal }) => answer(client.GET("/api/units/{id}", { params: { path: { id } }, signal })),
    }),
  /** The unit to be held ready, unread: shown, it is asked for again. */
  peek: (id: string) =>
    queryOptions({
      queryKey: ["unit", id, "peek"],
      queryFn: ({ signal }) => answer(client.GET("/api/units/{id}", { params: { path: { id }, query: { peek: true } }, signal })),
    }),
  /** Page by page, newest first. Beneath the unit's key: what makes the unit stale makes its history stale. */
  history: (id: string) =>
    infiniteQueryOptions({
      queryKey: ["unit", id, "history"],
      initialPageParam: undefined as number | undefined,
      queryFn: ({ signal, pageParam: before }) =>
        answer(client.GET("/api/units/{id}/history", { params: { path: { id }, query: { before } }, signal })),
      getNextPageParam: (page) => (page.more ? page.entries.at(-1)?.event : undefined),
    }),
  /** A revision never changes, so only an erasure makes it stale. */
  revision: (id: string, n: number) =>
    queryOptions({
      queryKey: ["revision", id, n],
      staleTime: Infinity,
      queryFn: ({ signal }) =>
        answer(client.GET("/api/units/{id}/revisions/{revision}", { params: { path: { id, revision: n } }, signal })),
    }),
  readers: (id: string) =>
    queryOptions({
      queryKey: ["unit", id, "readers"],
      // Reads are no events: nothing tells that this list grew.
      staleTime: 10_000,
      queryFn: async ({ signal }) =>
        (await answer(client.GET("/api/units/{id}/readers", { params: { path: { id } }, signal }))).readers,
    }),
  search: (query: SearchQuery) =>
    queryOptions({
      queryKey: ["search", query],
      queryFn: ({ signal }) => answer(client.GET("/api/search", { params: params(query), signal })),
    }),
  inbox: (kind: InboxFilter, page: number) =>
    queryOptions({
      queryKey: ["inbox", kind ?? "all", page],
      queryFn: ({ signal }) =>
        answer(client.GET("/api/inbox", { params: params({ kind, offset: page * PAGE, limit: PAGE }), signal })),
    }),
  review: (offset = 0, limit = PAGE) =>
    queryOptions({
      queryKey: ["review", { offset, limit }],
      queryFn: ({ signal }) => answer(client.GET("/api/review", { params: params({ offset, limit }), signal })),
    }),
  proposal: (id: number) =>
    queryOptions({
      queryKey: ["proposal", id],
      queryFn: ({ signal }) => answer(client.GET("/api/proposals/{id}", { params: { path: { id } }, signal })),
    }),
  settings: () =>
    queryOptions({ queryKey: ["settings"], queryFn: ({ signal }) => answer(client.GET("/api/settings", { signal })) }),
  /** Where the memory lies and where the server listens: nothing tells of a change, so it is asked anew where it is shown. */
  about: () =>
    queryOptions({ queryKey: ["about"], staleTime: 0, queryFn: ({ signal }) => answer(client.GET("/api/about", { signal })) }),
  /** The clients of this computer. What changes in their files alone tells nothing: they are read again when the window is looked at. */
  clients: () =>
    queryOptions({
      queryKey: ["clients"],
      staleTime: MOMENT,
      refetchOnWindowFocus: true,
      queryFn: async ({ signal }) => (await answer(client.GET("/api/clients", { signal }))).clients,
    }),
  /** What connecting or disconnecting a client would change now. `rules` left out: as the server offers it. */
  clientPlan: (name: string, act: ClientAct, rules?: boolean, by?: ConnectBy) =>
    queryOptions({
      queryKey: ["client-plan", name, act, rules ?? "offered", by ?? "usual"],
      staleTime: 0,
      // Shown again it is another one: what the files said before is never shown first.
      gcTime: 0,
      refetchOnWindowFocus: true,
      queryFn: ({ signal }) =>
        answer(client.GET("/api/clients/{client}/plan", { params: { path: { client: name }, ...params({ act, rules, by }) }, signal })),
    }),
  /** What a client that is not known takes in its settings, as this connection. */
  snippets: (connection: string) =>
    queryOptions({
      queryKey: ["snippets", connection],
      staleTime: 0,
      queryFn: ({ signal }) => answer(client.GET("/api/snippets", { params: { query: { connection } }, signal })),
    }),
  connections: () =>
    queryOptions({
      queryKey: ["connections"],
      queryFn: async ({ signal }) => (await answer(client.GET("/api/connections", { signal }))).connections,
    }),
};

/** A query without what is not set. */
function params<Q extends object>(query: Q): { query: Q } {
  return { query: Object.fromEntries(Object.entries(query).filter(([, v]) => v !== undefined)) as Q };
}
