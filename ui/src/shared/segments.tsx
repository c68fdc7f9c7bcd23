import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { beside } from "./arrows";

export interface Segment<V extends string> {
  value: V;
  label: ReactNode;
  /** For a screen reader, where the label is a shape or a short sign. */
  name?: string;
}

/**
 * One of a few choices. Arrows move the choice; nothing chosen is possible. `byHand`: arrows move the focus alone, and Enter
 * or the space bar chooses, where each choice acts at once and one passes others on the way.
 */
export function Segments<V extends string>({
  label,
  labelledBy,
  of,
  chosen,
  choose,
  className = "seg",
  byHand = false,
}: {
  of: readonly Segment<V>[];
  chosen: V | undefined;
  choose: (value: V) => void;
  className?: string;
  byHand?: boolean;
} & ({ label: string; labelledBy?: undefined } | { label?: undefined; /** The id of the words beside it that name it. */ labelledBy: string })) {
  const ref = useRef<HTMLDivElement>(null);
  const at = of.findIndex((segment) => segment.value === chosen);
  function move(event: KeyboardEvent) {
    const radios = [...(ref.current?.querySelectorAll<HTMLElement>("[role=radio]") ?? [])];
    const from = byHand ? radios.indexOf(document.activeElement as HTMLElement) : at;
    const next = beside(event.key, from, of.length);
    if (next === undefined) return;
    event.preventDefault();
    const segment = of[next];
    if (!segment) return;
    if (!byHand) choose(segment.value);
    radios[next]?.focus();
  }
  return (
    <div className={className} role="radiogroup" aria-label={label} aria-labelledby={labelledBy} ref={ref} onKeyDown={move}>
      {of.map((segment, i) => (
        <button
          key={segment.value}
          type="button"
          role="radio"
          aria-checked={segment.value === chosen}
          aria-label={segment.name}
          tabIndex={i === Math.max(at, 0) ? 0 : -1}
          onClick={() => choose(segment.value)}
        >
          {segment.label}
        </button>
      ))}
    </div>
  );
}
