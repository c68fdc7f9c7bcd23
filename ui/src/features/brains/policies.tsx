import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { queries } from "../../api/queries";
import type { BrainRow } from "../../api/types";
import { AgentTile, nameOf } from "../../shared/agent";
import { Dialog } from "../../shared/dialog";
import { Failure, notDone } from "../../shared/failure";
import { useGrant } from "../../shared/grant";
import { Icon } from "../../shared/icons";
import { inOrder } from "../../shared/in-order";
import { Loading } from "../../shared/later";
import { Segments } from "../../shared/segments";
import { didFinally } from "../../shared/undo";
import { texts } from "../../texts";
import { brainActs } from "./brain-acts";
import { Choices } from "./choices";
import { EraseBrain } from "./erase";
import { another, toDrafts, toRules } from "./freshness-rules";
import { POLICIES } from "./new-brain";
import { TopicField } from "./topic-field";

/** A brain's name, who may write, how its units age, and what each connection may do. Each control acts at once. */
export function Policies({ brain, close, erased }: { brain: BrainRow; close: () => void; erased: (said: readonly string[]) => void }) {
  const t = texts.brains;
  const id = useId();
  const client = useQueryClient();
  const [name, setName] = useState(brain.name);
  const [problem, setProblem] = useState<string>();
  const [erasing, setErasing] = useState(false);
  // A choice shows at once; what the server says then holds.
  const [policy, setPolicy] = useState(brain.write_policy);
  const [run] = useState(inOrder);
  useEffect(() => setName(brain.name), [brain.name]);
  useEffect(() => setPolicy(brain.write_policy), [brain.write_policy]);

  async function change(body: Parameters<typeof brainActs.change>[1]) {
    setProblem(undefined);
    try {
      const row = await run(() => brainActs.change(brain.brain, body));
      await client.invalidateQueries({ queryKey: ["brains"] });
      if (body.freshness) void client.invalidateQueries();
      didFinally(t.did.policy(row.name));
    } catch (error) {
      setPolicy(brain.write_policy);
      setProblem(notDone(error));
    }
  }

  if (erasing) return <EraseBrain brain={brain} close={() => setErasing(false)} erased={erased} />;
  return (
    <Dialog title={t.policiesTitle(brain.name)} close={close} wide>
      <div className="fields policies">
        {problem && (
          <p className="notice" role="alert">
            {problem}
          </p>
        )}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== "" && name.trim() !== brain.name) void change({ name: name.trim() });
          }}
        >
          <label htmlFor={`${id}-name`}>
            {t.brainName} <span className="dim mono">{brain.brain}</span>
          </label>
          <span className="with-button">
            <input
              id={`${id}-name`}
              className="input"
              maxLength={80}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <button type="submit" className="btn" disabled={name.trim() === "" || name.trim() === brain.name}>
              {t.rename}
            </button>
          </span>
        </form>
        {brain.kind === "shared" ? (
          <Choices
            label={t.brainPolicy}
            of={POLICIES}
            chosen={policy}
            choose={(value) => {
              setPolicy(value);
              void change({ write_policy: value });
            }}
            byHand
          />
        ) : (
          <p className="meta">{t.policy.personal}</p>
        )}
        <Rules key={JSON.stringify([brain.freshness, brain.ages])} brain={brain} write={(freshness) => void change({ freshness })} />
        <Grants brain={brain} />
        <p className="last">
          <button type="button" className="btn danger" onClick={() => setErasing(true)}>
            {t.eraseThisBrain}
          </button>
        </p>
      </div>
    </Dialog>
  );
}

