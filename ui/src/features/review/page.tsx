import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { queries } from "../../api/queries";
import { Screen } from "../../shared/screen";
import { NameOf } from "../../shared/agent";
import { announce } from "../../shared/announce";
import { describe, Failure } from "../../shared/failure";
import { Icon, Mark } from "../../shared/icons";
import { Key, useKeys } from "../../shared/keyboard";
import { Loading } from "../../shared/later";
import { useNow } from "../../shared/now";
import { useSeen } from "../../shared/shown";
import { canOpen, openSource } from "../../shared/source";
import { ageDays, longDay } from "../../shared/time";
import { texts } from "../../texts";
import { drafts, useDraftOf } from "../../shared/drafts";
import { isEdit } from "../../shared/unit-draft";
import { titleOf } from "../../shared/fields";
import { Card, CardEditor } from "./card";
import { type Act, type Deck, current, lastUndoable, progress, type Settled } from "./deck";
import "./review.css";
import { useDeck } from "./use-deck";

const MOST_BLOCKS = 24;
const NEXT_SHOWN = 20;

/** Aging and stale units as a deck: one key settles one. */
export function ReviewPage() {
  const t = texts.review;
  const navigate = useNavigate();
  const [editing, setEditing] = useState(false);
  const { deck, dispatch, asked, settle, undo } = useDeck(editing);
  const card = current(deck);
  const { data: brains } = useQuery(queries.brains());
  const client = useQueryClient();
  const unit = useQuery({
    ...queries.unit(card?.id ?? ""),
    enabled: card !== undefined,
    placeholderData: () => (card ? client.getQueryData(queries.peek(card.id).queryKey) : undefined),
  });
  const shown = card && unit.data?.id === card.id ? unit.data : undefined;
  // The unit of the card is gone, or leads to another one: there is nothing to decide about.
  const gone = card && !shown && unit.error && describe(unit.error).code === "unknown_unit" ? "erased" : card && unit.data && !shown ? "joined" : undefined;
  useEffect(() => {
    if (gone) setEditing(false);
  }, [gone]);
  const still = useRef<HTMLButtonElement>(null);
  const onward = useRef<HTMLButtonElement>(null);

  // What this card showed first: a newer revision is shown at once, and said.
  const first = useRef<{ id: string; revision: number }>(undefined);
  if (shown && first.current?.id !== shown.id) first.current = { id: shown.id, revision: shown.revision };
  const newer = shown && first.current && shown.revision > first.current.revision ? shown : undefined;
  const said = newer && t.changedMeanwhile(NameOf(newer.agent), newer.revision);
  useEffect(() => {
    if (said) announce(said);
  }, [said]);

  const seen = useSeen(shown?.id, shown?.revision);
  const blocked = shown?.conflicted || shown?.retired;
  const can = shown !== undefined && !editing;
  const act = (what: Act) => {
    if (!shown || !card) return;
    if (blocked && what !== "later") return;
    // A revision that has just come on screen was not read yet.
    if (!seen()) {
      const message = texts.inbox.justChanged;
      dispatch({ type: "notice", notice: { kind: "moved", card, act: what, message } });
      return announce(message);
    }
    settle(what, shown);
  };

  const edit = () => {
    if (deck.notice?.card.id === card?.id) dispatch({ type: "dismiss_notice" });
    setEditing(true);
  };

  // The focus is where the next decision is: it moves only when what held it is gone.
  const id = card?.id;
  const busy = shown === undefined && gone === undefined;
  useEffect(() => {
    if (editing || id === undefined || busy) return;
    const at = document.activeElement;
    if (!at || at === document.body || !at.isConnected || at.id === "main") {
      // What cannot be pressed takes no focus: a card that is done with has its own way on.
      const to = still.current?.disabled ? onward.current : still.current;
      (to ?? onward.current)?.focus({ preventScroll: true });
    }
  }, [id, editing, busy, gone, blocked]);

  const source = () => void openSource(shown?.content.source);
  const toUnit = () =>
    card &&
    void navigate({
      to: "/brains",
      search: { brain: card.brain, topic: shown?.content.topic ?? card.topic, unit: card.id },
      hash: "history",
    });

  useKeys(t.title, [
    { keys: ["t"], does: t.stillTrue, run: () => act("still_true"), when: can && !blocked },
    { keys: ["c"], does: t.changed, run: edit, when: can && !blocked },
    { keys: ["l"], does: `${t.later}, ${t.laterHint}`, run: () => act("later"), when: can },
    { keys: ["x"], does: t.retire, run: () => act("retired"), when: can && !blocked },
    { keys: ["u"], does: t.does.undo, run: () => undo() },
    { keys: ["o"], does: t.does.source, run: source, when: canOpen(shown?.content.source) },
    { keys: ["h"], does: t.does.history, run: toUnit, when: card !== undefined },
    { keys: ["Escape"], does: t.does.leave, run: () => void navigate({ to: "/inbox" }) },
  ]);

  const [begun] = useDraftOf(drafts.edit({ brain: card?.brain ?? "", unit: card?.id }), isEdit);
  const kept = begun !== undefined && begun.body !== shown?.content.body;
  const at = progress(deck);
  const brain = brains?.find((one) => one.brain === card?.brain);
  const more = card !== undefined || deck.settled.length > 0;
  return (
    <Screen name={t.title}>
      <header className="bar">
        <h1>{t.title}</h1>
        <span className="sub">{t.asks}</span>
        {at.of > 0 && (
          <div className="right">
            <Progress deck={deck} />
            <span className="meta nowrap">{t.at(at.at, at.of)}</span>
          </div>
        )}
      </header>
      <div className={more ? "panes rv" : "panes rv alone"}>
        <section className="pane desk" aria-label={t.title}>
          <div className="scroll">
            {asked.isPending || (!card && deck.waiting > 0) ? (
              <Loading />
            ) : asked.isError && !card ? (
              <Failure error={asked.error} again={() => void asked.refetch()} />
            ) : !card ? (
              <Done n={deck.settled.length} />
            ) : (
              <div className="table">
                {deck.notice && (
                  <div className={deck.notice.kind === "conflicted" ? "notice" : "notice aging"} role="alert">
                    <span className="grow">
                      {deck.notice.message} {deck.notice.body !== undefined && t.textKept}
                    </span>
                    {deck.notice.kind === "conflicted" && (
                      <Link className="link nowrap" to="/conflict/$unit" params={{ unit: deck.notice.card.id }}>
                        {t.openConflict}
                      </Link>
                    )}
                    <button type="button" className="link" onClick={() => dispatch({ type: "dismiss_notice" })}>
                      {t.understood}
                    </button>
                  </div>
                )}
                {unit.isError && !shown && !gone && <Failure error={unit.error} again={() => void unit.refetch()} />}
                <div className="deck">
                  {deck.waiting > 2 && <div className="below u2" />}
                  {deck.waiting > 1 && <div className="below" />}
                  {editing && shown ? (
                    <CardEditor
                      key={card.id}
                      card={card}
                      unit={shown}
                      brain={brain}
                      seen={seen}
                      close={() => setEditing(false)}
                      write={(body) => {
                        setEditing(false);
                        settle("changed", shown, body);
                      }}
                    />
                  ) : gone ? (
                    <article className="card arrive" aria-label={t.title}>
                      <div className="notice aging" role="alert">
                        <span className="grow">{gone === "erased" ? t.goneMeanwhile : t.joinedMeanwhile}</span>
                        {gone === "joined" && unit.data && (
                          <Link className="link nowrap" to="/brains" search={{ brain: unit.data.brain, unit: unit.data.id }}>
                            {t.openJoined}
                          </Link>
                        )}
                        <button ref={onward} type="button" className="link" onClick={() => dispatch({ type: "gone", id: card.id })}>
                          {t.takeNext}
                        </button>
                      </div>
                    </article>
                  ) : (
                    <Card key={card.id} card={card} unit={shown} brain={brain}>
                      {shown?.conflicted ? (
                        <div className="notice">
                          <span className="grow">{t.conflicted(titleOf(shown.content))}</span>
                          <Link className="link nowrap" to="/conflict/$unit" params={{ unit: card.id }}>
                            {t.openConflict}
                          </Link>
                        </div>
                      ) : deck.notice?.card.id === card.id ? undefined : shown &&
                        (shown.retired || shown.freshness === "fresh") ? (
                        <div className="notice ok">
                          <span className="grow">
                            {said} {shown.retired ? t.retiredMeanwhile : t.freshMeanwhile} {kept && t.textKept}
                          </span>
                          <button ref={onward} type="button" className="link" onClick={() => dispatch({ type: "gone", id: card.id })}>
                            {t.takeNext}
                          </button>
                        </div>
                      ) : said ? (
                        <p className="notice aging">{said}</p>
                      ) : kept ? (
                        <p className="notice aging">{t.textKept}</p>
                      ) : undefined}
                    </Card>
                  )}
                </div>
                {!editing && !gone && (
                  <div className="decide" role="group" aria-label={t.decide}>
                    <ActButton
                      refTo={still}
                      primary
                      of="t"
                      name={t.stillTrue}
                      hint={t.stillTrueHint}
                      off={!shown || blocked}
                      run={() => act("still_true")}
                    />
                    <ActButton of="c" name={t.changed} hint={t.changedHint} off={!shown || blocked} run={edit} />
                    <ActButton of="l" name={t.later} hint={t.laterHint} off={!shown} run={() => act("later")} />
                    <ActButton of="x" name={t.retire} hint={t.retireHint} off={!shown || blocked} run={() => act("retired")} />
                  </div>
                )}
              </div>
            )}
          </div>
        </section>
        {more && <Aside deck={deck} undo={undo} />}
      </div>
      <footer className="status">
        {editing && card ? (
          <>
            <span>
              <Key of="Mod+Enter" /> {t.keys.write}
            </span>
            <span className="right">
              <Key of="Escape" /> {t.keys.cancel}
            </span>
          </>
        ) : (
          <>
            {deck.settled.length > 0 && (
              <span>
                <Key of="u" /> {t.keys.undo}
              </span>
            )}
            {card && (
              <>
                {canOpen(shown?.content.source) && (
                  <span>
                    <Key of="o" /> {t.keys.source}
                  </span>
                )}
                <span>
                  <Key of="h" /> {t.keys.history}
                </span>
              </>
            )}
            <LastAct deck={deck} />
            <span className="right">
              <Key of="Escape" /> {t.keys.leave}
            </span>
          </>
        )}
      </footer>
    </Screen>
  );
}

