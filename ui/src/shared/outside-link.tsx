import type { ReactNode } from "react";
import { platform } from "../platform";

/** A link to somewhere else: the platform opens it, and what is there learns nothing of us. */
export function OutsideLink({ href, className, children }: { href: string; className: string; children: ReactNode }) {
  return (
    <a
      className={className}
      href={href}
      title={href}
      rel="noopener noreferrer"
      target="_blank"
      onClick={(event) => {
        event.preventDefault();
        platform.openLink(href);
      }}
    >
      {children}
    </a>
  );
}
