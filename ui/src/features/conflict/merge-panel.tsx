import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Field, ResolveInput, SideView } from "../../api/types";
import { NameOf } from "../../shared/agent";
import { about } from "../../shared/align";
import { drafts, useDraftOf, useErased } from "../../shared/drafts";
import { fetched } from "../../shared/fetched";
import { Key, useKeys } from "../../shared/keyboard";
import { Loading } from "../../shared/later";
import { Segments } from "../../shared/segments";
import { texts } from "../../texts";
import { begin, bodyOf, type Choice, type FieldChoice, isKept, type Kept, mergedFields, open, placed, type Range } from "./merge";
import type { MergeHandle } from "./merge-editor";
import { cameSince, type Comparison, type MergeRow } from "./model";

const t = texts.conflict;
const fetchEditor = () => fetched(() => import("./merge-editor"));
const MergeEditor = lazy(async () => ({ default: (await fetchEditor()).MergeEditor }));
const AgainstHead = lazy(async () => ({ default: (await fetchEditor()).AgainstHead }));

/** What a merge is made from. It does not change while the merge is written, whatever the unit does. */
export interface MergeBase {
  id: string;
  brain: string;
  /** How often it was begun. */
  round: number;
  version: number;
  side: SideView;
  head: SideView;
  comparison: Comparison;
}

