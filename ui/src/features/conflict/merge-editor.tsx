import { unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension, type Range as Placed, RangeSet } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { useEffect, useImperativeHandle, useRef } from "react";
import { inShadow, writing } from "../../shared/editor";
import { wordDifference } from "../../shared/words";
import { texts } from "../../texts";
import { choosing, type Choice, differences, type Range, type Sides } from "./merge";

const t = texts.conflict;

export interface MergeHandle {
  choose(n: number, choice: Choice): void;
  show(n: number): void;
  focus(): void;
  text(): string;
}

/** The editor of the merged text. The page's own keys for writing and leaving come before the editor's. */
export function MergeEditor({
  ref,
  text,
  ranges,
  sides,
  changed,
  write,
  leave,
}: {
  ref: React.Ref<MergeHandle>;
  /** Where it begins; later values are not read. */
  text: string;
  ranges: readonly Range[];
  sides: ReadonlyMap<number, Sides>;
  changed: (text: string, ranges: readonly Range[]) => void;
  write: () => void;
  leave: () => void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const calls = useRef({ changed, write, leave });
  useEffect(() => {
    calls.current = { changed, write, leave };
  });
  const start = useRef({ text, ranges, sides });

  useEffect(() => {
    if (!host.current) return;
    const from = start.current;
    const editor = new EditorView({
      ...inShadow(host.current),
      state: EditorState.create({
        doc: from.text,
        extensions: [
          differences.init(() => [...from.ranges]),
          writing(t.editor, calls),
          EditorView.updateListener.of((update) => {
            if (update.docChanged || update.startState.field(differences) !== update.state.field(differences)) {
              calls.current.changed(update.state.doc.toString(), update.state.field(differences));
            }
          }),
          shown(from.sides),
          blanks,
          theme,
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useImperativeHandle(ref, () => ({
    choose(n, choice) {
      const editor = view.current;
      const step = editor && choosing(editor.state.field(differences), start.current.sides, n, choice);
      if (step) editor.dispatch(step);
    },
    show(n) {
      const editor = view.current;
      const range = editor?.state.field(differences).find((r) => r.n === n);
      if (editor && range) editor.dispatch({ selection: { anchor: range.from }, effects: EditorView.scrollIntoView(range.from, { y: "center" }) });
    },
    focus: () => view.current?.focus(),
    text: () => view.current?.state.doc.toString() ?? start.current.text,
  }));

  return <div className="ed" ref={host} />;
}

/** The merged text against the head: what was taken out is struck, what came in is marked. */
export function AgainstHead({ text, head }: { text: string; head: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return;
    const view = new EditorView({
      ...inShadow(host.current),
      state: EditorState.create({
        doc: text.trimEnd(),
        extensions: [
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": t.against, tabindex: "0", role: "textbox", "aria-readonly": "true", "aria-multiline": "true" }),
          unifiedMergeView({
            original: head,
            mergeControls: false,
            gutter: false,
            collapseUnchanged: { margin: 2, minSize: 6 },
            diffConfig: { scanLimit: 500, timeout: 200 },
          }),
          blanks,
          theme,
        ],
      }),
    });
    return () => view.destroy();
  }, [text, head]);
  return <div className="ed" ref={host} />;
}

/** Says what an open difference could be, or that a difference has no line. */
class Aside extends WidgetType {
  constructor(
    readonly says: string,
    readonly className: string,
    readonly n?: number,
  ) {
    super();
  }
  override eq(other: Aside) {
    return other.says === this.says && other.className === this.className && other.n === this.n;
  }
  toDOM() {
    const span = document.createElement(this.n === undefined ? "span" : "div");
    span.className = this.className;
    span.textContent = this.says;
    if (this.n !== undefined) span.dataset.n = String(this.n);
    return span;
  }
}

const MARKS: Record<Choice, string> = { left: "pd", right: "ph", written: "pw", open: "po" };

/** Each difference with its number and how it is settled; what is open shows both sides' words. */
function shown(sides: ReadonlyMap<number, Sides>): Extension {
  return EditorView.decorations.compute(["doc", differences], (state): DecorationSet => {
    const found: Placed<Decoration>[] = [];
    for (const range of state.field(differences)) {
      const name = MARKS[range.choice];
      if (range.from >= range.to && range.choice !== "written") {
        found.push(Decoration.widget({ widget: new Aside(t.nothingHere, `${name} nothing`, range.n), block: true, side: -1 }).range(Math.min(range.from, state.doc.length)));
      }
      const last = Math.min(range.to, state.doc.length);
      for (let at = range.from; at < last; ) {
        const line = state.doc.lineAt(at);
        const first = at === range.from;
        if (line.length > 0 || first) {
          found.push(Decoration.line({ class: name, attributes: first ? { "data-n": String(range.n) } : {} }).range(line.from));
        }
        at = line.to + 1;
      }
      if (range.choice === "open") found.push(...both(range, sides.get(range.n), last));
    }
    return RangeSet.of(found, true);
  });
}

/** A blank line is a gap between paragraphs, not a line of its own height. */
const blanks: Extension = EditorView.decorations.of((view) => {
  const found: Placed<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      if (line.length === 0) found.push(Decoration.line({ class: "blank" }).range(line.from));
      at = line.to + 1;
    }
  }
  return RangeSet.of(found, true);
});

function both(range: Range, of: Sides | undefined, end: number): Placed<Decoration>[] {
  if (!of) return [];
  const [left, right] = [of.left.replace(/\n+$/, ""), of.right.replace(/\n+$/, "")];
  if (right === "" || left.length + right.length > 4_000) return [];
  const words = wordDifference(left, right, 15);
  const gone = words.left.filter((piece) => piece.changed);
  const come = words.right.filter((piece) => piece.changed);
  const found: Placed<Decoration>[] = [];
  let at = range.from;
  let i = 0;
  for (const piece of words.right) {
    const to = at + piece.text.length;
    if (piece.changed && to <= end) {
      found.push(Decoration.mark({ class: "open" }).range(at, to));
      const other = gone[i++];
      if (other && come.length === gone.length && other.text.length < 120) {
        found.push(Decoration.widget({ widget: new Aside(t.or + other.text, "open aside"), side: 1 }).range(to));
      }
    }
    at = to;
  }
  return found;
}

/** Colours by their tokens: custom properties reach into the shadow. */
const theme = EditorView.theme({
  "&": { height: "100%", font: "14px/22px var(--sans)", color: "var(--text)", backgroundColor: "var(--bg)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--sans)", lineHeight: "22px", overflow: "auto" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)", borderLeftWidth: "2px" },
  ".cm-line": { padding: "2px 14px 2px 34px", position: "relative" },
  ".cm-line[data-n]::before, .nothing::before": {
    content: "attr(data-n)",
    position: "absolute",
    left: "12px",
    font: "600 11px/22px var(--sans)",
    color: "var(--text-3)",
  },
  ".cm-line.blank": { lineHeight: "10px", padding: "0 14px 0 34px" },
  ".pd": { backgroundColor: "var(--disp-soft)", boxShadow: "inset 3px 0 var(--disp-line)" },
  ".ph": { backgroundColor: "var(--head-soft)", boxShadow: "inset 3px 0 var(--head-line)" },
  ".pw": { backgroundColor: "var(--accent-soft)", boxShadow: "inset 3px 0 var(--accent)" },
  ".po": { backgroundColor: "var(--conflict-soft)", boxShadow: "inset 3px 0 var(--conflict-fill)" },
  ".nothing": { position: "relative", padding: "2px 14px 2px 34px", color: "var(--text-3)" },
  ".open": { borderBottom: "2px dotted var(--conflict)", color: "var(--conflict)" },
  ".cm-changedLine, .cm-insertedLine": { backgroundColor: "var(--head-soft) !important", textDecoration: "none" },
  ".cm-changedText": { background: "var(--head-mark) !important", textDecoration: "underline solid 2px var(--head-line)", textUnderlineOffset: "4px" },
  ".cm-deletedChunk": { backgroundColor: "var(--disp-soft) !important", padding: "2px 14px 2px 34px" },
  ".cm-deletedChunk .cm-deletedText": { background: "var(--disp-mark) !important" },
  ".cm-deletedLine": { textDecoration: "line-through", textDecorationColor: "var(--disp-line)" },
  ".cm-collapsedLines": { background: "var(--sunk) !important", color: "var(--text-2)", padding: "4px 14px 4px 34px" },
  ".cm-insertedLine, .cm-deletedLine, .cm-deletedLine del": { textDecorationThickness: "1px" },
});
