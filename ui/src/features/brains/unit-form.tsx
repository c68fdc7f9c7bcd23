import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { acts } from "../../api/acts";
import { ApiError } from "../../api/client";
import { queries } from "../../api/queries";
import type { UnitView, WriteReply } from "../../api/types";
import { NameOf } from "../../shared/agent";
import { announce } from "../../shared/announce";
import { BodyEditor, type BodyEditorHandle } from "../../shared/body-editor";
import { notDone } from "../../shared/failure";
import { onItsWay } from "../../shared/undo";
import { drafts, dropDraft, loadDraft, saveDraft, useErased } from "../../shared/drafts";
import { splitTags, titleOf } from "../../shared/fields";
import { Versus } from "../../shared/versus";
import { Key, useKeys } from "../../shared/keyboard";
import { Markdown } from "../../shared/markdown";
import { Segments } from "../../shared/segments";
import { texts } from "../../texts";
import { TopicField } from "./topic-field";
import { blank, changedFields, differs, draftOf, isEdit, otherDifferences, readDays, type UnitDraft, whole } from "../../shared/unit-draft";

type Problem = { field?: "topic" | "body" | "days"; message: string; pointers?: ApiError["pointers"] };

/**
 * A new unit, or an edit of one. What is typed is kept as a draft at each key, and written only by the person's word.
 * An edit names the revision that it began from; once the head has moved, it first shows what differs.
 */
