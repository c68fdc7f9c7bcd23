import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { acts } from "../api/acts";
import { texts } from "../texts";
import { Dialog, FormDialog } from "./dialog";
import { didFinally } from "./undo";

const t = texts.proposals;

/** Erases for good what a rejected proposal asked for. `title` is that of the unit it was for. */
export function EraseProposal({ proposal, title, close }: { proposal: number; title: string; close: () => void }) {
  const client = useQueryClient();
  const [pending, setPending] = useState(false);
  if (pending)
    return (
      <Dialog
        title={t.erasedTitle}
        close={close}
        foot={
          <button type="button" className="btn" onClick={close}>
            {texts.app.close}
          </button>
        }
      >
        <p role="status">{t.erasePending}</p>
      </Dialog>
    );
  return (
    <FormDialog
      title={t.eraseTitle}
      close={close}
      does={t.eraseDo}
      doing={t.eraseBusy}
      danger
      submit={async () => {
        const reply = await acts.eraseProposal(proposal);
        didFinally(t.erased(title));
        if (reply.pending) setPending(true);
        else close();
        await client.invalidateQueries();
        return undefined;
      }}
    >
      <p>{t.eraseSays(title)}</p>
      <p className="notice final">{t.eraseFinal}</p>
    </FormDialog>
  );
}
