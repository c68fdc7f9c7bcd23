import { memo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import gfm from "remark-gfm";
import { platform } from "../platform";

/** Longer texts are shown as plain text: parsing them would hold up the window. */
const MOST = 60_000;
/** Addresses that may be opened; everything else stays text. */
const OPENABLE = /^(https?|mailto):/i;

const components: Components = {
  a: ({ href, children }) =>
    href && OPENABLE.test(href) ? (
      <a
        className="link-in-text"
        href={href}
        rel="noreferrer noopener"
        target="_blank"
        onClick={(event) => {
          event.preventDefault();
          platform.openLink(href);
        }}
      >
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  // Nothing is loaded from elsewhere: a picture is named by its words.
  img: ({ alt }) => <span className="dim">{alt}</span>,
  // The page has its own first headings.
  h1: ({ children }) => <h3 className="prose-h">{children}</h3>,
  h2: ({ children }) => <h4 className="prose-h">{children}</h4>,
  h3: ({ children }) => <h5 className="prose-h">{children}</h5>,
  input: ({ checked }) => <span className="mono">{checked ? "[x]" : "[ ]"}</span>,
};

/** A unit's text. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  if (text.length > MOST) return <pre className="prose plain">{text}</pre>;
  return (
    <div className="prose">
      <ReactMarkdown remarkPlugins={[gfm]} components={components} skipHtml urlTransform={(url) => (OPENABLE.test(url) ? url : "")}>
        {text}
      </ReactMarkdown>
    </div>
  );
});
