import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { queries } from "../../api/queries";
import type { Field, RevisionView, UnitView } from "../../api/types";
import { nameOf } from "../../shared/agent";
import { Dialog } from "../../shared/dialog";
import { Failure } from "../../shared/failure";
import { Loading } from "../../shared/later";
import { useNow } from "../../shared/now";
import { dayAndClock } from "../../shared/time";
import { asText, BESIDE_BODY, titleOf } from "../../shared/fields";
import { Sides } from "../../shared/versus";
import { texts } from "../../texts";

/** Two revisions of a unit side by side. */
export function Compare({ unit, close }: { unit: UnitView; close: () => void }) {
  const t = texts.brains;
  const [left, setLeft] = useState(Math.max(1, unit.revision - 1));
  const [right, setRight] = useState(unit.revision);
  const asked = [useQuery(queries.revision(unit.id, left)), useQuery(queries.revision(unit.id, right))] as const;
  const [a, b] = [asked[0].data, asked[1].data];
  const error = asked.find((one) => one.isError)?.error;
  const name = (one: RevisionView) => t.revision(one.revision);
  return (
    <Dialog title={t.compareTitle(titleOf(unit.content))} close={close} wide>
      <div className="pair">
        <Choice label={t.left} most={unit.revision} value={left} change={setLeft} of={a} />
        <Choice label={t.right} most={unit.revision} value={right} change={setRight} of={b} />
      </div>
      {error ? (
        <Failure error={error} />
      ) : !a || !b ? (
        <Loading />
      ) : a.erased || b.erased ? (
        <p className="meta dim">{t.erasedRevision}</p>
      ) : (
        <>
          <Sides left={a.content.body} right={b.content.body} leftName={name(a)} rightName={name(b)} tall />
          <dl className="facts changes">
            {fieldChanges(a, b).map(([field, before, after]) => (
              <div key={field}>
                <dt>{texts.fields[field]}</dt>
                <dd>
                  {before && <mark className="disp">{before}</mark>} {after && <mark className="head">{after}</mark>}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Dialog>
  );
}

function Choice({
  label,
  most,
  value,
  change,
  of,
}: {
  label: string;
  most: number;
  value: number;
  change: (n: number) => void;
  of: RevisionView | undefined;
}) {
  const id = useId();
  const now = useNow();
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <span className="choice">
        <select id={id} className="input" value={value} onChange={(event) => change(Number(event.target.value))}>
          {Array.from({ length: most }, (_, place) => most - place).map((n) => (
            <option key={n} value={n}>
              {texts.brains.revision(n)}
            </option>
          ))}
        </select>
        {of && (
          <span className="meta dim">
            {nameOf(of.agent)}, {dayAndClock(of.at, now)}
          </span>
        )}
      </span>
    </div>
  );
}

function fieldChanges(a: RevisionView, b: RevisionView): [Field, string, string][] {
  return BESIDE_BODY.map((field): [Field, string, string] => [field, shown(a, field), shown(b, field)]).filter(([, before, after]) => before !== after);
}

function shown({ content }: RevisionView, field: Field): string {
  const text = asText(content, field);
  return field === "fresh_for_days" && text !== "" ? `${text} ${texts.brains.days}` : text;
}
