import { answer, client } from "../../api/client";

const at = (name: string) => ({ path: { client: name } });

/** What the person does with clients. Each names the plan that was shown: another one is not carried out. */
export const clientActs = {
  connect: (name: string, plan: string, rules?: boolean) =>
    answer(
      client.POST("/api/clients/{client}/connect", {
        body: { plan, ...(rules === undefined ? {} : { rules }) },
        params: at(name),
      }),
    ),
  disconnect: (name: string, plan: string) => answer(client.POST("/api/clients/{client}/disconnect", { body: { plan }, params: at(name) })),
};
