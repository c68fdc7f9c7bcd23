import { markdown } from "@codemirror/lang-markdown";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type Ref, useEffect, useImperativeHandle, useRef } from "react";
import { inShadow, writing } from "./editor";
import "./body-editor.css";

export interface BodyEditorHandle {
  focus: () => void;
}

const theme = EditorView.theme({
  "&": { height: "100%", font: "var(--t-15) var(--sans)", color: "var(--text)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { font: "inherit", overflow: "auto", scrollbarWidth: "thin" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 12px", overflowWrap: "anywhere" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
});

/** Markdown's signs step back, what they say stands out: weight and ink, no further colours. */
const words = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "var(--w-strong)" },
  { tag: tags.strong, fontWeight: "var(--w-strong)" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: tags.monospace, fontFamily: "var(--mono)", fontSize: ".9em" },
  {
    tag: [tags.link, tags.url],
    textDecoration: "underline",
    textDecorationColor: "var(--line-strong)",
    textUnderlineOffset: "3px",
  },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.url], color: "var(--text-3)" },
  { tag: tags.quote, color: "var(--text-2)" },
]);

/** The editor of a unit's text. Tab leaves it; Ctrl/⌘ Enter and Esc are the form's. */
export function BodyEditor({
  ref,
  label,
  text,
  change,
  write,
  leave,
  problem,
}: {
  ref?: Ref<BodyEditorHandle>;
  label: string;
  /** Where it begins; later values are not read. */ text: string;
  change: (text: string) => void;
  write: () => void;
  leave: () => void;
  problem?: string;
}) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const calls = useRef({ change, write, leave });
  useEffect(() => {
    calls.current = { change, write, leave };
  });
  const start = useRef({ text, label });

  useEffect(() => {
    if (!host.current) return;
    const editor = new EditorView({
      ...inShadow(host.current),
      state: EditorState.create({
        doc: start.current.text,
        extensions: [
          writing(start.current.label, calls),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) calls.current.change(update.state.doc.toString());
          }),
          markdown(),
          syntaxHighlighting(words),
          theme,
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);
  useEffect(() => {
    const content = view.current?.contentDOM;
    if (problem === undefined) content?.removeAttribute("aria-invalid");
    else content?.setAttribute("aria-invalid", "true");
  }, [problem]);
  useImperativeHandle(ref, () => ({ focus: () => view.current?.focus() }));

  return <div className="body-editor" ref={host} />;
}
