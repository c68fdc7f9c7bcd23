import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { acts } from "../../api/acts";
import { ApiError } from "../../api/client";
import { queries } from "../../api/queries";
import type { BrainRow, UnitView } from "../../api/types";
import { Failure, notDone } from "../../shared/failure";
import { Icon } from "../../shared/icons";
import { Key, useKeys } from "../../shared/keyboard";
import { Loading, useRests } from "../../shared/later";
import { Markdown } from "../../shared/markdown";
import { Menu } from "../../shared/menu";
import { useNow } from "../../shared/now";
import { useSeen } from "../../shared/shown";
import { Source } from "../../shared/source";
import { State } from "../../shared/state-mark";
import { drafts, useDraftOf } from "../../shared/drafts";
import { titleOf } from "../../shared/fields";
import { vouch } from "../../shared/vouched";
import { longAge, longDay } from "../../shared/time";
import { didAct, didNot, onItsWay } from "../../shared/undo";
import { texts } from "../../texts";
import { Compare } from "./compare";
import { EraseUnit } from "./erase";
import { Join } from "./join";
import { Move } from "./move";
import { isEdit } from "../../shared/unit-draft";
import { UnitForm } from "./form";
import { History, ReadBy } from "./unit-history";

/** Units that a new one reads like. */
type Similar = readonly { id: string; title: string }[];
type Open = "edit" | "move" | "join" | "compare" | undefined;

/** One unit, whole: its text, where it comes from, what became of it, and what the person may do with it. */
export function UnitPanel({
  id,
  brains,
  back,
  joined = false,
  similar,
}: {
  id: string;
  brains: readonly BrainRow[];
  back: () => void;
  joined?: boolean;
  /** Of a unit that was just written. */
  similar?: Similar;
}) {
  const t = texts.brains;
  const rests = useRests(id);
  const asked = useQuery({ ...queries.unit(id), enabled: rests });
  const unit = asked.data;
  // An erasure has more to say once the unit that it began on is gone.
  const [erasing, setErasing] = useState<UnitView>();
  // Under its own id the unit is kept up with what happens to it.
  if (unit && unit.id !== id && !joined) return <UnitPanel key={unit.id} id={unit.id} brains={brains} back={back} joined />;
  return (
    <>
      {unit ? (
        <Unit
          key={unit.id}
          unit={unit}
          brain={brains.find((one) => one.brain === unit.brain)}
          joined={joined}
          similar={similar}
          erase={() => setErasing(unit)}
        />
      ) : asked.isPending ? (
        <Loading />
      ) : asked.error instanceof ApiError && asked.error.code === "unknown_unit" ? (
        <div className="none">
          <h2>{t.unknownUnit}</h2>
          <p>{t.unknownUnitHint}</p>
          <p className="btns">
            <button type="button" className="btn" onClick={back}>
              {texts.app.back}
            </button>
          </p>
        </div>
      ) : (
        <Failure error={asked.error} again={() => void asked.refetch()} />
      )}
      {erasing && <EraseUnit unit={unit ?? erasing} close={() => setErasing(undefined)} erased={back} />}
    </>
  );
}

