import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { acts } from "../../api/acts";
import { queries } from "../../api/queries";
import { nameOf } from "../../shared/agent";
import { announce } from "../../shared/announce";
import { Failure } from "../../shared/failure";
import { Icon } from "../../shared/icons";
import { useKeys } from "../../shared/keyboard";
import { Loading } from "../../shared/later";
import { SMALL, useMedia } from "../../shared/media";
import { useNow } from "../../shared/now";
import { RevokeDialog } from "../../shared/revoke";
import { Screen } from "../../shared/screen";
import { Segments } from "../../shared/segments";
import { didFinally, UndoLine, useLine } from "../../shared/undo";
import { texts } from "../../texts";
import "./agents.css";
import { ClientDetail } from "./client";
import { ConnectionDetail } from "./connection";
import { Matrix } from "./grants";
import { ByHandPage } from "./hand";
import { ClientList } from "./list";
import { agentsOf, type Choice, firstChoice, FOLDED, type GroupName, groupsOf, keyOf, sums } from "./model";
import { WebPage } from "./web";

const t = texts.agents;
const MINUTE = 60_000;

export type AgentsSearch = { client?: string; connection?: string; more?: "hand" | "web"; view?: "grants" };

function choiceOf(search: AgentsSearch): Choice | undefined {
  if (search.client !== undefined) return { of: "client", name: search.client };
  if (search.connection !== undefined) return { of: "connection", name: search.connection };
  if (search.more !== undefined) return { of: "more", name: search.more };
  return undefined;
}

const searchOf = (choice: Choice): AgentsSearch =>
  choice.of === "client" ? { client: choice.name } : choice.of === "connection" ? { connection: choice.name } : { more: choice.name };

