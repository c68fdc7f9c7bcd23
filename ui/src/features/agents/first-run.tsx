import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";
import { acts } from "../../api/acts";
import { answer, client as api } from "../../api/client";
import { queries } from "../../api/queries";
import type { BrainRow, ClientView } from "../../api/types";
import { AgentTile } from "../../shared/agent";
import { announce } from "../../shared/announce";
import { describe, Failure } from "../../shared/failure";
import { Icon, Logo } from "../../shared/icons";
import { Key, useKeys } from "../../shared/keyboard";
import { Loading } from "../../shared/later";
import { useNow } from "../../shared/now";
import { Segments } from "../../shared/segments";
import { dayAndClock } from "../../shared/time";
import { texts } from "../../texts";
import { Problem } from "./grants";
import { fileName, lineSums } from "./model";
import { ByHand, Diff } from "./plan";
import { Rules } from "./rules";
import { type Shown, usePlan } from "./use-plan";
import "./first-run.css";

const t = texts.agents.first;
type At = "connect" | "prove" | "write";
const STEPS: readonly At[] = ["connect", "prove", "write"];

/**
 * The first thing that a person sees: the clients that are here, connected with what was shown; then each one's call as it
 * arrives; then the first fact. `begun` is called before anything is done: the page stays until it is left, whatever is connected meanwhile.
 */
export function FirstRun({ begun, leave }: { begun: () => void; leave: () => void }) {
  const [at, setAt] = useState<At>("connect");
  const [made, setMade] = useState<readonly string[]>([]);
  const [failed, setFailed] = useState<readonly string[]>([]);
  const head = useRef<HTMLHeadingElement>(null);
  const first = useRef(true);
  useEffect(() => {
    // The next step begins at its head, for eyes and ears alike.
    if (first.current) first.current = false;
    else head.current?.focus({ preventScroll: true });
  }, [at]);
  return (
    <div className="first">
      <section className="intro" aria-label={t.title}>
        <Logo />
        <h2>{t.title}</h2>
        <p>{t.says}</p>
        <ol className="steps">
          {t.steps.map(([name, says], i) => (
            <li key={name} aria-current={STEPS[i] === at ? "step" : undefined} className={i < STEPS.indexOf(at) ? "past" : undefined}>
              <b>{name}</b>
              <span>{says}</span>
            </li>
          ))}
        </ol>
        <p className="meta foot">{t.local}</p>
      </section>
      {at === "connect" ? (
        <Connect
          headRef={head}
          leave={leave}
          begun={begun}
          done={(names, problems) => {
            setMade(names);
            setFailed(problems);
            setAt("prove");
          }}
        />
      ) : at === "prove" ? (
        <Prove headRef={head} made={made} failed={failed} next={() => setAt("write")} leave={leave} />
      ) : (
        <Write headRef={head} leave={leave} />
      )}
    </div>
  );
}

function Work({ title, says, headRef, children, foot }: { title: string; says: string; headRef: React.RefObject<HTMLHeadingElement | null>; children: ReactNode; foot: ReactNode }) {
  return (
    <div className="work">
      <div className="scroll" tabIndex={0} role="region" aria-label={title}>
        <header>
          <h2 ref={headRef} tabIndex={-1}>
            {title}
          </h2>
          <p className="meta">{says}</p>
        </header>
        {children}
      </div>
      <footer>{foot}</footer>
    </div>
  );
}

// Connect

