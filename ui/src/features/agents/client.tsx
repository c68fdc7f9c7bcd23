import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { BrainRow, ClientPlan, ClientView, ConnectBy, ConnectionRow, Grant } from "../../api/types";
import { AgentTile } from "../../shared/agent";
import { announce } from "../../shared/announce";
import { Dialog } from "../../shared/dialog";
import { Failure } from "../../shared/failure";
import { Key, useKeys } from "../../shared/keyboard";
import { Loading } from "../../shared/later";
import { agoInWords, dayAndClockWithin, longDay } from "../../shared/time";
import { didFinally } from "../../shared/undo";
import { texts } from "../../texts";
import { GrantRows, GrantTable } from "./grants";
import { Last } from "./last";
import { connected, fileName, mendable, waitsLong } from "./model";
import { ByHand, CopyInstead, PlanView } from "./plan";
import { Proof } from "./proof";
import { Rules } from "./rules";
import { type Shown, usePlan } from "./use-plan";

const t = texts.agents;

/** The frame of what is chosen: its name, sections with their name at the side, and what can be done at the foot. */
export function Frame({
  who,
  title,
  says,
  tone,
  acts,
  children,
  foot,
}: {
  who?: { name: string; you: boolean };
  title: string;
  says?: ReactNode;
  tone?: "wrong";
  acts?: ReactNode;
  children: ReactNode;
  foot?: ReactNode;
}) {
  return (
    <article className="pane" aria-label={title}>
      <div className="scroll ab" tabIndex={0} role="region" aria-label={title}>
        <header className="ahead">
          {who && <AgentTile who={who} large />}
          <div className="grow">
            <h2>{title}</h2>
            {says && <p className={tone ? `meta ${tone}` : "meta"}>{says}</p>}
          </div>
          {acts}
        </header>
        {children}
      </div>
      {foot && <footer className="afoot">{foot}</footer>}
    </article>
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <div>{children}</div>
    </section>
  );
}

/** A client of this computer: what connecting it would change, or how it stands. */
export function ClientDetail({
  client,
  connection,
  brains,
  now,
  revoke,
}: {
  client: ClientView;
  connection: ConnectionRow | undefined;
  brains: readonly BrainRow[];
  now: Date;
  revoke: (connection: string) => void;
}) {
  const who = { name: client.client, you: false };
  const called = client.last_call && agoInWords(client.last_call, now);
  const says = t.stands(client.state, client.name, client.after, called, client.connected_at && longDay(client.connected_at, now));
  useTold(client);
  useKept(client.state);
  if (connected(client))
    return (
      <Connected client={client} who={who} says={says} connection={connection} brains={brains} now={now} revoke={revoke} />
    );
  return <ToConnect client={client} who={who} says={says} connection={connection} brains={brains} now={now} />;
}

/** Tells a screen reader when a client that waited has called. */
function useTold(client: ClientView): void {
  const before = useRef<{ client: string; state: string }>(undefined);
  useEffect(() => {
    if (before.current?.client === client.client && before.current.state === "waiting" && client.state === "works") announce(t.did.works(client.name));
    before.current = { client: client.client, state: client.state };
  }, [client]);
}

/** What had the focus may go with the state: then the page that took its place has it. */
function useKept(state: string): void {
  const before = useRef(state);
  useEffect(() => {
    if (before.current === state) return;
    before.current = state;
    if (document.activeElement === document.body) document.querySelector<HTMLElement>(".agp .ab")?.focus({ preventScroll: true });
  }, [state]);
}