function ActButton({
  of,
  name,
  hint,
  off,
  run,
  primary = false,
  refTo,
}: {
  of: string;
  name: string;
  hint: string;
  off: boolean | undefined;
  run: () => void;
  primary?: boolean;
  refTo?: React.Ref<HTMLButtonElement>;
}) {
  return (
    <button ref={refTo} type="button" className={primary ? "act primary" : "act"} disabled={off} onClick={run}>
      <Key of={of} />
      <b>{name}</b>
      <span>{hint}</span>
    </button>
  );
}

function Progress({ deck }: { deck: Deck }) {
  const { settled, of } = progress(deck);
  const name = texts.review.progress(settled, of);
  if (of > MOST_BLOCKS)
    return (
      <div className="prog-bar" role="img" aria-label={name}>
        <i style={{ width: `${(settled / of) * 100}%` }} />
      </div>
    );
  return (
    <ol className="prog" aria-label={name}>
      {Array.from({ length: of }, (_, place) => {
        const one = deck.settled[place];
        return <li key={place} className={one ? (one.act === "later" ? "l" : "y") : place === settled ? "c" : undefined} />;
      })}
    </ol>
  );
}

/** What was done last, where the pane on the right has no room. */
function LastAct({ deck }: { deck: Deck }) {
  const last = lastUndoable(deck) ?? deck.settled.at(-1);
  return last ? (
    <span className="last-act">
      <span className="clip">{`${texts.review.did[last.act]}: ${titleOf(last.card)}`}</span>
    </span>
  ) : null;
}

