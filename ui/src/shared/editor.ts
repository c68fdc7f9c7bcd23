/** What every editor of a text shares. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { type Extension, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";

/**
 * Where an editor stands: in a shadow root. There it adopts its style sheet, and writes no `style` element, which the
 * page's policy refuses.
 */
export function inShadow(host: HTMLElement): { parent: ShadowRoot; root: ShadowRoot } {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  return { parent: root, root };
}

/** A text that is written: its name, undo, wrapped lines. Ctrl/⌘ Enter and Esc are the page's own, and Tab leaves it. */
export function writing(label: string, calls: { readonly current: { write: () => void; leave: () => void } }): Extension {
  return [
    Prec.highest(
      keymap.of([
        { key: "Mod-Enter", run: () => (calls.current.write(), true) },
        { key: "Escape", run: () => (calls.current.leave(), true) },
      ]),
    ),
    history(),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true", tabindex: "0" }),
  ];
}
