import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { queries } from "../../api/queries";
import type { ClientAct, ClientPlan, ClientReply, ConnectBy, Grant } from "../../api/types";
import { describe } from "../../shared/failure";
import { useSeen } from "../../shared/shown";
import { didNot } from "../../shared/undo";
import { texts } from "../../texts";
import { clientActs } from "./client-acts";
import { fileName } from "./model";

const t = texts.agents;
/** How often it is looked whether a client that has to be quit was quit. */
const LOOK = 2_000;

export type Done = { reply: ClientReply; says?: undefined } | { reply?: undefined; says: string };

/** A plan as it is shown, and the act that carries out exactly that one. */
export interface Shown {
  plan: ClientPlan | undefined;
  error: unknown;
  /** Why the last try did nothing. */
  notice: string | undefined;
  busy: boolean;
  /** Whether what stands on screen is an older plan, until the one that was asked for comes. */
  loads: boolean;
  /** Carries out the plan that stands on screen, with these grants. `says`: why nothing was done; the plan may be a new one then. */
  carryOut: (grants?: Readonly<Record<string, Grant>>) => Promise<Done>;
  again: () => void;
}

/**
 * What an act would change, and the act. It is done only as it was shown: where the file moved meanwhile, nothing is done and
 * the new plan takes the place of the old one. `rules` and `by` left out: as the server offers it.
 */
export function usePlan(client: string, act: ClientAct, rules?: boolean, by?: ConnectBy): Shown {
  const cache = useQueryClient();
  const [notice, setNotice] = useState<string>();
  const [busy, setBusy] = useState(false);
  const options = queries.clientPlan(client, act, rules, by);
  const asked = useQuery({
    ...options,
    // The text of the rules comes and goes; what stands beside it stays in sight meanwhile.
    placeholderData: (before) => before,
    refetchInterval: (query) => (query.state.data?.problem?.code === "running" ? LOOK : false),
  });
  const plan = asked.isPlaceholderData ? undefined : asked.data;
  // Plans are told apart by name: each new one counts as another state of the same thing.
  const names = useRef<string[]>([]);
  if (plan && names.current.at(-1) !== plan.plan) names.current.push(plan.plan);
  const seen = useSeen(`${client} ${act}`, plan ? names.current.length : undefined);

  function tell(says: string): Done {
    setNotice(says);
    didNot(says);
    return { says };
  }
  async function carryOut(grants?: Readonly<Record<string, Grant>>): Promise<Done> {
    if (busy || !plan || plan.problem) return { says: plan?.problem?.message ?? texts.inbox.notHere };
    if (!seen()) return tell(texts.inbox.justChanged);
    setBusy(true);
    setNotice(undefined);
    try {
      const reply = await clientActs[act](client, plan.plan, plan.rules ? rules : undefined, grants, by);
      if (reply.outcome !== "moved") return { reply };
      cache.setQueryData(options.queryKey, reply.plan);
      return tell(reply.plan.problem ? texts.app.refused(reply.plan.problem.message) : t.moved(fileName(plan.file)));
    } catch (error) {
      void asked.refetch();
      return tell(texts.app.refused(describe(error).message));
    } finally {
      setBusy(false);
      void cache.invalidateQueries({ queryKey: ["client-plan", client], predicate: (query) => query.queryKey !== options.queryKey });
      for (const key of ["clients", "connections", "inbox", "state"]) void cache.invalidateQueries({ queryKey: [key] });
    }
  }
  function again() {
    void asked.refetch();
    void cache.invalidateQueries({ queryKey: ["clients"] });
  }
  return { plan: asked.data, error: asked.error, notice, busy, loads: asked.isPlaceholderData, carryOut, again };
}