function Aside({ deck, undo }: { deck: Deck; undo: (one: Settled) => void }) {
  const t = texts.review;
  const now = useNow();
  const next = deck.cards.slice(1, 1 + NEXT_SHOWN);
  const waiting = Math.max(0, deck.waiting - 1);
  return (
    <aside className="pane next wide" aria-label={t.deck}>
      <div className="scroll" tabIndex={0} role="group" aria-label={t.deck}>
        <h2 className="group">
          <b>{t.settledNow}</b>
          <span className="right">{deck.settled.length}</span>
        </h2>
        {deck.settled.length === 0 && <p className="mini-none">{t.settledNone}</p>}
        <ul className="mini">
          {deck.settled.map((one) => (
            <li key={one.key}>
              <Icon name={one.act === "later" ? "clock" : "check"} className="i ck" />
              <span className="two">
                <span className="clip" title={titleOf(one.card)}>
                  {titleOf(one.card)}
                </span>
                <span className="topic">
                  {one.act === "later" && one.until ? t.laterUntil(longDay(one.until, now)) : t.did[one.act]}
                </span>
              </span>
              {one.state === "undoing" || one.undoWanted ? (
                <span className="topic">{t.undoing}</span>
              ) : one.state === "writing" || one.event !== undefined ? (
                <button type="button" className="link" aria-label={t.undoOf(titleOf(one.card))} onClick={() => undo(one)}>
                  {texts.app.undo}
                </button>
              ) : null}
            </li>
          ))}
        </ul>
        <h2 className="group">
          <b>{t.next}</b>
          <span className="right">{waiting.toLocaleString("en-GB")}</span>
        </h2>
        {next.length === 0 && <p className="mini-none">{current(deck) ? t.nextNone : t.nextNothing}</p>}
        <ul className="mini">
          {next.map((card) => (
            <li key={card.id}>
              <Mark of={card.freshness} />
              <span className="two">
                <span className="clip" title={titleOf(card)}>
                  {titleOf(card)}
                  <span className="vh">, {texts.freshness[card.freshness]}</span>
                </span>
                <span className="topic clip">{card.topic}</span>
              </span>
              <span className="topic">{texts.time.shortDays(ageDays(card.anchor, now))}</span>
            </li>
          ))}
        </ul>
        {waiting > next.length && next.length > 0 && <p className="mini-none">{t.nextMore(waiting - next.length)}</p>}
      </div>
    </aside>
  );
}

function Done({ n }: { n: number }) {
  const t = texts.review;
  const on = useRef<HTMLAnchorElement>(null);
  useEffect(() => on.current?.focus({ preventScroll: true }), []);
  return (
    <div className="none">
      <h2>{n > 0 ? t.done : t.none}</h2>
      <p>{n > 0 ? t.doneHint(n) : t.noneHint}</p>
      <p className="btns">
        <Link ref={on} className="btn" to="/inbox">
          {t.toInbox}
        </Link>
        <Link className="btn quiet" to="/brains" search={{}}>
          {t.toBrains}
        </Link>
      </p>
    </div>
  );
}
