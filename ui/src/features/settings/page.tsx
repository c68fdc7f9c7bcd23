import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { queries } from "../../api/queries";
import type { About, Settings, SettingsInput } from "../../api/types";
import { platform } from "../../platform";
import { describe, Failure, notDone } from "../../shared/failure";
import { Loading } from "../../shared/later";
import { useNow } from "../../shared/now";
import { Screen } from "../../shared/screen";
import { didAct, UndoLine } from "../../shared/undo";
import { texts } from "../../texts";
import { asClock, untilWhen } from "./minutes";
import "./settings.css";
import { settingsActs } from "./settings-acts";
import { TimeField } from "./time-field";

const t = texts.settings;

/** Where the quiet hours and the digest begin when they are first wanted. */
const QUIET = { quiet_from: 22 * 60, quiet_until: 7 * 60 };
const DIGEST = { digest_at: 9 * 60 };

/** Changes some settings, and says what was changed. */
type Change = (input: SettingsInput, said: (now: Settings) => string) => Promise<void>;

/** What the person chose for this computer. Each control acts at once. */
export function SettingsPage() {
  const asked = useQuery(queries.settings());
  const about = useQuery(queries.about());
  const client = useQueryClient();
  const [problem, setProblem] = useState<string>();

  const change: Change = async (input, said) => {
    setProblem(undefined);
    try {
      const now = await settingsActs.change(input);
      client.setQueryData(queries.settings().queryKey, now);
      didAct(said(now));
    } catch (error) {
      // What was chosen is not so: the control shows what stands.
      await client.invalidateQueries({ queryKey: ["settings"] });
      setProblem(notDone(error));
    }
  };

  return (
    <Screen name={t.title}>
      <header className="bar">
        <h1>{t.title}</h1>
        <span className="sub">{t.saved}</span>
      </header>
      <div className="scroll">
        <div className="settings">
          {problem && (
            <p className="notice" role="alert">
              {problem}
            </p>
          )}
          {asked.data ? (
            <Notifications settings={asked.data} change={change} />
          ) : asked.isPending ? (
            <Loading />
          ) : (
            <Failure error={asked.error} again={() => void asked.refetch()} />
          )}
          {platform.desktop && <Login desktop={platform.desktop} tell={setProblem} />}
          {about.data && <Data about={about.data} tell={setProblem} />}
          {about.data && <Server about={about.data} />}
        </div>
      </div>
      <footer className="status">
        <UndoLine />
      </footer>
    </Screen>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className="does">{children}</div>
    </section>
  );
}

/** A switch with its one sentence. What is chosen shows at once, and what stands once it was answered. */
function Switch({
  on,
  name,
  says,
  choose,
  children,
}: {
  on: boolean;
  name: string;
  says?: string;
  choose: (on: boolean) => Promise<void>;
  children?: ReactNode;
}) {
  const id = useId();
  const [wanted, setWanted] = useState<boolean>();
  return (
    <div>
      <label className="check">
        <input
          type="checkbox"
          checked={wanted ?? on}
          aria-describedby={says === undefined ? undefined : id}
          onChange={({ target }) => {
            setWanted(target.checked);
            void choose(target.checked).finally(() => setWanted(undefined));
          }}
        />
        <span>
          <b>{name}</b>
        </span>
      </label>
      {says !== undefined && (
        <p id={id} className="meta under-check says">
          {says}
        </p>
      )}
      {children}
    </div>
  );
}

function Notifications({ settings, change }: { settings: Settings; change: Change }) {
  return (
    <Part title={t.notifications}>
      <Switch
        on={settings.notifications}
        name={t.notify}
        says={platform.desktop ? t.notifySays : `${t.notifySays} ${t.fromTray}`}
        choose={(on) => change({ notifications: on }, () => (on ? t.did.on : t.did.off))}
      />
      {settings.notifications && <Pause settings={settings} change={change} />}
      <Quiet settings={settings} change={change} />
      <Switch
        on={settings.digest_at !== undefined}
        name={t.digest}
        says={t.digestSays}
        choose={(on) => (on ? change(DIGEST, () => t.did.digest(asClock(DIGEST.digest_at))) : change({ clear: ["digest"] }, () => t.did.noDigest))}
      >
        {settings.digest_at !== undefined && (
          <p className="under-check">
            <span aria-hidden="true">{t.at}</span>
            <TimeField
              name={t.digestAt}
              minute={settings.digest_at}
              choose={(minute) => change({ digest_at: minute }, () => t.did.digest(asClock(minute)))}
            />
          </p>
        )}
      </Switch>
      <Brains settings={settings} change={change} />
    </Part>
  );
}

