import { useNavigate } from "@tanstack/react-router";
import { Children, memo, type ReactNode, useMemo, useState } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import gfm from "remark-gfm";
import { texts } from "../texts";
import "./markdown.css";
import { OutsideLink } from "./outside-link";
import { firstPart, isCostly, pieces, target, visible } from "./safe-text";
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
 * a whole text that would hold the window up.
 */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const costly = useMemo(() => isCostly(text), [text]);
  if (costly) return <Plain text={text} />;
  return (
    <div className="prose">
      <ReactMarkdown remarkPlugins={[gfm, wholeText]} components={components} skipHtml urlTransform={(url) => (target(url) ? url : "")}>
        {text}
      </ReactMarkdown>
    </div>
  );
});

/** A long text as it was written: its beginning, then all of it in pieces that are laid out when they come into view. */
function Plain({ text }: { text: string }) {
  const [all, setAll] = useState<string>();
  const first = useMemo(() => firstPart(text), [text]);
  const whole = all === text || first === text;
  const shown = useMemo(() => (whole ? pieces(text) : [first]), [whole, text, first]);
  return (
    <div className="prose plain">
      {shown.map((piece, place) => (
        <div key={place} className="piece">
          {visible(piece)}
        </div>
      ))}
      {!whole && (
        <p className="prose-more">
          <span className="dim">{texts.markdown.shown(first.length, text.length)}</span>{" "}
          <button type="button" className="link" onClick={() => setAll(text)}>
            {texts.markdown.showAll}
          </button>
        </p>
      )}
    </div>
  );
}