function Unit({
  unit,
  brain,
  joined,
  similar,
  erase,
}: {
  unit: UnitView;
  brain: BrainRow | undefined;
  joined: boolean;
  similar?: Similar;
  /** Asks before the unit, or a revision of it, is erased. */
  erase: () => void;
}) {
  const t = texts.brains;
  const now = useNow();
  const client = useQueryClient();
  const navigate = useNavigate();
  const hash = useLocation({ select: (location) => location.hash });
  const [open, setOpen] = useState<Open>();
  const [busy, setBusy] = useState(false);
  const [notice, setNotice] = useState<{ text: string; conflict?: boolean; similar?: Similar } | undefined>(
    similar?.length ? { text: t.form.similar, similar } : undefined,
  );
  const box = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLHeadingElement>(null);
  const title = titleOf(unit.content);
  const live = !unit.retired;
  const seen = useSeen(unit.id, unit.revision);
  const [begun] = useDraftOf(drafts.edit({ brain: unit.brain, unit: unit.id }), isEdit);

  // What closes had the focus: the head has it next, unless something else took it.
  const was = useRef(open);
  useEffect(() => {
    if (was.current !== undefined && open === undefined && document.activeElement === document.body) head.current?.focus({ preventScroll: true });
    was.current = open;
  }, [open]);

  // An address may ask for the editor; once it is open, the address names the unit alone.
  useEffect(() => {
    if (hash !== "edit") return;
    if (live) setOpen("edit");
    void navigate({ to: "/brains", search: (before) => before, hash: "", replace: true });
  }, [hash, live, navigate]);
  useEffect(() => {
    if (hash !== "history") return;
    const at = box.current?.querySelector<HTMLElement>("#history");
    at?.scrollIntoView({ block: "start" });
    at?.focus({ preventScroll: true });
  }, [hash]);

  async function run(work: () => Promise<{ outcome: string; event?: number }>, said: (outcome: string) => string) {
    // A revision that has just come on screen was not read yet.
    if (busy) return;
    if (!seen()) return didNot(texts.inbox.justChanged);
    setBusy(true);
    try {
      await onItsWay(
        work().then((reply) => {
          if (reply.outcome === "moved") didNot(t.did.moved(title));
          else didAct(said(reply.outcome), reply.event);
        }),
      );
    } catch (error) {
      didNot(notDone(error));
    }
    await client.invalidateQueries({ queryKey: ["unit", unit.id] });
    void client.invalidateQueries({ queryKey: ["inbox"] });
    setBusy(false);
    // The button that was pressed may be gone with the state that it was for.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) head.current?.focus({ preventScroll: true });
    });
  }
  const confirm = () =>
    void run(
      () => acts.confirm({ id: unit.id, revision: unit.revision, verdict: "still_true" }),
      () => t.did.confirmed(title),
    );
  const retire = () =>
    void run(
      () => acts.retire({ id: unit.id, base_revision: unit.revision }),
      (outcome) => (outcome === "conflicted" ? t.did.retireConflict(title) : t.did.retired(title)),
    );
  const putBack = () =>
    void run(
      () => acts.bringBack({ id: unit.id, revision: unit.revision }),
      () => t.did.returned(title),
    );
  function copy() {
    const link = `ozbrain:${unit.id}`;
    navigator.clipboard?.writeText(link).then(
      () => didNot(t.copied),
      () => didNot(t.notCopied(link)),
    ) ?? didNot(t.notCopied(link));
  }
  const close = () => {
    setOpen(undefined);
    head.current?.focus({ preventScroll: true });
  };

  const can = open === undefined && !busy;
  useKeys(title, [
    { keys: ["x"], does: t.retire, run: retire, when: can && live },
    { keys: ["t"], does: t.confirm, run: confirm, when: can && live && !unit.conflicted },
    { keys: ["e"], does: t.edit, run: () => setOpen("edit"), when: can && live },
    { keys: ["h"], does: t.history, run: () => box.current?.querySelector<HTMLElement>("#history")?.focus(), when: can },
  ]);

  if (open === "edit" && live)
    return (
      <UnitForm
        brain={unit.brain}
        brainName={brain?.name ?? unit.brain}
        unit={unit}
        seen={seen}
        close={close}
        wrote={(reply) => {
          close();
          if (reply.outcome === "conflicted") setNotice({ text: t.form.conflicted, conflict: true });
          didAct(
            reply.outcome === "unchanged" ? t.did.unchanged : t.did.updated(reply.title || title, reply.revision),
            reply.event,
          );
        }}
      />
    );

  return (
    <>
      <div className="scroll body" ref={box}>
        <p className="meta">
          {brain?.name ?? unit.brain}
          {"\u2002/\u2002"}
          {unit.content.topic}
        </p>
        <div className="ut">
          <h2 ref={head} tabIndex={-1} title={title}>
            {title}
          </h2>
          <span className="uacts">
            {live && (
              <>
                <button type="button" className="btn quiet" onClick={retire} aria-disabled={busy}>
                  {t.retire} <Key of="x" />
                </button>
                {!unit.conflicted && (
                  <button type="button" className="btn quiet" onClick={confirm} aria-disabled={busy}>
                    {t.confirm} <Key of="t" />
                  </button>
                )}
                <button type="button" className="btn" onClick={() => busy || setOpen("edit")} aria-disabled={busy}>
                  {t.edit} <Key of="e" />
                </button>
              </>
            )}
            <Menu
              label={t.more}
              className="btn quiet icon"
              entries={[
                ...(live
                  ? [
                      { name: t.move, run: () => setOpen("move") },
                      { name: t.join, run: () => setOpen("join") },
                    ]
                  : []),
                { name: t.copyLink, run: copy },
                { name: t.erase, run: erase, danger: true },
              ]}
            >
              <span className="dots" aria-hidden="true">
                •••
              </span>
            </Menu>
          </span>
        </div>
        <p className="meta um">
          <State of={unit.freshness}>
            {unit.aging_at === undefined
              ? t.never(texts.freshness[unit.freshness])
              : t.age(texts.freshness[unit.freshness], vouch(unit).how, longAge(unit.anchor, now))}
          </State>
          {unit.conflicted && <State of="conflict" />}
          <span>r{unit.revision}</span>
          {unit.content.tags.length > 0 && <span className="clip">{t.tags(unit.content.tags)}</span>}
          <span>{t.tokens(unit.tokens)}</span>
          {unit.later_until && Date.parse(unit.later_until) > now.getTime() && (
            <span>{t.laterUntil(longDay(unit.later_until, now))}</span>
          )}
        </p>
        {live && begun !== undefined && (
          <div className="notice aging">
            <span className="grow">{t.draftWaits}</span>
            <button type="button" className="link" onClick={() => setOpen("edit")}>
              {t.draftGoOn}
            </button>
          </div>
        )}
        {joined && <p className="notice ok">{t.joined}</p>}
        {notice && (
          <div className={notice.conflict ? "notice" : "notice ok"} role="status">
            <span className="grow">
              {notice.text}{" "}
              {notice.similar?.map((one, place) => (
                <span key={one.id}>
                  {place > 0 && ", "}
                  <Link className="link" to="/brains" search={(before) => ({ ...before, unit: one.id })}>
                    {one.title}
                  </Link>
                </span>
              ))}
            </span>
            {notice.conflict && (
              <Link className="link nowrap" to="/conflict/$unit" params={{ unit: unit.id }}>
                {t.openConflict}
              </Link>
            )}
            <button type="button" className="link" onClick={() => setNotice(undefined)}>
              {texts.app.close}
            </button>
          </div>
        )}
        {unit.conflicted && !notice?.conflict && (
          <div className="notice">
            <span className="grow">{t.conflictNotice(unit.conflict?.sides.length ?? 1)}</span>
            <Link className="link nowrap" to="/conflict/$unit" params={{ unit: unit.id }}>
              {t.openConflict}
            </Link>
          </div>
        )}
        {unit.retired && (
          <div className="notice aging">
            <span className="grow">{t.retiredNotice}</span>
            <button type="button" className="btn" onClick={putBack} aria-disabled={busy}>
              {t.putBack}
            </button>
          </div>
        )}
        {unit.proposals > 0 && (
          <p className="notice ok">
            <Link className="link" to="/inbox">
              {t.proposals(unit.proposals)}
            </Link>
          </p>
        )}
        <Markdown text={unit.content.body} />
        {unit.content.source && (
          <p className="meta srcl">
            {t.askAgain}: <Source text={unit.content.source} />
          </p>
        )}
        <History unit={unit} compare={() => setOpen("compare")} />
        <ReadBy unit={unit} />
      </div>
      {open === "move" && <Move unit={unit} close={close} />}
      {open === "join" && (
        <Join
          unit={unit}
          close={close}
          joined={(survivor) => {
            close();
            void navigate({ to: "/brains", search: (before) => ({ ...before, unit: survivor }) });
          }}
        />
      )}
      {open === "compare" && <Compare unit={unit} close={close} />}
    </>
  );
}

/** Nothing is chosen yet. */
export function NoUnit({ empty }: { empty: boolean }) {
  if (empty) return null;
  return (
    <div className="none">
      <Icon name="brains" />
      <p>{texts.brains.chooseUnit}</p>
      <p className="dim">{texts.brains.chooseUnitHint}</p>
    </div>
  );
}
