import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { acts } from "../../api/acts";
import { queries } from "../../api/queries";
import type {
  AgingItem,
  ConflictItem,
  ConflictView,
  Content,
  DecisionItem,
  Field,
  InboxItem,
  ProblemItem,
  ProposalItem,
  SideView,
  TrailStep,
} from "../../api/types";
import { AgentTile, nameOf, NameOf } from "../../shared/agent";
import { about, align } from "../../shared/align";
import { drafts, useDraftOf } from "../../shared/drafts";
import { asText, BESIDE_BODY } from "../../shared/fields";
import { Failure } from "../../shared/failure";
import { Key, useKeys } from "../../shared/keyboard";
import { Loading } from "../../shared/later";
import { Markdown } from "../../shared/markdown";
import { Inline, Marked } from "../../shared/marked";
import { visible } from "../../shared/safe-text";
import { RevokeDialog } from "../../shared/revoke";
import { useSeen } from "../../shared/shown";
import { State, stateOf } from "../../shared/state-mark";
import { calendarDays, clockOrDay, dayAndClock, longDay, span } from "../../shared/time";
import { unseenBy } from "../../shared/unseen";
import { isEdit, rest } from "../../shared/unit-draft";
import { Versus } from "../../shared/versus";
import { wordDifference } from "../../shared/words";
import { texts } from "../../texts";
import { PlanView } from "../agents/plan";
import { Rules } from "../agents/rules";
import { usePlan } from "../agents/use-plan";
import type { Perform } from "./page";
import { vouched } from "./row";

const t = texts.inbox;

interface Props<I extends InboxItem> {
  item: I;
  title: string;
  time: Date;
  /** False while the person runs over the list: then nothing is asked for. */
  rests: boolean;
  notice: string | undefined;
  say: (text: string) => void;
  perform: Perform;
  /** Gives the focus back to the list. */
  toList: () => void;
  open: () => void;
}

/** What the selected row is about, and what can be done with it. */
export function Detail(props: Props<InboxItem>) {
  const { item } = props;
  switch (item.kind) {
    case "conflict":
      return <Conflict {...props} item={item} />;
    case "proposal":
      return <Proposal {...props} item={item} />;
    case "decision":
      return <Decision {...props} item={item} />;
    case "problem":
      return <Problem {...props} item={item} />;
    case "aging":
      return <Aging {...props} item={item} />;
  }
}

function Frame({
  title,
  brain,
  topic,
  state,
  notice,
  children,
  foot,
}: {
  title: string;
  brain?: string;
  topic?: string;
  state?: ReactNode;
  notice?: string | undefined;
  children: ReactNode;
  foot: ReactNode;
}) {
  const { data: brains } = useQuery(queries.brains());
  return (
    <article className="pane" aria-label={title}>
      {/* A long text is scrolled by keyboard too. */}
      <div className="scroll detail" tabIndex={0} role="region" aria-label={title}>
        {brain !== undefined && (
          <p className="meta">
            {brains?.find((row) => row.brain === brain)?.name ?? brain}
            {"\u2002/\u2002"}
            {topic}
          </p>
        )}
        <h2 className="detail-title">
          {title} {state}
        </h2>
        {notice && (
          <p className="notice aging" role="alert">
            {notice}
          </p>
        )}
        {children}
      </div>
      <footer className="actions">{foot}</footer>
    </article>
  );
}

function Act({ of, does, run, primary, sign, quiet, opens, disabled }: { of: string; does: string; run: () => void; primary?: boolean; sign?: "d" | "h"; quiet?: boolean; opens?: boolean; disabled?: boolean }) {
  return (
    <button type="button" className={primary ? "btn primary" : opens ? "btn quiet open" : quiet ? "btn quiet" : "btn"} onClick={run} disabled={disabled}>
      {sign && <span className={`sw ${sign}`} />}
      {does} <Key of={of} />
    </button>
  );
}

/**
 * Whether what is pressed may act: `state` of `of` stood on screen whole before. What has just come or moved is not acted
 * on unseen, and that is said.
 */
