import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type InboxFilter, queries } from "../../api/queries";
import type { InboxItem } from "../../api/types";
import { NameOf } from "../../shared/agent";
import { platform } from "../../platform";
import { describe, Failure, notDone } from "../../shared/failure";
import { fetched as fetchedPart } from "../../shared/fetched";
import { Icon, Mark } from "../../shared/icons";
import { useKeys } from "../../shared/keyboard";
import { Loading, useRests } from "../../shared/later";
import { SMALL, useMedia } from "../../shared/media";
import { useNow } from "../../shared/now";
import { Screen, SearchField } from "../../shared/screen";
import { type Segment, Segments } from "../../shared/segments";
import { useStanding } from "../../shared/standing";
import { didAct, didFinally, didNot, onItsWay, UndoLine, useLine } from "../../shared/undo";
import { texts } from "../../texts";
import { Detail } from "./detail";
import { keyOf } from "./layout";
import { List, SettledToday } from "./list";
import { titleOfItem } from "./row";
import { type InboxNow, useInbox } from "./use-inbox";
import "./inbox.css";

const t = texts.inbox;

/** Seen once by most: it comes when it is wanted. */
const FirstRun = lazy(async () => ({ default: (await fetchedPart(() => import("../agents/first-run"))).FirstRun }));
const PUT_OFF = "first-run";
/** Whether the first run goes on: from its first act until it is left, whatever is connected meanwhile. */
let welcoming = false;

/** What is shown of the Inbox. */
export type Show = "all" | "conflict" | "proposal" | "freshness";

/** Whether the Inbox was on screen before: the first time, the page's own focus stays where the browser put it. */
let arrived = false;
/** The row that was selected last: the way back from a conflict leads to it. */
let last: { key?: string; place: number } = { place: 0 };

/** What no undo takes back: it is asked about before. */
const FINAL = new Set(["revoked"]);

/** What one act came to. `moved`: nothing was changed, the state was another one. */
export type Outcome = { outcome: string; event?: number; /** What moved, where it was no unit. */ says?: string };
/**
 * Carries out an act on an item, one at a time, and goes on to the next. `said`: what was done then, by its outcome where
 * that makes a difference. True once it is done.
 */
export type Perform = (item: InboxItem, act: () => Promise<Outcome>, said: string | ((outcome: string) => string)) => Promise<boolean>;

/** The unit that an item is about, if it is about one. */
function unitOf(item: InboxItem): string | undefined {
  return item.kind === "problem" ? undefined : item.kind === "proposal" ? item.unit : item.unit.id;
}

