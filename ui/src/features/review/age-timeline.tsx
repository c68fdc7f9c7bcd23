import type { UnitView } from "../../api/types";
import { nameOf } from "../../shared/agent";
import { useNow } from "../../shared/now";
import { ageDays, shortDay } from "../../shared/time";
import { SMALL, useMedia } from "../../shared/media";
import { texts } from "../../texts";
import { layOut } from "./timeline";

const WIDTH = 552;
/** In a window with room for one pane: words keep their size. */
const SMALL_WIDTH = 334;
const LINE = 22;
const ROW = 15;
const DASHES = { fresh: undefined, aging: "10 4", stale: "3 4" };

/** The age of a unit from its last confirm or write until today, in true proportion. */
export function AgeTimeline({ unit }: { unit: UnitView }) {
  const now = useNow();
  const t = texts.review;
  const day = (at: string) => shortDay(new Date(at), now);
  const { vouched } = unit;
  const words = {
    anchor: vouched ? t.vouchedOn[vouched.how](day(vouched.at), nameOf(vouched.by)) : t.countsFrom(day(unit.anchor)),
    aging: unit.aging_at ? t.agingOn(day(unit.aging_at)) : "",
    stale: unit.stale_at ? t.staleOn(day(unit.stale_at)) : "",
  };
  const width = useMedia(SMALL) ? SMALL_WIDTH : WIDTH;
  const drawing = layOut(unit, now.getTime(), width, words);
  const days = ageDays(unit.anchor, now);
  const height = LINE + 9 + drawing.rows * ROW;
  return (
    <figure className="age">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={t.ageInWords(
          drawing.labels.map((label) => label.text),
          days,
        )}
      >
        {drawing.segments.map((one, place) => (
          <path
            key={one.kind}
            d={`M${one.from + (place > 0 ? 3 : 0)} ${LINE}H${Math.max(one.to - (place < drawing.segments.length - 1 ? 1 : 0), one.from + (place > 0 ? 3.01 : 0))}`}
            stroke={`var(--${one.kind}-fill)`}
            strokeWidth="4"
            strokeLinecap={one.kind === "fresh" ? "round" : undefined}
            strokeDasharray={DASHES[one.kind]}
          />
        ))}
        <circle cx="4" cy={LINE} r="4" fill="var(--fresh)" />
        <path d={`M${drawing.today} ${LINE - 14}v28`} stroke="var(--text)" strokeWidth="2" />
        {drawing.labels.map((label) => (
          <text key={label.kind} x={label.x} y={LINE + 20 + label.row * ROW} textAnchor={label.align}>
            {label.text}
          </text>
        ))}
        <text x={drawing.today - 6} y="12" textAnchor="end" className={`now ${unit.freshness}`}>
          {t.today(days)}
        </text>
      </svg>
    </figure>
  );
}
