import { useCallback, useState } from "react";
import { platform } from "../platform";

/** Text that is being written: it outlives a reload and a sign-out of this tab. `undefined`: there is none. */
export function useDraft(name: string): [string | undefined, (text: string | undefined) => void] {
  const [held, setHeld] = useState(() => ({ name, text: platform.draft(name) }));
  const now = held.name === name ? held : { name, text: platform.draft(name) };
  if (now !== held) setHeld(now);
  const keep = useCallback(
    (text: string | undefined) => {
      platform.keepDraft(name, text);
      setHeld({ name, text });
    },
    [name],
  );
  return [now.text, keep];
}
