import type { ConflictView, SideView, TrailStep } from "../../api/types";
import { nameOf, NameOf } from "../../shared/agent";
import { clockOrDay } from "../../shared/time";
import { unseenBy } from "../../shared/unseen";
import { texts } from "../../texts";

const t = texts.conflict;
const LANES = 3;
const LANE = 26;
const SPLIT = 160;
const JOIN = 716;

/** Who knew what: where the sides split, and where the decision will join them. */
export function Lineage({ conflict, next, time }: { conflict: ConflictView; next: number; time: Date }) {
  const { head, trail } = conflict;
  const sides = conflict.sides.slice(-LANES);
  const more = conflict.sides.length - sides.length;
  const extra = (sides.length - 1) * LANE;
  const headY = 70 + extra;
  const middle = (22 + headY) / 2;
  const laneOf = (i: number) => 22 + i * LANE;

  // What was read after the sides split is no ground that they share.
  const split = Math.min(...sides.map((side) => side.revision));
  const before = (side: SideView) => (side.base && side.base.revision < split ? side.base.revision : undefined);
  const bases = [...sides, head].map(before);
  const base = bases[0] !== undefined && bases.every((b) => b === bases[0]) ? bases[0] : undefined;
  const readers = [...sides, head].filter((side) => before(side) !== undefined);
  const baseText =
    base !== undefined
      ? { r: base, says: sides.length === 1 ? t.readByBoth : t.readByAll }
      : readers.length > 0
        ? { r: Math.max(...readers.map((side) => before(side) ?? 0)), says: t.readBy([nameOf((readers[0] as SideView).agent)]) }
        : undefined;

  // What happened after the split, in the order in which it happened, evenly spread.
  const later = trail.filter((step) => step.what === "read" && step.revision === head.revision && step.at >= head.at).slice(-1);
  const events: (SideView | TrailStep)[] = [...sides, head, ...later];
  const step = events.length > 1 ? Math.min(150, (640 - 330) / (events.length - 1)) : 0;
  const x = (i: number) => 330 + i * step;
  const headX = x(sides.length);

  return (
    <figure className="strip">
      <svg className="lin" viewBox={`0 0 920 ${92 + extra}`} role="img" aria-label={says(conflict, next, baseText, time)}>
        <path className="base" d={`M1 ${middle}H${SPLIT}`} />
        {sides.map((side, i) => (
          <path
            key={side.revision}
            className="ld"
            strokeDasharray="6 4"
            d={`M${SPLIT} ${middle}C${SPLIT + 36} ${middle} ${SPLIT + 28} ${laneOf(i)} ${SPLIT + 64} ${laneOf(i)}H${JOIN}`}
          />
        ))}
        <path className="lh" d={`M${SPLIT} ${middle}C${SPLIT + 36} ${middle} ${SPLIT + 28} ${headY} ${SPLIT + 64} ${headY}H${JOIN}`} />
        {[...sides.map((_, i) => laneOf(i)), headY].map((y) => (
          <path key={y} className="base" d={`M${JOIN} ${y}C760 ${y} 752 ${middle} 796 ${middle}`} strokeDasharray="1 5" strokeLinecap="round" />
        ))}
        {baseText && <circle className="dot" cx="140" cy={middle} r="5" />}
        {sides.map((side, i) => (
          <g key={side.revision}>
            <rect className="rhomb" x={x(i) - 5} y={laneOf(i) - 5} width="10" height="10" rx="1" transform={`rotate(45 ${x(i)} ${laneOf(i)})`} />
            <text x={x(i) + 16} y={laneOf(i) - 8}>
              <tspan className="d">r{side.revision}</tspan> {short(NameOf(side.agent))} {side.retired ? t.retiredIt : t.wrote}, {clockOrDay(side.at, time)}
            </text>
          </g>
        ))}
        <circle className="headdot" cx={headX} cy={headY} r="6" />
        <text x={headX + 14} y={headY + 19}>
          <tspan className="h">r{head.revision}</tspan> {short(NameOf(head.agent))}
          {head.retired ? ` ${t.retiredIt}` : ""}, {clockOrDay(head.at, time)}
        </text>
        {later.map((read, i) => {
          const at = x(sides.length + 1 + i);
          return (
            <g key={read.at}>
              <path className="lh" d={`M${at} ${headY - 6}V${headY + 6}`} />
              <text x={at + 8} y={headY + 19}>
                {short(NameOf(read.agent))} {t.read}, {clockOrDay(read.at, time)}
              </text>
            </g>
          );
        })}
        <circle className="end" cx="806" cy={middle} r="7.5" />
        {baseText && (
          <text x="1" y={middle - 10}>
            <tspan className="b">r{baseText.r}</tspan> {baseText.says}
          </text>
        )}
        {more > 0 && (
          <text x="1" y={middle + 24}>
            {t.moreSides(more)}
          </text>
        )}
        <text x="824" y={middle - 3} className="b">
          r{next}
        </text>
        <text x="824" y={middle + 12}>
          {t.decision}
        </text>
      </svg>
    </figure>
  );
}

/** The drawing in words. */
function says(conflict: ConflictView, next: number, base: { r: number; says: string } | undefined, time: Date): string {
  const { head, sides, displacer: by, trail } = conflict;
  const did = (side: { retired: boolean }) => (side.retired ? t.retiredIt : t.wrote);
  return [
    base && t.lineageBase(base.r, base.says),
    ...sides.map((side) => t.lineageSide(NameOf(side.agent), did(side), side.revision, clockOrDay(side.at, time))),
    t.lineageDisplacer(NameOf(by.agent), did(by), by.revision, clockOrDay(by.at, time), t.lineageUnseen(unseenBy(by, sides))),
    by.revision === head.revision ? t.lineageItself : t.lineageHead(NameOf(head.agent), did(head), head.revision, clockOrDay(head.at, time)),
    ...trail
      .filter((step) => step.what === "read" && step.revision === head.revision)
      .map((step) => t.lineageRead(NameOf(step.agent), step.revision, clockOrDay(step.at, time))),
    t.lineageEnd(next),
  ]
    .filter(Boolean)
    .join(" ");
}

function short(name: string): string {
  return name.length > 16 ? `${name.slice(0, 15)}…` : name;
}
