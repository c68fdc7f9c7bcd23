import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import type { BrainKind, WritePolicy } from "../../api/types";
import { FormDialog } from "../../shared/dialog";
import { didFinally } from "../../shared/undo";
import { texts } from "../../texts";
import { brainActs } from "./brain-acts";
import { Choices, type Saying } from "./choices";

const t = texts.brains;
const KINDS: Saying<BrainKind>[] = [
  { value: "shared", name: t.kindShared, says: t.kindSharedSays },
  { value: "personal", name: t.kindPersonal, says: t.kindPersonalSays },
];
export const POLICIES: Saying<WritePolicy>[] = [
  { value: "open", name: t.policyOpen, says: t.policyOpenSays },
  { value: "owners", name: t.policyOwners, says: t.policyOwnersSays },
  { value: "review", name: t.policyReview, says: t.policyReviewSays },
];

/** The short name that a name suggests. */
export function shortOf(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}

/** Makes a brain. */
export function NewBrain({ close, made }: { close: () => void; made: (brain: string) => void }) {
  const id = useId();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [short, setShort] = useState<string>();
  const [kind, setKind] = useState<BrainKind>("shared");
  const [policy, setPolicy] = useState<WritePolicy>("open");
  const brain = short ?? shortOf(name);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  async function make() {
    const row = await brainActs.create({
      brain,
      kind,
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      ...(kind === "shared" ? { write_policy: policy } : {}),
    });
    await client.invalidateQueries({ queryKey: ["brains"] });
    didFinally(t.did.brain(row.name));
    close();
    made(row.brain);
    return undefined;
  }

  return (
    <FormDialog title={t.newBrain} close={close} does={t.createBrain} submit={make}>
      <div className="pair">
        <div>
          <label htmlFor={`${id}-name`}>{t.brainName}</label>
          <input
            id={`${id}-name`}
            ref={field}
            className="input"
            maxLength={80}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <div>
          <label htmlFor={`${id}-short`}>{t.brainShort}</label>
          <input
            id={`${id}-short`}
            className="input mono"
            maxLength={64}
            spellCheck={false}
            value={brain}
            onChange={(event) => setShort(event.target.value)}
            aria-describedby={`${id}-short-hint`}
          />
          <span className="hint" id={`${id}-short-hint`}>
            {t.brainShortHint}
          </span>
        </div>
      </div>
      <Choices label={t.brainKind} of={KINDS} chosen={kind} choose={setKind} />
      {kind === "shared" && <Choices label={t.brainPolicy} of={POLICIES} chosen={policy} choose={setPolicy} />}
    </FormDialog>
  );
}
