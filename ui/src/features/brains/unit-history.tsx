import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { answer, client } from "../../api/client";
import { queries } from "../../api/queries";
import type { HistoryEntry, UnitView } from "../../api/types";
import { AgentTile, nameOf } from "../../shared/agent";
import { Failure } from "../../shared/failure";
import { Loading } from "../../shared/later";
import { useNow } from "../../shared/now";
import { calendarDays, clock, dayAndClock, longDay } from "../../shared/time";
import { useUndo } from "../../shared/undo";
import { texts } from "../../texts";
import { inlineMarks, whatHappened } from "./history";

const PART = 50;

/** Who did what to a unit, newest first, with the words that changed. */
export function History({ unit, compare }: { unit: UnitView; compare: () => void }) {
  const t = texts.brains;
  const undo = useUndo();
  const asked = useInfiniteQuery({
    // Beneath the unit's key: what makes the unit stale makes its history stale.
    queryKey: ["unit", unit.id, "history", "parts"],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ signal, pageParam }) =>
      answer(
        client.GET("/api/units/{id}/history", {
          params: { path: { id: unit.id }, query: { before: pageParam, limit: PART } },
          signal,
        }),
      ),
    getNextPageParam: (part) => (part.more ? part.entries.at(-1)?.event : undefined),
  });
  const entries = asked.data?.pages.flatMap((part) => part.entries) ?? [];
  return (
    <section aria-labelledby="history">
      <div className="section">
        <h3 id="history" tabIndex={-1}>
          {t.history}
        </h3>
        {unit.revision > 1 && (
          <button type="button" className="link" onClick={compare}>
            {t.compare}
          </button>
        )}
      </div>
      {asked.isPending ? (
        <Loading />
      ) : asked.isError && entries.length === 0 ? (
        <Failure error={asked.error} again={() => void asked.refetch()} />
      ) : entries.length === 0 ? (
        <p className="meta dim">{t.noHistory}</p>
      ) : (
        <ol className="hist">
          {entries.map((entry) => (
            <Entry key={entry.event} entry={entry} undo={() => void undo(entry.event)} />
          ))}
        </ol>
      )}
      {asked.hasNextPage && (
        <button type="button" className="link" disabled={asked.isFetchingNextPage} onClick={() => void asked.fetchNextPage()}>
          {asked.isFetchingNextPage ? texts.app.loading : t.older}
        </button>
      )}
    </section>
  );
}

function Entry({ entry, undo }: { entry: HistoryEntry; undo: () => void }) {
  const t = texts.brains;
  const now = useNow();
  const marks = entry.before !== undefined && entry.after !== undefined ? inlineMarks(entry.before, entry.after) : [];
  return (
    <li>
      <AgentTile who={entry.agent} />
      <div>
        {entry.revision !== undefined && <b>r{entry.revision}</b>} {nameOf(entry.agent)} {whatHappened(entry)}
        {marks.length > 0 && (
          <span className="df">
            {marks.map((mark, place) =>
              mark.kind === "same" ? (
                <Fragment key={place}>{mark.text}</Fragment>
              ) : (
                <Fragment key={place}>
                  {place > 0 && marks[place - 1]?.kind === "disp" && mark.kind === "head" ? " " : ""}
                  <mark className={mark.kind}>{mark.text}</mark>
                </Fragment>
              ),
            )}
          </span>
        )}
        {entry.decision !== undefined && <span className="df">{t.saidDecision(entry.decision)}</span>}
      </div>
      <span className="hist-end">
        {entry.undoable && (
          <button
            type="button"
            className="link"
            aria-label={`${texts.app.undo}: ${nameOf(entry.agent)} ${whatHappened(entry)}`}
            onClick={undo}
          >
            {texts.app.undo}
          </button>
        )}
        <time dateTime={entry.at}>{dayAndClock(entry.at, now)}</time>
      </span>
    </li>
  );
}

/** Who was given the unit, and whether that was its newest revision. */
export function ReadBy({ unit }: { unit: UnitView }) {
  const t = texts.brains;
  const now = useNow();
  const asked = useQuery(queries.readers(unit.id));
  const when = (at: string) => {
    const days = calendarDays(new Date(at), now);
    return days === 0 ? `${texts.time.today.toLowerCase()} ${clock(at)}` : days === 1 ? texts.time.yesterday : longDay(at, now);
  };
  return (
    <section aria-labelledby="read-by">
      <div className="section">
        <h3 id="read-by">{t.readBy}</h3>
        <span>{t.readsHint}</span>
      </div>
      {asked.isPending ? (
        <Loading />
      ) : asked.isError && !asked.data ? (
        <Failure error={asked.error} again={() => void asked.refetch()} />
      ) : asked.data.length === 0 ? (
        <p className="meta dim">{t.noReads}</p>
      ) : (
        <table className="rd" aria-labelledby="read-by">
          <thead>
            <tr>
              <th scope="col">
                <span className="vh">{t.readBy}</span>
              </th>
              <th scope="col">
                <span className="vh">{t.revisionColumn}</span>
              </th>
              <th scope="col">
                <span className="vh">{t.timesColumn}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {asked.data.map((reader) => {
              const behind = reader.revision < unit.revision;
              return (
                <tr key={reader.name}>
                  <th scope="row">
                    <AgentTile who={reader} /> <span className="clip">{nameOf(reader)}</span>
                  </th>
                  <td className={behind ? "old" : undefined}>r{reader.revision}</td>
                  <td>
                    {t.times(reader.times, when(reader.last_at))}
                    {behind && `. ${t.notSeen(unit.revision)}`}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}
