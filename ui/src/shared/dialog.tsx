import { type ReactNode, useEffect, useId, useRef } from "react";
import { texts } from "../texts";
import { Icon } from "./icons";
import { useKeys } from "./keyboard";

/** A dialog of the platform: it holds the focus, gives it back, and Esc closes it. */
export function Dialog({
  title,
  close,
  children,
  foot,
  wide = false,
}: {
  title: string;
  close: () => void;
  children: ReactNode;
  foot?: ReactNode;
  wide?: boolean;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useKeys(title, [{ keys: ["Escape"], does: texts.app.close, run: close }], { modal: true });
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className={wide ? "dialog broad" : "dialog"}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" className="btn quiet icon" aria-label={texts.app.close} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div className="dialog-body scroll">{children}</div>
      {foot && <footer>{foot}</footer>}
    </dialog>
  );
}
