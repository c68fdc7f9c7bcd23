import { useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from "react";
import { PAGE, queries } from "../../api/queries";
import type { InboxKind, Settled } from "../../api/types";
import { EraseProposal } from "../../shared/erase-proposal";
import { Icon } from "../../shared/icons";
import { clock } from "../../shared/time";
import { settledTitle, useUndo } from "../../shared/undo";
import { texts } from "../../texts";
import { keyOf, NO_BRAIN } from "./layout";
import { Row } from "./row";
import type { InboxNow } from "./use-inbox";

const t = texts.inbox;
const ROW = 56;
const GROUP = 38;
const SETTLED = 4;

/** The list on the left: one list box, of which only what is in sight is in the page. */
export function List({
  now,
  time,
  order,
  at,
  leaving,
  boxRef,
  select,
  open,
  see,
}: {
  now: InboxNow;
  time: Date;
  /** The items' indices in the order that is drawn. */
  order: readonly number[];
  /** The selected place in `order`. */
  at: number;
  leaving: string | undefined;
  boxRef: RefObject<HTMLDivElement | null>;
  select: (key: string, place: number) => void;
  open: (key: string, place: number) => void;
  see: (pages: number[]) => void;
}) {
  const scroll = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const { data: brains } = useQuery(queries.brains());
  const { entries } = now;
  const places = useMemo(() => new Map(order.map((index, place) => [index, place])), [order]);
  const grouped = entries.some((entry) => "group" in entry && entry.by === "brain");
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroll.current,
    estimateSize: (i) => (entries[i] && "group" in (entries[i] ?? {}) ? GROUP : ROW),
    getItemKey: (i) => {
      const entry = entries[i];
      if (!entry) return i;
      if ("group" in entry) return `group ${entry.group}`;
      const item = now.item(entry.item);
      return item ? keyOf(item) : `at ${entry.item}`;
    },
    overscan: 8,
  });
  const shown = virtual.getVirtualItems();

  const pages = [
    ...new Set(
      shown.flatMap(({ index }) => {
        const entry = entries[index];
        return entry && "item" in entry ? [Math.floor(entry.item / PAGE)] : [];
      }),
    ),
  ].join(" ");
  useEffect(() => {
    see(pages === "" ? [] : pages.split(" ").map(Number));
  }, [pages, see]);

  const selectedEntry = useMemo(() => {
    const index = order[at];
    return entries.findIndex((entry) => "item" in entry && entry.item === index);
  }, [entries, order, at]);
  // Scrolled out of sight, the selected row is not in the page.
  const inPage = selectedEntry >= 0 && shown.some(({ index }) => index === selectedEntry);
  useEffect(() => {
    // The head of the first group comes into sight with its first row.
    if (selectedEntry >= 0) virtual.scrollToIndex(selectedEntry <= 1 ? 0 : selectedEntry, { align: "auto" });
  }, [selectedEntry, virtual]);

  return (
    <div className="scroll" ref={scroll}>
      <div
        ref={boxRef}
        role="listbox"
        aria-label={t.list}
        tabIndex={0}
        className="inbox-list"
        aria-activedescendant={inPage ? `${prefix}${order[at]}` : undefined}
        style={{ height: virtual.getTotalSize() }}
      >
        {shown.map((place) => {
          const entry = entries[place.index];
          if (!entry) return null;
          const style = { transform: `translateY(${place.start}px)`, height: place.size };
          if ("group" in entry) {
            const brain = brains?.find((row) => row.brain === entry.group);
            const name =
              entry.by === "kind"
                ? t.kinds[entry.group as InboxKind]
                : entry.group === NO_BRAIN
                  ? t.ofOzBrain
                  : (brain?.name ?? entry.group);
            return (
              <div key={place.key} className="group placed" style={style} aria-hidden="true">
                <b>{name}</b>
                {brain && entry.by === "brain" && <span className="clip">{t.brainSays(brain.kind, brain.write_policy)}</span>}
                <span className="right">{entry.n}</span>
              </div>
            );
          }
          const item = now.item(entry.item);
          const nth = places.get(entry.item) ?? 0;
          return (
            <div key={place.key} className="placed" style={style} role="presentation">
              {item ? (
                <Row
                  item={item}
                  id={`${prefix}${entry.item}`}
                  selected={nth === at}
                  leaving={keyOf(item) === leaving}
                  place={nth}
                  of={order.length}
                  now={time}
                  withBrain={
                    grouped || item.kind === "problem"
                      ? undefined
                      : (brains?.find((row) => row.brain === (item.kind === "proposal" ? item.brain : item.unit.brain))?.name)
                  }
                  select={select}
                  open={open}
                />
              ) : (
                <div className="row" role="option" aria-selected={nth === at} id={`${prefix}${entry.item}`}>
                  <span className="vh">{texts.app.loading}</span>
                </div>
              )}
            </div>
          );
        })}
      </div>
      <SettledToday settled={now.settled} />
    </div>
  );
}

/** What the person did today, with its undo beside it. */
export function SettledToday({ settled }: { settled: InboxNow["settled"] }) {
  const [all, setAll] = useState(false);
  const [erasing, setErasing] = useState<{ proposal: number; title: string }>();
  const undo = useUndo();
  const id = useId();
  if (settled.length === 0) return null;
  const shown = all ? settled : settled.slice(0, SETTLED);
  const stands = (act: Settled) => act.undone_at === undefined && act.kind !== "undone";
  return (
    <section aria-labelledby={id}>
      <div className="group">
        <h2 id={id}>{t.settledToday}</h2>
        <span className="right">
          {shown.length < settled.length ? (
            <button
              type="button"
              className="link"
              onClick={() => setAll(true)}
              aria-label={`${t.latestOf(shown.length, settled.length)}: ${t.showAll}`}
            >
              {t.latestOf(shown.length, settled.length)}
            </button>
          ) : (
            settled.filter(stands).length
          )}
        </span>
      </div>
      <ul className="done">
        {shown.map((act) => {
          const title = settledTitle(act);
          const topic = act.unit ? act.unit.title !== undefined && act.unit.topic : act.title !== undefined && act.topic;
          const { proposal } = act;
          return (
            <li className="row" key={act.event}>
              {stands(act) ? <Icon name="check" className="m" /> : <span className="m" />}
              <span className="clip">
                <span className="t">{title}</span>
                {topic && (
                  <span className="topic">
                    {"\u2002"}
                    {topic}
                  </span>
                )}
              </span>
              <span className="links">
                {proposal !== undefined && stands(act) && (
                  <button type="button" className="link" aria-label={texts.proposals.eraseOf(title)} onClick={() => setErasing({ proposal, title })}>
                    {texts.proposals.erase}
                  </button>
                )}
                {act.undoable && stands(act) && (
                  <button type="button" className="link" aria-label={t.undoOf(title)} onClick={() => void undo(act.event)}>
                    {texts.app.undo}
                  </button>
                )}
              </span>
              <span className="why">
                {act.undone_at === undefined
                  ? t.settledAt(act.kind, clock(act.at))
                  : t.undoneAt(t.settledAt(act.kind, clock(act.at)), clock(act.undone_at))}
              </span>
            </li>
          );
        })}
      </ul>
      {erasing && <EraseProposal {...erasing} close={() => setErasing(undefined)} />}
    </section>
  );
}