/** The clients of this computer, connected and disconnected with a preview, proved by a call; and what each connection may do. */
export function AgentsPage({ search }: { search: AgentsSearch }) {
  const navigate = useNavigate();
  const cache = useQueryClient();
  const now = useNow();
  // Calls and reads are no events: when each was last is asked for as often as it is told.
  const asked = useQuery({ ...queries.clients(), refetchInterval: MINUTE / 2 });
  const { data: rows, error: noRows } = useQuery({ ...queries.connections(), refetchInterval: MINUTE / 2 });
  const { data: brains } = useQuery(queries.brains());
  const line = useLine();
  const small = useMedia(SMALL);
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<GroupName>>(new Set());
  const [inside, setInside] = useState(choiceOf(search) !== undefined);
  const [revoking, setRevoking] = useState<string>();

  const clients = asked.data;
  const groups = useMemo(() => (clients && rows ? groupsOf(clients, rows) : []), [clients, rows]);
  const wanted = choiceOf(search);
  // A client that is chosen stays so when its state takes it to another group.
  const first = useRef<Choice>(undefined);
  if (!first.current && groups.length > 0) first.current = firstChoice(groups);
  const chosen = wanted ?? first.current;
  const at = chosen && groups.flatMap((group) => group.entries).find((entry) => keyOf(entry.choice) === keyOf(chosen));
  const folded = groups.find((group) => FOLDED.includes(group.name) && group.entries.some((entry) => entry === at))?.name;
  const shown = folded === undefined || open.has(folded) ? open : new Set([...open, folded]);

  const choose = (choice: Choice) => {
    setInside(true);
    void navigate({ to: "/agents", search: searchOf(choice), replace: true });
  };
  const moved = useRef(false);
  /** Brings the choice into sight, and where the keyboard made it the focus to the list that holds it. */
  const toChosen = () => {
    const option = document.querySelector(".cl-list [aria-selected=true]");
    option?.scrollIntoView({ block: "nearest" });
    if (moved.current) (option?.closest<HTMLElement>("[role=listbox]") ?? box.current)?.focus({ preventScroll: true });
    moved.current = false;
  };
  const visible = groups.filter((group) => !FOLDED.includes(group.name) || shown.has(group.name)).flatMap((group) => group.entries);
  const move = (step: number) => {
    if (visible.length === 0) return;
    const here = visible.findIndex((entry) => chosen && keyOf(entry.choice) === keyOf(chosen));
    const next = visible[Math.max(0, Math.min(visible.length - 1, here + step))];
    moved.current = true;
    if (next && next !== visible[here]) choose(next.choice);
    else toChosen();
  };
  const look = async () => {
    const found = await cache.fetchQuery({ ...queries.clients(), staleTime: 0 }).catch(() => undefined);
    void cache.invalidateQueries({ queryKey: ["client-plan"] });
    if (found) announce(t.looked(found.filter((client) => client.state !== "absent").length));
  };
  const grants = search.view === "grants";
  useKeys(
    t.title,
    grants
      ? []
      : [
          { keys: ["ArrowDown", "n"], moves: true, does: t.keys.next, run: () => move(1) },
          { keys: ["ArrowUp", "p"], moves: true, does: t.keys.previous, run: () => move(-1) },
          { keys: ["Escape"], does: t.toList, run: () => setInside(false), when: small && inside },
          { keys: ["Home"], moves: true, does: t.keys.previous, run: () => move(-visible.length), hidden: true },
          { keys: ["End"], moves: true, does: t.keys.next, run: () => move(visible.length), hidden: true },
        ],
  );
  const key = chosen && keyOf(chosen);
  useEffect(() => {
    if (key !== undefined) toChosen();
  }, [key]);

  const revoke = async (connection: string) => {
    await acts.revoke(connection);
    didFinally(t.did.revoked(nameOf({ name: connection, you: false })));
    setRevoking(undefined);
    await Promise.all(["connections", "clients", "inbox", "state"].map((queryKey) => cache.invalidateQueries({ queryKey: [queryKey] })));
  };

  const ready = clients !== undefined && rows !== undefined && brains !== undefined;
  const one = small && inside && !grants;
  const sum = ready ? sums(clients, rows) : undefined;
  return (
    <Screen name={t.title} className={one ? "one" : undefined}>
      <header className="bar">
        {one && (
          <button type="button" className="btn quiet icon" aria-label={t.toList} onClick={() => setInside(false)}>
            <Icon name="back" />
          </button>
        )}
        <h1>{t.title}</h1>
        {sum && <span className="sub clip">{t.sub(sum.connected, sum.found)}</span>}
        <div className="right">
          {!one && (
            <Segments
              label={t.view}
              of={[
                { value: "clients", label: t.views.clients },
                { value: "grants", label: t.views.grants },
              ]}
              chosen={grants ? "grants" : "clients"}
              choose={(view) => void navigate({ to: "/agents", search: view === "grants" ? { view } : {}, replace: true })}
            />
          )}
          {!grants && !one && (
            <button type="button" className="btn quiet look" onClick={() => void look()} aria-label={t.look}>
              <Icon name="search" />
              <span>{asked.isFetching && !asked.isPending ? t.looking : t.look}</span>
            </button>
          )}
        </div>
      </header>
      {!ready ? (
        asked.isError || noRows ? (
          <Failure error={asked.error ?? noRows} again={() => void asked.refetch()} />
        ) : (
          <Loading />
        )
      ) : grants ? (
        <Matrix connections={agentsOf(rows)} brains={brains} now={now} revoke={setRevoking} />
      ) : (
        <div className="panes agp">
          <section className="pane" aria-label={t.list}>
            <ClientList
              groups={groups}
              chosen={chosen}
              open={shown}
              brains={brains}
              now={now}
              boxRef={box}
              choose={choose}
              turn={(name) => {
                const next = new Set(shown);
                if (!next.delete(name)) next.add(name);
                setOpen(next);
              }}
            />
          </section>
          {at?.client ? (
            <ClientDetail key={keyOf(at.choice)} client={at.client} connection={at.connection} brains={brains} now={now} revoke={setRevoking} />
          ) : at?.connection ? (
            <ConnectionDetail key={keyOf(at.choice)} row={at.connection} clients={clients} brains={brains} now={now} revoke={setRevoking} />
          ) : chosen?.of === "more" && chosen.name === "web" ? (
            <WebPage clients={clients} choose={choose} />
          ) : chosen?.of === "more" ? (
            <ByHandPage connections={rows} />
          ) : (
            <div className="pane">
              <p className="calm">{chosen ? t.gone : t.choose}</p>
            </div>
          )}
        </div>
      )}
      {line && (
        <footer className="status">
          <UndoLine />
        </footer>
      )}
      {revoking !== undefined && <RevokeDialog connection={revoking} revoke={() => revoke(revoking)} close={() => setRevoking(undefined)} />}
    </Screen>
  );
}