/** The merge: a text, and for each difference which side it takes or that it is written here. */
export function MergePanel({
  base,
  version,
  sides,
  head,
  next,
  current,
  setCurrent,
  write,
  cancel,
  restart,
}: {
  base: MergeBase;
  /** The conflict as it is now: another version than the base's means that it moved. */
  version: number;
  /** The sides and the head as they are now. */
  sides: readonly SideView[];
  head: SideView;
  next: number;
  current: number | undefined;
  setCurrent: (n: number) => void;
  write: (input: Omit<ResolveInput, "id" | "choice">) => Promise<boolean>;
  /** Leaves; what was typed is kept for the next time. */
  cancel: () => void;
  /** Begins again from the sides as they are now. */
  restart: () => void;
}) {
  const { comparison, side } = base;
  const key = drafts.merge({ brain: base.brain, unit: base.id });
  const [draft, setDraft] = useDraftOf(key, isKept);
  const start = useMemo(() => {
    const fresh = begin(comparison.text.parts);
    const kept = restore(draft, base, fresh);
    return { ...fresh, ...kept };
    // A merge begins once; what is typed later goes to the draft, not back into the beginning.
  }, [base]);
  const [text, setText] = useState(start.text);
  const [ranges, setRanges] = useState<readonly Range[]>(start.ranges);
  const [rows, setRows] = useState<readonly MergeRow[]>(() => comparison.fields.map((row) => ({ ...row, r: [side.revision, base.head.revision] })));
  const [fields, setFields] = useState<ReadonlyMap<Field, FieldChoice>>(
    () => new Map(start.fields ?? comparison.fields.filter((row) => row.mergeable).map((row) => [row.field, { choice: "open", value: row.right }])),
  );
  const [view, setView] = useState<"edit" | "against">("edit");
  const [seen, setSeen] = useState(base.version);
  const [busy, setBusy] = useState(false);
  const editor = useRef<MergeHandle>(null);
  const section = useRef<HTMLElement>(null);
  const touched = useRef(false);

  const left = open(ranges) + open([...fields.values()]);
  const moved = version !== seen;
  const body = bodyOf(text);
  const topicless = fields.get("topic")?.value.trim() === "";
  const ready = left === 0 && !moved && body !== "" && !topicless;
  const numbers = useMemo(
    () => [...ranges.map((range) => range.n), ...rows.filter((row) => row.mergeable).map((row) => row.n)],
    [ranges, rows],
  );

  useEffect(() => section.current?.focus({ preventScroll: true }), []);
  // Typing is kept, but not at every letter; what was typed last, when the merge is left, however that came.
  const keepNow = useRef(() => undefined as void);
  keepNow.current = () => {
    if (!touched.current) return;
    touched.current = false;
    setDraft({ version: base.version, side: side.revision, head: base.head.revision, text, ranges: [...ranges], fields: [...fields] });
  };
  useEffect(() => {
    const timer = setTimeout(() => keepNow.current(), 250);
    return () => clearTimeout(timer);
  }, [text, ranges, fields]);
  useEffect(() => () => keepNow.current(), []);
  // What was erased is kept no more.
  useErased(key, () => {
    touched.current = false;
    cancel();
  });

  const changed = useCallback((now: string, at: readonly Range[]) => {
    touched.current = true;
    setText(now);
    setRanges(at);
  }, []);

  const go = (n: number) => {
    setCurrent(n);
    editor.current?.show(n);
  };
  const step = (by: number) => {
    const at = current === undefined ? -1 : numbers.indexOf(current);
    const to = numbers[(Math.max(at, by < 0 ? 0 : -1) + by + numbers.length) % numbers.length];
    if (to !== undefined) go(to);
  };
  const choose = (n: number, choice: Choice) => {
    const row = rows.find((r) => r.n === n);
    touched.current = true;
    if (row) {
      const value = choice === "left" ? row.left : choice === "right" ? row.right : (fields.get(row.field)?.value ?? row.right);
      setFields(new Map(fields).set(row.field, { choice, value }));
    } else {
      setView("edit");
      editor.current?.choose(n, choice);
      if (choice === "written") editor.current?.focus();
    }
    setCurrent(n);
  };
  /** By key: settles the current difference, and goes to the next open one. */
  const take = (choice: Choice) => {
    const n = current ?? numbers[0];
    if (n === undefined) return;
    choose(n, choice);
    const openNow = [
      ...ranges.filter((range) => range.choice === "open").map((range) => range.n),
      ...rows.filter((row) => fields.get(row.field)?.choice === "open").map((row) => row.n),
    ].filter((other) => other !== n);
    const following = openNow.find((other) => other > n) ?? openNow[0];
    if (following !== undefined) requestAnimationFrame(() => go(following));
  };
  const submit = async () => {
    if (!ready || busy) return;
    setBusy(true);
    const done = await write({ version: seen, body, ...mergedFields(fields, head.revision !== base.head.revision) });
    setBusy(false);
    if (done) {
      touched.current = false;
      setDraft(undefined);
    }
  };
  /** Goes on against the head as it is now: what came into dispute since is to be settled too. */
  const goOn = () => {
    const since = cameSince(rows, sides, head, comparison.differences);
    setRows([...rows, ...since]);
    setFields(new Map([...fields, ...since.map((row): [Field, FieldChoice] => [row.field, { choice: "open", value: row.right }])]));
    setSeen(version);
  };
  const startOver = () => {
    touched.current = false;
    setDraft(undefined);
    restart();
  };

  useKeys(t.merge, [
    { keys: ["["], moves: true, does: t.previousDifference, run: () => step(-1) },
    { keys: ["]"], moves: true, does: t.nextDifference, run: () => step(1) },
    { keys: ["1"], does: t.take(side.revision), run: () => take("left") },
    { keys: ["2"], does: t.take(base.head.revision), run: () => take("right") },
    { keys: ["e"], does: t.writeHere, run: () => editor.current?.focus() },
    { keys: ["Mod+Enter"], does: t.write(next), run: () => void submit() },
    { keys: ["Escape"], does: texts.app.cancel, run: cancel },
  ]);

  return (
    <section className="merge" aria-label={t.mergeName} ref={section} tabIndex={-1}>
      <header>
        <h2>{t.revision(next)}</h2>
        <span className="meta" role="status">
          {left > 0 ? (
            <>
              {t.startsFromHead} <b>{t.openDifferences(left)}</b> {t.toSettle}
            </>
          ) : (
            t.allSettled
          )}
        </span>
        <Segments
          className="seg to-right"
          label={t.view}
          of={[
            { value: "edit", label: t.edit },
            { value: "against", label: t.againstHead },
          ]}
          chosen={view}
          choose={setView}
        />
      </header>
      {moved && (
        <div className="notice aging" role="alert">
          <p className="grow">{t.mergeMoved(NameOf(head.agent), head.revision)}</p>
          <button type="button" className="btn" onClick={goOn}>
            {t.goOn}
          </button>
        </div>
      )}
      <div className="mg">
        <Suspense fallback={<Loading />}>
          {/* The editor stays while the other view is shown: it holds the text and its undo history. */}
          <div className="ed-place" hidden={view !== "edit"}>
            <MergeEditor
              ref={editor}
              text={start.text}
              ranges={start.ranges}
              sides={start.sides}
              changed={changed}
              write={() => void submit()}
              leave={() => section.current?.focus()}
            />
          </div>
          {view === "against" && (
            <div className="ed-place">
              <AgainstHead text={text} head={head.content.body} />
            </div>
          )}
        </Suspense>
        <ol className="picks" aria-label={t.picks}>
          {comparison.text.parts.map((part) =>
            part.same ? null : (
              <Pick
                key={part.n}
                n={part.n}
                what={about(part.left.join(" "), part.right.join(" ")) ?? t.text}
                r={[side.revision, base.head.revision]}
                choice={ranges.find((range) => range.n === part.n)?.choice ?? "open"}
                current={current === part.n}
                choose={(choice) => choose(part.n, choice)}
              />
            ),
          )}
          {rows.map((row) => (
            <FieldPick
              key={row.field}
              row={row}
              now={fields.get(row.field)}
              current={current === row.n}
              choose={(choice) => choose(row.n, choice)}
              type={(value) => {
                touched.current = true;
                setFields(new Map(fields).set(row.field, { choice: "written", value }));
              }}
            />
          ))}
        </ol>
      </div>
      <footer>
        <button type="button" className="btn primary" disabled={!ready && !busy} aria-disabled={busy} onClick={() => void submit()}>
          {busy ? t.writing : t.write(next)} <Key of="Mod+Enter" />
        </button>
        <button type="button" className="btn quiet" onClick={cancel}>
          {texts.app.cancel} <Key of="Escape" />
        </button>
        {draft !== undefined && (
          <button type="button" className="btn quiet" onClick={startOver}>
            {t.startOver}
          </button>
        )}
        {body === "" ? <span className="meta">{t.emptyText}</span> : topicless && <span className="meta">{t.emptyTopic}</span>}
        <span className="meta hints">
          <Key of="[" /> <Key of="]" /> {t.moveKeys}
          <Key of="1" /> {t.takeKey(side.revision)}
          <Key of="2" /> {t.takeKey(base.head.revision)}
        </span>
      </footer>
    </section>
  );
}

