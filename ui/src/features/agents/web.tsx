import type { ClientView } from "../../api/types";
import { texts } from "../../texts";
import { Frame, Section } from "./client";
import type { Choice } from "./model";

const t = texts.agents.webPage;
/** The clients that stand for each maker on this computer. */
const INSTEAD = [
  { says: t.chatgpt, clients: ["codex"] },
  { says: t.claude, clients: ["claude-desktop", "claude-code"] },
] as const;

/** What this version cannot do, said plainly, and what works today. */
export function WebPage({ clients, choose }: { clients: readonly ClientView[]; choose: (choice: Choice) => void }) {
  return (
    <Frame title={t.title} says={t.says}>
      <Section title={t.works}>
        {INSTEAD.map(({ says, clients: names }) => (
          <div key={says} className="instead">
            <p>{says}</p>
            <p className="btns">
              {clients
                .filter((client) => (names as readonly string[]).includes(client.client))
                .map((client) => (
                  <button key={client.client} type="button" className="btn" onClick={() => choose({ of: "client", name: client.client })}>
                    {t.open(client.name)}
                  </button>
                ))}
            </p>
          </div>
        ))}
      </Section>
      <Section title={t.not}>
        <ul className="plain">
          {t.notList.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </Section>
    </Frame>
  );
}
