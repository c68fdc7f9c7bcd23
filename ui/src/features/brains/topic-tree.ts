/** The tree of a brain's topics, made of the flat list that the server gives, and how it is walked by keyboard. */
import type { TopicRow } from "../../api/types";

export interface TopicNode {
  /** The whole path. */
  topic: string;
  /** The last segment. */
  name: string;
  /** 0 for a top topic. */
  depth: number;
  /** Units in it and below. */
  units: number;
  /** What is in it and below and needs the person. */
  aging: number;
  stale: number;
  conflicted: number;
  children: TopicNode[];
}

/** One line of the tree as it shows: place among its brothers and sisters as assistive technology counts, from 1. */
export interface TreeLine {
  node: TopicNode;
  parent: number;
  position: number;
  size: number;
  expanded: boolean | undefined;
}

const order = new Intl.Collator(undefined, { numeric: true });

/** Builds the tree. A topic that holds no unit of its own appears when one below it does. */
export function buildTree(rows: readonly TopicRow[]): TopicNode[] {
  const roots: TopicNode[] = [];
  const known = new Map<string, TopicNode>();
  const find = (topic: string): TopicNode => {
    const before = known.get(topic);
    if (before) return before;
    const cut = topic.lastIndexOf("/");
    const siblings = cut < 0 ? roots : find(topic.slice(0, cut)).children;
    const node: TopicNode = {
      topic,
      name: topic.slice(cut + 1),
      depth: topic.split("/").length - 1,
      units: 0,
      aging: 0,
      stale: 0,
      conflicted: 0,
      children: [],
    };
    known.set(topic, node);
    siblings.push(node);
    return node;
  };
  for (const row of rows) {
    find(row.topic);
    for (let path = row.topic; ;) {
      const node = find(path);
      node.units += row.units;
      node.aging += row.aging;
      node.stale += row.stale;
      node.conflicted += row.conflicted;
      const cut = path.lastIndexOf("/");
      if (cut < 0) break;
      path = path.slice(0, cut);
    }
  }
  const sort = (nodes: TopicNode[]) => {
    nodes.sort((a, b) => order.compare(a.name, b.name));
    for (const node of nodes) sort(node.children);
  };
  sort(roots);
  return roots;
}

/** The one mark of a topic: the worst that it holds. */
export function markOf(node: Pick<TopicNode, "conflicted" | "stale" | "aging">): "conflict" | "stale" | "aging" | undefined {
  if (node.conflicted > 0) return "conflict";
  if (node.stale > 0) return "stale";
  return node.aging > 0 ? "aging" : undefined;
}

/** The lines that show while `expanded` topics are open. */
export function visibleLines(roots: readonly TopicNode[], expanded: ReadonlySet<string>): TreeLine[] {
  const lines: TreeLine[] = [];
  const walk = (nodes: readonly TopicNode[], parent: number) => {
    nodes.forEach((node, place) => {
      const open = node.children.length > 0 ? expanded.has(node.topic) : undefined;
      const index = lines.length;
      lines.push({ node, parent, position: place + 1, size: nodes.length, expanded: open });
      if (open) walk(node.children, index);
    });
  };
  walk(roots, -1);
  return lines;
}

/** The topics above one, nearest last: these are open when it shows. */
export function ancestors(topic: string): string[] {
  const segments = topic.split("/");
  return segments.slice(1).map((_, count) => segments.slice(0, count + 1).join("/"));
}

export type TreeStep = { focus: number } | { expand: string } | { collapse: string } | undefined;

/** What a key does at a line, as in every tree: right opens or goes in, left closes or goes out. */
export function step(lines: readonly TreeLine[], at: number, key: string, page = 10): TreeStep {
  const line = lines[at];
  const last = lines.length - 1;
  if (!line)
    return last >= 0 && ["ArrowDown", "ArrowUp", "Home", "End"].includes(key) ? { focus: key === "End" ? last : 0 } : undefined;
  switch (key) {
    case "ArrowDown":
      return { focus: Math.min(at + 1, last) };
    case "ArrowUp":
      return { focus: Math.max(at - 1, 0) };
    case "PageDown":
      return { focus: Math.min(at + page, last) };
    case "PageUp":
      return { focus: Math.max(at - page, 0) };
    case "Home":
      return { focus: 0 };
    case "End":
      return { focus: last };
    case "ArrowRight":
      if (line.expanded === false) return { expand: line.node.topic };
      return line.expanded ? { focus: at + 1 } : undefined;
    case "ArrowLeft":
      if (line.expanded) return { collapse: line.node.topic };
      return line.parent >= 0 ? { focus: line.parent } : undefined;
    default:
      return undefined;
  }
}

/** Topics that begin like what was typed, then those that hold it; `most` at most. */
export function suggestTopics(topics: readonly string[], typed: string, most = 8): string[] {
  const wanted = typed.trim().toLowerCase().replace(/\s+/g, "-");
  if (wanted === "") return topics.slice(0, most);
  const begins: string[] = [];
  const holds: string[] = [];
  for (const topic of topics) {
    if (topic === wanted) continue;
    if (topic.startsWith(wanted)) begins.push(topic);
    else if (topic.includes(wanted)) holds.push(topic);
  }
  return [...begins, ...holds].slice(0, most);
}