function Connect({
  headRef,
  leave,
  begun,
  done,
}: {
  headRef: React.RefObject<HTMLHeadingElement | null>;
  leave: () => void;
  begun: () => void;
  done: (names: string[], failed: string[]) => void;
}) {
  const cache = useQueryClient();
  const asked = useQuery(queries.clients());
  const { data: brains } = useQuery(queries.brains());
  const here = useMemo(() => asked.data?.filter((client) => client.state === "found" || client.state === "blocked") ?? [], [asked.data]);
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [makes, setMakes] = useState(true);
  const rows = useRef(new Map<string, Shown>());
  const can = useMemo(() => here.filter((client) => client.state === "found"), [here]);
  // What is shown of each is what is done: of those whose change is not here yet, or cannot be made, none is connected.
  const [rules, setRules] = useState(true);
  const plans = useQueries({ queries: can.map((client) => queries.clientPlan(client.client, "connect", rulesOf(rules))) });
  const told = useQueries({ queries: can.map((client) => queries.clientPlan(client.client, "connect")) });
  const rulesFiles = told.flatMap(({ data }) => (data?.rules?.changes && !data.rules.problem ? [fileName(data.rules.file)] : []));
  const possible = can.filter((_, i) => plans[i]?.data && plans[i].data.problem === undefined);
  const ready = plans.every((plan) => plan.data || plan.isError);
  const wanted = possible.filter((client) => !off.has(client.client));
  const alone = brains !== undefined && !brains.some((brain) => brain.kind === "shared");

  async function connect() {
    if (busy || !ready || wanted.length === 0) return;
    begun();
    setBusy(true);
    setProblem(undefined);
    const [made, failed]: [string[], string[]] = [[], []];
    try {
      // The brain first, so that each client is granted it like any other.
      if (alone && makes) {
        await answer(api.POST("/api/brains", { body: { brain: "shared", name: t.sharedName, kind: "shared", write_policy: "open" } }));
        await cache.invalidateQueries({ queryKey: ["brains"] });
      }
    } catch (error) {
      setProblem(texts.app.refused(describe(error).message));
      setBusy(false);
      return;
    }
    for (const client of wanted) {
      const done = await rows.current.get(client.client)?.carryOut();
      if (done?.reply) made.push(client.client);
      else failed.push(t.failed(client.name, done?.says ?? texts.inbox.notHere));
    }
    setBusy(false);
    if (made.length === 0) return setProblem(failed.join(" "));
    announce(t.connected(made.length));
    done(made, failed);
  }
  useKeys(t.title, [{ keys: ["Enter"], does: t.connectN(wanted.length), run: () => void connect(), when: ready && wanted.length > 0 && !busy }]);

  if (!asked.data)
    return <div className="work">{asked.isError ? <Failure error={asked.error} again={() => void asked.refetch()} /> : <Loading />}</div>;
  const none = here.length === 0;
  return (
    <Work
      headRef={headRef}
      title={none ? t.none : t.found(here.length)}
      says={none ? t.noneSays : t.foundSays}
      foot={
        <>
          {none ? (
            <button type="button" className="btn primary" onClick={() => void asked.refetch()}>
              {texts.agents.look}
            </button>
          ) : (
            <button type="button" className="btn primary" disabled={busy || !ready || wanted.length === 0} onClick={() => void connect()}>
              {busy ? texts.agents.connecting : t.connectN(wanted.length)} <Key of="Enter" />
            </button>
          )}
          <Link className="btn quiet also" to="/agents" search={{ more: "hand" }}>
            {texts.agents.hand.title}
          </Link>
          <button type="button" className="btn quiet right" onClick={leave}>
            {t.skip}
          </button>
        </>
      }
    >
      <Problem text={problem} />
      {rulesFiles.length > 0 && (
        <label className="check first-rules">
          <input type="checkbox" checked={rules} onChange={(event) => setRules(event.target.checked)} />
          <span>
            {t.rules}
            <span className="meta">{t.rulesSay([...new Set(rulesFiles)])}</span>
          </span>
        </label>
      )}
      <ul>
        {here.map((client, i) => (
          <ClientRow
            key={client.client}
            client={client}
            open={i === 0}
            rules={rules}
            on={client.state === "found" && !off.has(client.client)}
            turn={(on) => {
              const next = new Set(off);
              if (on) next.delete(client.client);
              else next.add(client.client);
              setOff(next);
            }}
            hold={(shown) => rows.current.set(client.client, shown)}
          />
        ))}
      </ul>
      {!none && brains && <Brains brains={brains} alone={alone} makes={makes} turn={setMakes} />}
    </Work>
  );
}

/** The rules as a plan is asked for them: left out, as the server offers them. */
const rulesOf = (on: boolean): false | undefined => (on ? undefined : false);