function Rules({ brain, write }: { brain: BrainRow; write: (rules: BrainRow["freshness"]) => void }) {
  const t = texts.brains;
  const id = useId();
  const [drafts, setDrafts] = useState(() => toDrafts(brain));
  const [problem, setProblem] = useState<string>();
  const adds = useRef<HTMLButtonElement>(null);
  const { data: rows } = useQuery(queries.topics({ brain: brain.brain }));
  const topics = useMemo(() => rows?.map((row) => row.topic) ?? [], [rows]);
  const set = (place: number, part: Partial<(typeof drafts)[number]>) => {
    setProblem(undefined);
    setDrafts(drafts.map((draft, i) => (i === place ? { ...draft, ...part } : draft)));
  };
  return (
    <form
      aria-labelledby={id}
      onSubmit={(event) => {
        event.preventDefault();
        const read = toRules(drafts, brain);
        if ("problem" in read) setProblem(read.problem);
        else write(read.rules);
      }}
    >
      <h3 id={id}>{t.freshness}</h3>
      <p className="meta dim">{t.freshnessHint}</p>
      <ul className="rules">
        {drafts.map((draft, place) => {
          const name = draft.topic === undefined ? t.wholeBrain : draft.topic || t.ruleTopic;
          return (
            <li key={place}>
              {draft.topic === undefined ? (
                <span className="rule-name">{t.wholeBrain}</span>
              ) : (
                <span className="rule-name">
                  <label className="vh" htmlFor={`${id}-${place}`}>
                    {t.ruleTopic}
                  </label>
                  <TopicField
                    id={`${id}-${place}`}
                    value={draft.topic}
                    change={(topic) => set(place, { topic })}
                    topics={topics}
                  />
                </span>
              )}
              <label>
                {t.ruleAging}{" "}
                <input
                  className="input days"
                  inputMode="numeric"
                  aria-label={`${name}: ${t.ruleAging}, ${t.days}`}
                  disabled={draft.never}
                  value={draft.never ? "" : draft.aging}
                  onChange={(event) => set(place, { aging: event.target.value })}
                />
              </label>
              <label>
                {t.ruleStale}{" "}
                <input
                  className="input days"
                  inputMode="numeric"
                  aria-label={`${name}: ${t.ruleStale}, ${t.days}`}
                  disabled={draft.never}
                  value={draft.never ? "" : draft.stale}
                  onChange={(event) => set(place, { stale: event.target.value })}
                />
              </label>
              <span className="dim">{t.days}</span>
              <label className="never">
                <input type="checkbox" checked={draft.never} onChange={(event) => set(place, { never: event.target.checked })} />{" "}
                {t.ruleNever}
              </label>
              {draft.topic !== undefined && (
                <button
                  type="button"
                  className="btn quiet icon"
                  aria-label={t.removeRule(draft.topic)}
                  onClick={() => {
                    setDrafts(drafts.filter((_, i) => i !== place));
                    adds.current?.focus();
                  }}
                >
                  <Icon name="close" className="i i12" />
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {problem && (
        <p className="notice" role="alert">
          {problem}
        </p>
      )}
      <span className="with-button">
        <button type="submit" className="btn" disabled={JSON.stringify(drafts) === JSON.stringify(toDrafts(brain))}>
          {t.saveRules}
        </button>
        <button type="button" className="btn quiet" ref={adds} onClick={() => setDrafts([...drafts, another(brain)])}>
          <Icon name="plus" className="i i12" /> {t.addRule}
        </button>
      </span>
    </form>
  );
}

function Grants({ brain }: { brain: BrainRow }) {
  const t = texts.brains;
  const asked = useQuery(queries.connections());
  const { grant, problem } = useGrant();
  const standing = asked.data?.filter((row) => row.revoked_at === undefined);
  return (
    <section aria-label={t.grants}>
      <h3>{t.grants}</h3>
      <p className="meta dim">{t.grantsHint}</p>
      {problem && (
        <p className="notice" role="alert">
          {problem}
        </p>
      )}
      {asked.isPending ? (
        <Loading />
      ) : !standing ? (
        <Failure error={asked.error} again={() => void asked.refetch()} />
      ) : standing.length === 0 ? (
        <p className="meta dim">{t.noConnections}</p>
      ) : (
        <ul className="grants">
          {standing.map((row) => {
            const who = { name: row.connection, you: false };
            const now = row.grants[brain.brain] ?? "none";
            return (
              <li key={row.connection}>
                <AgentTile who={who} />
                <span className="clip grow">{nameOf(who)}</span>
                {brain.kind === "shared" && brain.write_policy === "owners" && (
                  <label className="never">
                    <input
                      type="checkbox"
                      checked={row.owner.includes(brain.brain)}
                      aria-label={t.ownerOf(nameOf(who))}
                      onChange={(event) => grant(row.connection, brain, now, event.target.checked)}
                    />{" "}
                    {t.owner}
                  </label>
                )}
                <Segments
                  label={t.grantOf(nameOf(who))}
                  of={[
                    { value: "none", label: t.grant.none },
                    { value: "read", label: t.grant.read },
                    { value: "write", label: t.grant.write },
                  ]}
                  chosen={now}
                  choose={(value) => grant(row.connection, brain, value)}
                  byHand
                />
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
