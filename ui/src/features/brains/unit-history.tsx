import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries";
import type { UnitView } from "../../api/types";
import { AgentTile, nameOf } from "../../shared/agent";
import { Failure } from "../../shared/failure";
import { titleOf } from "../../shared/fields";
import { Loading } from "../../shared/later";
import { useNow } from "../../shared/now";
import { calendarDays, clock, longDay } from "../../shared/time";
import { UnitHistory } from "../../shared/unit-history";
import { texts } from "../../texts";

/** Who did what to a unit, under its head. */
export function History({ unit, compare }: { unit: UnitView; compare: () => void }) {
  const t = texts.brains;
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
      <UnitHistory id={unit.id} title={titleOf(unit.content)} />
    </section>
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
                  <td className={behind ? "old" : undefined}>{texts.r(reader.revision)}</td>
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