/** The place Inbox: what waits on the left, the selected item with its acts on the right. `show`: which kind, by the address. */
export function InboxPage({ show }: { show: Show }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const time = useNow();
  const filter: InboxFilter = show === "all" ? undefined : show === "freshness" ? "aging" : show;
  const [pages, setPages] = useState<number[]>([]);
  const { now: fetched, error, again } = useInbox(filter, pages);
  const [frozen, setFrozen] = useState<{ now: InboxNow; leaving: string }>();
  const now = frozen?.now ?? fetched;
  const [chosen, setChosen] = useState(last);
  const [notice, setNotice] = useState<{ key: string; text: string; gone?: boolean }>();
  const up = useStanding();
  useEffect(() => {
    if (up) setNotice((now) => (now?.gone ? undefined : now));
  }, [up]);
  const busy = useRef(false);
  const turn = useRef(0);
  const box = useRef<HTMLDivElement>(null);
  const empty = useRef<HTMLHeadingElement>(null);
  const { data: state } = useQuery(queries.state());
  const line = useLine();
  // Where there is room for one pane, a row that was chosen takes the place of the list.
  const small = useMedia(SMALL);
  const [inside, setInside] = useState(false);

  const order = useMemo(() => now?.entries.flatMap((entry) => ("item" in entry ? [entry.item] : [])) ?? [], [now]);
  const known = chosen.key === undefined ? undefined : now?.indexOf(chosen.key);
  const found = known === undefined ? -1 : order.indexOf(known);
  const at = order.length === 0 ? -1 : found >= 0 ? found : Math.min(chosen.place, order.length - 1);
  const item = at < 0 ? undefined : now?.item(order[at] ?? -1);

  const rests = useRests(item && keyOf(item));
  const selected = useRef<string>(undefined);
  selected.current = item && keyOf(item);

  const choose = useCallback((key: string | undefined, place: number) => {
    last = { key, place };
    setChosen(last);
    setNotice(undefined);
  }, []);
  const move = (step: number) => {
    if (order.length === 0) return;
    const place = Math.max(0, Math.min(order.length - 1, at + step));
    const to = now?.item(order[place] ?? -1);
    choose(to && keyOf(to), place);
    box.current?.focus({ preventScroll: true });
  };
  useEffect(() => {
    // Coming from another screen, and after an act took the focused thing away, the list has the keyboard.
    if (!now) return;
    if (!arrived) {
      arrived = true;
      return;
    }
    if (document.activeElement === document.body || document.activeElement?.id === "main") (box.current ?? empty.current)?.focus({ preventScroll: true });
  });

  const perform: Perform = useCallback(
    async (of, act, said) => {
      if (!now) return false;
      if (busy.current) {
        didNot(texts.app.onItsWay);
        return false;
      }
      busy.current = true;
      const mine = ++turn.current;
      let released = false;
      const release = () => {
        if (!released) busy.current = false;
        released = true;
      };
      const thaw = () => {
        if (turn.current === mine) setFrozen(undefined);
      };
      const key = keyOf(of);
      const unit = unitOf(of);
      const held = document.activeElement;
      setNotice(undefined);
      setFrozen({ now, leaving: key });
      const started = performance.now();
      try {
        const reply = await onItsWay(
          act().then((reply) => {
            const words = typeof said === "string" ? said : said(reply.outcome);
            if (FINAL.has(reply.outcome)) didFinally(words);
            else if (reply.outcome !== "moved") didAct(words, reply.event, reply.outcome === "conflicted" ? unit : undefined);
            return reply;
          }),
        );
        if (reply.outcome === "moved") {
          thaw();
          await client.invalidateQueries({ queryKey: ["inbox"] });
          const head = unit === undefined ? undefined : await client.fetchQuery({ ...queries.unit(unit), staleTime: 0 }).catch(() => undefined);
          const text = reply.says ?? (head ? t.moved(NameOf(head.agent), head.revision) : t.movedSettled);
          setNotice({ key, text });
          didNot(text);
          return false;
        }
        const rest = Math.max(0, duration("--move") - (performance.now() - started));
        await new Promise((done) => setTimeout(done, rest));
        // From here on the next row can be acted on, and the person may be elsewhere already: there they stay.
        release();
        if (selected.current === key) {
          const place = order.indexOf(now.indexOf(key) ?? -1);
          const next = now.item(order[place + 1] ?? order[place - 1] ?? -1);
          choose(next && keyOf(next), Math.max(0, place));
        }
        await client.invalidateQueries({ queryKey: ["inbox"] });
        thaw();
        void client.invalidateQueries({ queryKey: ["state"] });
        requestAnimationFrame(() => {
          const at = document.activeElement;
          if (at === held || at === document.body || at === null) (box.current ?? empty.current)?.focus({ preventScroll: true });
        });
        return true;
      } catch (failure) {
        thaw();
        const gone = describe(failure).code === "gone";
        const text = notDone(failure);
        setNotice({ key, text, gone });
        didNot(text);
        void client.invalidateQueries({ queryKey: ["inbox"] });
        // What became of it is asked for with the rest.
        if (gone && unit !== undefined) void client.invalidateQueries({ queryKey: ["unit", unit] });
        return false;
      } finally {
        release();
      }
    },
    [choose, client, now, order],
  );

  const open = useCallback(
    (of: InboxItem | undefined) => {
      if (!of) return;
      if (of.kind === "conflict") void navigate({ to: "/conflict/$unit", params: { unit: of.unit.id } });
      else if (of.kind === "aging" || of.kind === "decision") void navigate({ to: "/brains", search: { brain: of.unit.brain, unit: of.unit.id } });
      else if (of.kind === "proposal" && of.unit !== undefined) void navigate({ to: "/brains", search: { brain: of.brain, unit: of.unit } });
      else if (of.kind === "problem" && of.client !== undefined) void navigate({ to: "/agents", search: { client: of.client } });
      else if (of.kind === "problem" && of.connection !== undefined) void navigate({ to: "/agents", search: { connection: of.connection } });
    },
    [navigate],
  );

  useKeys(texts.app.inbox, [
    // K keeps the head, so the letters that move are those of the Conflict screen.
    { keys: ["ArrowDown", "n"], moves: true, does: t.keys.next, run: () => move(1) },
    { keys: ["ArrowUp", "p"], moves: true, does: t.keys.previous, run: () => move(-1) },
    { keys: ["Home"], moves: true, does: t.keys.previous, run: () => move(-order.length), hidden: true },
    { keys: ["End"], moves: true, does: t.keys.next, run: () => move(order.length), hidden: true },
    { keys: ["PageDown"], moves: true, does: t.keys.next, run: () => move(10), hidden: true },
    { keys: ["PageUp"], moves: true, does: t.keys.previous, run: () => move(-10), hidden: true },
    { keys: ["Enter"], does: t.open, run: () => open(item) },
  ]);

  const counts = now?.counts ?? state?.counts;
  const segments: Segment<Show>[] = [
    { value: "all", label: t.all },
    {
      value: "conflict",
      label: (
        <>
          <Mark of="conflict" />
          {t.conflicts}
        </>
      ),
    },
    ...(counts && (counts.proposals > 0 || show === "proposal") ? [{ value: "proposal" as const, label: t.proposals }] : []),
    {
      value: "freshness",
      label: (
        <>
          <Mark of="aging" />
          {t.freshness}
        </>
      ),
    },
  ];

  const nothing = now !== undefined && now.total === 0;
  const [putOff, setPutOff] = useState(() => platform.recall(PUT_OFF) === "later");
  const [welcome, setWelcome] = useState(welcoming);
  // What was settled today has a page that tells of it.
  const starts = !putOff && state?.connections === 0 && now?.settled.length === 0;
  const welcomes = nothing && show === "all" && (welcome || starts);
  const one = small && inside && item !== undefined;
  return (
    <Screen name={texts.app.inbox} className={one ? "one" : undefined}>
      <header className="bar">
        {one && (
          <button type="button" className="btn quiet icon" aria-label={t.toList} onClick={() => setInside(false)}>
            <Icon name="back" />
          </button>
        )}
        <h1>{texts.app.inbox}</h1>
        {counts && <span className="sub clip">{t.sub(counts)}</span>}
        <div className="right">
          {(!nothing || show !== "all") && (
            <Segments
              label={t.show}
              of={segments}
              chosen={show}
              choose={(value) => {
                choose(undefined, 0);
                void navigate({ to: "/inbox", search: value === "all" ? {} : { show: value }, replace: true });
              }}
            />
          )}
          <SearchField className="field wide search" />
        </div>
      </header>
      {!now ? (
        error ? (
          <Failure error={error} again={again} />
        ) : (
          <Loading />
        )
      ) : welcomes ? (
        <Suspense fallback={<Loading />}>
          <FirstRun
            begun={() => {
              welcoming = true;
              setWelcome(true);
            }}
            leave={() => {
              welcoming = false;
              setWelcome(false);
              platform.remember(PUT_OFF, "later");
              setPutOff(true);
              requestAnimationFrame(() => empty.current?.focus({ preventScroll: true }));
            }}
          />
        </Suspense>
      ) : nothing ? (
        <Empty now={now} show={show} headRef={empty} />
      ) : (
        <div className="panes inbox">
          <section className="pane" aria-label={t.list}>
            <List
              now={now}
              time={time}
              order={order}
              at={at}
              leaving={frozen?.leaving}
              boxRef={box}
              select={(key, place) => {
                choose(key, place);
                setInside(true);
              }}
              open={(key, place) => {
                choose(key, place);
                open(now.item(order[place] ?? -1));
              }}
              see={setPages}
            />
            {line && (
              <footer className="status">
                <UndoLine />
              </footer>
            )}
          </section>
          {item ? (
            <Detail
              key={keyOf(item)}
              item={item}
              title={titleOfItem(item)}
              rests={rests}
              time={time}
              notice={notice?.key === keyOf(item) ? notice.text : undefined}
              say={(text) => setNotice({ key: keyOf(item), text })}
              perform={perform}
              toList={() => box.current?.focus({ preventScroll: true })}
              open={() => open(item)}
            />
          ) : (
            <div className="pane">
              <Loading />
            </div>
          )}
        </div>
      )}
    </Screen>
  );
}

