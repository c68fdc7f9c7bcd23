import { answer, client } from "../../api/client";
import type { BrainKind, FreshnessRule, Grant, WritePolicy } from "../../api/types";

/** What the person does with brains: one function a route. */
export const brainActs = {
  create: (body: { brain: string; name?: string; kind: BrainKind; write_policy?: WritePolicy }) =>
    answer(client.POST("/api/brains", { body })),
  change: (brain: string, body: { name?: string; write_policy?: WritePolicy; freshness?: FreshnessRule[] }) =>
    answer(client.PATCH("/api/brains/{brain}", { body, params: { path: { brain } } })),
  grant: (brain: string, connection: string, body: { grant: Grant; owner?: boolean }) =>
    answer(client.PUT("/api/brains/{brain}/grants/{connection}", { body, params: { path: { brain, connection } } })),
  erase: (brain: string) => answer(client.POST("/api/erase", { body: { what: "brain", brain } })),
};