function useMay(of: string, state: number | undefined, say: (text: string) => void): () => boolean {
  const seen = useSeen(of, state);
  return () => {
    if (seen()) return true;
    say(state === undefined ? t.notHere : t.justChanged);
    return false;
  };
}

// Conflict

function Conflict({ item, title, time, rests, notice, say, perform, open }: Props<ConflictItem>) {
  const navigate = useNavigate();
  const unit = useQuery({ ...queries.unit(item.unit.id), enabled: rests });
  const conflict = unit.data?.conflict;
  // What is on screen is what is acted on: the detail once it is here, else the row.
  const version = conflict?.version ?? item.version;
  const side = conflict?.sides.at(-1)?.revision ?? item.displaced_revision;
  const may = useMay(item.unit.id, conflict?.version, say);
  const resolve = (choice: "keep_head" | "restore") => {
    if (!may()) return;
    void perform(
      item,
      () => acts.resolve({ id: item.unit.id, version, choice, ...(choice === "restore" ? { revision: side } : {}) }),
      choice === "restore" ? t.did.restored(title, side) : t.did.kept(title),
    );
  };
  const merge = () => void navigate({ to: "/conflict/$unit", params: { unit: item.unit.id }, search: { merge: true } });
  useKeys(title, [
    { keys: ["r"], does: t.restore(side), run: () => resolve("restore") },
    { keys: ["k"], does: t.keepHead, run: () => resolve("keep_head") },
    { keys: ["e"], does: t.editMerge, run: merge },
  ]);
  return (
    <Frame
      title={title}
      brain={item.unit.brain}
      topic={item.unit.topic}
      state={<State of="conflict" />}
      notice={notice}
      foot={
        <>
          <Act of="r" does={t.restore(side)} sign="d" run={() => resolve("restore")} />
          <Act of="k" does={t.keepHead} sign="h" run={() => resolve("keep_head")} />
          <Act of="e" does={t.editMerge} run={merge} />
          <Act of="Enter" does={t.open} opens run={open} />
        </>
      }
    >
      {conflict ? <Sides conflict={conflict} time={time} /> : unit.error ? <Failure error={unit.error} again={() => void unit.refetch()} /> : <Loading />}
    </Frame>
  );
}

function Sides({ conflict, time }: { conflict: ConflictView; time: Date }) {
  const { head, sides, trail } = conflict;
  const last = sides[sides.length - 1];
  if (!last) return null;
  return (
    <>
      <p className="story">{storyOf(conflict, last)}</p>
      {sides.length === 1 ? (
        <Pair side={last} head={head} time={time} />
      ) : (
        <>
          {sides.map((side) => (
            <Box key={side.revision} side={side} against={head} as="disp" time={time} />
          ))}
          <Box side={head} against={last} as="head" time={time} />
        </>
      )}
      {trail.length > 0 && (
        <>
          <h3 className="sec">{t.read}</h3>
          <ol className={trail.every((step) => calendarDays(new Date(step.at), time) === 0) ? "trail" : "trail days"}>
            {trail.map((step, i) => (
              <Step key={`${step.at} ${i}`} step={step} time={time} />
            ))}
          </ol>
        </>
      )}
    </>
  );
}

/** Who displaced what without having seen it, and what became the head: that may be a later text, whose writer had seen all. */
function storyOf({ head, sides, displacer: by }: ConflictView, last: SideView): string {
  const unseen = unseenBy(by, sides);
  return t.story(
    NameOf(by.agent),
    by.revision,
    by.retired,
    unseen.length > 1 ? t.unseenMany(unseen) : t.unseenOne(last.revision, nameOf(last.agent), span(last.at, by.at)),
    by.revision === head.revision ? t.headItself(head.revision) : t.headSince(nameOf(head.agent), head.revision, head.retired),
  );
}

function Pair({ side, head, time }: { side: SideView; head: SideView; time: Date }) {
  return (
    <>
      <Box side={side} against={head} as="disp" time={time} />
      <Box side={head} against={side} as="head" time={time} />
    </>
  );
}

