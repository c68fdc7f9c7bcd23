import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import type { TopicRow } from "../../api/types";
import { Icon, Mark } from "../../shared/icons";
import { texts } from "../../texts";
import { ancestors, buildTree, markOf, step, visibleLines } from "./topic-tree";

const LINE = 28;
const PAGE = 12;
/** A brain this small shows its second level at once. */
const SMALL = 12;

/** The tree of a brain's topics. One line has the focus; arrows walk, Enter chooses, and only the lines in sight are drawn. */
export function TopicTree({
  brain,
  rows,
  chosen,
  choose,
}: {
  brain: string;
  rows: readonly TopicRow[];
  /** Absent: all topics. `null`: none, a search looks past them. */
  chosen: string | undefined | null;
  choose: (topic: string | undefined) => void;
}) {
  const t = texts.brains;
  const id = useId();
  const roots = useMemo(() => buildTree(rows), [rows]);
  const [opened, setOpened] = useState<{ brain: string; topics: ReadonlySet<string> }>();
  const open = useMemo(() => {
    const topics = new Set(
      opened?.brain === brain
        ? opened.topics
        : roots.length <= SMALL && rows.length <= 4 * SMALL
          ? roots.slice(0, 3).map((node) => node.topic)
          : [],
    );
    if (typeof chosen === "string" && opened?.brain !== brain) for (const above of ancestors(chosen)) topics.add(above);
    return topics;
  }, [opened, brain, roots, rows.length, chosen]);
  const lines = useMemo(() => visibleLines(roots, open), [roots, open]);
  const [at, setAt] = useState(-1);
  const chosenAt = lines.findIndex((line) => line.node.topic === chosen);
  // Line 0 of the drawing is "All topics".
  const focus = Math.min(at, lines.length - 1);
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length + 1,
    getScrollElement: () => box.current,
    estimateSize: () => LINE,
    overscan: 12,
    paddingStart: 8,
    paddingEnd: 8,
  });

  useEffect(() => setAt(chosenAt), [chosenAt]);
  useEffect(() => {
    if (chosenAt >= 0) virtual.scrollToIndex(chosenAt + 1, { align: "auto" });
    // The scroll follows the choice, not each new drawing.
  }, [chosen, brain]);

  const set = (topic: string, on: boolean) => {
    const topics = new Set(open);
    if (on) topics.add(topic);
    else topics.delete(topic);
    setOpened({ brain, topics });
  };
  function keys(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") choose(lines[focus]?.node.topic);
    else {
      const up = event.key === "ArrowUp" && focus <= 0;
      const done = up || event.key === "Home" ? { focus: -1 } : step(lines, focus, event.key, PAGE);
      if (!done) return;
      if ("focus" in done) {
        setAt(done.focus);
        virtual.scrollToIndex(done.focus + 1, { align: "auto" });
      } else if ("expand" in done) set(done.expand, true);
      else set(done.collapse, false);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  const total = useMemo(() => roots.reduce((sum, node) => sum + node.units, 0), [roots]);
  return (
    <div
      ref={box}
      className="scroll topic-tree"
      role="tree"
      aria-label={t.topics}
      tabIndex={0}
      aria-activedescendant={`${id}-${focus}`}
      onKeyDown={keys}
    >
      <div className="whole" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const line = lines[item.index - 1];
          const place = { transform: `translateY(${item.start}px)` };
          const has = item.index - 1 === focus;
          if (!line)
            return (
              <div
                key="all"
                id={`${id}--1`}
                role="treeitem"
                aria-level={1}
                aria-posinset={1}
                aria-setsize={roots.length + 1}
                aria-selected={chosen === undefined}
                className={has ? "line has" : "line"}
                data-level="0"
                style={place}
                onClick={() => choose(undefined)}
              >
                <span className="tw" />
                <span className="clip grow">{t.allTopics}</span>
                <span className="n">{texts.number(total)}</span>
              </div>
            );
          const mark = markOf(line.node);
          const top = line.node.depth === 0;
          return (
            <div
              key={line.node.topic}
              id={`${id}-${item.index - 1}`}
              role="treeitem"
              aria-level={line.node.depth + 1}
              aria-posinset={line.position + (top ? 1 : 0)}
              aria-setsize={line.size + (top ? 1 : 0)}
              aria-expanded={line.expanded}
              aria-selected={line.node.topic === chosen}
              className={has ? "line has" : "line"}
              data-level={Math.min(line.node.depth, 7)}
              style={place}
              title={line.node.topic}
              onClick={() => {
                setAt(item.index - 1);
                choose(line.node.topic);
                if (line.expanded === false) set(line.node.topic, true);
              }}
            >
              {line.expanded === undefined ? (
                <span className="tw" />
              ) : (
                <span
                  className={line.expanded ? "tw o" : "tw"}
                  onClick={(event) => {
                    event.stopPropagation();
                    set(line.node.topic, !line.expanded);
                  }}
                >
                  <Icon name="next" className="i i12" />
                </span>
              )}
              <span className="clip grow">{line.node.name}</span>
              {mark && (
                <>
                  <Mark of={mark} />
                  <span className="vh">{texts.freshness[mark]}, </span>
                </>
              )}
              <span className="n">{texts.number(line.node.units)}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