function ClientRow({
  client,
  on,
  turn,
  hold,
  open: opens,
  rules,
}: {
  client: ClientView;
  /** Whether rules files get their text. */
  rules: boolean;
  on: boolean;
  turn: (on: boolean) => void;
  /** Gives what stands on screen to the one act over all rows. */
  hold: (shown: Shown) => void;
  open: boolean;
}) {
  const id = useId();
  const shown = usePlan(client.client, "connect", rulesOf(rules));
  const [open, setOpen] = useState(opens);
  const { plan } = shown;
  const blocked = client.state === "blocked" || plan?.problem !== undefined;
  useEffect(() => {
    hold(shown);
  });
  return (
    <li className="fcl">
      <div className="fcl-head">
        <label>
          <input type="checkbox" checked={on && !blocked} disabled={blocked} aria-describedby={id} onChange={(event) => turn(event.target.checked)} />
          <AgentTile who={{ name: client.client, you: false }} />
          <span className="grow">
            <b>{client.name}</b>
            <span className="meta" id={id}>
              {blocked ? (plan?.problem?.code === "running" ? t.runs : t.blocked(fileName(client.file))) : plan ? t.adds(fileName(client.file), lineSums(plan.diff), plan.effect) : fileName(client.file)}
              {plan?.rules?.changes && !plan.rules.problem && `, ${t.andRules(fileName(plan.rules.file))}`}
            </span>
          </span>
        </label>
        <button type="button" className="link" aria-expanded={open} aria-label={open ? t.hideOf(client.name) : t.showOf(client.name)} onClick={() => setOpen(!open)}>
          {open ? t.hide : t.show}
        </button>
      </div>
      {shown.notice && (
        <p className="notice aging" role="alert">
          {shown.notice}
        </p>
      )}
      {open && plan && (
        <div className="fcl-change">
          {plan.problem ? <ByHand plan={plan} /> : <Diff lines={plan.diff} stay={plan.stay} label={texts.agents.figure(fileName(plan.file))} />}
          {!plan.problem && plan.notes.map((note) => <p key={note} className="meta">{note}</p>)}
          {!plan.problem && <Rules plan={plan} />}
        </div>
      )}
    </li>
  );
}

function Brains({ brains, alone, makes, turn }: { brains: readonly BrainRow[]; alone: boolean; makes: boolean; turn: (on: boolean) => void }) {
  const shared = brains.filter((brain) => brain.kind === "shared");
  return (
    <div className="first-brain">
      <h3>{t.brains}</h3>
      <dl className="facts">
        {brains
          .filter((brain) => brain.kind === "personal")
          .map((brain) => (
            <BrainLine key={brain.brain} icon="lock" name={brain.name} says={t.personal} />
          ))}
        {shared.map((brain) => (
          <BrainLine key={brain.brain} icon="brains" name={brain.name} says={t.shared} />
        ))}
      </dl>
      {alone && (
        <label className="check">
          <input type="checkbox" checked={makes} onChange={(event) => turn(event.target.checked)} />
          <span>
            {t.makeShared}
            <span className="meta">{t.shared}</span>
          </span>
        </label>
      )}
      <p className="meta dim">{t.grantsLater}</p>
    </div>
  );
}

function BrainLine({ icon, name, says }: { icon: "lock" | "brains"; name: string; says: string }) {
  return (
    <>
      <dt>
        <Icon name={icon} className="i i12" />
        <b>{name}</b>
      </dt>
      <dd>{says}</dd>
    </>
  );
}

// See it work

function Prove({
  headRef,
  made,
  failed,
  next,
  leave,
}: {
  headRef: React.RefObject<HTMLHeadingElement | null>;
  made: readonly string[];
  failed: readonly string[];
  next: () => void;
  leave: () => void;
}) {
  const now = useNow();
  const { data } = useQuery(queries.clients());
  const clients = data?.filter((client) => made.includes(client.client)) ?? [];
  const done = clients.filter((client) => client.state === "works").length;
  const all = clients.length > 0 && done === clients.length;
  useEffect(() => {
    if (done > 0) announce(t.proved(done, clients.length));
  }, [done, clients.length]);
  useKeys(t.proofTitle, [{ keys: ["Enter"], does: t.toFact, run: next }]);
  return (
    <Work
      headRef={headRef}
      title={done === 0 ? t.proofTitle : t.proved(done, clients.length)}
      says={all ? t.provedSays : t.proofSays}
      foot={
        <>
          <button type="button" className={all ? "btn primary" : "btn"} onClick={next}>
            {t.toFact} <Key of="Enter" />
          </button>
          <button type="button" className="btn quiet right" onClick={leave}>
            {t.later}
          </button>
        </>
      }
    >
      {failed.map((text) => (
        <p key={text} className="notice aging">
          {text}
        </p>
      ))}
      <ul>
        {clients.map((client) => {
          const works = client.state === "works";
          return (
            <li key={client.client} className={works ? "fcl proves is-done" : "fcl proves"}>
              {works ? <Icon name="check" /> : <i aria-hidden="true" />}
              <AgentTile who={{ name: client.client, you: false }} />
              <span className="grow">
                <b>{client.name}</b>
                <span className="meta">
                  {works && client.last_call !== undefined ? t.called(dayAndClock(client.last_call, now)) : texts.agents.stands(client.state, client.name, client.after, undefined, undefined)}
                </span>
              </span>
            </li>
          );
        })}
      </ul>
    </Work>
  );
}

