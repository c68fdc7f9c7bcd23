import { answer, client } from "../../api/client";
import type { ConnectBy, Grant } from "../../api/types";

const at = (name: string) => ({ path: { client: name } });

/** What the person does with clients. Each names the plan that was shown: another one is not carried out. */
export const clientActs = {
  /** `grants`, by brain, hold from before its first call on. */
  connect: (name: string, plan: string, rules?: boolean, grants?: Readonly<Record<string, Grant>>, by?: ConnectBy) =>
    answer(
      client.POST("/api/clients/{client}/connect", {
        body: { plan, ...(rules === undefined ? {} : { rules }), ...(grants ? { grants } : {}), ...(by ? { by } : {}) },
        params: at(name),
      }),
    ),
  disconnect: (name: string, plan: string) => answer(client.POST("/api/clients/{client}/disconnect", { body: { plan }, params: at(name) })),
};
