import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { acts } from "../../api/acts";
import { PAGE, queries } from "../../api/queries";
import type { ConflictView, ResolveInput, UnitView } from "../../api/types";
import { nameOf, NameOf, ownerOf } from "../../shared/agent";
import { titleOf } from "../../shared/fields";
import { Dialog } from "../../shared/dialog";
import { drafts, useDraftOf } from "../../shared/drafts";
import { describe, Failure, notDone } from "../../shared/failure";
import { Icon } from "../../shared/icons";
import { Key, useKeys, useKeyTitle } from "../../shared/keyboard";
import { Loading } from "../../shared/later";
import { useNow } from "../../shared/now";
import { Screen } from "../../shared/screen";
import { visible } from "../../shared/safe-text";
import { Segments } from "../../shared/segments";
import { useSeen } from "../../shared/shown";
import { State } from "../../shared/state-mark";
import { didAct, didNot, onItsWay, UndoLine, useLine, useUndo } from "../../shared/undo";
import { isEdit } from "../../shared/unit-draft";
import { UnitHistory } from "../../shared/unit-history";
import { texts } from "../../texts";
import { Lineage } from "./lineage";
import { bodyOf, isKept } from "./merge";
import { type MergeBase, MergePanel } from "./merge-panel";
import { compare } from "./model";
import { Table } from "./table";
import "./conflict.css";

const t = texts.conflict;

/** One conflict: its sides next to each other, and the three ways to settle it. */
export function ConflictPage({ id, merge }: { id: string; merge: boolean }) {
  const navigate = useNavigate();
  const time = useNow();
  const unit = useQuery(queries.unit(id));
  const { data: brains } = useQuery(queries.brains());
  const around = useNeighbours(id);
  const [history, setHistory] = useState(false);
  const title = unit.data ? titleOf(unit.data.content) : "";
  const conflict = unit.data?.conflict;

  const toInbox = () => void navigate({ to: "/inbox" });
  const go = async (step: number) => {
    const other = await around.neighbour(step);
    if (other) void navigate({ to: "/conflict/$unit", params: { unit: other } });
  };
  const setMerge = (on: boolean) => void navigate({ to: "/conflict/$unit", params: { unit: id }, search: on ? { merge: true } : {}, replace: true });
  /** Where an act leads: the next conflict, else the one before, else the Inbox. Asked before the act takes this one away. */
  const ahead = async () => (await around.neighbour(1)) ?? (await around.neighbour(-1));
  const onward = (other: string | undefined) => {
    if (other) void navigate({ to: "/conflict/$unit", params: { unit: other }, replace: true });
    else toInbox();
  };

  const titled = useKeyTitle();
  useKeys(t.word, [
    { keys: ["n"], moves: true, does: t.next, run: () => void go(1) },
    { keys: ["p"], moves: true, does: t.previous, run: () => void go(-1) },
    { keys: ["h"], does: t.history, run: () => setHistory(true), when: unit.data !== undefined },
    { keys: ["Escape"], does: t.back, run: toInbox },
  ]);

  return (
    <Screen name={t.word} className="conflict">
      <header className="bar">
        <Link to="/inbox" className="btn quiet icon" aria-label={t.back} title={titled(t.back, "Escape")}>
          <Icon name="back" />
        </Link>
        <div className="grow">
          <h1 className="clip" title={title}>
            {title || t.word}
            {unit.data && (
              <span className="topic plain">
                {"\u2002"}
                {brains?.find((row) => row.brain === unit.data.brain)?.name ?? unit.data.brain} / {unit.data.content.topic}
              </span>
            )}
          </h1>
        </div>
        <div className="right">
          {conflict && <State of="conflict">{around.place ? t.place(around.place, around.total) : t.word}</State>}
          <span className="btns2">
            <button type="button" className="btn icon" aria-label={t.previous} title={titled(t.previous, "p")} onClick={() => void go(-1)} disabled={around.first}>
              <Icon name="back" />
            </button>
            <button type="button" className="btn icon" aria-label={t.next} title={titled(t.next, "n")} onClick={() => void go(1)} disabled={around.last}>
              <Icon name="next" />
            </button>
          </span>
        </div>
      </header>
      {!unit.data ? (
        unit.error ? (
          <Failure error={unit.error} again={() => void unit.refetch()} />
        ) : (
          <Loading />
        )
      ) : conflict ? (
        <Open unit={unit.data} conflict={conflict} title={title} time={time} merging={merge} setMerge={setMerge} ahead={ahead} onward={onward} history={() => setHistory(true)} />
      ) : (
        <Settled unit={unit.data} more={around.total > 0} next={() => void ahead().then(onward)} toInbox={toInbox} />
      )}
      {history && (
        <Dialog title={t.historyOf(title)} close={() => setHistory(false)} wide>
          <UnitHistory id={id} title={title} />
        </Dialog>
      )}
    </Screen>
  );
}

