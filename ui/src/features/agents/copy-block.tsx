import { useEffect, useId, useRef, useState } from "react";
import { platform } from "../../platform";
import { announce } from "../../shared/announce";
import { texts } from "../../texts";

const t = texts.agents;

/** A text to be taken elsewhere, with a button that copies it. Where the clipboard is closed to the page, the text is selected instead. */
export function CopyBlock({
  text,
  label,
  oneLine = false,
  takesFocus = false,
}: {
  text: string;
  label: string;
  oneLine?: boolean;
  /** Whether it came where the focus was. */
  takesFocus?: boolean;
}) {
  const id = useId();
  // An empty last line is none to copy.
  const lines = text.replace(/\n+$/, "");
  const field = useRef<HTMLTextAreaElement>(null);
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  async function copy() {
    const copied = await platform.copy(lines);
    if (!copied) {
      field.current?.focus();
      field.current?.select();
    }
    const words = copied ? t.copied : t.selected(platform.mac);
    setSaid(words);
    announce(words);
  }
  return (
    <div className={oneLine ? "copy one-line" : "copy"}>
      <label className="vh" htmlFor={id}>
        {label}
      </label>
      <textarea
        ref={field}
        id={id}
        className="code"
        readOnly
        spellCheck={false}
        wrap={oneLine ? "off" : "soft"}
        rows={oneLine ? 1 : lines.split("\n").length}
        value={lines}
        onBlur={() => setSaid(undefined)}
      />
      <span className="copy-foot">
        <button type="button" className="btn" onClick={() => void copy()} aria-label={`${t.copy}: ${label}`}>
          {t.copy}
        </button>
        {said && <span className="meta">{said}</span>}
      </span>
    </div>
  );
}
