/** The drawing of a unit's age: one line in true proportion from its anchor to today. Numbers only, no drawing. */

export interface Ages {
  anchor: string;
  aging_at?: string;
  stale_at?: string;
}

export interface Segment {
  kind: "fresh" | "aging" | "stale";
  from: number;
  to: number;
}

export interface Label {
  kind: "anchor" | "aging" | "stale";
  text: string;
  x: number;
  align: "start" | "middle";
  /** 0 is the line next to the drawing; labels that would meet go to the next. */
  row: number;
}

export interface Timeline {
  width: number;
  rows: number;
  segments: Segment[];
  labels: Label[];
  today: number;
}

const INSET = 4;
const AFTER_TODAY = 12;
const GAP = 10;
/** No label touches the bar of today. */
const BAR = 6;

/** About how wide 11.5 px text of the interface is. */
export function textWidth(text: string): number {
  return text.length * 5.8;
}

/** Lays the drawing out. `texts` are the words under each turning point. */
export function layOut(
  ages: Ages,
  now: number,
  width: number,
  texts: { anchor: string; aging: string; stale: string },
): Timeline {
  const anchor = Math.min(Date.parse(ages.anchor), now);
  const right = width - AFTER_TODAY;
  const span = Math.max(now - anchor, 1);
  const place = (time: number) => INSET + ((Math.min(Math.max(time, anchor), now) - anchor) / span) * (right - INSET);
  const aging = ages.aging_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(ages.aging_at);
  const stale = ages.stale_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(ages.stale_at);
  const turns: { kind: Segment["kind"]; from: number; to: number }[] = [
    { kind: "fresh", from: anchor, to: Math.min(aging, stale, now) },
    { kind: "aging", from: aging, to: Math.min(stale, now) },
    { kind: "stale", from: stale, to: now },
  ];
  // Written a moment ago, or by a clock that is ahead: the line is all fresh.
  if (now - anchor < 1000)
    return {
      width,
      rows: 1,
      segments: [{ kind: "fresh", from: INSET, to: right }],
      labels: [{ kind: "anchor", text: texts.anchor, x: 0, align: "start", row: 0 }],
      today: right,
    };
  const segments = turns
    .filter((turn) => turn.to > turn.from || turn.kind === "fresh")
    .map((turn) => ({ kind: turn.kind, from: place(turn.from), to: place(turn.to) }));

  const labels: Label[] = [];
  const taken: { row: number; from: number; to: number }[] = [];
  const put = (kind: Label["kind"], text: string, at: number, align: Label["align"]) => {
    const size = textWidth(text);
    const left = Math.max(0, Math.min(align === "start" ? at : at - size / 2, right - BAR - size));
    let row = 0;
    while (taken.some((other) => other.row === row && left < other.to + GAP && left + size + GAP > other.from)) row += 1;
    taken.push({ row, from: left, to: left + size });
    labels.push({ kind, text, x: align === "start" ? left : left + size / 2, align, row });
  };
  put("anchor", texts.anchor, 0, "start");
  if (aging < now && aging < stale) put("aging", texts.aging, place(aging), "start");
  if (stale < now) put("stale", texts.stale, place(stale), "middle");
  return { width, rows: 1 + Math.max(0, ...labels.map((label) => label.row)), segments, labels, today: right };
}
