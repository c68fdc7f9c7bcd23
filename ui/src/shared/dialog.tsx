import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { texts } from "../texts";
import { notDone } from "./failure";
import { Icon } from "./icons";
import { useKeys } from "./keyboard";
import { onItsWay } from "./undo";

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
      // It holds the focus where the part that had it goes.
      tabIndex={-1}
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

/**
 * A dialog with a form, its two buttons, and what became of the last try. `submit` resolves to what is wrong, or to
 * nothing once it is done; what it throws is shown too. It is not started twice.
 */
export function FormDialog({
  title,
  does,
  doing = does,
  submit,
  close,
  ready = true,
  danger = false,
  wide = false,
  children,
}: {
  title: string;
  /** The button's words. */
  does: string;
  /** The button's words while it is done. */
  doing?: string;
  submit: () => Promise<string | undefined>;
  close: () => void;
  ready?: boolean;
  danger?: boolean;
  wide?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  async function go() {
    if (!ready || busy) return;
    setBusy(true);
    try {
      setProblem(await onItsWay(submit()));
    } catch (error) {
      setProblem(notDone(error));
    } finally {
      setBusy(false);
    }
  }
  return (
    <Dialog
      title={title}
      close={close}
      wide={wide}
      foot={
        <>
          <button type="button" className="btn quiet" onClick={close}>
            {texts.app.cancel}
          </button>
          <button type="submit" form={id} className={danger ? "btn danger" : "btn primary"} disabled={!ready && !busy} aria-disabled={busy}>
            {busy ? doing : does}
          </button>
        </>
      }
    >
      <form
        id={id}
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void go();
        }}
      >
        {problem && (
          <p className="notice" role="alert">
            {problem}
          </p>
        )}
        {children}
      </form>
    </Dialog>
  );
}
