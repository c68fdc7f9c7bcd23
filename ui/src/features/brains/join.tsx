import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { acts } from "../../api/acts";
import { queries } from "../../api/queries";
import type { UnitView } from "../../api/types";
import { FormDialog } from "../../shared/dialog";
import { Failure } from "../../shared/failure";
import { Loading } from "../../shared/later";
import { Marked } from "../../shared/marked";
import { Segments } from "../../shared/segments";
import { titleOf } from "../../shared/fields";
import { useSeen } from "../../shared/shown";
import { Sides } from "../../shared/versus";
import { StateMark, stateOf } from "../../shared/state-mark";
import { didAct } from "../../shared/undo";
import { texts } from "../../texts";

/** Joins two units about one fact: shows both texts, and says which id stays. */
export function Join({ unit, close, joined }: { unit: UnitView; close: () => void; joined: (survivor: string) => void }) {
  const t = texts.brains;
  const id = useId();
  const client = useQueryClient();
  const [query, setQuery] = useState("");
  const asked = useDeferredValue(query.trim() === "" ? titleOf(unit.content) : query.trim());
  const found = useQuery({
    ...queries.search({ query: asked, brain: unit.brain, limit: 12 }),
    placeholderData: keepPreviousData,
  });
  const others = (found.data?.results ?? []).filter((row) => row.id !== unit.id).slice(0, 8);
  const [chosen, setChosen] = useState<string>();
  const other = useQuery({ ...queries.unit(chosen ?? ""), enabled: chosen !== undefined });
  const [stays, setStays] = useState<"this" | "other">("this");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  // Both texts are decided about.
  const [seenThis, seenOther] = [useSeen(unit.id, unit.revision), useSeen(other.data?.id, other.data?.revision)];
  const [survivor, goes] = stays === "this" ? [unit, other.data] : [other.data, unit];

  async function join() {
    if (!survivor || !goes) return undefined;
    if (!seenThis() || !seenOther()) return texts.inbox.justChanged;
    const reply = await acts.join({
      id: survivor.id,
      revision: survivor.revision,
      other: goes.id,
      other_revision: goes.revision,
    });
    if (reply.outcome === "moved") {
      await client.invalidateQueries({ queryKey: ["unit"] });
      return t.did.moved(titleOf(survivor.content));
    }
    didAct(t.did.joined(titleOf(survivor.content)), reply.event);
    joined(survivor.id);
    return undefined;
  }

  return (
    <FormDialog title={t.joinTitle(titleOf(unit.content))} close={close} wide does={t.joinDo} ready={other.data !== undefined} submit={join}>
      <p className="meta">{t.joinHint}</p>
      <label htmlFor={`${id}-find`}>{t.joinSearch}</label>
      <input
        ref={field}
        id={`${id}-find`}
        className="input"
        type="search"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      {found.isError ? (
        <Failure error={found.error} />
      ) : found.isPending ? (
        <Loading />
      ) : others.length === 0 ? (
        <p className="meta dim">{t.joinNone}</p>
      ) : (
        <ul className="pick">
          {others.map((row) => (
            <li key={row.id}>
              <label>
                <input type="radio" name={id} checked={row.id === chosen} onChange={() => setChosen(row.id)} />
                <StateMark of={stateOf(row)} />
                <span className="clip">
                  <b>{titleOf(row)}</b> <span className="topic">{row.topic}</span> <span className="dim">{row.snippet}</span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
      {chosen !== undefined && other.isError && <Failure error={other.error} />}
      {survivor && goes && (
        <>
          <span className="label" id={`${id}-stays`}>
            {t.joinSurvivor}
          </span>
          <Segments
            labelledBy={`${id}-stays`}
            of={[
              { value: "this", label: `${t.joinThis}: ${titleOf(unit.content)}` },
              { value: "other", label: `${t.joinOther}: ${other.data ? titleOf(other.data.content) : ""}` },
            ]}
            chosen={stays}
            choose={setStays}
          />
          <p className="meta says">
            <Marked
              pieces={[
                {
                  text: t.joinSays(
                    `“${titleOf(survivor.content)}” \`${survivor.id}\``,
                    `“${titleOf(goes.content)}” \`${goes.id}\``,
                    survivor.revision + 1,
                  ),
                  changed: false,
                },
              ]}
              as="head"
            />
          </p>
          <Sides
            left={survivor.content.body}
            right={goes.content.body}
            leftName={titleOf(survivor.content)}
            rightName={titleOf(goes.content)}
          />
        </>
      )}
    </FormDialog>
  );
}
