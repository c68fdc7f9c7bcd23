import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { acts } from "../../api/acts";
import { queries } from "../../api/queries";
import type { UnitView } from "../../api/types";
import { FormDialog } from "../../shared/dialog";
import { titleOf } from "../../shared/fields";
import { didAct } from "../../shared/undo";
import { texts } from "../../texts";
import { TopicField } from "./topic-field";
import { changedFields, draftOf } from "../../shared/unit-draft";

/** Moves a unit to another topic or title. Its id and history stay. */
export function Move({ unit, close }: { unit: UnitView; close: () => void }) {
  const t = texts.brains;
  const id = useId();
  // What the person was shown when they began is what they have seen.
  const [from] = useState(() => draftOf(unit.content, unit.revision));
  const [topic, setTopic] = useState(from.topic);
  const [title, setTitle] = useState(from.title);
  const [untopiced, setUntopiced] = useState(false);
  const { data: rows } = useQuery(queries.topics({ brain: unit.brain }));
  const topics = useMemo(() => rows?.map((row) => row.topic) ?? [], [rows]);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);

  async function move() {
    if (topic.trim() === "") {
      setUntopiced(true);
      field.current?.focus();
      return t.form.needTopic;
    }
    const fields = changedFields({ ...from, topic, title }, from);
    const reply = await acts.write({
      brain: unit.brain,
      id: unit.id,
      base_revision: from.base,
      ...(Object.keys(fields).length > 0 ? fields : { topic: from.topic }),
    });
    didAct(
      reply.outcome === "unchanged"
        ? t.did.unchanged
        : t.did.movedTo(titleOf({ title: title.trim() || undefined, topic: reply.topic }), reply.topic),
      reply.event,
    );
    close();
    return undefined;
  }

  return (
    <FormDialog title={t.moveTitle(titleOf(unit.content))} close={close} does={t.moveDo} submit={move}>
      <p className="meta">{t.moveHint}</p>
      <label htmlFor={`${id}-topic`}>{t.form.topic}</label>
      <TopicField
        ref={field}
        id={`${id}-topic`}
        value={topic}
        change={(value) => {
          setUntopiced(false);
          setTopic(value);
        }}
        topics={topics}
        invalid={untopiced}
      />
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
    </FormDialog>
  );
}
