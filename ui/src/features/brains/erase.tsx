import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { acts } from "../../api/acts";
import type { BrainRow, UnitView } from "../../api/types";
import { Dialog } from "../../shared/dialog";
import { describe } from "../../shared/failure";
import { Segments } from "../../shared/segments";
import { didNot } from "../../shared/undo";
import { texts } from "../../texts";
import { brainActs } from "./brain-acts";
import { dropDraft, editKey, newKey } from "./drafts";
import { titleOf } from "./unit-words";

/** Erases for good: says what goes, and waits for its name to be typed. There is no undo. */
function Erase({
  word,
  goes,
  close,
  erase,
  children,
}: {
  word: string;
  goes: readonly string[];
  close: () => void;
  erase: () => Promise<void>;
  children?: ReactNode;
}) {
  const t = texts.brains;
  const id = useId();
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const plain = (text: string) => text.normalize("NFC").trim().replace(/\s+/g, " ");
  const ready = plain(typed) === plain(word);
  async function go() {
    if (!ready || busy) return;
    setBusy(true);
    try {
      await erase();
    } catch (error) {
      setBusy(false);
      setProblem(t.did.failed(describe(error).message));
    }
  }
  return (
    <Dialog
      title={t.eraseTitle}
      close={close}
      foot={
        <>
          <button type="button" className="btn quiet" onClick={close}>
            {t.form.cancel}
          </button>
          <button type="submit" form={id} className="btn danger" disabled={!ready || busy}>
            {busy ? t.eraseBusy : t.eraseDo}
          </button>
        </>
      }
    >
      <form
        id={id}
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void go();
        }}
      >
        {children}
        <span className="label">{t.eraseGoes}</span>
        <ul className="goes">
          {goes.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p className="notice final">{t.eraseFinal}</p>
        {problem && (
          <p className="notice" role="alert">
            {problem}
          </p>
        )}
        <label htmlFor={`${id}-word`}>{t.eraseType(`“${word}”`)}</label>
        <input
          id={`${id}-word`}
          className="input"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </form>
    </Dialog>
  );
}

/** Erases a unit, or one of its revisions. */
export function EraseUnit({ unit, close, erased }: { unit: UnitView; close: () => void; erased: () => void }) {
  const t = texts.brains;
  const id = useId();
  const client = useQueryClient();
  const [what, setWhat] = useState<"unit" | "revision">("unit");
  const [revision, setRevision] = useState(Math.max(1, unit.revision - 1));
  const title = titleOf(unit.content);
  return (
    <Erase
      word={title}
      goes={what === "unit" ? t.eraseUnitList(unit.revision) : t.eraseRevisionList(revision)}
      close={close}
      erase={async () => {
        if (what === "unit") await acts.eraseUnit(unit.id);
        else await acts.eraseRevision(unit.id, revision);
        dropDraft(editKey(unit.id));
        didNot(t.did.erased(what === "unit" ? `“${title}”` : `${t.revision(revision)}, “${title}”`));
        await client.invalidateQueries({ queryKey: ["revision", unit.id] });
        if (what === "unit") {
          close();
          erased();
          client.removeQueries({ queryKey: ["unit", unit.id] });
        } else {
          await client.invalidateQueries({ queryKey: ["unit", unit.id] });
          close();
        }
      }}
    >
      <span className="label">{t.eraseWhat}</span>
      <Segments
        label={t.eraseWhat}
        of={[
          { value: "unit", label: t.eraseUnit },
          { value: "revision", label: t.eraseRevision },
        ]}
        chosen={what}
        choose={setWhat}
      />
      {what === "revision" && (
        <>
          <label htmlFor={id}>{t.revisionColumn}</label>
          <select id={id} className="input short" value={revision} onChange={(event) => setRevision(Number(event.target.value))}>
            {Array.from({ length: unit.revision }, (_, place) => unit.revision - place).map((n) => (
              <option key={n} value={n}>
                {t.revision(n)}
              </option>
            ))}
          </select>
        </>
      )}
    </Erase>
  );
}

/** Erases a brain with all that is in it. */
export function EraseBrain({ brain, close, erased }: { brain: BrainRow; close: () => void; erased: () => void }) {
  const t = texts.brains;
  const client = useQueryClient();
  return (
    <Erase
      word={brain.name}
      goes={t.eraseBrainList(brain.units, brain.retired)}
      close={close}
      erase={async () => {
        await brainActs.erase(brain.brain);
        dropDraft(newKey(brain.brain));
        didNot(t.did.erased(t.eraseBrain(brain.name)));
        close();
        erased();
        await client.invalidateQueries();
      }}
    >
      <p>{t.eraseBrain(brain.name)}</p>
    </Erase>
  );
}