function Pause({ settings, change }: { settings: Settings; change: Change }) {
  const now = useNow();
  const until = settings.paused_until;
  const paused = until !== undefined && Date.parse(until) > now.getTime();
  const saying = (after: Settings) => (after.paused_until ? t.did.paused(untilWhen(after.paused_until, new Date())) : t.did.resumed);
  return (
    <div className="line" role="group" aria-label={t.pause}>
      {paused ? (
        <>
          <span className="mark-paused">{t.pausedUntil(untilWhen(until, now))}</span>
          <button type="button" className="btn" onClick={() => void change({ clear: ["pause"] }, saying)}>
            {t.resume}
          </button>
        </>
      ) : (
        <>
          <span className="named">{t.pause}</span>
          <button type="button" className="btn" onClick={() => void change({ pause: "hour" }, saying)}>
            {t.pauseHour}
          </button>
          <button type="button" className="btn" onClick={() => void change({ pause: "tomorrow" }, saying)}>
            {t.pauseTomorrow}
          </button>
        </>
      )}
    </div>
  );
}

function Quiet({ settings, change }: { settings: Settings; change: Change }) {
  const { quiet_from: from, quiet_until: until } = settings;
  const set = (quiet: { quiet_from: number; quiet_until: number }) =>
    change(quiet, () => t.did.quiet(asClock(quiet.quiet_from), asClock(quiet.quiet_until)));
  return (
    <Switch
      on={from !== undefined}
      name={t.quiet}
      says={t.quietSays}
      choose={(on) => (on ? set(QUIET) : change({ clear: ["quiet"] }, () => t.did.noQuiet))}
    >
      {from !== undefined && until !== undefined && (
        <p className="under-check">
          <span aria-hidden="true">{t.from}</span>
          <TimeField name={t.quietFrom} minute={from} choose={(minute) => set({ quiet_from: minute, quiet_until: until })} />
          <span aria-hidden="true">{t.until}</span>
          <TimeField name={t.quietUntil} minute={until} choose={(minute) => set({ quiet_from: from, quiet_until: minute })} />
        </p>
      )}
    </Switch>
  );
}

function Brains({ settings, change }: { settings: Settings; change: Change }) {
  const { data: brains } = useQuery(queries.brains());
  const id = useId();
  if (!brains?.length) return null;
  return (
    <fieldset aria-describedby={id}>
      <legend>{t.brains}</legend>
      <p id={id} className="meta">
        {t.brainsSays}
      </p>
      {brains.map(({ brain, name }) => (
        <Switch
          key={brain}
          on={!settings.muted.includes(brain)}
          name={name}
          choose={(on) => change(on ? { unmute: brain } : { mute: brain }, () => (on ? t.did.unmuted(name) : t.did.muted(name)))}
        />
      ))}
    </fieldset>
  );
}

function Login({ desktop, tell }: { desktop: NonNullable<typeof platform.desktop>; tell: (problem: string | undefined) => void }) {
  const [starts, setStarts] = useState<boolean>();
  useEffect(() => {
    let gone = false;
    desktop.startsAtLogin().then(
      (now) => {
        if (!gone) setStarts(now);
      },
      (error) => {
        if (!gone) tell(describe(error).message);
      },
    );
    return () => {
      gone = true;
    };
  }, [desktop, tell]);
  async function choose(on: boolean) {
    tell(undefined);
    try {
      await desktop.startAtLogin(on);
      setStarts(on);
      didAct(on ? t.did.login : t.did.noLogin);
    } catch (error) {
      tell(notDone(error));
    }
  }
  return (
    <Part title={t.login}>
      {starts === undefined ? <Loading /> : <Switch on={starts} name={t.loginSwitch} says={t.loginSays} choose={choose} />}
    </Part>
  );
}

function Data({ about, tell }: { about: About; tell: (problem: string | undefined) => void }) {
  const path = useRef<HTMLInputElement>(null);
  async function copy() {
    tell(undefined);
    if (!(await platform.copy(about.data_folder))) {
      // Where a page may not write to the clipboard, the person can.
      path.current?.focus();
      path.current?.select();
      return tell(t.did.notCopied);
    }
    didAct(t.did.copied);
  }
  return (
    <Part title={t.data}>
      <div className="whole">
        <div className="path">
          <input ref={path} className="input" readOnly aria-label={t.data} value={about.data_folder} />
          <button type="button" className="btn" onClick={() => void copy()}>
            {t.copy}
          </button>
        </div>
        <p className="meta hints">{t.dataSays}</p>
      </div>
    </Part>
  );
}

function Server({ about }: { about: About }) {
  return (
    <Part title={t.server}>
      <div>
        <dl className="facts">
          <dt>{t.address}</dt>
          <dd>{about.address ? <code>{about.address}</code> : (about.no_address ?? t.noAddress)}</dd>
          <dt>{t.version}</dt>
          <dd>{about.version}</dd>
        </dl>
        <p className="meta hints">
          <span>{t.addressSays}</span>
          <span>{t.portSays}</span>
        </p>
      </div>
    </Part>
  );
}