function Settled({ unit, more, next, toInbox }: { unit: UnitView; more: boolean; next: () => void; toInbox: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => takeFocus(heading.current), []);
  return (
    <>
      <div className="none">
        <h2 ref={heading} tabIndex={-1}>
          {t.settledBy(nameOf(unit.agent), unit.revision)}
        </h2>
        <KeptMerge unit={unit} />
        <p className="btns">
          {more && (
            <button type="button" className="btn" onClick={next}>
              {t.nextConflict}
            </button>
          )}
          <button type="button" className="btn quiet" onClick={toInbox}>
            {t.toInbox}
          </button>
        </p>
      </div>
      <div className="status">
        <UndoLine />
      </div>
    </>
  );
}

/** A text that was written for the merge while another settled the conflict: it becomes an edit of the unit, or goes. */
function KeptMerge({ unit }: { unit: UnitView }) {
  const navigate = useNavigate();
  const of = { brain: unit.brain, unit: unit.id };
  const [kept, setKept] = useDraftOf(drafts.merge(of), isKept);
  const [edit, setEdit] = useDraftOf(drafts.edit(of), isEdit);
  if (!kept) return null;
  const body = bodyOf(kept.text);
  const goOn = () => {
    // The head that it was begun beside: what differs from the one that stands is shown before it is written over.
    setEdit({ body, base: kept.head });
    setKept(undefined);
    void navigate({ to: "/brains", search: { brain: unit.brain, topic: unit.content.topic, unit: unit.id }, hash: "edit" });
  };
  return (
    <section className="kept" aria-label={t.keptText}>
      <p>{t.kept}</p>
      <div className="scroll text" tabIndex={0} role="group" aria-label={t.keptText}>
        {visible(body)}
      </div>
      {edit && <p className="dim">{t.keptOther}</p>}
      <p className="btns">
        {!edit && (
          <button type="button" className="btn" onClick={goOn}>
            {t.editWithIt}
          </button>
        )}
        <button type="button" className="btn quiet" onClick={() => setKept(undefined)}>
          {texts.inbox.throwAway}
        </button>
      </p>
    </section>
  );
}

/** Gives the focus to what has just come, unless it is somewhere already. */
function takeFocus(to: HTMLElement | null): void {
  const at = document.activeElement;
  if (at === null || at === document.body || at.id === "main") to?.focus({ preventScroll: true });
}