// Write the first fact

function Write({ headRef, leave }: { headRef: React.RefObject<HTMLHeadingElement | null>; leave: () => void }) {
  const id = useId();
  const cache = useQueryClient();
  const { data: brains } = useQuery(queries.brains());
  const [brain, setBrain] = useState<string>();
  const [topic, setTopic] = useState("");
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [wrote, setWrote] = useState<{ topic: string; brain: string; id: string }>();
  const into = brain ?? brains?.find((one) => one.kind === "shared")?.brain ?? brains?.[0]?.brain;

  async function write() {
    if (busy || into === undefined) return;
    if (topic.trim() === "") return setProblem(texts.brains.form.needTopic);
    if (text.trim() === "") return setProblem(texts.brains.form.needBody);
    setBusy(true);
    setProblem(undefined);
    try {
      const reply = await acts.write({ brain: into, topic: topic.trim(), body: text });
      setWrote({ topic: reply.topic, brain: reply.brain, id: reply.id });
      announce(t.wrote(reply.topic));
      await cache.invalidateQueries();
      headRef.current?.focus({ preventScroll: true });
    } catch (error) {
      setProblem(texts.app.refused(describe(error).message));
    } finally {
      setBusy(false);
    }
  }
  useKeys(t.factTitle, [{ keys: ["Mod+Enter"], does: t.write, run: () => void write(), when: wrote === undefined }]);
  return (
    <Work
      headRef={headRef}
      title={wrote ? t.wroteTitle : t.factTitle}
      says={wrote ? t.wrote(wrote.topic) : t.factSays}
      foot={
        wrote ? (
          <button type="button" className="btn primary" onClick={leave}>
            {t.finish}
          </button>
        ) : (
          <>
            <button type="submit" form={id} className="btn primary" disabled={busy}>
              {busy ? t.writing : t.write} <Key of="Mod+Enter" />
            </button>
            <button type="button" className="btn quiet right" onClick={leave}>
              {t.later}
            </button>
          </>
        )
      }
    >
      {wrote ? (
        <blockquote className="quote">{text}</blockquote>
      ) : (
        <form
          id={id}
          className="fact"
          onSubmit={(event) => {
            event.preventDefault();
            void write();
          }}
        >
          <Problem text={problem} />
          <label htmlFor={`${id}-text`}>{t.factText}</label>
          <textarea
            id={`${id}-text`}
            className="textarea"
            value={text}
            placeholder={t.factExample}
            onChange={(event) => setText(event.target.value)}
          />
          <label htmlFor={`${id}-topic`}>{t.factTopic}</label>
          <input
            id={`${id}-topic`}
            className="input"
            maxLength={200}
            spellCheck={false}
            autoComplete="off"
            value={topic}
            placeholder={t.factTopicExample}
            onChange={(event) => setTopic(event.target.value)}
          />
          {brains && brains.length > 1 && into !== undefined && (
            <>
              <span className="label" id={`${id}-brain`}>
                {t.factBrain}
              </span>
              <Segments
                labelledBy={`${id}-brain`}
                of={brains.map((one) => ({
                  value: one.brain,
                  label: (
                    <>
                      {one.kind === "personal" && <Icon name="lock" className="i i12" />}
                      {one.name}
                    </>
                  ),
                  name: one.name,
                }))}
                chosen={into}
                choose={setBrain}
              />
            </>
          )}
        </form>
      )}
    </Work>
  );
}
