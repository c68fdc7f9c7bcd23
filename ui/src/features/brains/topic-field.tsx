import { type KeyboardEvent, type Ref, useId, useState } from "react";
import { suggestTopics } from "./topic-tree";
import { texts } from "../../texts";
import "./topic-field.css";

/** A field for a topic that suggests the ones there are: arrows choose, Enter takes, Esc closes. */
export function TopicField({
  id,
  value,
  change,
  topics,
  describedBy,
  invalid = false,
  ref,
}: {
  id: string;
  value: string;
  change: (topic: string) => void;
  topics: readonly string[];
  describedBy?: string;
  invalid?: boolean;
  ref?: Ref<HTMLInputElement>;
}) {
  const list = useId();
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const found = open ? suggestTopics(topics, value) : [];
  const take = (topic: string) => {
    change(topic);
    setOpen(false);
    setAt(-1);
  };
  function keys(event: KeyboardEvent) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!open) setOpen(true);
      else if (found.length > 0) setAt((at + (event.key === "ArrowDown" ? 1 : -1) + found.length) % found.length);
      return;
    }
    const here = found[at];
    if (event.key === "Enter" && here !== undefined && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      take(here);
    } else if (event.key === "Escape" && found.length > 0) {
      // The list closes; the form stays.
      event.preventDefault();
      event.stopPropagation();
      event.nativeEvent.stopImmediatePropagation();
      setOpen(false);
      setAt(-1);
    }
  }
  return (
    <span className="topic-field">
      <input
        ref={ref}
        id={id}
        className="input"
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={at >= 0 && found[at] !== undefined ? `${list}-${at}` : undefined}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={value}
        onChange={(event) => {
          change(event.target.value);
          setOpen(true);
          setAt(-1);
        }}
        onBlur={() => setOpen(false)}
        onKeyDown={keys}
      />
      <span id={list} role="listbox" aria-label={texts.brains.form.suggestions} className="suggest" hidden={found.length === 0}>
        {found.map((topic, place) => (
          <span
            key={topic}
            id={`${list}-${place}`}
            role="option"
            aria-selected={place === at}
            className="clip"
            onPointerDown={(event) => {
              event.preventDefault();
              take(topic);
            }}
          >
            {topic}
          </span>
        ))}
      </span>
    </span>
  );
}
