import { answer, client } from "../../api/client";
import type { BrainKind, FreshnessRule, WritePolicy } from "../../api/types";

/** What the person does with brains: one function a route. */
export const brainActs = {
  create: (body: { brain: string; name?: string; kind: BrainKind; write_policy?: WritePolicy }) =>
    answer(client.POST("/api/brains", { body })),
  change: (brain: string, body: { name?: string; write_policy?: WritePolicy; freshness?: FreshnessRule[] }) =>
    answer(client.PATCH("/api/brains/{brain}", { body, params: { path: { brain } } })),
  erase: (brain: string) => answer(client.POST("/api/erase", { body: { what: "brain", brain } })),
};