/** What was typed before. For another state of the conflict the text is kept, and the differences are found in it again. */
function restore(kept: Kept | undefined, base: MergeBase, fresh: ReturnType<typeof begin>): { text?: string; ranges?: Range[]; fields?: [Field, FieldChoice][] } {
  if (kept === undefined) return {};
  if (kept.version === base.version && kept.side === base.side.revision) return { text: kept.text, ranges: kept.ranges, fields: kept.fields };
  const text = kept.text.endsWith("\n") ? kept.text : `${kept.text}\n`;
  return { text, ranges: placed(text, fresh.ranges, fresh.sides) };
}

function Pick({
  n,
  what,
  r,
  choice,
  current,
  choose,
}: {
  n: number;
  what: string;
  r: [number, number];
  choice: Choice;
  current: boolean;
  choose: (choice: Choice) => void;
}) {
  return (
    <li aria-current={current ? "true" : undefined}>
      <span className="dn" aria-hidden="true">
        {n}
      </span>
      <span className="clip" title={what}>
        {what}
      </span>
      <Segments<Choice>
        label={t.pick(n, what)}
        of={[
          { value: "left", label: t.r(r[0]) },
          { value: "right", label: t.r(r[1]) },
          { value: "written", label: t.writtenHere },
        ]}
        chosen={choice === "open" ? undefined : choice}
        choose={choose}
      />
    </li>
  );
}

function FieldPick({
  row,
  now,
  current,
  choose,
  type,
}: {
  row: MergeRow;
  now: FieldChoice | undefined;
  current: boolean;
  choose: (choice: Choice) => void;
  type: (value: string) => void;
}) {
  const name = texts.fields[row.field] ?? row.field;
  if (!row.mergeable) {
    return (
      <li className="stays">
        <span className="dn" aria-hidden="true">
          {row.n}
        </span>
        <span>{t.staysAtHead(name)}</span>
      </li>
    );
  }
  return (
    <>
      <Pick n={row.n} what={name} r={row.r} choice={now?.choice ?? "open"} current={current} choose={choose} />
      {now?.choice === "written" && (
        <li className="typed">
          <input
            className="input"
            aria-label={t.fieldHere(name)}
            placeholder={row.field === "tags" ? t.tagsHint : undefined}
            value={now.value}
            onChange={(event) => type(event.target.value)}
          />
        </li>
      )}
    </>
  );
}
