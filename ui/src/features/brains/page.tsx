import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { queries } from "../../api/queries";
import type { BrainRow, UnitRow, UnitsQuery, WriteReply } from "../../api/types";
import { platform } from "../../platform";
import { Dialog } from "../../shared/dialog";
import { Failure } from "../../shared/failure";
import { Icon } from "../../shared/icons";
import { Key, useKeys } from "../../shared/keyboard";
import { Loading } from "../../shared/later";
import { NARROW, SMALL, useMedia } from "../../shared/media";
import { Menu } from "../../shared/menu";
import { Screen } from "../../shared/screen";
import { Segments } from "../../shared/segments";
import { didAct, UndoLine } from "../../shared/undo";
import { texts } from "../../texts";
import "./brains.css";
import { Erased } from "./erase";
import { NewBrain } from "./new-brain";
import { Policies } from "./policies";
import { TopicTree } from "./topic-pane";
import { UnitForm } from "./form";
import { type ListHandle, UnitList, useFound, useUnits } from "./unit-list";
import { NoUnit, UnitPanel } from "./unit-panel";

export type BrainsSearch = {
  brain?: string;
  topic?: string;
  unit?: string;
  query?: string;
  /** Opens the form for a new unit. */
  write?: boolean;
};
type Order = NonNullable<UnitsQuery["order"]>;

const ORDERS: readonly Order[] = ["needs", "latest", "title"];
const MOST_SEGMENTS = 5;
const LAST = "brain";
const TYPING = 150;

/** All that the brains hold: topics, their units, and one unit whole. */
export function BrainsPage({ search }: { search: BrainsSearch }) {
  const t = texts.brains;
  const navigate = useNavigate();
  const asked = useQuery(queries.brains());
  const brains = asked.data;
  const linked = useQuery({
    ...queries.unit(search.unit ?? ""),
    enabled: search.unit !== undefined && search.brain === undefined,
  });
  const [making, setMaking] = useState(false);
  const [said, setSaid] = useState<readonly string[]>([]);
  const told = said.length > 0 && <Erased said={said} close={() => setSaid([])} />;

  // A link may name the unit alone: its brain is the one it is in.
  const home = search.brain ?? linked.data?.brain;
  const last = platform.recall(LAST);
  const waits = search.unit !== undefined && home === undefined && !linked.isFetched;
  const brain =
    home === undefined ? (brains?.find((one) => one.brain === last) ?? brains?.[0]) : brains?.find((one) => one.brain === home);
  useEffect(() => {
    if (brain) platform.remember(LAST, brain.brain);
  }, [brain]);

  const go = useCallback(
    (to: BrainsSearch, replace = false) => void navigate({ to: "/brains", search: to, replace }),
    [navigate],
  );

  if (!brains || waits)
    return (
      <Screen name={t.title}>
        <header className="bar">
          <h1>{t.title}</h1>
        </header>
        {asked.isError && !brains ? <Failure error={asked.error} again={() => void asked.refetch()} /> : <Loading />}
      </Screen>
    );
  if (!brain)
    return (
      <Screen name={t.title}>
        <header className="bar">
          <h1>{t.title}</h1>
          <div className="right">
            <BrainChoice brains={brains} chosen={undefined} choose={(one) => go({ brain: one })} make={() => setMaking(true)} />
          </div>
        </header>
        <div className="none">
          <h2>{home === undefined ? t.noBrain : t.unknownBrain(home)}</h2>
          {home === undefined && <p>{t.noBrainHint}</p>}
          <p className="btns">
            <button type="button" className="btn" onClick={() => setMaking(true)}>
              {t.newBrain}
            </button>
          </p>
        </div>
        {making && <NewBrain close={() => setMaking(false)} made={(one) => go({ brain: one })} />}
        {told}
      </Screen>
    );
  return (
    <>
      <BrainView brains={brains} brain={brain} search={search} go={go} tell={setSaid} />
      {told}
    </>
  );
}

