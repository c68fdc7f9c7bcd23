import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { acts } from "../../api/acts";
import { queries } from "../../api/queries";
import type { UnitView } from "../../api/types";
import { Dialog } from "../../shared/dialog";
import { describe } from "../../shared/failure";
import { didAct } from "../../shared/undo";
import { texts } from "../../texts";
import { TopicField } from "./topic-field";
import { titleOf } from "./unit-words";

/** Moves a unit to another topic or title. Its id and history stay. */
export function Move({ unit, close }: { unit: UnitView; close: () => void }) {
  const t = texts.brains;
  const id = useId();
  const [topic, setTopic] = useState(unit.content.topic);
  const [title, setTitle] = useState(unit.content.title ?? "");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { data: rows } = useQuery(queries.topics({ brain: unit.brain }));
  const topics = useMemo(() => rows?.map((row) => row.topic) ?? [], [rows]);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);

  async function move() {
    if (busy) return;
    if (topic.trim() === "") return setProblem(t.form.needTopic);
    setBusy(true);
    try {
      const reply = await acts.write({
        brain: unit.brain,
        id: unit.id,
        base_revision: unit.revision,
        topic: topic.trim(),
        ...(title.trim() === "" ? {} : { title: title.trim() }),
      });
      didAct(
        reply.outcome === "unchanged"
          ? t.did.unchanged
          : t.did.movedTo(titleOf({ title: title.trim() || undefined, topic: reply.topic }), reply.topic),
        reply.event,
      );
      close();
    } catch (error) {
      setBusy(false);
      setProblem(t.did.failed(describe(error).message));
    }
  }

  return (
    <Dialog
      title={t.moveTitle(titleOf(unit.content))}
      close={close}
      foot={
        <>
          <button type="button" className="btn quiet" onClick={close}>
            {t.form.cancel}
          </button>
          <button type="submit" form={id} className="btn primary" disabled={busy}>
            {t.moveDo}
          </button>
        </>
      }
    >
      <form
        id={id}
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void move();
        }}
      >
        <p className="meta">{t.moveHint}</p>
        {problem && (
          <p className="notice" role="alert">
            {problem}
          </p>
        )}
        <label htmlFor={`${id}-topic`}>{t.form.topic}</label>
        <TopicField ref={field} id={`${id}-topic`} value={topic} change={setTopic} topics={topics} />
        <label htmlFor={`${id}-title`}>
          {t.form.title} <span className="dim">{t.form.optional}</span>
        </label>
        <input
          id={`${id}-title`}
          className="input"
          maxLength={200}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
