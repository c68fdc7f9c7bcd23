import { useId } from "react";

export interface Saying<V extends string> {
  value: V;
  name: string;
  says: string;
}

/** A few choices, each with its one sentence. */
export function Choices<V extends string>({
  label,
  of,
  chosen,
  choose,
}: {
  label: string;
  of: readonly Saying<V>[];
  chosen: V;
  choose: (value: V) => void;
}) {
  const id = useId();
  return (
    <fieldset className="choices">
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
