import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { acts } from "../../api/acts";
import type { BrainRow, UnitView } from "../../api/types";
import { Dialog, FormDialog } from "../../shared/dialog";
import { dropDraftsOf } from "../../shared/drafts";
import { titleOf } from "../../shared/fields";
import { Segments } from "../../shared/segments";
import { didFinally } from "../../shared/undo";
import { texts } from "../../texts";
import { brainActs } from "./brain-acts";

const t = texts.brains;

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
  const id = useId();
  const [typed, setTyped] = useState("");
  const plain = (text: string) => text.normalize("NFC").trim().replace(/\s+/g, " ");
  return (
    <FormDialog
      title={t.eraseTitle}
      close={close}
      does={t.eraseDo}
      doing={t.eraseBusy}
      danger
      ready={plain(typed) === plain(word)}
      submit={async () => {
        await erase();
        // What is erased next is confirmed anew.
        setTyped("");
        return undefined;
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
      <label htmlFor={`${id}-word`}>{t.eraseType(`“${word}”`)}</label>
      <input
        id={`${id}-word`}
        className="input"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  );
}

/** What is left to know after an erasure. */
export function Erased({ said, close }: { said: readonly string[]; close: () => void }) {
  return (
    <Dialog
      title={t.erasedTitle}
      close={close}
      foot={
        <button type="button" className="btn" onClick={close}>
          {texts.app.close}
        </button>
      }
    >
      <div className="fields" role="status">
        {said.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    </Dialog>
  );
}

/** Erases a unit, or one of its earlier revisions. Where others say the same, it names them and goes on with them. */
export function EraseUnit({ unit, close, erased }: { unit: UnitView; close: () => void; erased: () => void }) {
  const id = useId();
  const client = useQueryClient();
  const [what, setWhat] = useState<"unit" | "revision">("unit");
  const [gone, setGone] = useState<readonly number[]>([]);
  const [same, setSame] = useState<readonly number[]>([]);
  const [said, setSaid] = useState<readonly string[]>();
  // The head is what the unit says: it cannot be erased alone.
  const earlier = Array.from({ length: unit.revision - 1 }, (_, place) => unit.revision - 1 - place).filter((n) => !gone.includes(n));
  const [chosen, setChosen] = useState<number>();
  const revision = chosen !== undefined && earlier.includes(chosen) ? chosen : (earlier.find((n) => same.includes(n)) ?? earlier[0]);
  const title = titleOf(unit.content);

  async function eraseUnit() {
    const { pending } = await acts.eraseUnit(unit.id);
    dropDraftsOf({ unit: unit.id });
    didFinally(t.did.erased(`“${title}”`));
    client.removeQueries({ queryKey: ["revision", unit.id] });
    if (pending) setSaid([t.did.erased(`“${title}”`), t.erasePending]);
    else leave();
  }
  function leave() {
    close();
    erased();
    client.removeQueries({ queryKey: ["unit", unit.id] });
  }
  async function eraseRevision(n: number) {
    const reply = await acts.eraseRevision(unit.id, n);
    // What was typed may repeat what was erased.
    dropDraftsOf({ unit: unit.id });
    const done = t.did.erased(`${t.revision(n)}, “${title}”`);
    didFinally(done);
    const others = reply.also_in ?? [];
    setGone([...gone, n]);
    setSame(others);
    setChosen(undefined);
    await client.invalidateQueries({ queryKey: ["revision", unit.id] });
    await client.invalidateQueries({ queryKey: ["unit", unit.id] });
    const proposed = reply.also_proposed ?? [];
    const rest = [...(proposed.length > 0 ? [t.eraseProposed(proposed.length)] : []), ...(reply.pending ? [t.erasePending] : [])];
    if (others.some((other) => other !== unit.revision)) setSaid([done, t.eraseAlso(others), ...rest]);
    else if (others.length > 0) setSaid([done, t.eraseAlsoHead(unit.revision), ...rest]);
    else if (rest.length > 0) setSaid([done, ...rest]);
    else close();
  }

  const goesOn = what === "revision" && same.some((n) => earlier.includes(n));
  if (said && !goesOn) return <Erased said={said} close={what === "unit" ? leave : close} />;
  return (
    <Erase
      word={title}
      goes={what === "unit" || revision === undefined ? t.eraseUnitList(unit.revision) : t.eraseRevisionList(revision)}
      close={close}
      erase={() => (what === "unit" || revision === undefined ? eraseUnit() : eraseRevision(revision))}
    >
      {said && (
        <div className="notice" role="alert">
          <div>
            {said.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </div>
        </div>
      )}
      {earlier.length > 0 && (
        <>
          <span className="label" id={`${id}-what`}>
            {t.eraseWhat}
          </span>
          <Segments
            labelledBy={`${id}-what`}
            of={[
              { value: "unit", label: t.eraseUnit },
              { value: "revision", label: t.eraseRevision },
            ]}
            chosen={what}
            choose={setWhat}
          />
        </>
      )}
      {what === "revision" && revision !== undefined && (
        <>
          <label htmlFor={id}>{t.revisionColumn}</label>
          <select
            id={id}
            className="input short"
            value={revision}
            aria-describedby={`${id}-head`}
            onChange={(event) => setChosen(Number(event.target.value))}
          >
            {earlier.map((n) => (
              <option key={n} value={n}>
                {t.revision(n)}
              </option>
            ))}
          </select>
          <span className="hint" id={`${id}-head`}>
            {t.eraseNotHead(unit.revision)}
          </span>
        </>
      )}
    </Erase>
  );
}

/** Erases a brain with all that is in it. `erased` is told what is left to know. */
export function EraseBrain({ brain, close, erased }: { brain: BrainRow; close: () => void; erased: (said: readonly string[]) => void }) {
  const client = useQueryClient();
  return (
    <Erase
      word={brain.name}
      goes={t.eraseBrainList(brain.units, brain.retired)}
      close={close}
      erase={async () => {
        const { pending } = await brainActs.erase(brain.brain);
        dropDraftsOf({ brain: brain.brain });
        const done = t.did.erased(t.eraseBrain(brain.name));
        didFinally(done);
        close();
        erased(pending ? [done, t.erasePending] : []);
        await client.invalidateQueries();
      }}
    >
      <p>{t.eraseBrain(brain.name)}</p>
    </Erase>
  );
}
