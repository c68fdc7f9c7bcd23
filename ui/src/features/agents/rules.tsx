import { useId, useState } from "react";
import type { ClientPlan } from "../../api/types";
import { texts } from "../../texts";
import { fileName } from "./model";
import { Diff } from "./plan";

const t = texts.agents.rules;

/** The text for the client's rules file: offered, with its exact change. Without `turn` it is only told what becomes of it. */
export function Rules({ plan, on, turn, opens = false }: { plan: ClientPlan; on?: boolean; turn?: (on: boolean) => void; opens?: boolean }) {
  const id = useId();
  const [open, setOpen] = useState(opens);
  const { rules } = plan;
  if (!rules || (!turn && !rules.changes)) return null;
  return (
    <div className="rules-offer">
      {turn && (
        <label className="check">
          <input type="checkbox" checked={on ?? rules.wanted} aria-describedby={id} onChange={(event) => turn(event.target.checked)} />
          <span>
            {t.ask(plan.name)}
            <span className="meta" id={id}>
              {t.says}
            </span>
          </span>
        </label>
      )}
      {rules.problem ? (
        <p className="notice aging">{rules.problem.message}</p>
      ) : (
        rules.changes && (
          <>
            <p className="meta rules-file">
              <code className="path">{rules.file}</code> {t.effect(rules.effect, rules.wanted)}{" "}
              <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
                {open ? t.hide : t.show}
              </button>
            </p>
            {open && <Diff lines={rules.diff} stay={rules.stay} label={t.figure(fileName(rules.file))} />}
          </>
        )
      )}
    </div>
  );
}
