import { memo, useMemo } from "react";
import type { AgingItem, ConflictItem, InboxItem, ProblemItem } from "../../api/types";
import { nameOf, NameOf, ownerOf } from "../../shared/agent";
import { titleOf } from "../../shared/fields";
import { Icon, Mark } from "../../shared/icons";
import { Marked } from "../../shared/marked";
import { visible } from "../../shared/safe-text";
import { stateOf } from "../../shared/state-mark";
import { ageDays, ago, longDay } from "../../shared/time";
import { glimpse } from "../../shared/words";
import { texts } from "../../texts";
import { keyOf } from "./layout";

const t = texts.inbox;

/** The title that stands for an item. */
export function titleOfItem(item: InboxItem): string {
  if (item.kind === "problem") {
    if (item.name !== undefined) return item.name;
    const name = item.client ?? item.connection;
    return name === undefined ? item.code : nameOf({ name, you: false });
  }
  return titleOf(item.kind === "proposal" ? item : item.unit);
}

function topicOf(item: InboxItem): string | undefined {
  if (item.kind === "problem") return undefined;
  const of = item.kind === "proposal" ? item : item.unit;
  return of.title === undefined ? undefined : of.topic;
}

/** What a problem is, in a sentence. */
export function problemOf(item: ProblemItem): string {
  if (item.code === "new_connection" && item.connection !== undefined) return t.newConnection(nameOf({ name: item.connection, you: false }));
  return visible(item.message);
}

/** Who last vouched for a unit, and when: the reason of its age. */
export function vouched({ unit, vouched }: AgingItem, now: Date): string {
  const [age, day] = [texts.time.spanDays(ageDays(unit.anchor, now)), longDay(unit.anchor, now)];
  return vouched ? t.vouched[vouched.how](NameOf(vouched.by), age, day) : t.countsFrom(age, day);
}

/** One line in the list: the answer is in it. */
export const Row = memo(function Row({
  item,
  id,
  selected,
  leaving,
  place,
  of,
  now,
  brain,
  showBrain,
  select,
  open,
}: {
  item: InboxItem;
  id: string;
  selected: boolean;
  leaving: boolean;
  place: number;
  of: number;
  now: Date;
  /** The name of its brain, if it has one. */
  brain: string | undefined;
  /** Whether that stands beside the title: no head of a group names it. */
  showBrain: boolean;
  select: (key: string, place: number) => void;
  open: (key: string, place: number) => void;
}) {
  const key = keyOf(item);
  const topic = topicOf(item);
  const state = item.kind === "conflict" ? "conflict" : item.kind === "aging" ? stateOf(item.unit) : undefined;
  const says = state ? texts.freshness[state] : t.kindOf(item);
  return (
    <div
      id={id}
      className={leaving ? "row leaving" : "row"}
      role="option"
      aria-selected={selected}
      aria-setsize={of}
      aria-posinset={place + 1}
      onClick={() => select(key, place)}
      onDoubleClick={() => open(key, place)}
    >
      {state ? <Mark of={state} /> : <Icon name={item.kind === "conflict" || item.kind === "aging" ? "clock" : item.kind} className="i kind" />}
      <span className="clip">
        <span className="vh">{says}: </span>
        <span className="t">{titleOfItem(item)}</span>
        {(topic ?? (showBrain ? brain : undefined)) && (
          <span className="topic">
            {"\u2002"}
            {showBrain && brain ? `${brain} / ` : ""}
            {topic}
          </span>
        )}
      </span>
      <time className="when" dateTime={item.at} title={item.kind === "aging" ? t.agingSince(longDay(item.at, now)) : undefined}>
        {item.kind === "aging" && <span className="vh">{t.agingSince("")}</span>}
        {ago(item.at, now)}
      </time>
      <span className="why clip">
        <Why item={item} now={now} />
      </span>
      <span className="vh">{brain}</span>
    </div>
  );
});

function Why({ item, now }: { item: InboxItem; now: Date }) {
  switch (item.kind) {
    case "conflict":
      return <Clash item={item} />;
    case "proposal":
      return (
        <>
          {item.unit === undefined ? t.proposesNew(NameOf(item.agent)) : t.proposes(NameOf(item.agent), item.what)}
          {item.what === "write" && visible(item.text)}
        </>
      );
    case "decision":
      return (
        <>
          {t.inYourName(item.act, nameOf(item.agent))}
          {item.decision !== undefined && `: ${texts.history.quote(visible(item.decision))}`}
        </>
      );
    case "problem":
      return problemOf(item);
    case "aging":
      return (
        <>
          <span className={`fr ${item.unit.freshness}`}>
            {item.unit.freshness === "stale" ? texts.freshness.Stale : item.unit.freshness === "aging" ? texts.freshness.Aging : texts.freshness.Fresh}
          </span>{" "}
          {vouched(item, now)}
        </>
      );
  }
}

/** Both sides' words where they differ: the answer, without opening. */
function Clash({ item }: { item: ConflictItem }) {
  const words = useMemo(() => glimpse(item.displaced_text, item.head_text), [item.displaced_text, item.head_text]);
  return (
    <>
      {item.head_text === "" ? t.hisRetirement(item.head.you ? texts.app.Your : ownerOf(item.head)) : NameOf(item.head)}{" "}
      <Marked pieces={words.right} as="head" />
      {item.displacer_revision === item.head_revision ? t.displaced : t.insteadOf}
      {item.displaced_text === "" ? t.hisRetirement(item.displaced.you ? texts.app.your : ownerOf(item.displaced)) : nameOf(item.displaced)}{" "}
      <Marked pieces={words.left} as="disp" />
      {item.sides > 1 && t.andMore(item.sides - 1)}
    </>
  );
}
