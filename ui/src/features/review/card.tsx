import { useCallback, useEffect, useRef, useState } from "react";
import type { BrainRow, ReviewCard, UnitView } from "../../api/types";
import { NameOf, nameOf } from "../../shared/agent";
import { Key, useKeys } from "../../shared/keyboard";
import { Markdown } from "../../shared/markdown";
import { useNow } from "../../shared/now";
import { Source } from "../../shared/source";
import { longDay } from "../../shared/time";
import { texts } from "../../texts";
import { drafts, useDraftOf, useErased } from "../../shared/drafts";
import { type Edit, isEdit, rest } from "../../shared/unit-draft";
import { AgeTimeline } from "./age-timeline";
import { titleOf } from "../../shared/fields";
import { Versus } from "../../shared/versus";

/** What is known of a unit for a decision: its text, its age, and where to ask again. */
export function Card({
  card,
  unit,
  brain,
  children,
}: {
  card: ReviewCard;
  unit: UnitView | undefined;
  brain: BrainRow | undefined;
  children?: React.ReactNode;
}) {
  const t = texts.review;
  const now = useNow();
  const title = unit ? titleOf(unit.content) : titleOf(card);
  const text = useRef<HTMLDivElement>(null);
  const below = useBelow(text);
  return (
    <article className="card arrive" aria-label={title}>
      <header>
        <p className="meta">
          {brain?.name ?? card.brain}&ensp;/&ensp;{unit?.content.topic ?? card.topic}
        </p>
        <h2>{title}</h2>
      </header>
      {children}
      <div ref={text} className="text" tabIndex={0} role="group" aria-label={title} onScroll={below.look}>
        {unit ? <Markdown text={unit.content.body} /> : <p className="prose dim">{card.snippet}</p>}
      </div>
      {below.more && (
        <p className="meta below-text" aria-hidden="true">
          {t.moreBelow}
        </p>
      )}
      {unit && <AgeTimeline unit={unit} />}
      {unit && (
        <dl className="facts">
          <dt>{t.askAgain}</dt>
          <dd>{unit.content.source ? <Source text={unit.content.source} /> : t.noSource}</dd>
          <dt>{t.writtenBy}</dt>
          <dd>{t.written(nameOf(unit.agent), longDay(unit.updated_at, now), unit.revision)}</dd>
          <dt>{t.readSince}</dt>
          <dd>
            {t.read(
              card.reads,
              card.readers.map((name) => nameOf({ name, you: false })),
            )}
          </dd>
        </dl>
      )}
    </article>
  );
}

/** Whether a box that scrolls holds more below what is in sight. */
function useBelow(box: React.RefObject<HTMLElement | null>): { more: boolean; look: () => void } {
  const [more, setMore] = useState(false);
  const look = useCallback(() => {
    const at = box.current;
    if (at) setMore(at.scrollHeight - at.clientHeight - at.scrollTop > 4);
  }, [box]);
  useEffect(() => {
    if (!box.current) return;
    const watch = new ResizeObserver(look);
    watch.observe(box.current);
    for (const child of box.current.children) watch.observe(child);
    return () => watch.disconnect();
  });
  return { more, look };
}

/** The card as an editor: the text as it holds now. It is kept as it is typed, and nothing newer is written over unseen. */
export function CardEditor({
  card,
  unit,
  brain,
  seen,
  write,
  close,
}: {
  card: ReviewCard;
  unit: UnitView;
  brain: BrainRow | undefined;
  /** Whether the person can have seen the unit as it is now. */
  seen: () => boolean;
  write: (body: string) => void;
  close: () => void;
}) {
  const t = texts.review;
  const key = drafts.edit({ brain: card.brain, unit: card.id });
  const [draft, setDraft] = useDraftOf(key, isEdit);
  useErased(key, close);
  const field = useRef<HTMLTextAreaElement>(null);
  const [edit, setEdit] = useState<Edit>(() => draft ?? { body: unit.content.body, base: unit.revision });
  const [problem, setProblem] = useState<string>();
  const { body } = edit;
  const moved = unit.revision !== edit.base;

  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, []);

  function change(text: string) {
    setProblem(undefined);
    const next = { ...edit, body: text };
    setEdit(next);
    setDraft(text === unit.content.body ? rest(next, unit.content, unit.revision) : next);
  }
  function done() {
    if (body.trim() === "") setProblem(t.emptyBody);
    else if (body.trim() === unit.content.body.trim()) setProblem(t.same);
    else if (!seen()) setProblem(texts.inbox.justChanged);
    else write(body);
  }
  useKeys(t.changed, [
    { keys: ["Mod+Enter"], does: t.write, run: done },
    { keys: ["Escape"], does: t.cancel, run: close },
  ]);

  return (
    <article className="card" aria-label={titleOf(unit.content)}>
      <header>
        <p className="meta">
          {brain?.name ?? card.brain}&ensp;/&ensp;{unit.content.topic}
        </p>
        <h2>{titleOf(unit.content)}</h2>
      </header>
      {moved && (
        <>
          <p className="notice aging" role="alert">
            {t.headMoved(NameOf(unit.agent), unit.revision)}
          </p>
          <Versus mine={body} theirs={unit.content.body} revision={unit.revision} />
        </>
      )}
      <label className="over" htmlFor={`edit-${card.id}`}>
        {t.editing}
      </label>
      <textarea
        ref={field}
        id={`edit-${card.id}`}
        value={body}
        onChange={(event) => change(event.target.value)}
        aria-describedby={problem ? "edit-problem" : undefined}
      />
      {problem && (
        <p id="edit-problem" className="meta" role="alert">
          {problem}
        </p>
      )}
      <div className="edit-foot">
        <button type="button" className="btn primary" onClick={done}>
          {moved ? t.writeOver(unit.revision) : t.write} <Key of="Mod+Enter" />
        </button>
        <button type="button" className="btn quiet" onClick={close}>
          {t.cancel} <Key of="Escape" />
        </button>
      </div>
    </article>
  );
}
