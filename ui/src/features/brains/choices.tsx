import { type KeyboardEvent, useId } from "react";
import { beside } from "../../shared/arrows";

export interface Saying<V extends string> {
  value: V;
  name: string;
  says: string;
}

/**
 * A few choices, each with its one sentence. `byHand`: arrows move the focus alone, and Enter or the space bar chooses, where
 * each choice acts at once and one passes others on the way.
 */
export function Choices<V extends string>({
  label,
  of,
  chosen,
  choose,
  byHand = false,
}: {
  label: string;
  of: readonly Saying<V>[];
  chosen: V;
  choose: (value: V) => void;
  byHand?: boolean;
}) {
  const id = useId();
  function move(event: KeyboardEvent<HTMLFieldSetElement>) {
    const radios = [...event.currentTarget.querySelectorAll("input")];
    const at = radios.findIndex((radio) => radio === document.activeElement);
    const next = at < 0 ? undefined : beside(event.key, at, radios.length);
    const here = of[at];
    if (next !== undefined) radios[next]?.focus();
    else if (event.key === "Enter" && here) choose(here.value);
    else return;
    event.preventDefault();
  }
  return (
    <fieldset className="choices" onKeyDown={byHand ? move : undefined}>
      <legend>{label}</legend>
      {of.map((one) => (
        <label key={one.value}>
          <input type="radio" name={id} checked={one.value === chosen} onChange={() => choose(one.value)} />
          <span>
            <b>{one.name}</b>
            <span className="meta">{one.says}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