function BrainView({
  brains,
  brain,
  search,
  go,
  tell,
}: {
  brains: readonly BrainRow[];
  brain: BrainRow;
  search: BrainsSearch;
  go: (to: BrainsSearch, replace?: boolean) => void;
  /** Says what an erased brain left to know. */
  tell: (said: readonly string[]) => void;
}) {
  const t = texts.brains;
  const narrow = useMedia(NARROW);
  const small = useMedia(SMALL);
  const [dialog, setDialog] = useState<"brain" | "policies" | "topics">();
  const [writing, setWriting] = useState(false);
  const [created, setCreated] = useState<WriteReply>();
  const [order, setOrder] = useState<Order>(() => ORDERS.find((one) => one === platform.recall("order")) ?? "needs");
  const [retired, setRetired] = useState(false);
  const [everywhere, setEverywhere] = useState(search.brain === undefined && search.query !== undefined);
  const query = search.query?.trim() ?? "";
  // Searched for in every brain is one question; the next is one of this brain.
  const asks = query !== "";
  useEffect(() => {
    if (!asks) setEverywhere(false);
  }, [asks]);
  const typed = useTyped(search.query ?? "", (text) =>
    go({ ...search, brain: brain.brain, query: text === "" ? undefined : text }, true),
  );
  const list = useRef<ListHandle>(null);
  const detail = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);

  const topics = useQuery(queries.topics({ brain: brain.brain }));
  const units = useUnits({ brain: brain.brain, topic: search.topic, order, ...(retired ? { retired: true } : {}) });
  const found = useFound(query, everywhere ? undefined : brain.brain);
  const searching = query !== "";
  const rows = searching ? found : units;
  // While searching a unit stands beside its results: one of them, or one that was opened from them.
  const [opened, setOpened] = useState<{ query: string; unit: string }>();
  const beside =
    search.unit !== undefined && (!searching || found.placeOf(search.unit) >= 0 || (opened?.query === query && opened.unit === search.unit)) ? search.unit : undefined;

  const toBrain = (one: string) => {
    setRetired(false);
    setWriting(false);
    go({ brain: one });
  };
  const toTopic = (topic: string | undefined) => {
    setDialog(undefined);
    go({ brain: brain.brain, topic, unit: search.unit });
  };
  const toUnit = useCallback(
    (row: UnitRow) => {
      setWriting(false);
      setOpened({ query: search.query?.trim() ?? "", unit: row.id });
      go({ brain: brain.brain, topic: search.topic, query: search.query, unit: row.id }, true);
    },
    [go, brain.brain, search.topic, search.query],
  );
  const into = (row: UnitRow) => {
    toUnit(row);
    detail.current?.focus();
  };
  const show = (next: Order) => {
    platform.remember("order", next);
    setOrder(next);
    setRetired(false);
  };
  const compose = () => setWriting(true);

  // An address may ask for the form; once it is open, the address names its place alone.
  useEffect(() => {
    if (search.write !== true) return;
    setWriting(true);
    go({ brain: brain.brain, topic: search.topic }, true);
  }, [search.write, search.topic, brain.brain, go]);

  useKeys(t.title, [
    { keys: ["ArrowDown"], moves: true, does: t.keys.down, run: () => list.current?.move(1) },
    { keys: ["ArrowUp"], moves: true, does: t.keys.up, run: () => list.current?.move(-1) },
    { keys: ["Enter"], does: t.chooseUnit, run: () => detail.current?.focus(), hidden: true },
    { keys: ["c"], does: t.newUnit, run: compose, when: !writing },
    { keys: ["Escape"], does: t.keys.back, run: () => list.current?.focus(), when: !writing },
  ]);

  const place = search.topic ?? t.allTopics;
  // Where there is room for one pane, a unit takes the place of the list.
  const one = small && (writing || beside !== undefined);
  return (
    <Screen name={t.title} className={one ? "one" : undefined}>
      <header className="bar">
        {one && (
          <button type="button" className="btn quiet icon" aria-label={t.toList} onClick={() => (writing ? setWriting(false) : go({ ...search, brain: brain.brain, unit: undefined }))}>
            <Icon name="back" />
          </button>
        )}
        <h1 className="vh">{t.title}</h1>
        <BrainChoice brains={brains} chosen={brain.brain} choose={toBrain} make={() => setDialog("brain")} />
        <div className="right">
          <label className="field brain-search">
            <Icon name="search" />
            <input
              ref={field}
              data-search
              type="search"
              placeholder={everywhere ? t.everywhere : t.searchIn(brain.name)}
              aria-label={everywhere ? t.everywhere : t.searchIn(brain.name)}
              value={typed.text}
              onChange={(event) => typed.type(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === "Escape") {
                  event.preventDefault();
                  event.stopPropagation();
                  if (typed.text === "") event.currentTarget.blur();
                  typed.now("");
                } else if (event.key === "ArrowDown" || event.key === "Enter") {
                  event.preventDefault();
                  event.stopPropagation();
                  if (typed.text.trim() !== query) typed.now(typed.text);
                  list.current?.focus();
                }
              }}
            />
            <Key of="/" />
          </label>
          <button type="button" className="btn new-unit" onClick={compose} title={t.newUnit}>
            <Icon name="plus" className="i i12" /> <span className="l">{t.newUnit}</span> <Key of="c" />
          </button>
        </div>
      </header>
      <div className="panes br">
        {!narrow && (
          <section className="pane tree" aria-label={t.topics}>
            {topics.isError && !topics.data ? (
              <Failure error={topics.error} again={() => void topics.refetch()} />
            ) : topics.isPending ? (
              <Loading />
            ) : (
              <TopicTree brain={brain.brain} rows={topics.data} chosen={searching ? null : search.topic} choose={toTopic} />
            )}
            <Foot brain={brain} policies={() => setDialog("policies")} />
          </section>
        )}
        <section className="pane" aria-label={searching ? t.resultsFor(query) : t.unitsIn(place)}>
          <div className="lhead">
            {searching ? (
              <>
                <b className="clip">{t.results(found.all, found.total)}</b>
                {everywhere && <span className="topic nowrap">{t.inEvery}</span>}
              </>
            ) : narrow ? (
              <button type="button" className="link clip topic-button" onClick={() => setDialog("topics")}>
                <b className="clip">{place}</b> <Icon name="down" className="i i12" />
              </button>
            ) : (
              <b className="clip" title={place}>
                {place}
              </b>
            )}
            {!searching && (
              <span className="lright">
                <Menu
                  label={retired ? t.retiredShown : t.orderBy(t.order[order])}
                  className="link"
                  entries={[
                    ...ORDERS.map((one) => ({ name: t.order[one], chosen: !retired && one === order, run: () => show(one) })),
                    { name: t.showRetired(brain.retired), chosen: retired, run: () => setRetired(true) },
                  ]}
                >
                  {retired ? t.retiredShown : t.order[order]}
                </Menu>
              </span>
            )}
          </div>
          <UnitList
            handle={list}
            rows={rows}
            label={searching ? t.resultsFor(query) : t.unitsIn(place)}
            chosen={writing ? undefined : search.unit}
            choose={toUnit}
            open={into}
            brainName={(key) => brains.find((row) => row.brain === key)?.name ?? key}
            says={searching && everywhere ? "brain" : searching || search.topic === undefined ? "topic" : undefined}
            empty={
              searching ? (
                <>
                  <p>{t.noMatch(query, everywhere ? undefined : brain.name)}</p>
                  {!everywhere && brains.length > 1 && (
                    <button type="button" className="link" onClick={() => setEverywhere(true)}>
                      {t.everywhere}
                    </button>
                  )}
                </>
              ) : retired ? (
                <p>{t.noRetired}</p>
              ) : (
                <>
                  <p>
                    {t.noUnits(search.topic)}{" "}
                    {units.nearest.length > 0 && (
                      <>
                        {t.nearest}{" "}
                        {units.nearest.map((topic, i) => (
                          <span key={topic}>
                            {i > 0 && ", "}
                            <button type="button" className="link" onClick={() => toTopic(topic)}>
                              {topic}
                            </button>
                          </span>
                        ))}
                      </>
                    )}
                  </p>
                  <p className="dim">{t.noUnitsHint}</p>
                  <button type="button" className="btn" onClick={compose}>
                    {t.newUnit} <Key of="c" />
                  </button>
                </>
              )
            }
          />
          {narrow && <Foot brain={brain} policies={() => setDialog("policies")} />}
        </section>
        <section className="pane unit" aria-label={t.unit} ref={detail} tabIndex={-1}>
          {writing ? (
            <UnitForm
              key={brain.brain}
              brain={brain.brain}
              brainName={brain.name}
              topic={search.topic}
              close={() => {
                setWriting(false);
                // The form had the focus: its pane has it next.
                detail.current?.focus({ preventScroll: true });
              }}
              wrote={(reply) => {
                setWriting(false);
                setCreated(reply);
                didAct(
                  reply.outcome === "created"
                    ? t.did.created(reply.title ?? reply.topic)
                    : reply.outcome === "unchanged"
                      ? t.did.unchanged
                      : t.did.updated(reply.title ?? reply.topic, reply.revision),
                  reply.event,
                );
                go({ brain: brain.brain, topic: reply.topic, unit: reply.id });
              }}
            />
          ) : beside !== undefined ? (
            <UnitPanel id={beside} similar={created?.id === beside ? created.similar : undefined} brains={brains} back={() => go({ brain: brain.brain, topic: search.topic })} />
          ) : (
            <NoUnit empty={brain.units === 0} />
          )}
        </section>
      </div>
      <UndoStatus />
      {dialog === "brain" && <NewBrain close={() => setDialog(undefined)} made={toBrain} />}
      {dialog === "policies" && (
        <Policies
          brain={brain}
          close={() => setDialog(undefined)}
          erased={(said) => {
            setDialog(undefined);
            tell(said);
            go({});
          }}
        />
      )}
      {dialog === "topics" && (
        <Dialog title={t.topics} close={() => setDialog(undefined)}>
          <div className="tree in-dialog">
            {topics.data ? (
              <TopicTree brain={brain.brain} rows={topics.data} chosen={search.topic} choose={toTopic} />
            ) : (
              <Loading />
            )}
          </div>
        </Dialog>
      )}
    </Screen>
  );
}

