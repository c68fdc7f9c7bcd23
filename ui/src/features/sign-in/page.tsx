import { type FormEvent, useState } from "react";
import { tokenIn } from "../../platform";
import { Logo } from "../../shared/icons";
import { Loading } from "../../shared/later";
import { texts } from "../../texts";
import "./sign-in.css";

const t = texts.signIn;

type Entry = { status: "entering" } | { status: "out"; ended: boolean; left?: true; failure?: { code: string; message: string } };

/** How to get a link. Nothing here holds a secret: the token is used once and forgotten. */
export function SignIn({ session, enter }: { session: Entry | { status: "in" }; enter: (token: string) => void }) {
  const [link, setLink] = useState("");
  const [wrong, setWrong] = useState(false);
  if (session.status !== "out") {
    return (
      <main tabIndex={-1} className="sign-in">
        <Loading>{t.entering}</Loading>
      </main>
    );
  }
  const { failure, ended, left } = session;
  function submit(event: FormEvent) {
    event.preventDefault();
    const token = tokenIn(link);
    setWrong(token === undefined);
    setLink("");
    if (token !== undefined) enter(token);
  }
  return (
    <main tabIndex={-1} className="sign-in" aria-labelledby="sign-in">
      <div>
        <Logo />
        <h1 id="sign-in">{t.title}</h1>
        {(ended || left) && <p className="notice ok">{left ? t.left : t.ended}</p>}
        {failure && (
          <p className="notice aging" role="alert">
            {failure.code === "not_allowed" ? t.used : failure.code === "gone" ? t.gone : t.failed(failure.message)}
          </p>
        )}
        <p>{t.how}</p>
        <ol>
          <li>
            {t.step1} <code>{t.command}</code>
          </li>
          <li>{t.step2}</li>
        </ol>
        <form onSubmit={submit}>
          <label htmlFor="link">{t.paste}</label>
          <div className="line">
            <input
              id="link"
              className="input"
              value={link}
              autoComplete="off"
              spellCheck={false}
              aria-invalid={wrong}
              aria-describedby={wrong ? "link-wrong" : undefined}
              onChange={(event) => setLink(event.target.value)}
            />
            <button type="submit" className="btn primary" disabled={link.trim() === ""}>
              {t.enter}
            </button>
          </div>
          {wrong && (
            <p id="link-wrong" className="wrong" role="alert">
              {t.noToken}
            </p>
          )}
        </form>
      </div>
    </main>
  );
}
