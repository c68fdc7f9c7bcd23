import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { asClock, toMinute } from "./minutes";

/** How many minutes an arrow moves the time. */
const STEP = 15;
const DAY = 24 * 60;

/**
 * A time of day, as clocks of this app show it. It counts once it is left or confirmed with Enter; what is no time goes
 * back to what stood. The browser's own field for times shows each person another clock, and some windows have none.
 */
export function TimeField({ name, minute, choose }: { name: string; minute: number; choose: (minute: number) => Promise<void> }) {
  const [typed, setTyped] = useState(asClock(minute));
  useEffect(() => setTyped(asClock(minute)), [minute]);
  const stands = useRef(minute);
  stands.current = minute;

  function take() {
    const wanted = toMinute(typed);
    const asItStands = () => setTyped(asClock(stands.current));
    if (wanted !== undefined && wanted !== minute) void choose(wanted).finally(asItStands);
    else asItStands();
  }
  function press(event: KeyboardEvent) {
    if (event.key === "Enter") return take();
    const step = { ArrowUp: STEP, ArrowDown: -STEP }[event.key];
    if (!step) return;
    event.preventDefault();
    setTyped(asClock(((toMinute(typed) ?? minute) + step + DAY) % DAY));
  }
  return (
    <input
      className="input clock"
      inputMode="numeric"
      autoComplete="off"
      aria-label={name}
      maxLength={5}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onFocus={({ target }) => target.select()}
      onBlur={take}
      onKeyDown={press}
    />
  );
}