function UndoStatus() {
  return (
    <footer className="status brains-status">
      <UndoLine />
    </footer>
  );
}

function Foot({ brain, policies }: { brain: BrainRow; policies: () => void }) {
  const t = texts.brains;
  return (
    <footer className="tree-foot meta">
      <span>{brain.kind === "personal" ? t.policy.personal : t.policy[brain.write_policy]}</span>{" "}
      <button type="button" className="link" onClick={policies}>
        {t.policies}
      </button>
    </footer>
  );
}

/** The brains: a few as segments, many as a menu. */
function BrainChoice({
  brains,
  chosen,
  choose,
  make,
}: {
  brains: readonly BrainRow[];
  chosen: string | undefined;
  choose: (brain: string) => void;
  make: () => void;
}) {
  const t = texts.brains;
  const narrow = useMedia(NARROW);
  const letters = brains.reduce((sum, one) => sum + one.name.length + 6, 0);
  const label = (one: BrainRow) => (
    <>
      {one.kind === "personal" && <Icon name="lock" className="i i12" />}
      <span className="clip">{one.name}</span> <span className="topic">{texts.number(one.units)}</span>
    </>
  );
  const now = brains.find((one) => one.brain === chosen);
  const fits = brains.length > 0 && brains.length <= MOST_SEGMENTS && letters <= (narrow ? 30 : 64);
  return (
    <span className="brain-choice">
      {fits ? (
        <Segments
          label={t.chooseBrain}
          className="seg brainseg"
          of={brains.map((one) => ({
            value: one.brain,
            label: label(one),
            name: `${one.name}, ${t.units(one.units)}${one.kind === "personal" ? t.personalHint : ""}`,
          }))}
          chosen={chosen}
          choose={choose}
        />
      ) : brains.length > 0 ? (
        <Menu
          left
          label={now ? `${t.chooseBrain}: ${now.name} ${texts.number(now.units)}` : t.chooseBrain}
          className="btn brain-button"
          entries={brains.map((one) => ({ name: label(one), chosen: one.brain === chosen, run: () => choose(one.brain) }))}
        >
          {now ? label(now) : t.chooseBrain} <Icon name="down" className="i i12" />
        </Menu>
      ) : null}
      <button type="button" className="btn quiet icon" aria-label={t.newBrain} title={t.newBrain} onClick={make}>
        <Icon name="plus" className="i i12" />
      </button>
    </span>
  );
}

/** What is typed shows at once, and is asked for once the fingers rest. */
function useTyped(asked: string, ask: (text: string) => void) {
  const [held, setHeld] = useState({ asked, text: asked });
  if (held.asked !== asked) setHeld({ asked, text: held.text.trim() === asked ? held.text : asked });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => () => clearTimeout(timer.current), []);
  const now = (text: string) => {
    clearTimeout(timer.current);
    setHeld((before) => ({ ...before, text }));
    latest.current(text.trim());
  };
  return {
    text: held.text,
    now,
    type: (text: string) => {
      setHeld((before) => ({ ...before, text }));
      clearTimeout(timer.current);
      timer.current = setTimeout(() => latest.current(text.trim()), TYPING);
    },
  };
}
