import { type RefObject, useId } from "react";
import type { BrainRow } from "../../api/types";
import { AgentTile, nameOf } from "../../shared/agent";
import { Icon } from "../../shared/icons";
import { ago, longDay } from "../../shared/time";
import { texts } from "../../texts";
import { type Choice, connected, type Entry, fileName, FOLDED, grantedNames, type Group, type GroupName, keyOf } from "./model";

const t = texts.agents;

/** How an entry of the list is called. */
export function titleOfEntry({ choice, client, connection }: Entry): string {
  if (client) return client.name;
  if (connection) return nameOf({ name: connection.connection, you: false });
  return choice.name === "hand" ? t.another : t.web;
}

/** Whose letters stand in its tile: a client's are those of its short name. */
export const whoOf = ({ choice }: Entry) => ({ name: choice.name, you: false });

/** Clients and connections in groups. Those that are folded have a list of their own beneath their name. */
export function ClientList({
  groups,
  chosen,
  open,
  brains,
  now,
  boxRef,
  choose,
  turn,
}: {
  groups: readonly Group[];
  chosen: Choice | undefined;
  /** The folded groups that are open. */
  open: ReadonlySet<GroupName>;
  brains: readonly BrainRow[];
  now: Date;
  boxRef: RefObject<HTMLDivElement | null>;
  choose: (choice: Choice) => void;
  turn: (name: GroupName) => void;
}) {
  const prefix = useId();
  const idOf = (choice: Choice) => `${prefix}${keyOf(choice)}`;
  const plain = groups.filter((group) => !FOLDED.includes(group.name));
  const folded = groups.filter((group) => FOLDED.includes(group.name));
  const has = (some: readonly Group[]) => chosen && some.some((group) => group.entries.some((entry) => keyOf(entry.choice) === keyOf(chosen)));
  const drawn = (group: Group) =>
    group.entries.map((entry) => (
      <Row
        key={keyOf(entry.choice)}
        id={idOf(entry.choice)}
        entry={entry}
        group={group.name}
        selected={chosen !== undefined && keyOf(entry.choice) === keyOf(chosen)}
        brains={brains}
        now={now}
        choose={choose}
      />
    ));
  return (
    <div className="scroll">
      <div
        ref={boxRef}
        role="listbox"
        aria-label={t.list}
        tabIndex={0}
        className="cl-list"
        aria-activedescendant={chosen && has(plain) ? idOf(chosen) : undefined}
      >
        {plain.map((group) => (
          <div key={group.name} role="group" aria-label={t.groups[group.name]}>
            <p className="group" aria-hidden="true">
              <b>{t.groups[group.name]}</b>
              {group.name === "connected" && <span className="right">{t.lastCall}</span>}
            </p>
            {drawn(group)}
          </div>
        ))}
      </div>
      {folded.map((group) => {
        const isOpen = open.has(group.name);
        return (
          <div key={group.name}>
            <button type="button" className="fold" aria-expanded={isOpen} onClick={() => turn(group.name)}>
              <Icon name="next" className={isOpen ? "i i12 o" : "i i12"} />
              {t.fold(t.groups[group.name], group.entries.length)}
            </button>
            {isOpen && (
              <div
                role="listbox"
                aria-label={t.groups[group.name]}
                tabIndex={0}
                className="cl-list"
                aria-activedescendant={chosen && has([group]) ? idOf(chosen) : undefined}
              >
                {drawn(group)}
              </div>
            )}
          </div>
        );
      })}
    </div>
  );
}

function Row({
  id,
  entry,
  group,
  selected,
  brains,
  now,
  choose,
}: {
  id: string;
  entry: Entry;
  group: GroupName;
  selected: boolean;
  brains: readonly BrainRow[];
  now: Date;
  choose: (choice: Choice) => void;
}) {
  const called = entry.client ? entry.client.last_call : entry.connection?.revoked_at === undefined ? entry.connection?.last_seen : undefined;
  const shows = (group === "connected" || group === "others") && called !== undefined;
  return (
    <div id={id} className="row cl" role="option" aria-selected={selected} onClick={() => choose(entry.choice)}>
      {entry.choice.of === "more" ? (
        <span className="ag" aria-hidden="true">
          <Icon name={entry.choice.name === "hand" ? "plus" : "outside"} className="i i12" />
        </span>
      ) : (
        <AgentTile who={whoOf(entry)} />
      )}
      <span className="clip t">{titleOfEntry(entry)}</span>
      <span className="when">
        {shows && (
          <>
            <span className="vh">{t.lastCall} </span>
            <time dateTime={called}>{ago(called, now)}</time>
          </>
        )}
      </span>
      <span className={group === "needs" ? "why clip needs" : "why clip"}>{why(entry, brains, now)}</span>
    </div>
  );
}

/** What stands under the name: the answer, without opening it. */
function why({ choice, client, connection }: Entry, brains: readonly BrainRow[], now: Date): string {
  if (choice.of === "more") return t.row[choice.name];
  if (client && !(connected(client) && client.state === "works")) {
    switch (client.state) {
      case "waiting":
        return t.row.waiting(client.after);
      case "outdated":
      case "gone":
      case "revoked":
        return t.row[client.state];
      case "blocked":
        return t.row.blocked(client.problem?.place?.line);
      default:
        return fileName(client.file);
    }
  }
  if (!connection) return "";
  if (connection.revoked_at !== undefined) return t.row.revokedAt(longDay(connection.revoked_at, now));
  if (connection.waits && connection.last_seen === undefined) return t.row.waits;
  const { write, read } = grantedNames(connection, brains);
  if (write.length + read.length === 0) return t.row.noGrants;
  return t.granted(write, read);
}