/** One side: its first difference whole, the others by name. */
function Box({ side, against, as, time }: { side: SideView; against: SideView; as: "disp" | "head"; time: Date }) {
  const [left, right] = as === "disp" ? [side, against] : [against, side];
  const shown = useMemo(() => summary(left, right), [left, right]);
  const pieces = as === "disp" ? shown.words.left : shown.words.right;
  return (
    <section className={as === "disp" ? "sidebox d" : "sidebox h"}>
      <div className="cap">
        <h3 className={as === "disp" ? "tag-disp" : "tag-head"}>{as === "disp" ? t.side(side.revision) : t.head(side.revision)}</h3>
        <span className="who">
          <AgentTile who={side.agent} /> {NameOf(side.agent)} <time dateTime={side.at}>{clockOrDay(side.at, time)}</time>
        </span>
      </div>
      <p>
        {side.retired ? (
          t.retiredSide
        ) : (
          <>
            {shown.field && <span className="dim">{t.fieldIs(shown.field)}</span>}
            {pieces.length ? <Marked pieces={pieces} as={as} /> : <span className="dim">{t.none}</span>}
          </>
        )}
      </p>
      {shown.others.length > 0 && <p className="more">{t.more(shown.others.length, shown.others)}</p>}
    </section>
  );
}

/** The first difference of two sides with its words marked, and what the others are about. */
function summary(left: SideView, right: SideView) {
  const bodies = left.retired || right.retired ? { parts: [] } : align(left.content.body, right.content.body, 60);
  const texted = bodies.parts.flatMap((part) => (part.same ? [] : [{ left: part.left.join(" ").trim(), right: part.right.join(" ").trim() }]));
  const others = BESIDE_BODY.filter((field) => asText(left.content, field) !== asText(right.content, field));
  const named = others.map((field) => texts.fields[field]?.toLowerCase() ?? field);
  const first = texted[0];
  if (first) {
    const names = texted.slice(1, 4).map((part) => (about(part.left, part.right) ?? texts.fields.body ?? "").toLowerCase());
    const more = texted.length > 4 ? [t.andMore(texted.length - 4).trim()] : [];
    return { words: wordDifference(cut(first.left), cut(first.right)), field: undefined, others: [...names, ...more, ...named] };
  }
  const field = others[0];
  if (!field) return { words: wordDifference(cut(left.content.body), cut(right.content.body)), field: undefined, others: [] };
  return {
    words: wordDifference(asText(left.content, field), asText(right.content, field)),
    field: texts.fields[field],
    others: named.slice(1),
  };
}

function cut(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}

function Step({ step, time }: { step: TrailStep; time: Date }) {
  const acted = step.what !== "read";
  const words = `${t.steps[step.what]} ${t.revision(step.revision)}`;
  return (
    <li>
      <time dateTime={step.at}>{clockOrDay(step.at, time)}</time>
      <AgentTile who={step.agent} />
      <span className="clip">
        <span className="vh">{NameOf(step.agent)} </span>
        {acted ? <b>{words}</b> : words}
        {step.source && (
          <>
            {t.from}
            <Inline text={step.source} />
          </>
        )}
        {step.told && t.told}
      </span>
    </li>
  );
}

// A fact that aged