function Open({
  unit,
  conflict,
  title,
  time,
  merging,
  setMerge,
  ahead,
  onward,
  history,
}: {
  unit: UnitView;
  conflict: ConflictView;
  title: string;
  time: Date;
  merging: boolean;
  setMerge: (on: boolean) => void;
  ahead: () => Promise<string | undefined>;
  onward: (other: string | undefined) => void;
  history: () => void;
}) {
  const client = useQueryClient();
  const undo = useUndo();
  const line = useLine();
  const { head, sides, version } = conflict;
  const [chosen, setChosen] = useState<number>();
  const side = sides.find((s) => s.revision === chosen) ?? sides[sides.length - 1];
  const comparison = useMemo(() => side && compare(side, head), [side, head]);
  const seen = useSeen(unit.id, version);
  const [notice, setNotice] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [current, setCurrent] = useState<number>();
  const next = head.revision + 1;

  // A side that moves while the page is open shows at once, and says so.
  const before = useRef(conflict);
  useEffect(() => {
    const was = before.current;
    before.current = conflict;
    if (was.version === conflict.version) return;
    const said = was.head.revision === conflict.head.revision ? t.movedSides : t.movedHead(NameOf(conflict.head.agent), conflict.head.revision);
    setNotice(said);
    didNot(said);
  }, [conflict]);

  // The merge keeps what it began with, until it is left.
  const [base, setBase] = useState<MergeBase>();
  const round = useRef(0);
  if (merging && !base && side && comparison) {
    setNotice(undefined);
    setBase({ id: unit.id, brain: unit.brain, round: round.current, version, side, head, comparison });
  }
  if (!merging && base) setBase(undefined);

  const resolve = async (input: Omit<ResolveInput, "id">, said: (revision: number) => string): Promise<boolean> => {
    if (busy) return false;
    if (!seen()) {
      setNotice(t.justChanged);
      didNot(t.justChanged);
      return false;
    }
    setBusy(true);
    try {
      const to = await ahead();
      const reply = await onItsWay(
        acts.resolve({ id: unit.id, ...input }).then((reply) => {
          if (reply.outcome !== "moved") didAct(said(reply.revision), reply.event);
          return reply;
        }),
      );
      if (reply.outcome === "moved") {
        const now = await client.fetchQuery({ ...queries.unit(unit.id), staleTime: 0 });
        const text = t.refusedMoved(NameOf(now.agent), now.revision);
        setNotice(text);
        didNot(text);
        return false;
      }
      onward(to);
      void client.invalidateQueries({ queryKey: ["unit", unit.id] });
      void client.invalidateQueries({ queryKey: ["inbox"] });
      void client.invalidateQueries({ queryKey: ["state"] });
      return true;
    } catch (error) {
      const text = notDone(error);
      setNotice(text);
      didNot(text);
      // What became of it is asked for.
      if (describe(error).code === "gone") for (const queryKey of [["unit", unit.id], ["inbox"], ["state"]]) void client.invalidateQueries({ queryKey });
      return false;
    } finally {
      setBusy(false);
    }
  };
  // Leaving the merge leaves the focus on the page: the keys of the conflict act from there.
  const table = useRef<HTMLDivElement>(null);
  const merged = useRef(merging);
  useEffect(() => {
    if (merged.current && !merging) takeFocus(table.current);
    merged.current = merging;
  }, [merging]);
  useEffect(() => {
    if (!merged.current) takeFocus(table.current);
  }, []);
  const restore = () => side && void resolve({ version, choice: "restore", revision: side.revision }, () => t.did.restored(title, side.revision));
  const keep = () => void resolve({ version, choice: "keep_head" }, () => t.did.kept(title));

  useKeys(title, [
    { keys: ["r"], does: t.restoreShort(side?.revision ?? 0), run: restore, when: !merging },
    { keys: ["k"], does: texts.inbox.keepHead, run: keep, when: !merging },
    { keys: ["e"], does: t.merge, run: () => setMerge(true), when: !merging },
  ]);

  if (!side || !comparison) return null;
  return (
    <>
      {notice && !(merging && base && version !== base.version) && (
        <div className="notice aging moved" role="alert">
          <p className="grow">{notice}</p>
          <button
            type="button"
            className="btn"
            onClick={() => {
              setNotice(undefined);
              table.current?.focus({ preventScroll: true });
            }}
          >
            {t.seen}
          </button>
        </div>
      )}
      <div ref={table} className={merging ? "scroll top" : "scroll"} tabIndex={0} role="region" aria-label={t.table(comparison.differences)}>
        {!merging && <Lineage conflict={conflict} next={next} time={time} />}
        {sides.length > 1 && (
          <div className="which">
            <Segments
              label={t.sides}
              of={sides.map((s) => ({ value: String(s.revision), label: t.sideOf(s.revision, nameOf(s.agent)) }))}
              chosen={String(side.revision)}
              choose={(value) => setChosen(Number(value))}
            />
          </div>
        )}
        <Table side={side} head={head} comparison={comparison} time={time} compact={merging} current={merging ? current : undefined} />
      </div>
      {merging && base ? (
        <MergePanel
          key={`${base.id} ${base.round}`}
          base={base}
          version={version}
          sides={sides}
          head={head}
          next={next}
          current={current}
          setCurrent={setCurrent}
          cancel={() => setMerge(false)}
          restart={() => {
            round.current++;
            setBase(undefined);
          }}
          write={(input) => resolve({ ...input, choice: "merged" }, (revision) => t.did.merged(title, revision))}
        />
      ) : (
        <>
          <footer className="choose">
            <div className="l">
              <button type="button" className="btn" onClick={restore}>
                <span className="sw d" />
                <span className="clip">{t.restore(side.revision, ownerOf(side.agent))}</span> <Key of="r" />
              </button>
            </div>
            <div className="g">
              <button type="button" className="btn" onClick={() => setMerge(true)}>
                {t.merge} <Key of="e" />
              </button>
            </div>
            <div className="r">
              <button type="button" className="btn" onClick={keep}>
                <span className="sw" />
                <span className="clip">{t.keep(ownerOf(head.agent))}</span> <Key of="k" />
              </button>
            </div>
          </footer>
          <div className="status">
            {line ? <UndoLine /> : <span>{t.either(next)}</span>}
            <span className="right wide">
              <Key of="n" /> {t.nextKey}
            </span>
            <button type="button" className="plain-btn wide" onClick={history}>
              <Key of="h" /> {t.historyKey}
            </button>
            {!line && (
              <button type="button" className="plain-btn wide" onClick={() => void undo()}>
                <Key of="u" /> {texts.app.undo.toLowerCase()}
              </button>
            )}
          </div>
        </>
      )}
    </>
  );
}

/** The conflicts before and after this one, in the Inbox's order. */
function useNeighbours(id: string) {
  const client = useQueryClient();
  const [page, setPage] = useState(0);
  const { data } = useQuery(queries.inbox("conflict", page));
  const at = data?.items.findIndex((item) => item.kind === "conflict" && item.unit.id === id) ?? -1;
  const total = data?.total ?? 0;
  const more = data !== undefined && at < 0 && (page + 1) * PAGE < total;
  useEffect(() => {
    if (more) setPage((now) => now + 1);
  }, [more]);
  const place = at < 0 ? undefined : page * PAGE + at + 1;
  return {
    place,
    total,
    first: place === undefined ? total === 0 : place <= 1,
    last: place === undefined ? total === 0 : place >= total,
    async neighbour(step: number): Promise<string | undefined> {
      // A conflict that is settled has no place any more: the first one is next.
      const to = place === undefined ? 0 : place - 1 + step;
      if (to < 0 || to >= total) return undefined;
      const there = await client.fetchQuery(queries.inbox("conflict", Math.floor(to / PAGE)));
      const item = there.items[to % PAGE];
      return item?.kind === "conflict" && item.unit.id !== id ? item.unit.id : undefined;
    },
  };
}
