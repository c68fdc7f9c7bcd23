import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type { Field, SideView } from "../../api/types";
import { AgentTile, NameOf } from "../../shared/agent";
import { Inline, Marked } from "../../shared/marked";
import { clockOrDay, dayAndClock } from "../../shared/time";
import { type Piece, type WordDifference, wordDifference } from "../../shared/words";
import { texts } from "../../texts";
import type { Comparison } from "./model";

const t = texts.conflict;
/** A run of equal lines longer than this is folded to its ends. */
const FOLD = 8;
const ENDS = 2;
/** What comparing words may cost in all; what is left then is marked whole. */
const ALL_MS = 150;

/** The two sides next to each other, rows aligned across, differences numbered. */
export const Table = memo(function Table({
  side,
  head,
  comparison,
  time,
  compact,
  current,
}: {
  side: SideView;
  head: SideView;
  comparison: Comparison;
  time: Date;
  compact: boolean;
  current?: number | undefined;
}) {
  const { text, fields, stays, differences, leftRetired, rightRetired } = comparison;
  const { words, capped } = useMemo(() => marks(comparison), [comparison]);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (current !== undefined) ref.current?.querySelector(`[data-n="${current}"]`)?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <>
      {capped && <p className="notice aging capped">{texts.difference.capped}</p>}
      <div ref={ref} className={compact ? "cmp compact" : "cmp"} role="table" aria-label={t.table(differences)}>
        <div className="cr heads" role="row">
          <Head side={side} as="disp" time={time} />
          <div className="g" role="columnheader">
            <span className="vh">{t.gap}</span>
          </div>
          <Head side={head} as="head" time={time} />
        </div>
        {leftRetired || rightRetired ? (
          <div className="cr diff" role="row">
            <Cell l>{leftRetired ? t.retired : <Lines of={side.content.body.split("\n")} />}</Cell>
            <Gap />
            <Cell>{rightRetired ? t.retired : <Lines of={head.content.body.split("\n")} />}</Cell>
          </div>
        ) : (
          text.parts.map((part, i) =>
            part.same ? (
              <Same key={i} lines={part.lines} />
            ) : (
              <div key={i} className={part.n === current ? "cr diff current" : "cr diff"} role="row" data-n={part.n}>
                <Cell l>
                  <Side pieces={words.get(part.n)?.left} as="disp" />
                </Cell>
                <Gap n={part.n} />
                <Cell>
                  <Side pieces={words.get(part.n)?.right} as="head" />
                </Cell>
              </div>
            ),
          )
        )}
        {fields.length > 0 && (
          <div className="src" role="rowgroup">
            {fields.map((row) => {
              const pair = words.get(row.n);
              const name = <span className="k">{texts.fields[row.field]}</span>;
              return (
                <div key={row.field} className={row.n === current ? "cr field2 diff current" : "cr field2 diff"} role="row" data-n={row.n}>
                  <Cell l>
                    {name}
                    <Side pieces={pair?.left} as="disp" />
                  </Cell>
                  <Gap n={row.n} />
                  <Cell>
                    {name}
                    <Side pieces={pair?.right} as="head" />
                  </Cell>
                </div>
              );
            })}
          </div>
        )}
        {stays.length > 0 && (
          <div className="src stays" role="rowgroup">
            {stays.map(({ field, left, right }) => (
              <div key={field} className="cr field2 apart" role="row">
                <Cell l>
                  <span className="k">{texts.fields[field]}</span>
                  {left === "" ? t.none : <Inline text={inDays(field, left)} />}
                </Cell>
                <Gap />
                <Cell>
                  <span className="k">{texts.fields[field]}</span>
                  {right === "" ? t.none : <Inline text={inDays(field, right)} />} <span className="dim">{t.notDisputed}</span>
                </Cell>
              </div>
            ))}
          </div>
        )}
      </div>
    </>
  );
});

function inDays(field: Field, text: string): string {
  return field === "fresh_for_days" ? t.days(text) : text;
}

function Head({ side, as, time }: { side: SideView; as: "disp" | "head"; time: Date }) {
  const when = dayAndClock(side.at, time);
  return (
    <div role="columnheader" className={as === "disp" ? "l" : "r"}>
      <p>
        <span className={as === "disp" ? "tag-disp" : "tag-head"}>{as === "disp" ? t.displaced(side.revision) : t.head(side.revision)}</span>
      </p>
      <div className="who">
        <AgentTile who={side.agent} large />
        <div>
          <b>{NameOf(side.agent)}</b> {!side.agent.you && <span className="meta here">{t.here(side.agent.client)}</span>}
          <br />
          <span className="meta">{side.base ? t.whenRead(when, side.base.revision, clockOrDay(side.base.at, time)) : t.whenUnread(when)}</span>
        </div>
      </div>
    </div>
  );
}

function Cell({ l, children }: { l?: boolean; children: ReactNode }) {
  return (
    <div role="cell" className={l ? "p l" : "p r"}>
      {children}
    </div>
  );
}

function Gap({ n }: { n?: number }) {
  return (
    <div role="cell" className="g">
      {n !== undefined && (
        <span className="dn">
          <span className="vh">{t.difference(n)}</span>
          <span aria-hidden="true">{n}</span>
        </span>
      )}
    </div>
  );
}

function Side({ pieces, as }: { pieces: readonly Piece[] | undefined; as: "disp" | "head" }) {
  return pieces && pieces.length > 0 ? <Marked pieces={pieces} as={as} /> : <span className="dim">{t.none}</span>;
}

function Lines({ of }: { of: readonly string[] }) {
  return <Inline text={of.join("\n").trim()} />;
}

const Same = memo(function Same({ lines }: { lines: readonly string[] }) {
  const [open, setOpen] = useState(false);
  const full = useMemo(() => lines.filter(Boolean), [lines]);
  if (open || full.length <= FOLD) return full.map((line, i) => <SameRow key={i} line={line} />);
  return (
    <>
      {full.slice(0, ENDS).map((line, i) => (
        <SameRow key={i} line={line} />
      ))}
      <div className="cr fold" role="row">
        <div role="cell" aria-colspan={3}>
          <button type="button" className="link" onClick={() => setOpen(true)}>
            {t.equalLines(full.length - 2 * ENDS)}
          </button>
        </div>
      </div>
      {full.slice(-ENDS).map((line, i) => (
        <SameRow key={`end ${i}`} line={line} />
      ))}
    </>
  );
});

function SameRow({ line }: { line: string }) {
  return (
    <div className="cr" role="row">
      <Cell l>
        <Inline text={line} />
      </Cell>
      <Gap />
      <Cell>
        <Inline text={line} />
      </Cell>
    </div>
  );
}

/** The words of every difference, within one limit of time. */
function marks({ text, fields }: Comparison): { words: Map<number, WordDifference>; capped: boolean } {
  const end = performance.now() + ALL_MS;
  const words = new Map<number, WordDifference>();
  let capped = text.coarse;
  const add = (n: number, left: string, right: string) => {
    const difference = wordDifference(left, right, Math.min(40, end - performance.now()));
    capped ||= difference.coarse;
    words.set(n, difference);
  };
  for (const row of fields) add(row.n, texts.conflict.days(row.field === "fresh_for_days" ? row.left : "") || row.left, texts.conflict.days(row.field === "fresh_for_days" ? row.right : "") || row.right);
  for (const part of text.parts) if (!part.same) add(part.n, part.left.join("\n").trim(), part.right.join("\n").trim());
  return { words, capped };
}
