import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type Ref, useEffect, useId, useImperativeHandle, useMemo, useRef, useState } from "react";
import { PAGE, queries } from "../../api/queries";
import type { UnitRow, UnitsQuery } from "../../api/types";
import { Failure } from "../../shared/failure";
import { Loading } from "../../shared/later";
import { useNow } from "../../shared/now";
import { visible } from "../../shared/safe-text";
import { titleOf } from "../../shared/fields";
import { shortAge } from "../../shared/time";
import { StateMark, stateOf } from "../../shared/state-mark";
import { texts } from "../../texts";

const ROW = 54;

/** Where a list gets its rows: any row by its place, whether it was read yet or not. */
export interface Rows {
  /** How many rows can be shown. */
  total: number;
  /** How many there are in all. */
  all: number;
  at: (place: number) => UnitRow | undefined;
  placeOf: (id: string) => number;
  /** Tells which places are in sight, so that they are read. */
  see: (from: number, to: number) => void;
  pending: boolean;
  error: unknown;
  again: () => void;
  query: string;
}

/** A brain's units, read by pages as they come into sight. */
export function useUnits(query: UnitsQuery): Rows & { /** Where nobody has the topic that is asked for. */ nearest: readonly string[] } {
  const key = JSON.stringify(query);
  const [seen, setSeen] = useState({ key, pages: [0] });
  const pages = seen.key === key ? seen.pages : [0];
  const asked = useQueries({
    queries: pages.map((page) => ({
      ...queries.units({ ...query, offset: page * PAGE, limit: PAGE }),
      placeholderData: keepPreviousData,
    })),
  });
  const first = asked[0];
  const read = new Map(pages.map((page, i) => [page, asked[i]?.data?.units]));
  return {
    total: first?.data?.total ?? 0,
    all: first?.data?.total ?? 0,
    nearest: first?.data?.nearest_topics?.map(({ topic }) => topic) ?? [],
    at: (place) => read.get(Math.floor(place / PAGE))?.[place % PAGE],
    placeOf: (id) => {
      for (const [page, rows] of read) {
        const place = rows?.findIndex((row) => row.id === id) ?? -1;
        if (place >= 0) return page * PAGE + place;
      }
      return -1;
    },
    see: (from, to) => {
      const wanted = new Set([0]);
      for (let page = Math.floor(from / PAGE); page <= Math.floor(to / PAGE); page += 1) wanted.add(page);
      // Only the pages in sight are kept up with the changes; the others are read again when they are seen again.
      const now = [...wanted].sort((a, b) => a - b);
      if (seen.key !== key || now.join() !== pages.join()) setSeen({ key, pages: now });
    },
    pending: first?.isPending ?? true,
    error: first?.isError && !first.data ? first.error : undefined,
    again: () => void first?.refetch(),
    query: key,
  };
}

/** What a search found. The results before stay until the new ones are there. */
export function useFound(query: string, brain: string | undefined): Rows {
  const asked = useQuery({
    ...queries.search({ query, brain, limit: 50 }),
    enabled: query !== "",
    placeholderData: keepPreviousData,
  });
  const rows = asked.data?.results ?? [];
  return {
    total: rows.length,
    all: asked.data?.total ?? 0,
    at: (place) => rows[place],
    placeOf: (id) => rows.findIndex((row) => row.id === id),
    see: () => undefined,
    pending: asked.isPending && query !== "",
    error: asked.isError && !asked.data ? asked.error : undefined,
    again: () => void asked.refetch(),
    query: `search ${query} ${brain ?? ""}`,
  };
}

export interface ListHandle {
  focus: () => void;
  move: (by: number) => void;
}

