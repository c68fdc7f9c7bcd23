import { texts } from "../texts";
import { nameOf } from "./agent";
import { FormDialog } from "./dialog";

/** Asks before a connection is revoked: it is for good. */
export function RevokeDialog({ connection, revoke, close }: { connection: string; revoke: () => Promise<unknown>; close: () => void }) {
  const name = nameOf({ name: connection, you: false });
  return (
    <FormDialog
      title={texts.inbox.revokeTitle(name)}
      close={close}
      does={texts.inbox.revoke(name)}
      danger
      submit={async () => {
        await revoke();
        return undefined;
      }}
    >
      <p>{texts.inbox.revokeSays(name)}</p>
    </FormDialog>
  );
}
