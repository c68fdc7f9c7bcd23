import type { BrainRow, ClientView, ConnectionRow } from "../../api/types";
import { Icon } from "../../shared/icons";
import { dayAndClockWithin } from "../../shared/time";
import { texts } from "../../texts";
import { grantedNames, proofOf, type Step } from "./model";

const t = texts.agents.proof;

/** How far a client has proved itself. It changes by itself as the calls come. */
export function Proof({
  client,
  connection,
  brains,
  now,
}: {
  client: ClientView;
  connection: ConnectionRow | undefined;
  brains: readonly BrainRow[];
  now: Date;
}) {
  const at = proofOf(client);
  const granted = connection && grantedNames(connection, brains);
  const sees = granted && [...granted.write, ...granted.read];
  return (
    <ol className="proof">
      <Line step={at.file} says={at.file === "failed" ? (client.state === "gone" ? t.fileGone : t.fileOld) : client.by === "bundle" ? t.bundleDone : t.fileDone}>
        {client.by === "bundle" ? t.bundle : t.file}
      </Line>
      <Line
        step={at.call}
        says={at.call === "done" ? calledWhen(client, now) : at.call === "failed" ? t.refused : t.callsHow(client.after)}
      >
        {at.call === "done" ? t.called(client.name) : t.calls(client.name)}
      </Line>
      <Line step={at.sees} {...(at.sees === "failed" ? {} : { says: at.sees === "done" && granted ? t.notSees(granted.none) : t.seesHow })}>
        {at.sees === "done" && sees ? t.seesNow(sees) : t.sees}
      </Line>
    </ol>
  );
}

/** Who called, as the client calls itself, and when: the first call is the proof. */
function calledWhen({ proof, last_call: last }: ClientView, now: Date): string {
  const at = proof?.at ?? last;
  const who = proof && [proof.client, proof.version].filter(Boolean).join(" ");
  return [who, at && dayAndClockWithin(at, now)].filter(Boolean).join(", ");
}

/** One step of a proof. Its state is a shape, a word and a colour. */
export function Line({ step, says, children }: { step: Step; says?: string; children: string }) {
  return (
    <li className={`is-${step}`}>
      {step === "done" ? <Icon name="check" /> : step === "failed" ? <Icon name="close" /> : <i aria-hidden="true" />}
      <b>
        <span className="vh">{t[step]}: </span>
        {children}
      </b>
      {says && <span>{says}</span>}
    </li>
  );
}