function Aging({ item, title, time, rests, notice, say, perform, toList, open }: Props<AgingItem>) {
  const { data: unit, error, refetch } = useQuery({ ...queries.unit(item.unit.id), enabled: rests });
  const revision = unit?.revision ?? item.unit.revision;
  const may = useMay(item.unit.id, unit?.revision, say);
  // A draft names the revision that it was begun from: what was written since is shown before it is written over.
  const [draft, setDraft] = useDraftOf(drafts.edit({ brain: item.unit.brain, unit: item.unit.id }), isEdit);
  const [wanted, setWanted] = useState(false);
  const editing = draft !== undefined && wanted;
  const moved = editing && unit !== undefined && unit.revision !== draft.base;
  const writes = moved ? t.writeOver(revision) : t.write(revision + 1);
  // Leaving keeps what was typed, to go on with it or to throw it away. What was not changed is nothing.
  const leave = () => {
    setWanted(false);
    if (draft && unit && draft.body === unit.content.body) setDraft(rest(draft, unit.content, unit.revision));
    toList();
  };
  const act = (run: () => ReturnType<typeof acts.later | typeof acts.confirm | typeof acts.retire>, said: Parameters<Perform>[2]) => {
    if (!may()) return;
    void perform(item, run, said);
  };
  const still = () => act(() => acts.confirm({ id: item.unit.id, revision, verdict: "still_true" }), t.did.confirmed(title));
  const later = () => act(() => acts.later({ id: item.unit.id }), t.did.later(title));
  const retire = () => act(() => acts.retire({ id: item.unit.id, base_revision: revision }), (outcome) =>
      outcome === "conflicted" ? t.did.retireConflict(title) : t.did.retired(title),
    );
  const edit = () => {
    if (!unit) return;
    setWanted(true);
    setDraft(draft ?? { body: unit.content.body, base: unit.revision });
  };
  const write = () => {
    if (draft === undefined || draft.body.trim() === "" || !may()) return;
    void perform(item, () => acts.confirm({ id: item.unit.id, revision, verdict: "changed", body: draft.body }), t.did.changed(title)).then(
      (done) => done && setDraft(unit && rest(draft, { ...unit.content, body: draft.body }, revision + 1)),
    );
  };
  useKeys(title, [
    { keys: ["t"], does: t.stillTrue, run: still, when: !editing },
    { keys: ["c"], does: t.changed, run: edit, when: !editing },
    { keys: ["l"], does: t.later, run: later, when: !editing },
    { keys: ["x"], does: t.retire, run: retire, when: !editing },
    { keys: ["Mod+Enter"], does: writes, run: write, when: editing },
    { keys: ["Escape"], does: texts.app.cancel, run: leave, when: editing },
  ]);
  return (
    <Frame
      title={title}
      brain={item.unit.brain}
      topic={item.unit.topic}
      state={<State of={stateOf(item.unit)} />}
      notice={notice}
      foot={
        editing ? (
          <>
            <Act of="Mod+Enter" does={writes} primary run={write} disabled={draft.body.trim() === ""} />
            <Act of="Escape" does={texts.app.cancel} quiet run={leave} />
          </>
        ) : (
          <>
            <Act of="t" does={t.stillTrue} primary run={still} />
            <Act of="c" does={t.changed} run={edit} />
            <Act of="l" does={t.later} run={later} />
            <Act of="x" does={t.retire} run={retire} />
            <Act of="Enter" does={t.open} opens run={open} />
          </>
        )
      }
    >
      {draft !== undefined && !editing && draft.body !== unit?.content.body && (
        <Begun goOn={edit} drop={() => (setDraft(unit && rest(draft, unit.content, unit.revision)), toList())} />
      )}
      {moved && (
        <>
          <p className="notice aging" role="alert">
            {t.headMoved(NameOf(unit.agent), unit.revision)}
          </p>
          <Versus mine={draft.body} theirs={unit.content.body} revision={unit.revision} />
        </>
      )}
      {editing ? (
        <Editor label={t.newText} text={draft.body} change={(body) => setDraft({ ...draft, body })} />
      ) : unit ? (
        <div className="body">
          <Markdown text={unit.content.body} />
        </div>
      ) : error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : (
        <p className="body prose">{visible(item.unit.snippet)}</p>
      )}
      <dl className="facts sec">
        <dt>{t.age}</dt>
        <dd>{vouched(item.unit, time)}</dd>
        {unit?.content.source && (
          <>
            <dt>{t.askAgain}</dt>
            <dd>
              <Inline text={unit.content.source} />
            </dd>
          </>
        )}
        <dt>{t.writtenBy}</dt>
        <dd>{t.writtenLine(NameOf(item.unit.agent), longDay(item.unit.updated_at, time), item.unit.revision)}</dd>
        <dt>{t.readSince}</dt>
        <dd>{item.reads > 0 ? t.reads(item.reads, item.readers.slice(0, 4).map((name) => nameOf({ name, you: false }))) : t.notRead}</dd>
      </dl>
    </Frame>
  );
}

/** A text that was begun waits: it is offered, and swallows no keys. */
function Begun({ goOn, drop }: { goOn: () => void; drop: () => void }) {
  return (
    <div className="notice aging">
      <span className="grow">{t.begun}</span>
      <button type="button" className="link" onClick={goOn}>
        {t.goOn}
      </button>
      <button type="button" className="link" onClick={drop}>
        {t.throwAway}
      </button>
    </div>
  );
}

