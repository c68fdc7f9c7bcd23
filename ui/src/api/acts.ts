import { answer, client } from "./client";
import type { AcceptInput, ConfirmInput, Grant, ResolveInput, WriteInput } from "./types";

/** What the screens do: one function a route. Each names the revision or version that the person was shown. */
export const acts = {
  write: (body: WriteInput) => answer(client.POST("/api/write", { body })),
  confirm: (body: ConfirmInput) => answer(client.POST("/api/confirm", { body })),
  resolve: (body: ResolveInput) => answer(client.POST("/api/resolve", { body })),
  retire: (body: { id: string; base_revision?: number; reason?: string }) =>
    answer(client.POST("/api/retire", { body })),
  bringBack: (body: { id: string; revision: number }) => answer(client.POST("/api/return", { body })),
  later: (body: { id: string; days?: number }) => answer(client.POST("/api/later", { body })),
  join: (body: { id: string; revision: number; other: string; other_revision: number }) =>
    answer(client.POST("/api/join", { body })),
  eraseRevision: (id: string, revision: number) =>
    answer(client.POST("/api/erase", { body: { what: "revision", id, revision } })),
  eraseUnit: (id: string) => answer(client.POST("/api/erase", { body: { what: "unit", id } })),
  eraseProposal: (proposal: number) => answer(client.POST("/api/erase", { body: { what: "proposal", proposal } })),
  undo: (event: number) => answer(client.POST("/api/undo", { body: { event } })),
  accept: (body: AcceptInput) => answer(client.POST("/api/accept", { body })),
  reject: (body: { id: number; reason?: string }) => answer(client.POST("/api/reject", { body })),
  dismiss: (event: number) => answer(client.POST("/api/dismiss", { body: { event } })),
  grant: (brain: string, connection: string, body: { grant: Grant; owner?: boolean }) =>
    answer(client.PUT("/api/brains/{brain}/grants/{connection}", { body, params: { path: { brain, connection } } })),
  /** Makes a connection known before its first call, without a key. */
  /** Makes a connection with a key for HTTP, told this once. */
  createConnection: (connection: string) => answer(client.POST("/api/connections", { body: { connection } })),
  revoke: (connection: string) =>
    answer(client.POST("/api/connections/{connection}/revoke", { body: {}, params: { path: { connection } } })),
  signIn: (token: string) => answer(client.POST("/api/sign-in", { body: { token } }), { bearer: false }),
  // Its answer may come when the tab is signed in anew: it tells nothing of that bearer.
  signOut: () => answer(client.POST("/api/sign-out", { body: {} }), { bearer: false }),
};
