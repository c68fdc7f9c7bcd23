import { useState } from "react";
import type { ClientPlan, DiffLine } from "../../api/types";
import { platform } from "../../platform";
import { visible } from "../../shared/safe-text";
import { texts } from "../../texts";
import { CopyBlock } from "./copy-block";
import { fileName, lineSums, withGaps } from "./model";
import "./plan.css";

const t = texts.agents;

/** A change line by line, never cut: what is added, what is taken out, what stands around it. */
export function Diff({ lines, stay, label }: { lines: readonly DiffLine[]; /** How many further lines of the file are not shown. */ stay: number; label: string }) {
  const shown = withGaps(lines);
  const between = shown.reduce((sum, line) => sum + ("skipped" in line ? line.skipped : 0), 0);
  return (
    <div className="code diff" role="figure" aria-label={label}>
      {shown.map((line, place) =>
        "skipped" in line ? (
          <div key={place} className="skip">
            {t.skipped(line.skipped)}
          </div>
        ) : (
          <div key={place} className={line.kind === "added" ? "add" : line.kind === "removed" ? "del" : undefined}>
            {line.kind !== "same" && <span className="vh">{t.line[line.kind]}</span>}
            {line.text === "" ? "\u00a0" : visible(line.text)}
          </div>
        ),
      )}
      {stay > between && <div className="skip">{t.stay(stay - between)}</div>}
    </div>
  );
}

/** What a plan would do, whole: the lines, the file, what is kept, what to know. */
export function PlanView({ plan, entered = false }: { plan: ClientPlan; /** Whether the entry stands in the file already. */ entered?: boolean }) {
  if (plan.problem) return <ByHand plan={plan} entered={entered} />;
  return (
    <>
      {plan.way.way === "command" && (
        <>
          <p className="meta before">{t.byCommand(plan.name)}</p>
          <pre className="code command">{plan.way.shell}</pre>
        </>
      )}
      {plan.way.way === "bundle" && <p className="meta before">{plan.act === "connect" ? t.bundle.says(plan.name) : t.bundle.goes}</p>}
      {plan.diff.length > 0 && <Diff lines={plan.diff} stay={plan.stay} label={plan.way.way === "bundle" ? t.bundle.figure : t.figure(fileName(plan.file))} />}
      <p className="meta">
        <code className="path">{plan.file}</code> {t.sums(plan.effect, lineSums(plan.diff))}
        {plan.way.way !== "bundle" && (plan.effect === "changed" || plan.effect === "restored") && ` ${t.backup}`}
      </p>
      {plan.notes.map((note) => (
        <p key={note} className="meta">
          {note}
        </p>
      ))}
    </>
  );
}

/** What stops it, and the way that is left: by hand, or the client's own link. */
export function ByHand({
  plan,
  entered = false,
}: {
  plan: Pick<ClientPlan, "act" | "entry" | "name" | "snippet" | "link" | "file" | "problem">;
  /** Whether the entry stands in the file already. */
  entered?: boolean;
}) {
  const running = plan.problem?.code === "running";
  return (
    <>
      {plan.problem && (
        <p className="notice aging" role="note">
          <span>{visible(plan.problem.message)}</span>
        </p>
      )}
      {running ? (
        <p className="meta before" role="status">
          {t.notices}
        </p>
      ) : entered ? (
        <p className="meta before">{t.mendFile}</p>
      ) : plan.act === "disconnect" ? (
        <p className="meta before">{t.takeOut(plan.entry, fileName(plan.file))}</p>
      ) : (
        plan.snippet !== "" && (
          <>
            <p className="meta before">{t.byHandSays}</p>
            <CopyBlock text={plan.snippet} label={t.snippet} />
          </>
        )
      )}
      {plan.link && plan.act === "connect" && !entered && <OwnLink name={plan.name} link={plan.link} />}
    </>
  );
}

function OwnLink({ name, link }: { name: string; link: string }) {
  return (
    <p className="btns">
      <button type="button" className="btn" onClick={() => platform.openLink(link)}>
        {t.openLink(name)}
      </button>
    </p>
  );
}

/** The lines to copy, folded until they are wanted. */
export function CopyInstead({ plan }: { plan: ClientPlan }) {
  const [open, setOpen] = useState(false);
  return open ? (
    <CopyBlock text={plan.snippet} label={t.snippet} takesFocus />
  ) : (
    <button type="button" className="link" onClick={() => setOpen(true)}>
      {t.copyLines}
    </button>
  );
}