function ToConnect({
  client,
  who,
  says,
  connection,
  brains,
  now,
}: {
  client: ClientView;
  who: { name: string; you: boolean };
  says: string;
  connection: ConnectionRow | undefined;
  brains: readonly BrainRow[];
  now: Date;
}) {
  const [rules, setRules] = useState<boolean>();
  const [grants, setGrants] = useState<Readonly<Record<string, Grant>>>({});
  const [by, setBy] = useState<ConnectBy>();
  const shown = usePlan(client.client, "connect", rules, by);
  const { plan } = shown;
  const mends = mendable(client);
  const does = { gone: t.mend, outdated: t.repair, revoked: t.reconnect }[client.state as string] ?? t.connect;
  const can = plan !== undefined && plan.problem === undefined && !shown.busy && !shown.loads;
  const connect = async () => {
    const { reply } = await shown.carryOut(grants);
    if (reply) didFinally(reply.outcome === "unchanged" ? t.did.nothing(client.name) : t.did.connected(client.name, reply.plan.after));
  };
  useKeys(client.name, [{ keys: ["Enter"], does, run: () => void connect(), when: can }]);
  // Its file held our entry before it broke: there is nothing to add to it.
  const entered = client.state === "blocked" && client.connected_at !== undefined;
  const title = client.state === "absent" ? client.name : mends || entered ? t.mendTitle(client.name) : t.connectTitle(client.name);
  if (client.state === "absent")
    return (
      <Frame who={who} title={title} says={says}>
        <Section title={t.byHand}>
          <p className="meta before">{t.notInstalled(client.name)}</p>
          {plan ? <ByHand plan={plan} /> : <Loading />}
        </Section>
      </Frame>
    );
  return (
    <Frame
      who={who}
      title={title}
      says={says}
      {...(mends || client.state === "blocked" ? { tone: "wrong" as const } : {})}
      foot={
        plan?.problem === undefined && (plan || client.state !== "blocked") ? (
          <>
            <button key="connect" type="button" className="btn primary" disabled={!can} onClick={() => void connect()}>
              {shown.busy ? t.connecting : does} <Key of="Enter" />
            </button>
            {plan && plan.way.way !== "bundle" && <CopyInstead plan={plan} />}
          </>
        ) : (
          <button key="again" type="button" className="btn" onClick={shown.again}>
            {t.again}
          </button>
        )
      }
    >
      {client.other_store !== undefined && <p className="notice aging other-store">{t.otherStore(client.other_store)}</p>}
      <Change shown={shown} entered={entered}>{plan && !plan.problem && <Rules plan={plan} turn={setRules} {...(rules === undefined ? {} : { on: rules })} />}</Change>
      {plan?.other && <OtherWay name={client.name} other={plan.other} take={setBy} />}
      {plan && !plan.problem && <GrantsThen plan={plan} brains={brains} chosen={grants} choose={(brain, grant) => setGrants({ ...grants, [brain]: grant })} />}
      {!plan?.problem && (
        <Section title={t.proof.title}>
          <Proof client={plan ? { ...client, by: plan.way.way === "bundle" ? "bundle" : "file", after: plan.after } : client} connection={connection} brains={brains} now={now} />
        </Section>
      )}
    </Frame>
  );
}

/** By what else it can be connected. */
function OtherWay({ name, other, take }: { name: string; other: ConnectBy; take: (by: ConnectBy) => void }) {
  return (
    <Section title={t.bundle.other}>
      <p className="meta before">{other === "bundle" ? t.bundle.offer(name) : t.bundle.fileOffer(name)}</p>
      <button type="button" className="btn" onClick={() => take(other)}>
        {other === "bundle" ? t.bundle.take(name) : t.bundle.takeFile}
      </button>
    </Section>
  );
}

/** What the client may do from its first call on. Nothing of it holds before it is connected. */
function GrantsThen({
  plan,
  brains,
  chosen,
  choose,
}: {
  plan: ClientPlan;
  brains: readonly BrainRow[];
  chosen: Readonly<Record<string, Grant>>;
  choose: (brain: string, grant: Grant) => void;
}) {
  const { grants } = plan;
  if (!grants) return null;
  return (
    <Section title={t.grants.title}>
      <GrantTable
        name={plan.name}
        brains={brains.filter((brain) => grants[brain.brain] !== undefined)}
        of={(brain) => chosen[brain.brain] ?? grants[brain.brain] ?? "none"}
        choose={(brain, grant) => choose(brain.brain, grant)}
      />
      <p className="meta dim">{t.grants.firstSays}</p>
    </Section>
  );
}

/** The exact change, and why nothing was done the last time. */
function Change({ shown, entered, children }: { shown: Shown; /** Whether the entry stands in the file already. */ entered: boolean; children?: ReactNode }) {
  const { plan, error, notice } = shown;
  return (
    <Section title={entered ? t.changeMade : plan?.problem && plan.problem.code !== "running" ? t.byHand : t.change}>
      {notice && (
        <p className="notice aging" role="alert">
          {notice}
        </p>
      )}
      {plan ? (
        <>
          <PlanView plan={plan} entered={entered} />
          {children}
        </>
      ) : error ? (
        <Failure error={error} again={shown.again} />
      ) : (
        <Loading />
      )}
    </Section>
  );
}