/** Units by two lines each. One row has the focus; arrows move and show, Enter goes into the unit. */
export function UnitList({
  rows,
  label,
  chosen,
  choose,
  open,
  empty,
  says,
  brainName,
  handle,
}: {
  rows: Rows;
  label: string;
  chosen: string | undefined;
  choose: (row: UnitRow) => void;
  open: (row: UnitRow) => void;
  empty: React.ReactNode;
  says?: "topic" | "brain";
  /** A brain's name, by its key. */
  brainName: (key: string) => string;
  handle?: Ref<ListHandle>;
}) {
  const id = useId();
  const now = useNow();
  const box = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState<{ query: string; place: number }>();
  const place = chosen === undefined ? -1 : rows.placeOf(chosen);
  const [last, setLast] = useState(-1);
  if (place >= 0 && place !== last) setLast(place);
  const virtual = useVirtualizer({
    count: rows.total,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = items.at(-1)?.index ?? 0;
  useEffect(() => rows.see(from, to));

  // Another list begins at its top.
  useEffect(() => {
    if (place < 0) box.current?.scrollTo({ top: 0 });
    else virtual.scrollToIndex(place, { align: "auto" });
  }, [rows.query]);

  // A row that was moved to before it was read is chosen once it is there.
  const row = wanted && wanted.query === rows.query ? rows.at(wanted.place) : undefined;
  useEffect(() => {
    if (!row) return;
    setWanted(undefined);
    choose(row);
  }, [row, choose]);

  function move(to: number) {
    if (rows.total === 0) return;
    const next = Math.min(Math.max(to, 0), rows.total - 1);
    virtual.scrollToIndex(next, { align: "auto" });
    const there = rows.at(next);
    setLast(next);
    if (there) choose(there);
    else setWanted({ query: rows.query, place: next });
  }
  const at = place >= 0 ? place : last;
  useImperativeHandle(handle, () => ({
    focus: () => {
      box.current?.focus();
      if (place < 0) move(0);
    },
    move: (by) => move(place < 0 && last < 0 ? 0 : at + by),
  }));
  function keys(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? ROW) / ROW) - 1);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: rows.total - 1 }[
      event.key
    ];
    if (to !== undefined) move(to);
    else if (event.key === "Enter") {
      const here = rows.at(at);
      if (!here) return;
      open(here);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const inSight = useMemo(() => items.some((item) => item.index === place), [items, place]);
  if (rows.error) return <Failure error={rows.error} again={rows.again} />;
  if (rows.pending) return <Loading />;
  if (rows.total === 0) return <div className="list-none">{empty}</div>;
  return (
    <div
      ref={box}
      className="scroll unit-list"
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={inSight ? `${id}-${place}` : undefined}
      onKeyDown={keys}
    >
      <div className="whole" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const unit = rows.at(item.index);
          const there = { transform: `translateY(${item.start}px)` };
          if (!unit)
            return (
              <div
                key={item.index}
                className="row u"
                role="option"
                aria-selected={false}
                aria-posinset={item.index + 1}
                aria-setsize={rows.total}
                style={there}
                aria-label={texts.app.loading}
              />
            );
          return (
            <div
              key={unit.id}
              id={`${id}-${item.index}`}
              className="row u"
              role="option"
              aria-selected={unit.id === chosen}
              aria-posinset={item.index + 1}
              aria-setsize={rows.total}
              style={there}
              onClick={() => choose(unit)}
              onDoubleClick={() => open(unit)}
            >
              {unit.retired && !unit.conflicted ? <span className="m gone-mark" aria-hidden="true" /> : <RowMark unit={unit} />}
              <span className="clip t">{titleOf(unit)}</span>
              <span className="when">{shortAge(unit.conflicted || unit.retired ? unit.updated_at : unit.anchor, now)}</span>
              <span className="why clip">
                {above(unit, says, brainName) !== "" && <b className="topic">{above(unit, says, brainName)} </b>}
                {visible(unit.snippet)}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Where a unit is. The topic of one without a title stands as its title already. */
function above(unit: UnitRow, says: "topic" | "brain" | undefined, brainName: (key: string) => string): string {
  const topic = unit.title === undefined ? undefined : unit.topic;
  if (says === "brain") return [brainName(unit.brain), topic].filter(Boolean).join(" / ");
  return says === "topic" ? (topic ?? "") : "";
}

function RowMark({ unit }: { unit: UnitRow }) {
  return (
    <span className="mk">
      <StateMark of={stateOf(unit)} />
    </span>
  );
}
