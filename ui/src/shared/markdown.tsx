import { useNavigate } from "@tanstack/react-router";
import { Children, memo, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import gfm from "remark-gfm";
import { texts } from "../texts";
import "./markdown.css";
import { OutsideLink } from "./outside-link";
import { firstPart, isCostly, pieces, sections, target, visible } from "./safe-text";
import { wholeText } from "./whole-text";

/** A link of a text: outside, or to a unit here. What leads nowhere stays text. */
function TextLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  const navigate = useNavigate();
  const leads = target(href);
  if (!leads) return <span>{children}</span>;
  if (leads.kind === "unit")
    return (
      <a
        className="link-in-text"
        href={`/brains?unit=${leads.id}`}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          void navigate({ to: "/brains", search: { unit: leads.id } });
        }}
      >
        {children}
      </a>
    );
  return (
    <OutsideLink className="link-in-text" href={leads.href}>
      {children}
    </OutsideLink>
  );
}

const components: Components = {
  a: ({ href, children }) => <TextLink href={href}>{children}</TextLink>,
  // Nothing is loaded from elsewhere: a picture is its words and its address.
  img: ({ alt, src }) => {
    const address = typeof src === "string" ? src : "";
    const words = alt || address;
    return target(address) ? <TextLink href={address}>{words}</TextLink> : <span className="dim">{words}</span>;
  },
  // The page has its own first headings.
  h1: ({ children }) => <h3 className="prose-h">{children}</h3>,
  h2: ({ children }) => <h4 className="prose-h">{children}</h4>,
  h3: ({ children }) => <h5 className="prose-h">{children}</h5>,
  h4: ({ children }) => <h6 className="prose-h">{children}</h6>,
  h5: ({ children }) => <h6 className="prose-h">{children}</h6>,
  h6: ({ children }) => <h6 className="prose-h">{children}</h6>,
  input: ({ checked }) => <span className="mono">{checked ? "[x]" : "[ ]"}</span>,
  // What may scroll sideways can be reached by key.
  pre: ({ children }) => (
    <pre tabIndex={0} role="group" aria-label={texts.markdown.code}>
      {children}
    </pre>
  ),
  // A column that has no name has no header.
  th: ({ children, style }) => (Children.count(children) > 0 ? <th style={style}>{children}</th> : <td />),
  table: ({ children }) => (
    <div className="prose-table" tabIndex={0} role="group" aria-label={texts.markdown.table}>
      <table>{children}</table>
    </div>
  ),
};

/**
 * A unit's text. Anyone wrote it, so it runs nothing and loads nothing: no HTML, no pictures, links by
 * http, https, mailto and `ozbrain:` alone. What is not set shows as it was written, so that all of it is seen: so does
 * what would hold the window up.
 */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const costly = useMemo(() => isCostly(text), [text]);
  return costly ? <Long text={text} /> : <div className="prose">{set(text)}</div>;
});

function set(text: string): ReactNode {
  return (
    <ReactMarkdown remarkPlugins={[gfm, wholeText]} components={components} skipHtml urlTransform={(url) => (target(url) ? url : "")}>
      {text}
    </ReactMarkdown>
  );
}

/** A long text: its beginning, then all of it in sections, each of which is set when it comes near. */
function Long({ text }: { text: string }) {
  const [all, setAll] = useState<string>();
  const parts = useMemo(() => sections(text).map((part) => ({ part, plain: isCostly(part) })), [text]);
  const head = useMemo(() => beginning(parts, text), [parts, text]);
  const whole = all === text || head.letters === text.length;
  return (
    <div className="prose long">
      {(whole ? parts : head.parts).map(({ part, plain }, place) =>
        plain ? <Plain key={place} text={part} /> : <Section key={place} text={part} now={place === 0} />,
      )}
      {!whole && (
        <p className="prose-more">
          <span className="dim">{texts.markdown.shown(head.letters, text.length)}</span>{" "}
          <button type="button" className="link" onClick={() => setAll(text)}>
            {texts.markdown.showAll}
          </button>
        </p>
      )}
    </div>
  );
}

/** The sections that show first, and how much of the text they are. */
function beginning(parts: readonly { part: string; plain: boolean }[], text: string) {
  const first = parts[0];
  if (!first || first.plain) {
    const part = firstPart(text);
    return { parts: [{ part, plain: true }], letters: part.length };
  }
  return { parts: [first], letters: first.part.length };
}

/** A section, as it was written until it comes near. */
function Section({ text, now }: { text: string; now: boolean }) {
  const ref = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(now);
  useEffect(() => {
    if (near || !ref.current) return;
    const watch = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && setNear(true), { rootMargin: "800px" });
    watch.observe(ref.current);
    return () => watch.disconnect();
  }, [near]);
  return (
    <div ref={ref} className={near ? "section-of" : "section-of piece plain"}>
      {near ? set(text) : visible(text)}
    </div>
  );
}

/** What is not set: as it was written, laid out when it comes into view, and why. */
function Plain({ text }: { text: string }) {
  const shown = useMemo(() => pieces(text), [text]);
  return (
    <div className="plain">
      <p className="prose-more dim">{texts.markdown.asWritten}</p>
      {shown.map((piece, place) => (
        <div key={place} className="piece">
          {visible(piece)}
        </div>
      ))}
    </div>
  );
}