function Connected({
  client,
  who,
  says,
  connection,
  brains,
  now,
  revoke,
}: {
  client: ClientView;
  who: { name: string; you: boolean };
  says: string;
  connection: ConnectionRow | undefined;
  brains: readonly BrainRow[];
  now: Date;
  revoke: (connection: string) => void;
}) {
  const [asking, setAsking] = useState(false);
  useKeys(client.name, [{ keys: ["d"], does: t.keys.disconnect, run: () => setAsking(true) }]);
  return (
    <Frame
      who={who}
      title={client.name}
      says={says}
      acts={
        <button type="button" className="btn danger" onClick={() => setAsking(true)}>
          {t.disconnectAsks} <Key of="d" />
        </button>
      }
    >
      <Section title={t.proof.title}>
        <Proof client={client} connection={connection} brains={brains} now={now} />
      </Section>
      {waitsLong(client, now) && (
        <Section title={t.late.title}>
          <p className="meta before">{t.late.says}</p>
          <ul className="plain">
            {t.late.list(client.name, client.after).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Section>
      )}
      {client.rules && <RulesOf client={client} rules={client.rules} />}
      <Section title={client.by === "bundle" ? t.bundle.title : t.changeMade}>
        <p className="meta entry">
          <code className="path">{client.file}</code>
          {client.connected_at && ` ${t.connectedAt(dayAndClockWithin(client.connected_at, now))}`}
        </p>
        {client.state === "waiting" && client.after === "install" && <OpenAgain client={client} />}
      </Section>
      {connection && (
        <>
          <Section title={t.grants.title}>
            <GrantRows row={connection} brains={brains} />
            <p className="meta dim">{t.grants.boundary}</p>
          </Section>
          <Section title={t.last.title}>
            <Last connection={connection} now={now} />
          </Section>
          <Section title={t.grants.revoke}>
            <p className="meta before">{t.revokeHint}</p>
            <button type="button" className="btn danger" onClick={() => revoke(connection.connection)}>
              {t.revoke(client.name)}
            </button>
          </Section>
        </>
      )}
      {asking && <Disconnect client={client} close={() => setAsking(false)} />}
    </Frame>
  );
}

/** The extension, opened again for a client that did not ask, or was told no. */
function OpenAgain({ client }: { client: ClientView }) {
  const { plan, busy, carryOut, notice } = usePlan(client.client, "connect", undefined, "bundle");
  const open = async () => {
    const { reply } = await carryOut();
    if (reply) didFinally(t.bundle.opened(client.name));
  };
  return (
    <>
      <p className="meta before">{t.bundle.notAsked(client.name)}</p>
      {notice && (
        <p className="notice aging" role="alert">
          {notice}
        </p>
      )}
      <button type="button" className="btn" disabled={busy || !plan || plan.problem !== undefined} onClick={() => void open()}>
        {t.bundle.again}
      </button>
    </>
  );
}

/** Whether the client's rules file speaks of OzBrain, and the way to change that. */
function RulesOf({ client, rules }: { client: ClientView; rules: NonNullable<ClientView["rules"]> }) {
  const [asking, setAsking] = useState(false);
  return (
    <Section title={t.rules.title}>
      <p className="meta before">
        {rules.there ? t.rules.there(fileName(rules.file)) : t.rules.notThere(fileName(rules.file))}{" "}
        <button type="button" className="link" onClick={() => setAsking(true)}>
          {rules.there ? t.rules.remove : t.rules.add}
        </button>
      </p>
      {asking && <RulesDialog client={client} to={!rules.there} close={() => setAsking(false)} />}
    </Section>
  );
}

function RulesDialog({ client, to, close }: { client: ClientView; to: boolean; close: () => void }) {
  const shown = usePlan(client.client, "connect", to);
  return (
    <PlanDialog
      shown={shown}
      title={t.rules.addTitle(client.name)}
      says={t.rules.says}
      does={to ? t.rules.addDo : t.rules.removeDo}
      close={close}
      done={() => didFinally(t.rules.did(client.name, to))}
    />
  );
}

/** A plan in a dialog, and the button that carries out exactly that one. */
function PlanDialog({
  shown,
  title,
  says,
  does,
  close,
  done,
  danger = false,
}: {
  shown: Shown;
  title: string;
  says: string;
  does: string;
  close: () => void;
  done: () => void;
  danger?: boolean;
}) {
  const { plan, error, notice, busy, loads } = shown;
  const go = async () => {
    const { reply } = await shown.carryOut();
    if (!reply) return;
    done();
    close();
  };
  return (
    <Dialog
      title={title}
      close={close}
      wide
      foot={
        <>
          <button type="button" className="btn quiet" onClick={close}>
            {texts.app.cancel}
          </button>
          <button type="button" className={danger ? "btn danger" : "btn primary"} disabled={busy || loads || !plan || plan.problem !== undefined} onClick={() => void go()}>
            {busy ? t.connecting : does}
          </button>
        </>
      }
    >
      <p className="meta before">{says}</p>
      {notice && (
        <p className="notice aging" role="alert">
          {notice}
        </p>
      )}
      {plan ? (
        <>
          {(plan.diff.length > 0 || plan.problem || !plan.rules?.changes) && <PlanView plan={plan} />}
          {!plan.problem && <Rules plan={plan} opens={plan.diff.length === 0} />}
        </>
      ) : error ? (
        <Failure error={error} again={shown.again} />
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}

/** Shows what disconnecting changes, and does exactly that. */
function Disconnect({ client, close }: { client: ClientView; close: () => void }) {
  const shown = usePlan(client.client, "disconnect");
  return (
    <PlanDialog
      shown={shown}
      title={t.disconnectTitle(client.name)}
      says={t.disconnectSays(client.name)}
      does={t.disconnect}
      danger
      close={close}
      done={() => didFinally(t.did.disconnected(client.name))}
    />
  );
}
