import type { ReactNode } from "react";
import type { BrainRow, ConnectionRow, Grant } from "../../api/types";
import { AgentTile, nameOf } from "../../shared/agent";
import { type SetGrant, useGrant } from "../../shared/grant";
import { Icon } from "../../shared/icons";
import { Segments } from "../../shared/segments";
import { texts } from "../../texts";
import { What } from "./last";
import { grantOf, GRANTS, hasOwners } from "./model";

const t = texts.agents.grants;
const SEGMENTS = GRANTS.map((value) => ({ value, label: texts.brains.grant[value] }));

export function Problem({ text }: { text: string | undefined }) {
  return text ? (
    <p className="notice" role="alert">
      {text}
    </p>
  ) : null;
}

function BrainName({ brain }: { brain: BrainRow }) {
  return (
    <>
      {brain.kind === "personal" && <Icon name="lock" className="i i12" />}
      {brain.name}
    </>
  );
}

function Owner({ row, brain, grant }: { row: ConnectionRow; brain: BrainRow; grant: SetGrant }) {
  return (
    <label className="own" title={t.ownerHint}>
      <input
        type="checkbox"
        checked={row.owner.includes(brain.brain)}
        aria-label={t.ownerOf(nameOf({ name: row.connection, you: false }), brain.name)}
        onChange={(event) => grant(row.connection, brain, grantOf(row, brain), event.target.checked)}
      />
      {t.owner}
    </label>
  );
}

/** One line a brain, each with its choice. */
export function GrantTable({
  name,
  brains,
  of,
  choose,
  beside,
  acts = false,
}: {
  /** Whose grants these are. */
  name: string;
  brains: readonly BrainRow[];
  of: (brain: BrainRow) => Grant;
  choose: (brain: BrainRow, grant: Grant) => void;
  beside?: (brain: BrainRow) => ReactNode;
  /** Whether a choice is carried out at once. */
  acts?: boolean;
}) {
  return (
    <table className="gr">
      <tbody>
        {brains.map((brain) => (
          <tr key={brain.brain}>
            <th scope="row">
              <BrainName brain={brain} />
            </th>
            <td className="meta">{t.brain(brain.kind, brain.write_policy, brain.units)}</td>
            <td>
              {beside?.(brain)}
              <Segments label={t.of(name, brain.name)} of={SEGMENTS} chosen={of(brain)} choose={(value) => choose(brain, value)} byHand={acts} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What one connection may do in each brain. */
export function GrantRows({ row, brains }: { row: ConnectionRow; brains: readonly BrainRow[] }) {
  const { grant, problem } = useGrant();
  return (
    <>
      <Problem text={problem} />
      <GrantTable
        name={nameOf({ name: row.connection, you: false })}
        brains={brains}
        of={(brain) => grantOf(row, brain)}
        choose={(brain, value) => grant(row.connection, brain, value)}
        acts
        beside={(brain) => hasOwners(brain) && <Owner row={row} brain={brain} grant={grant} />}
      />
    </>
  );
}

/** Each connection's grants in each brain, and what it read and wrote last. */
export function Matrix({
  connections,
  brains,
  now,
  revoke,
}: {
  connections: readonly ConnectionRow[];
  brains: readonly BrainRow[];
  now: Date;
  revoke: (connection: string) => void;
}) {
  const { grant, problem } = useGrant();
  return (
    <div className="scroll matrix" role="region" aria-label={t.matrix} tabIndex={0}>
      <Problem text={problem} />
      {connections.length === 0 ? (
        <p className="meta">{t.none}</p>
      ) : (
        <table className="mx">
          <thead>
            <tr>
              <th scope="col">{t.connection}</th>
              {brains.map((brain) => (
                <th key={brain.brain} scope="col">
                  <BrainName brain={brain} />
                  <span className="meta">{t.brain(brain.kind, brain.write_policy, brain.units)}</span>
                </th>
              ))}
              <th scope="col">{t.lastRead}</th>
              <th scope="col">{t.lastWrote}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {connections.map((row) => {
              const who = { name: row.connection, you: false };
              return (
                <tr key={row.connection}>
                  <th scope="row">
                    <span className="who">
                      <AgentTile who={who} />
                      <span className="clip">{nameOf(who)}</span>
                    </span>
                  </th>
                  {brains.map((brain) => (
                    <td key={brain.brain} data-brain={brain.name}>
                      <Segments
                        label={t.of(nameOf(who), brain.name)}
                        of={SEGMENTS}
                        chosen={grantOf(row, brain)}
                        choose={(value) => grant(row.connection, brain, value)}
                        byHand
                      />
                      {hasOwners(brain) && <Owner row={row} brain={brain} grant={grant} />}
                    </td>
                  ))}
                  <td className="touched" data-brain={t.lastRead}>
                    <span>
                      <What of={row.last_read} now={now} short />
                    </span>
                  </td>
                  <td className="touched" data-brain={t.lastWrote}>
                    <span>
                      <What of={row.last_write} now={now} short />
                    </span>
                  </td>
                  <td>
                    <button type="button" className="btn quiet danger" aria-label={texts.agents.revoke(nameOf(who))} onClick={() => revoke(row.connection)}>
                      {t.revoke}
                    </button>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      <p className="meta boundary">{t.boundary}</p>
    </div>
  );
}
