import { Link } from "@tanstack/react-router";
import type { ConnectionRow } from "../../api/types";
import { dayAndClockWithin } from "../../shared/time";
import { texts } from "../../texts";

const t = texts.agents.last;

type Touched = NonNullable<ConnectionRow["last_read"]>;

/** What a connection read and wrote last, with the way to it. */
export function Last({ connection, now }: { connection: ConnectionRow; now: Date }) {
  return (
    <dl className="facts last">
      <dt>{t.read}</dt>
      <dd>
        <What of={connection.last_read} now={now} />
      </dd>
      <dt>{t.wrote}</dt>
      <dd>
        <What of={connection.last_write} now={now} />
      </dd>
    </dl>
  );
}

/** A unit and when. */
export function What({ of, now, short = false }: { of: Touched | undefined; now: Date; short?: boolean }) {
  if (!of) return <span className="dim">{t.none}</span>;
  return (
    <>
      <Link className="link" to="/brains" search={{ brain: of.brain, unit: of.unit }}>
        {of.title ?? of.topic}
      </Link>
      {of.title !== undefined && !short && <span className="dim"> {of.topic}</span>}
      {", "}
      <time dateTime={of.at}>{dayAndClockWithin(of.at, now)}</time>
    </>
  );
}
