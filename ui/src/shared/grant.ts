import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { acts } from "../api/acts";
import { queries } from "../api/queries";
import type { BrainRow, ConnectionRow, Grant } from "../api/types";
import { texts } from "../texts";
import { nameOf } from "./agent";
import { notDone } from "./failure";
import { inOrder } from "./in-order";
import { didFinally } from "./undo";

/** Sets what a connection may do in a brain, and whether it is an owner there; left out, that stays. */
export type SetGrant = (connection: string, brain: Pick<BrainRow, "brain" | "name">, grant: Grant, owner?: boolean) => void;

/**
 * Changes grants at once, one after another: each shows as it was chosen, and what the server says holds once all that was
 * chosen has landed.
 */
export function useGrant(): { grant: SetGrant; problem: string | undefined } {
  const cache = useQueryClient();
  const [problem, setProblem] = useState<string>();
  const [run] = useState(inOrder);
  const waiting = useRef(0);
  const grant: SetGrant = (connection, brain, grant, owner) => {
    setProblem(undefined);
    waiting.current += 1;
    const { queryKey } = queries.connections();
    void cache.cancelQueries({ queryKey });
    cache.setQueryData<ConnectionRow[]>(queryKey, (rows) => rows?.map((row) => (row.connection === connection ? withGrant(row, brain.brain, grant, owner) : row)));
    const name = nameOf({ name: connection, you: false });
    void run(async () => {
      try {
        await acts.grant(brain.brain, connection, { grant, ...(owner === undefined ? {} : { owner }) });
        didFinally(owner === undefined ? texts.agents.did.granted(name, grant, brain.name) : texts.agents.did.owner(name, brain.name, owner));
      } catch (error) {
        setProblem(notDone(error));
      }
      waiting.current -= 1;
      if (waiting.current === 0) await cache.invalidateQueries({ queryKey });
    });
  };
  return { grant, problem };
}

function withGrant(row: ConnectionRow, brain: string, grant: Grant, owner: boolean | undefined): ConnectionRow {
  const others = row.owner.filter((one) => one !== brain);
  return {
    ...row,
    grants: { ...row.grants, [brain]: grant },
    owner: owner === undefined ? row.owner : owner ? [...others, brain] : others,
  };
}
