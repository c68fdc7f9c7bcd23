import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import "./menu.css";

export interface MenuEntry {
  name: ReactNode;
  run: () => void;
  /** For one of several: whether it is chosen. */
  chosen?: boolean;
  danger?: boolean;
}

/** A button with a menu: opens by press or arrow down, arrows move, Esc closes and gives the focus back. */
export function Menu({
  label,
  children,
  entries,
  className = "btn quiet",
  disabled = false,
  left = false,
}: {
  label: string;
  children: ReactNode;
  entries: readonly MenuEntry[];
  className?: string;
  disabled?: boolean;
  left?: boolean;
}) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const one = entries.some((entry) => entry.chosen !== undefined);

  useEffect(() => {
    if (!open) return;
    const items = list.current?.querySelectorAll<HTMLElement>("[role^=menuitem]");
    (list.current?.querySelector<HTMLElement>("[aria-checked=true]") ?? items?.[0])?.focus();
    const away = (event: PointerEvent) => {
      const at = event.target;
      if (at instanceof Node && !list.current?.contains(at) && !button.current?.contains(at)) setOpen(false);
    };
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, [open]);

  function shut() {
    setOpen(false);
    button.current?.focus();
  }
  function move(event: KeyboardEvent) {
    const items = [...(list.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === "Escape") shut();
    else if (event.key === "Tab") setOpen(false);
    else if (to !== undefined) items[(to + items.length) % items.length]?.focus();
    else if (/^\p{L}$/u.test(event.key) && !event.ctrlKey && !event.metaKey) {
      const letter = event.key.toLowerCase();
      const order = [...items.slice(at + 1), ...items.slice(0, at + 1)];
      order.find((item) => item.textContent?.trim().toLowerCase().startsWith(letter))?.focus();
    } else return;
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
  }

  return (
    <span className="menu-of">
      <button
        ref={button}
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={label}
        disabled={disabled}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {children}
      </button>
      {open && (
        // The arrow keys of a menu are its own: the keyboard registry does not see them.
        <div
          ref={list}
          id={id}
          className={left ? "menu from-left" : "menu"}
          role="menu"
          aria-label={label}
          onKeyDown={move}
          tabIndex={-1}
        >
          {entries.map((entry, place) => (
            <button
              key={place}
              type="button"
              role={one ? "menuitemradio" : "menuitem"}
              aria-checked={one ? entry.chosen === true : undefined}
              className={entry.danger ? "danger" : undefined}
              tabIndex={-1}
              onClick={() => {
                shut();
                entry.run();
              }}
            >
              {entry.name}
            </button>
          ))}
        </div>
      )}
    </span>
  );
}