/** A text field that takes the focus when it comes, and leaves it to the list when it goes. */
function Editor({ label, text, change }: { label: string; text: string; change: (text: string) => void }) {
  const ref = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const area = ref.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  return (
    <textarea
      ref={ref}
      className="textarea body"
      rows={Math.min(18, Math.max(6, text.split("\n").length + 2))}
      aria-label={label}
      value={text}
      onChange={(event) => change(event.target.value)}
    />
  );
}

// Proposal

function Proposal({ item, title, time, rests, notice, say, perform, toList, open }: Props<ProposalItem>) {
  const client = useQueryClient();
  // What is being settled is not asked for again: it may be gone already.
  const [settling, setSettling] = useState(false);
  const { data: proposal, error, refetch } = useQuery({ ...queries.proposal(item.proposal), enabled: rests && !settling });
  const head = proposal?.head;
  const may = useMay(String(item.proposal), proposal && (head?.revision ?? 0), say);
  // The draft names the head that it was begun beside, 0 where there was none: what stands since is shown before it is written over.
  const [draft, setDraft] = useDraftOf(drafts.proposal({ brain: item.brain, unit: item.unit }, item.proposal), isEdit);
  const [wanted, setWanted] = useState(false);
  const editing = draft !== undefined && wanted;
  const moved = editing && head !== undefined && head.revision !== draft.base;
  const writes = moved ? t.writeOver(head.revision) : t.acceptEdited;
  const leave = () => {
    setWanted(false);
    if (draft?.body === proposal?.content.body) setDraft(undefined);
    toList();
  };
  const edit = () => {
    if (!proposal) return;
    setWanted(true);
    setDraft(draft ?? { body: proposal.content.body, base: head?.revision ?? 0 });
  };
  const accept = (body?: string) => {
    if (settling || !proposal || body?.trim() === "" || !may()) return;
    setSettling(true);
    void perform(
      item,
      () => acts.accept({ id: proposal.id, revision: head?.revision ?? null, ...(body === undefined ? {} : { body }) }),
      t.did.accepted(title),
    ).then((done) => {
      if (done) return setDraft(undefined);
      setSettling(false);
      void client.invalidateQueries({ queryKey: ["proposal", item.proposal] });
    });
  };
  const reject = () => {
    if (settling || !may()) return;
    setSettling(true);
    void perform(item, () => acts.reject({ id: item.proposal }), t.did.rejected(title)).then((done) => {
      if (done) setDraft(undefined);
      else setSettling(false);
    });
  };
  const write = item.what === "write";
  useKeys(title, [
    { keys: ["a"], does: t.accept, run: () => accept(), when: !editing },
    { keys: ["e"], does: t.editAccept, run: edit, when: !editing && write },
    { keys: ["d"], does: t.reject, run: reject, when: !editing },
    { keys: ["Mod+Enter"], does: writes, run: () => accept(draft?.body), when: editing },
    { keys: ["Escape"], does: texts.app.cancel, run: leave, when: editing },
  ]);
  const when = dayAndClock(item.at, time).toLowerCase();
  return (
    <Frame
      title={title}
      brain={item.brain}
      topic={item.topic}
      state={<span className="fr">{item.unit === undefined ? t.newUnit : t.proposal}</span>}
      notice={notice}
      foot={
        editing ? (
          <>
            <Act of="Mod+Enter" does={writes} primary run={() => accept(draft.body)} disabled={draft.body.trim() === ""} />
            <Act of="Escape" does={texts.app.cancel} quiet run={leave} />
          </>
        ) : (
          <>
            <Act of="a" does={t.accept} run={() => accept()} />
            {write && <Act of="e" does={t.editAccept} run={edit} disabled={!proposal} />}
            <Act of="d" does={t.reject} run={reject} />
            {item.unit !== undefined && (
              <>
                <Act of="Enter" does={t.open} opens run={open} />
              </>
            )}
          </>
        )
      }
    >
      <p className="story">
        {item.unit === undefined ? t.proposalNew(NameOf(item.agent), when) : t.proposalStory(NameOf(item.agent), when, item.what)}
      </p>
      {moved ? (
        <>
          <p className="notice aging" role="alert">
            {t.headMoved(NameOf(head.agent), head.revision)}
          </p>
          <Versus mine={draft.body} theirs={head.content.body} revision={head.revision} />
        </>
      ) : (
        proposal?.moved && head && <p className="notice aging">{t.proposalMoved(head.revision)}</p>
      )}
      {draft !== undefined && !editing && write && <Begun goOn={edit} drop={() => (setDraft(undefined), toList())} />}
      {editing ? (
        <Editor label={t.proposedText} text={draft.body} change={(body) => setDraft({ ...draft, body })} />
      ) : proposal ? (
        <Change before={proposal.kind === "retire" ? undefined : head?.content} after={proposal.content} changed={proposal.changed} retires={proposal.kind === "retire"} />
      ) : error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </Frame>
  );
}

/** What a proposal changes: each difference with what stands and what would stand. A new unit is shown as it would be. */
function Change({ before, after, changed, retires }: { before: Content | undefined; after: Content; changed: Field[]; retires: boolean }) {
  const parts = useMemo(() => (before ? align(before.body, after.body, 60).parts : []), [before, after]);
  if (!before || retires) {
    return (
      <>
        <div className="body">
          <Markdown text={after.body} />
        </div>
        <Facts content={after} />
      </>
    );
  }
  const fields = BESIDE_BODY.filter((field) => changed.includes(field) && asText(before, field) !== asText(after, field));
  return (
    <div className="change">
      {parts.map((part, i) =>
        part.same ? (
          <p key={i} className="same">
            {part.lines.filter(Boolean).length > 2 ? `${part.lines[0]} … ${part.lines.filter(Boolean).at(-1)}` : part.lines.join(" ")}
          </p>
        ) : (
          <BeforeAndAfter key={i} before={part.left.join("\n").trim()} after={part.right.join("\n").trim()} />
        ),
      )}
      {fields.map((field) => (
        <BeforeAndAfter key={field} name={texts.fields[field]} before={asText(before, field)} after={asText(after, field)} />
      ))}
    </div>
  );
}

function BeforeAndAfter({ name, before, after }: { name?: string | undefined; before: string; after: string }) {
  const words = useMemo(() => wordDifference(before, after), [before, after]);
  return (
    <div className="pair">
      {before !== "" && (
        <p className="was">
          <span className="vh">{t.stands}: </span>
          {name && <span className="dim">{t.fieldIs(name)}</span>}
          <Marked pieces={words.left} as="disp" />
        </p>
      )}
      {after !== "" && (
        <p className="will">
          <span className="vh">{t.proposed}: </span>
          {name && <span className="dim">{t.fieldIs(name)}</span>}
          <Marked pieces={words.right} as="head" />
        </p>
      )}
    </div>
  );
}

function Facts({ content }: { content: Content }) {
  return (
    <dl className="facts sec">
      {BESIDE_BODY.filter((field) => asText(content, field) !== "").map((field) => (
        <div key={field} className="fact">
          <dt>{texts.fields[field]}</dt>
          <dd>
            <Inline text={asText(content, field)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

// Settled in the person's name

function Decision({ item, title, time, rests, notice, say, perform, open }: Props<DecisionItem>) {
  const { data: unit, error, refetch } = useQuery({ ...queries.unit(item.unit.id), enabled: rests });
  const may = useMay(item.unit.id, unit?.revision, say);
  const undo = () => may() && void perform(item, () => acts.undo(item.event), t.did.undone(title));
  const away = () => may() && void perform(item, () => acts.dismiss(item.event), t.did.putAway(title));
  useKeys(title, [
    { keys: ["z"], does: t.keys.undoIt, run: undo },
    { keys: ["d"], does: t.keys.putAway, run: away },
  ]);
  return (
    <Frame
      title={title}
      brain={item.unit.brain}
      topic={item.unit.topic}
      state={<State of={stateOf(item.unit)} />}
      notice={notice}
      foot={
        <>
          <Act of="z" does={t.undoIt} run={undo} />
          <Act of="d" does={t.putAway} run={away} />
          <Act of="Enter" does={t.open} opens run={open} />
        </>
      }
    >
      <p className="story">
        {t.decisionStory(item.act, NameOf(item.agent), dayAndClock(item.at, time).toLowerCase(), item.decision !== undefined)}
      </p>
      {item.decision !== undefined && <blockquote className="quote">{visible(item.decision)}</blockquote>}
      <h3 className="sec">{t.decisionNow}</h3>
      {unit ? (
        <Markdown text={unit.content.body} />
      ) : error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : (
        <p className="prose">{visible(item.unit.snippet)}</p>
      )}
    </Frame>
  );
}

function Problem(props: Props<ProblemItem>) {
  const { client } = props.item;
  return client === undefined ? <Newcomer {...props} /> : <LostClient {...props} client={client} />;
}

/** A connection that was not here before: known or not, the person says. */
function Newcomer({ item, title, notice, say, perform, open }: Props<ProblemItem>) {
  const { connection } = item;
  const may = useMay(String(item.event), item.event, say);
  const [asking, setAsking] = useState(false);
  const away = () => may() && void perform(item, () => acts.dismiss(item.event), t.did.putAway(title));
  // A revoked connection is no problem any more.
  const revoke = async (name: string) => {
    setAsking(false);
    await perform(item, () => acts.revoke(name).then(() => ({ outcome: "revoked" })), t.did.revoked(nameOf({ name, you: false })));
  };
  useKeys(title, [
    { keys: ["d"], does: t.keys.putAway, run: away },
    { keys: ["x"], does: t.keys.revoke, run: () => setAsking(true), when: connection !== undefined },
  ]);
  return (
    <Frame
      title={title}
      state={<span className="fr">{t.problem}</span>}
      notice={notice}
      foot={
        <>
          <Act of="d" does={t.putAway} run={away} />
          {connection !== undefined && <Act of="x" does={t.revokeAsks(nameOf({ name: connection, you: false }))} run={() => setAsking(true)} />}
          {connection !== undefined && <Act of="Enter" does={t.openInAgents} opens run={open} />}
        </>
      }
    >
      <p className="prose">{visible(item.message)}</p>
      {asking && connection !== undefined && <RevokeDialog connection={connection} revoke={() => revoke(connection)} close={() => setAsking(false)} />}
    </Frame>
  );
}

/** A client whose entry is gone or starts something else: the exact change that mends it, and one key that makes it. */
function LostClient({ item, client, title, notice, say, perform, open }: Props<ProblemItem> & { client: string }) {
  const may = useMay(String(item.event), item.event, say);
  const shown = usePlan(client, "connect");
  const { plan } = shown;
  const can = plan !== undefined && plan.problem === undefined && !shown.busy;
  const does = item.code === "client_gone" ? texts.agents.mend : texts.agents.repair;
  const mend = () => {
    if (!can) return;
    const act = async () => {
      const { reply, says } = await shown.carryOut();
      return reply ? { outcome: "mended" } : { outcome: "moved", says };
    };
    void perform(item, act, texts.agents.did.connected(plan.name, plan.after));
  };
  const away = () => may() && void perform(item, () => acts.dismiss(item.event), t.did.putAway(title));
  useKeys(title, [
    { keys: ["r"], does: t.keys.mend, run: mend, when: can },
    { keys: ["d"], does: t.keys.putAway, run: away },
  ]);
  return (
    <Frame
      title={title}
      state={<span className="fr">{t.problem}</span>}
      notice={notice}
      foot={
        <>
          <Act of="r" does={shown.busy ? texts.agents.connecting : does} primary run={mend} disabled={!can} />
          <Act of="d" does={t.putAway} run={away} />
          <Act of="Enter" does={t.openInAgents} opens run={open} />
        </>
      }
    >
      <p className="story">{visible(item.message)}</p>
      {plan ? (
        <div className="mends">
          <PlanView plan={plan} />
          {!plan.problem && plan.rules?.changes && <Rules plan={plan} />}
        </div>
      ) : shown.error ? (
        <Failure error={shown.error} again={shown.again} />
      ) : (
        <Loading />
      )}
    </Frame>
  );
}
