import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { acts } from "../../api/acts";
import { queries } from "../../api/queries";
import type { ConnectionRow } from "../../api/types";
import { describe, Failure } from "../../shared/failure";
import { Loading, useRests } from "../../shared/later";
import { useNow } from "../../shared/now";
import { Segments } from "../../shared/segments";
import { dayAndClockWithin } from "../../shared/time";
import { texts } from "../../texts";
import { Frame, Section } from "./client";
import { CopyBlock } from "./copy-block";
import { Problem } from "./grants";
import { Line } from "./proof";

const t = texts.agents.hand;
/** What the server writes where the key goes. */
const KEY = "OZBRAIN_KEY";

/** A client that OzBrain does not know: what its settings take, over stdio or HTTP. */
export function ByHandPage({ connections }: { connections: readonly ConnectionRow[] }) {
  const id = useId();
  const cache = useQueryClient();
  const now = useNow();
  const [typed, setTyped] = useState<string>(t.example);
  const [how, setHow] = useState<"stdio" | "http">("stdio");
  const [made, setMade] = useState<{ connection: string; key: string }>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const name = typed.trim();
  const rests = useRests(name === "" ? undefined : name, 250);
  const asked = useQuery({ ...queries.snippets(name), enabled: rests && name !== "", placeholderData: (before) => before });
  const here = asked.data?.connection === name ? asked.data : undefined;
  const key = made?.connection === name ? made.key : undefined;
  const row = connections.find((one) => one.connection === name);

  async function make() {
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const { connection, key } = await acts.createConnection(name);
      if (key !== undefined) setMade({ connection, key });
      void cache.invalidateQueries({ queryKey: ["connections"] });
      void cache.invalidateQueries({ queryKey: ["snippets"] });
    } catch (error) {
      setProblem(texts.app.refused(describe(error).message));
    } finally {
      setBusy(false);
    }
  }
  const filled = (text: string) => (key === undefined ? text : text.replaceAll(KEY, key));
  return (
    <Frame title={t.title} says={t.says}>
      <Section title={t.name}>
        <label className="vh" htmlFor={id}>
          {t.name}
        </label>
        <input
          id={id}
          className="input name"
          maxLength={80}
          spellCheck={false}
          autoComplete="off"
          value={typed}
          aria-describedby={`${id}-hint`}
          onChange={(event) => setTyped(event.target.value)}
        />
        <p className="meta" id={`${id}-hint`}>
          {row?.last_seen !== undefined ? t.taken : t.nameHint}
        </p>
      </Section>
      <Section title={t.how}>
        <Segments
          label={t.how}
          of={[
            { value: "stdio", label: t.stdio },
            { value: "http", label: t.http },
          ]}
          chosen={how}
          choose={setHow}
        />
        <p className="meta">{how === "stdio" ? t.stdioSays : t.httpSays}</p>
      </Section>
      <Section title={t.lines}>
        {asked.error && !here ? (
          <Failure error={asked.error} again={() => void asked.refetch()} />
        ) : !here ? (
          name === "" ? <p className="meta">{t.needName}</p> : <Loading />
        ) : how === "stdio" ? (
          here.stdio ? (
            <>
              <CopyBlock text={here.stdio.text} label={t.entry} />
              <p className="meta before">{t.orCommand}</p>
              <CopyBlock text={here.stdio.shell} label={t.command} oneLine />
            </>
          ) : (
            <p className="notice aging">{here.stdio_problem}</p>
          )
        ) : !here.http ? (
          <p className="notice aging">{t.noHttp}</p>
        ) : (
          <>
            <Problem text={problem} />
            {key !== undefined ? (
              <p className="notice ok" role="status">
                {t.key}
              </p>
            ) : here.key ? (
              <p className="notice aging">{t.hasKey}</p>
            ) : (
              <p className="btns">
                <button type="button" className="btn" disabled={busy} onClick={() => void make()}>
                  {busy ? t.making : t.make}
                </button>
                <span className="meta">{t.makeSays}</span>
              </p>
            )}
            <p className="meta before">{t.address}</p>
            <CopyBlock text={here.http.url} label={t.address} oneLine />
            <p className="meta before">{t.header}</p>
            <CopyBlock text={filled(here.http.header)} label={t.header} oneLine />
            <p className="meta before">{t.entry}</p>
            <CopyBlock text={filled(here.http.text)} label={t.entry} />
          </>
        )}
      </Section>
      <Section title={texts.agents.proof.title}>
        {row?.last_seen === undefined ? (
          <ol className="proof">
            <Line step="waits" says={t.waits}>
              {texts.agents.proof.calls(name || t.example)}
            </Line>
          </ol>
        ) : (
          <ol className="proof">
            <Line step="done" says={dayAndClockWithin(row.last_seen, now)}>
              {texts.agents.proof.called(name)}
            </Line>
          </ol>
        )}
      </Section>
    </Frame>
  );
}
