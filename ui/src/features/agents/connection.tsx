import type { BrainRow, ClientView, ConnectionRow } from "../../api/types";
import { nameOf } from "../../shared/agent";
import { longDay } from "../../shared/time";
import { texts } from "../../texts";
import { Frame, Section } from "./client";
import { GrantRows } from "./grants";
import { Last } from "./last";

const t = texts.agents;

/** A connection that no client's entry names: made by hand, over HTTP, or what a client left. */
export function ConnectionDetail({
  row,
  clients,
  brains,
  now,
  revoke,
}: {
  row: ConnectionRow;
  clients: readonly ClientView[];
  brains: readonly BrainRow[];
  now: Date;
  revoke: (connection: string) => void;
}) {
  const who = { name: row.connection, you: false };
  const name = nameOf(who);
  const left = clients.find((client) => client.client === row.connection && client.connection === undefined);
  const gone = row.revoked_at !== undefined;
  const says = row.revoked_at !== undefined
    ? t.connection.revoked(longDay(row.revoked_at, now))
    : `${row.connection === "cli" ? t.connection.cli : left && !row.key ? t.connection.disconnected(left.name) : t.connection.how(row.key)} ${t.connection.since(longDay(row.created_at, now))}`;
  return (
    <Frame who={who} title={name} says={says}>
      {!gone && (
        <Section title={t.grants.title}>
          <GrantRows row={row} brains={brains} />
        </Section>
      )}
      <Section title={t.last.title}>
        <Last connection={row} now={now} />
      </Section>
      {!gone && row.connection !== "cli" && (
        <Section title={t.grants.revoke}>
          <p className="meta before">{t.revokeHint}</p>
          <button type="button" className="btn danger" onClick={() => revoke(row.connection)}>
            {t.revoke(name)}
          </button>
        </Section>
      )}
    </Frame>
  );
}
