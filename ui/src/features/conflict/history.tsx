import { useInfiniteQuery } from "@tanstack/react-query";
import { answer, client } from "../../api/client";
import { AgentTile, NameOf } from "../../shared/agent";
import { Dialog } from "../../shared/dialog";
import { Failure } from "../../shared/failure";
import { Loading } from "../../shared/later";
import { BeforeAfter } from "../../shared/marked";
import { dayAndClock } from "../../shared/time";
import { texts } from "../../texts";

const t = texts.conflict;

/** What happened to the unit, newest first, over the conflict and without leaving it. */
export function History({ id, title, time, close }: { id: string; title: string; time: Date; close: () => void }) {
  const { data, error, refetch, fetchNextPage, hasNextPage } = useInfiniteQuery({
    queryKey: ["unit", id, "history", "all"],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      answer(client.GET("/api/units/{id}/history", { params: { path: { id }, query: pageParam === undefined ? {} : { before: pageParam } }, signal })),
    getNextPageParam: (page) => (page.more ? page.entries.at(-1)?.event : undefined),
  });
  const entries = data?.pages.flatMap((page) => page.entries);
  return (
    <Dialog title={t.historyOf(title)} close={close} wide>
      {!entries ? (
        error ? (
          <Failure error={error} again={() => void refetch()} />
        ) : (
          <Loading />
        )
      ) : entries.length === 0 ? (
        <p className="dim">{t.noHistory}</p>
      ) : (
        <ol className="past">
          {entries.map((entry) => (
            <li key={entry.event}>
              <AgentTile who={entry.agent} />
              <div>
                <p>
                  {entry.revision !== undefined && <b>r{entry.revision} </b>}
                  {NameOf(entry.agent)} {t.kinds[entry.kind] ?? t.acted}
                  {entry.changed.length > 0 && (
                    <span className="dim">
                      {" "}
                      {entry.changed.map((field) => (texts.fields[field] ?? field).toLowerCase()).join(", ")}
                    </span>
                  )}
                </p>
                {entry.before !== undefined && entry.after !== undefined && (
                  <p className="change-line">
                    <BeforeAfter before={entry.before} after={entry.after} />
                  </p>
                )}
                {entry.decision && <p className="dim">{texts.inbox.quote(entry.decision)}</p>}
              </div>
              <time className="meta nowrap" dateTime={entry.at}>
                {dayAndClock(entry.at, time)}
              </time>
            </li>
          ))}
        </ol>
      )}
      {hasNextPage && (
        <button type="button" className="btn" onClick={() => void fetchNextPage()}>
          {t.older}
        </button>
      )}
    </Dialog>
  );
}