/** A good state, and says so. */
function Empty({ now, show, headRef }: { now: InboxNow; show: Show; headRef: React.RefObject<HTMLHeadingElement | null> }) {
  const { data: brains } = useQuery(queries.brains());
  const fresh = brains?.reduce((sum, brain) => sum + brain.units - brain.aging - brain.stale, 0) ?? 0;
  const line = useLine();
  const { data: state } = useQuery(queries.state());
  const alone = state?.connections === 0;
  const { data: clients } = useQuery({ ...queries.clients(), enabled: show === "all" && !alone });
  const waits = clients?.filter((client) => client.state === "waiting") ?? [];
  return (
    <>
      <div className="none">
        <svg width="112" height="72" viewBox="0 0 112 72" aria-hidden="true" fill="none" strokeWidth="2" className="agree">
          <path d="M6 36H30M82 36H106" />
          <path d="M30 36C44 36 42 16 56 16S68 36 82 36M30 36C44 36 42 56 56 56S68 36 82 36" />
          <circle className="solid" cx="30" cy="36" r="5" />
          <circle className="hollow" cx="56" cy="16" r="4" />
          <circle className="hollow" cx="56" cy="56" r="4" />
          <circle className="accent" cx="82" cy="36" r="7" />
        </svg>
        <h2 ref={headRef} tabIndex={-1}>
          {show !== "all" ? t.emptyKind : alone ? t.noAgent : t.emptyTitle}
        </h2>
        {show === "all" && alone && <p>{t.noAgentHow}</p>}
        {show === "all" && !alone && (
          <p>
            {t.empty}
            {fresh > 0 && (
              <>
                <br />
                {t.emptyFresh(fresh)}
              </>
            )}
          </p>
        )}
        {show === "all" && waits.length > 0 && (
          <p>
            {t.waitsFor(waits.map((client) => client.name))}{" "}
            <Link className="link-in-text" to="/agents">
              {t.seeAgents}
            </Link>
          </p>
        )}
        <p className="btns">
          {show === "all" && alone && (
            <Link className="btn primary" to="/agents">
              {t.connectOne}
            </Link>
          )}
          <Link className="btn" to="/brains">
            {t.browse}
          </Link>
        </p>
      </div>
      {now.settled.length > 0 && (
        <div className="settled-below">
          <SettledToday settled={now.settled} />
        </div>
      )}
      {line && (
        <footer className="status">
          <UndoLine />
        </footer>
      )}
    </>
  );
}

/** A length of the motion tokens, in milliseconds: nothing where motion is reduced. */
function duration(token: string): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(token)) || 0;
}