export function UnitForm({
  brain,
  brainName,
  unit,
  topic = "",
  seen,
  close,
  wrote,
}: {
  brain: string;
  brainName: string;
  unit?: UnitView;
  topic?: string;
  /** Whether the person can have seen the unit as it is now. */
  seen?: () => boolean;
  close: () => void;
  wrote: (reply: WriteReply) => void;
}) {
  const t = texts.brains.form;
  const id = useId();
  const key = unit ? drafts.edit({ brain: unit.brain, unit: unit.id }) : drafts.new(brain);
  const [restored] = useState((): UnitDraft | undefined => {
    if (!unit) return loadDraft<UnitDraft>(key);
    const held = loadDraft<unknown>(key);
    return isEdit(held) ? whole(held, unit.content) : undefined;
  });
  const [begun, setBegun] = useState(() => (unit ? draftOf(unit.content, unit.revision) : { ...blank, topic }));
  const [draft, setDraft] = useState<UnitDraft>(restored ?? begun);
  const [isRestored, setIsRestored] = useState(restored !== undefined);
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const [view, setView] = useState<"write" | "preview">("write");
  const topicField = useRef<HTMLInputElement>(null);
  const bodyField = useRef<BodyEditorHandle>(null);
  const [opened, setOpened] = useState(0);
  const { data: rows } = useQuery(queries.topics({ brain }));
  const topics = useMemo(() => rows?.map((row) => row.topic) ?? [], [rows]);

  // A draft of an earlier visit began from an earlier revision: what it changed is counted against that one.
  const base = draft.base;
  const older = useQuery({
    ...queries.revision(unit?.id ?? "", base ?? 0),
    enabled: unit !== undefined && base !== undefined && base !== begun.base,
  });
  const from = base === begun.base ? begun : older.data ? draftOf(older.data.content, older.data.revision) : undefined;
  const moved = unit !== undefined && base !== undefined && unit.revision !== base;

  const others = moved ? otherDifferences(draft, draftOf(unit.content, unit.revision)) : [];

  useEffect(() => {
    if (unit || draft.topic !== "") {
      bodyField.current?.focus();
    } else topicField.current?.focus();
    // Only when the form opens.
  }, []);
  useEffect(() => {
    // The button that threw the draft away went with it.
    if (opened > 0) bodyField.current?.focus();
  }, [opened]);
  useEffect(() => {
    if (moved && unit) announce(t.headMoved(NameOf(unit.agent), unit.revision));
  }, [moved, unit?.revision]);

  // What was erased is not kept again by the next letter.
  useErased(key, () => {
    announce(t.erased);
    close();
  });

  function change(part: Partial<UnitDraft>) {
    const next = { ...draft, ...part };
    setDraft(next);
    setProblem(undefined);
    if (differs(next, begun) || next.base !== begun.base) saveDraft(key, next);
    else dropDraft(key);
  }
  function throwAway() {
    dropDraft(key);
    const fresh = unit ? draftOf(unit.content, unit.revision) : { ...blank, topic };
    setBegun(fresh);
    setDraft(fresh);
    setIsRestored(false);
    setOpened(opened + 1);
    announce(t.thrown);
  }
  async function write() {
    if (busy) return;
    const days = readDays(draft.freshFor);
    if (draft.topic.trim() === "") return refuse({ field: "topic", message: t.needTopic });
    if (draft.body.trim() === "") return refuse({ field: "body", message: t.needBody });
    if (days === "unreadable") return refuse({ field: "days", message: t.badDays });
    if (unit && !from) return;
    // What has just moved was not read yet.
    if (seen && !seen()) return refuse({ message: texts.inbox.justChanged });
    setBusy(true);
    try {
      const tags = splitTags(draft.tags);
      const asked =
        unit && from
          ? // What the person was shown last is what they have seen.
            writeChanges(unit, changedFields(draft, from))
          : acts.write({
              brain,
              topic: draft.topic.trim(),
              body: draft.body,
              ...(draft.title.trim() === "" ? {} : { title: draft.title.trim() }),
              ...(tags.length === 0 ? {} : { tags }),
              ...(draft.source.trim() === "" ? {} : { source: draft.source.trim() }),
              ...(days === undefined ? {} : { fresh_for_days: days }),
            });
      await onItsWay(
        asked.then((reply) => {
          dropDraft(key);
          wrote(reply);
        }),
      );
    } catch (error) {
      setBusy(false);
      refuse({
        message: notDone(error),
        pointers: error instanceof ApiError ? error.pointers : undefined,
      });
    }
  }
  function refuse(what: Problem) {
    setProblem(what);
    if (what.field === "topic") topicField.current?.focus();
    if (what.field === "body") {
      setView("write");
      bodyField.current?.focus();
    }
  }
  function leave() {
    if (loadDraft(key) !== undefined) announce(t.kept);
    close();
  }

  useKeys(unit ? t.editTitle(titleOf(unit.content)) : t.newTitle(brainName), [
    { keys: ["Mod+Enter"], does: t.write, run: () => void write() },
    { keys: ["Escape"], does: t.cancel, run: leave },
  ]);

  const wrong = (field: Problem["field"]) => (problem?.field === field ? `${id}-problem` : undefined);
  return (
    <form
      className="unit-form"
      onSubmit={(event) => {
        event.preventDefault();
        void write();
      }}
    >
      <div className="scroll body">
        <h2>{unit ? t.editTitle(titleOf(unit.content)) : t.newTitle(brainName)}</h2>
        {isRestored && (
          <div className="notice aging">
            <span className="grow">{t.draftBack}</span>
            <button type="button" className="link" onClick={throwAway}>
              {t.throwAway}
            </button>
          </div>
        )}
        {moved && unit && (
          <>
            <p className="notice aging">{t.headMoved(NameOf(unit.agent), unit.revision)}</p>
            <Versus mine={draft.body} theirs={unit.content.body} revision={unit.revision} />
            {others.length > 0 && (
              <dl className="facts changes">
                {others.map(([field, mine, theirs]) => (
                  <div key={field}>
                    <dt>{texts.fields[field]}</dt>
                    <dd>
                      {mine !== "" && <mark className="disp">{mine}</mark>}{" "}
                      {theirs !== "" && <mark className="head">{theirs}</mark>}
                    </dd>
                  </div>
                ))}
              </dl>
            )}
          </>
        )}
        {problem && (
          <div className="notice" role="alert" id={`${id}-problem`}>
            <span>
              {problem.message}{" "}
              {problem.pointers && problem.pointers.length > 0 && (
                <>
                  {t.ambiguous}{" "}
                  {problem.pointers.map((pointer, place) => (
                    <span key={pointer.id}>
                      {place > 0 && ", "}
                      <Link className="link" to="/brains" search={{ brain: pointer.brain, unit: pointer.id }}>
                        {pointer.title}
                      </Link>
                    </span>
                  ))}
                </>
              )}
            </span>
          </div>
        )}
        <div className="pair">
          <div>
            <label htmlFor={`${id}-topic`}>{t.topic}</label>
            <TopicField
              ref={topicField}
              id={`${id}-topic`}
              value={draft.topic}
              change={(value) => change({ topic: value })}
              topics={topics}
              describedBy={wrong("topic") ?? `${id}-topic-hint`}
              invalid={problem?.field === "topic"}
            />
            <span className="hint" id={`${id}-topic-hint`}>
              {t.topicHint}
            </span>
          </div>
          <div>
            <label htmlFor={`${id}-title`}>
              {t.title} <span className="dim">{t.optional}</span>
            </label>
            <input
              id={`${id}-title`}
              className="input"
              maxLength={200}
              value={draft.title}
              onChange={(event) => change({ title: event.target.value })}
            />
          </div>
        </div>
        <div className="body-head">
          <span className="label" id={`${id}-body`}>
            {t.body} <span className="dim">{t.bodyHint}</span>
          </span>
          <Segments
            labelledBy={`${id}-body`}
            of={[
              { value: "write", label: t.write2 },
              { value: "preview", label: t.preview },
            ]}
            chosen={view}
            choose={setView}
          />
        </div>
        {view === "write" ? (
          <BodyEditor
            key={opened}
            ref={bodyField}
            label={t.body}
            text={draft.body}
            change={(body) => change({ body })}
            write={() => void write()}
            leave={leave}
            problem={problem?.field === "body" ? problem.message : undefined}
          />
        ) : (
          <div className="preview">
            <Markdown text={draft.body} />
          </div>
        )}
        <div className="pair">
          <div>
            <label htmlFor={`${id}-tags`}>
              {t.tags} <span className="dim">{t.optional}</span>
            </label>
            <input
              id={`${id}-tags`}
              className="input"
              value={draft.tags}
              onChange={(event) => change({ tags: event.target.value })}
              aria-describedby={`${id}-tags-hint`}
            />
            <span className="hint" id={`${id}-tags-hint`}>
              {t.tagsHint}
            </span>
          </div>
          <div>
            <label htmlFor={`${id}-days`}>
              {t.freshFor} <span className="dim">{t.optional}</span>
            </label>
            <input
              id={`${id}-days`}
              className="input short"
              inputMode="numeric"
              value={draft.freshFor}
              onChange={(event) => change({ freshFor: event.target.value })}
              aria-describedby={wrong("days") ?? `${id}-days-hint`}
              aria-invalid={problem?.field === "days"}
            />
            <span className="hint" id={`${id}-days-hint`}>
              {t.freshForHint}
            </span>
          </div>
        </div>
        <label htmlFor={`${id}-source`}>
          {t.source} <span className="dim">{t.optional}</span>
        </label>
        <input
          id={`${id}-source`}
          className="input"
          value={draft.source}
          onChange={(event) => change({ source: event.target.value })}
          aria-describedby={`${id}-source-hint`}
        />
        <span className="hint" id={`${id}-source-hint`}>
          {t.sourceHint}
        </span>
      </div>
      <footer className="form-foot">
        <button type="submit" className="btn primary" disabled={unit !== undefined && !from} aria-disabled={busy}>
          {busy ? t.writing : moved && unit ? t.writeOver(unit.revision) : t.write} <Key of="Mod+Enter" />
        </button>
        <button type="button" className="btn quiet" onClick={leave}>
          {t.cancel} <Key of="Escape" />
        </button>
      </footer>
    </form>
  );
}

/** Writes what was changed, naming the revision that the person was shown. */
async function writeChanges(unit: UnitView, fields: ReturnType<typeof changedFields>): Promise<WriteReply> {
  if (Object.keys(fields).length === 0)
    return {
      outcome: "unchanged",
      brain: unit.brain,
      topic: unit.content.topic,
      title: unit.content.title ?? "",
      id: unit.id,
      revision: unit.revision,
    };
  return acts.write({ brain: unit.brain, id: unit.id, base_revision: unit.revision, ...fields });
}
