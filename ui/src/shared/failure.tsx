import { Component, type ReactNode } from "react";
import { texts } from "../texts";

/** What failed, with the code that a report would name. */
export function Failure({ error, again }: { error: unknown; again?: () => void }) {
  const { code, message } = describe(error);
  return (
    <div className="none" role="alert">
      <h2>{texts.app.failed}</h2>
      {code === "gone" ? (
        // That it is gone is told once, above the screen.
        <p>{texts.app.comes}</p>
      ) : (
        <>
          <p>{message}</p>
          <p className="dim">{texts.app.failedCode(code)}</p>
        </>
      )}
      {again && (
        <p className="btns">
          <button type="button" className="btn" onClick={again}>
            {texts.app.again}
          </button>
        </p>
      )}
    </div>
  );
}

/** What to say of an act that failed: that nothing was changed, or, where the answer was lost, that nobody knows yet. */
export function notDone(error: unknown): string {
  const { code, message } = describe(error);
  return code === "gone" ? texts.app.unknownOutcome : texts.app.refused(message);
}

/** A failure's stable code, and what it says. */
export function describe(error: unknown): { code: string; message: string } {
  if (error instanceof Error) {
    const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
    return { code, message: code === "gone" ? texts.app.goneAct : error.message };
  }
  return { code: "unknown", message: String(error) };
}

/** Keeps a fault of one part from taking the window with it. */
export class Boundary extends Component<{ children: ReactNode; of?: unknown }, { error?: unknown; of?: unknown }> {
  override state: { error?: unknown; of?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  static getDerivedStateFromProps(props: { of?: unknown }, state: { error?: unknown; of?: unknown }) {
    return props.of === state.of ? null : { error: undefined, of: props.of };
  }

  override render() {
    const { error } = this.state;
    return error === undefined ? (
      this.props.children
    ) : (
      <Failure error={error} again={() => this.setState({ error: undefined })} />
    );
  }
}
