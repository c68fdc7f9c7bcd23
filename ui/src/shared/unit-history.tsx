import { useInfiniteQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { queries } from "../api/queries";
import type { HistoryEntry } from "../api/types";
import { texts } from "../texts";
import { AgentTile, NameOf } from "./agent";
import { EraseProposal } from "./erase-proposal";
import { Failure } from "./failure";
import { actorOf, inlineMarks, whatHappened } from "./happened";
import { Loading } from "./later";
import { useNow } from "./now";
import { dayAndClock } from "./time";
import { visible } from "./safe-text";
import { useUndo } from "./undo";
import "./unit-history.css";

/** Who did what to a unit, newest first, with the words that changed, and an undo where one is possible. */
export function UnitHistory({ id, title }: { id: string; title: string }) {
  const undo = useUndo();
  const [erasing, setErasing] = useState<number>();
  const asked = useInfiniteQuery(queries.history(id));
  const entries = asked.data?.pages.flatMap((part) => part.entries) ?? [];
  if (asked.isPending) return <Loading />;
  if (asked.isError && entries.length === 0) return <Failure error={asked.error} again={() => void asked.refetch()} />;
  if (entries.length === 0) return <p className="meta dim">{texts.history.none}</p>;
  return (
    <>
      <ol className="hist">
        {entries.map((entry) => (
          <Entry key={entry.event} entry={entry} undo={() => void undo(entry.event)} erase={setErasing} />
        ))}
      </ol>
      {asked.hasNextPage && (
        <button type="button" className="link" aria-disabled={asked.isFetchingNextPage} onClick={() => asked.isFetchingNextPage || void asked.fetchNextPage()}>
          {asked.isFetchingNextPage ? texts.app.loading : texts.history.older}
        </button>
      )}
      {erasing !== undefined && <EraseProposal proposal={erasing} title={title} close={() => setErasing(undefined)} />}
    </>
  );
}

function Entry({ entry, undo, erase }: { entry: HistoryEntry; undo: () => void; erase: (proposal: number) => void }) {
  const { proposal } = entry;
  const now = useNow();
  const actor = actorOf(entry);
  const { tags_added: added = [], tags_removed: removed = [] } = entry;
  const alone = entry.kind === "updated" && entry.changed.length === 1 && added.length + removed.length > 0;
  const said = `${NameOf(actor)} ${whatHappened(entry)}`;
  const marks = entry.before !== undefined && entry.after !== undefined ? inlineMarks(entry.before, entry.after) : [];
  return (
    <li>
      <AgentTile who={actor} />
      <div>
        {entry.revision !== undefined && <b>r{entry.revision}</b>} {alone ? `${NameOf(actor)} ` : said}
        {alone && <Tags added={added} removed={removed} />}
        {marks.length > 0 && (
          <span className="df">
            {marks.map((mark, place) =>
              mark.kind === "same" ? (
                <Fragment key={place}>{mark.text}</Fragment>
              ) : (
                <Fragment key={place}>
                  {place > 0 && marks[place - 1]?.kind === "disp" && mark.kind === "head" ? " " : ""}
                  <mark className={mark.kind}>{mark.text}</mark>
                </Fragment>
              ),
            )}
          </span>
        )}
        {!alone && added.length + removed.length > 0 && (
          <span className="df">
            <Tags added={added} removed={removed} />
          </span>
        )}
        {entry.decision !== undefined && <span className="df">{texts.history.quote(entry.decision)}</span>}
      </div>
      <span className="hist-end">
        {proposal !== undefined && (
          <button type="button" className="link" aria-label={`${texts.proposals.erase}: ${said}`} onClick={() => erase(proposal)}>
            {texts.proposals.erase}
          </button>
        )}
        {entry.undoable && (
          <button type="button" className="link" aria-label={`${texts.app.undo}: ${said}`} onClick={undo}>
            {texts.app.undo}
          </button>
        )}
        <time dateTime={entry.at}>{dayAndClock(entry.at, now)}</time>
      </span>
    </li>
  );
}

/** Which tags came, and which went. */
function Tags({ added, removed }: { added: readonly string[]; removed: readonly string[] }) {
  const t = texts.history;
  const named = (of: readonly string[]) =>
    of.map((tag, i) => (
      <Fragment key={tag}>
        {i > 0 && ", "}
        <code>{visible(tag)}</code>
      </Fragment>
    ));
  return (
    <>
      {added.length > 0 && (
        <>
          {t.tagsAdded(added.length)} {named(added)}
        </>
      )}
      {added.length > 0 && removed.length > 0 && t.and}
      {removed.length > 0 && (
        <>
          {t.tagsRemoved(removed.length)} {named(removed)}
        </>
      )}
    </>
  );
}
