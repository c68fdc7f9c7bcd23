/**
 * Setting a text as Markdown leaves things out: comments and elements, definitions, titles, the words after a fence, cells
 * without a column. Who accepts a text must see all of it, so each of them becomes text that shows.
 */
import { target, visible } from "./safe-text";

/** What is read here of a Markdown tree. */
interface Node {
  type: string;
  value?: string;
  children?: Node[];
  url?: string;
  title?: string | null;
  alt?: string | null;
  lang?: string | null;
  meta?: string | null;
  label?: string | null;
  identifier?: string;
  ordered?: boolean | null;
  align?: (string | null)[] | null;
  data?: { hProperties?: Record<string, unknown> };
  position?: { start: { offset?: number }; end: { offset?: number } };
}

const word = (value: string): Node => ({ type: "text", value });
const paragraph = (children: Node[], className?: string): Node => ({
  type: "paragraph",
  children,
  ...(className ? { data: { hProperties: { className: [className] } } } : {}),
});

/** Literal text: its lines stay lines. */
function literal(text: string): Node[] {
  return text.split("\n").flatMap((line, i) => (i === 0 ? [word(line)] : [{ type: "break" }, word(line)]));
}

/** What children of these are is text in a line, not blocks. */
const INLINE = new Set(["paragraph", "heading", "emphasis", "strong", "delete", "link", "linkReference", "tableCell"]);

/** A remark plugin: leaves nothing of `text` out. */
export function wholeText(): (tree: unknown, file: { value: unknown }) => void {
  return (tree, file) => walk(tree as Node, String(file.value));
}

function walk(node: Node, source: string): void {
  if (node.type === "table") widen(node);
  if (node.type === "list" && node.ordered) number(node, source);
  if (!node.children) return;
  const inline = INLINE.has(node.type);
  node.children = node.children.flatMap((child) => {
    walk(child, source);
    return shown(child, inline, source);
  });
}

/** What stands in the place of a node. */
function shown(node: Node, inline: boolean, source: string): Node[] {
  switch (node.type) {
    case "html": {
      const text = literal(visible(node.value ?? ""));
      return inline ? text : [paragraph(text)];
    }
    case "definition":
      return [paragraph(literal(visible(written(node, source))))];
    // A note is text where it was written: one that nothing refers to would not show at its end.
    case "footnoteReference":
      return [word(visible(`[^${node.label ?? node.identifier}]`))];
    case "footnoteDefinition": {
      const mark = word(visible(`[^${node.label ?? node.identifier}]: `));
      const [first, ...rest] = node.children ?? [];
      return first?.type === "paragraph" ? [{ ...first, children: [mark, ...(first.children ?? [])] }, ...rest] : [paragraph([mark]), ...(node.children ?? [])];
    }
    case "link":
      return link(node);
    case "image":
      return image(node);
    case "linkReference":
    case "imageReference":
      if (node.alt) node.alt = visible(node.alt);
      // Its definition shows; without words of its own it would not.
      return wordsOf(node) === "" ? [word(visible(written(node, source)))] : [node];
    case "code": {
      const about = [node.lang, node.meta].filter(Boolean).join(" ");
      node.value = visible(node.value ?? "");
      return about === "" ? [node] : [paragraph([word(visible(about))], "fence"), node];
    }
    case "text":
    case "inlineCode":
      node.value = visible(node.value ?? "");
      return [node];
    default:
      return [node];
  }
}

function link(node: Node): Node[] {
  const address = node.url ?? "";
  const words = wordsOf(node);
  const dead = target(address) === undefined;
  const title = node.title ? [word(` [${visible(node.title)}]`)] : [];
  node.title = null;
  if (!dead) return words.trim() === "" ? [{ ...node, children: [word(visible(address) || " ")] }, ...title] : [node, ...title];
  const said = words === visible(address) || address === "" ? [] : [word(` [${visible(address)}]`)];
  return [...(node.children ?? []), ...said, ...title];
}

/** A picture is its words; those of one with an address that leads nowhere have the address beside them. */
function image(node: Node): Node[] {
  const address = node.url ?? "";
  const alt = visible(node.alt ?? "");
  const title = node.title ? [word(` [${visible(node.title)}]`)] : [];
  if (target(address) !== undefined) return [{ ...node, alt, title: null }, ...title];
  return [word(alt === "" ? visible(address) : `${alt}${address === "" ? "" : ` [${visible(address)}]`}`), ...title];
}

function wordsOf(node: Node): string {
  if (node.value !== undefined) return node.value;
  if (node.alt) return node.alt;
  return (node.children ?? []).map(wordsOf).join("");
}

/** As many columns as the longest row has cells. */
function widen(table: Node): void {
  const most = Math.max(0, ...(table.children ?? []).map((row) => row.children?.length ?? 0));
  const align = table.align ?? [];
  table.align = Array.from({ length: most }, (_, i) => align[i] ?? null);
}

/** Each item has the number that was written. */
function number(list: Node, source: string): void {
  for (const item of list.children ?? []) {
    const found = /^\d+/.exec(written(item, source))?.[0];
    if (found !== undefined) item.data = { ...item.data, hProperties: { ...item.data?.hProperties, value: Number(found) } };
  }
}

function written(node: Node, source: string): string {
  return source.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
}
