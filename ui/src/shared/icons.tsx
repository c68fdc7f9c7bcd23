import type { ReactNode } from "react";

/** Line icons on a 16 grid: they only decorate, the word stands beside them or in the control's name. */
const paths = {
  inbox: (
    <>
      <path d="M2.5 9.5 4.4 3.6a1 1 0 0 1 1-.8h5.2a1 1 0 0 1 1 .8l1.9 5.9v2.7a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1Z" />
      <path d="M2.5 9.5h3l1 1.8h3l1-1.8h3" />
    </>
  ),
  review: (
    <>
      <rect x="2.5" y="5.5" width="11" height="8" rx="1.5" />
      <path d="M4.2 3.4h7.6" />
      <path d="m6 9.6 1.5 1.5 2.7-3" />
    </>
  ),
  brains: (
    <>
      <path d="M3.5 3v8.5a1.5 1.5 0 0 0 1.5 1.5h2" />
      <path d="M3.5 7H7" />
      <rect x="7.5" y="5" width="6" height="4" rx="1" />
      <rect x="7.5" y="11" width="6" height="3.5" rx="1" />
    </>
  ),
  agents: (
    <>
      <path d="M5.5 2v3M10.5 2v3M3.5 5h9v2.5a4.5 4.5 0 0 1-9 0Z" />
      <path d="M8 12v2.2" />
    </>
  ),
  outside: (
    <>
      <path d="M6.5 3.5h-3v9h9v-3" />
      <path d="M9 2.8h4.2V7M13 3 7.5 8.5" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.2" />
      <path d="m10.3 10.3 3.2 3.2" />
    </>
  ),
  check: <path d="m3.2 8.4 3.1 3.1 6.5-7" />,
  clock: (
    <>
      <circle cx="8" cy="8" r="5.6" />
      <path d="M8 5v3.2l2 1.3" />
    </>
  ),
  back: <path d="M9.8 3.5 5.3 8l4.5 4.5" />,
  next: <path d="M6.2 3.5 10.7 8l-4.5 4.5" />,
  down: <path d="M3.5 6.2 8 10.7l4.5-4.5" />,
  plus: <path d="M8 3v10M3 8h10" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  lock: (
    <>
      <rect x="3.5" y="7" width="9" height="6.5" rx="1.2" />
      <path d="M5.5 7V5a2.5 2.5 0 0 1 5 0v2" />
    </>
  ),
  proposal: (
    <>
      <path d="M3 2.5h7l3 3v8H3Z" />
      <path d="M8 6v5M5.5 8.5h5" />
    </>
  ),
  problem: (
    <>
      <path d="M8 2.4 14 13H2Z" />
      <path d="M8 6.4v3M8 11.2v.1" />
    </>
  ),
  leave: (
    <>
      <path d="M9.5 3H4.2a1 1 0 0 0-1 1v8a1 1 0 0 0 1 1h5.3" />
      <path d="M6.8 8h6.7M11.2 5.6 13.6 8l-2.4 2.4" />
    </>
  ),
  settings: (
    <>
      <path d="M2.5 5h5M11.5 5h2M2.5 11h2M8.5 11h5" />
      <circle cx="9.5" cy="5" r="1.8" />
      <circle cx="6.5" cy="11" r="1.8" />
    </>
  ),
  decision: (
    <>
      <circle cx="5.5" cy="5" r="2.3" />
      <path d="M1.8 13c0-2.4 1.6-4 3.7-4 1 0 1.9.4 2.6 1" />
      <path d="m8.8 11.6 1.6 1.6 3.4-3.8" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof paths;

export function Icon({ name, className = "i" }: { name: IconName; className?: string }) {
  return (
    <svg className={className} viewBox="0 0 16 16" aria-hidden="true">
      {paths[name]}
    </svg>
  );
}

export function Logo() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" fill="currentColor" aria-hidden="true">
      <path d="M9 2.2v12.2A6.1 6.1 0 0 1 9 2.2Z" />
      <path d="M11 5.6v12.2a6.1 6.1 0 0 0 0-12.2Z" />
    </svg>
  );
}

const marks = {
  fresh: <circle cx="6" cy="6" r="4.6" fill="currentColor" />,
  aging: (
    <>
      <circle cx="6" cy="6" r="4.6" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M6 1.4a4.6 4.6 0 0 0 0 9.2Z" fill="currentColor" />
    </>
  ),
  stale: (
    <circle cx="6" cy="6" r="4.6" fill="none" stroke="currentColor" strokeWidth="1.6" strokeDasharray="2.3 1.32" />
  ),
  conflict: (
    <>
      <path d="M5.2.9v10.2L.6 6.5a.7.7 0 0 1 0-1Z" fill="currentColor" />
      <path d="m6.9 1.7 4 3.9a.6.6 0 0 1 0 .8l-4 3.9Z" fill="none" stroke="currentColor" strokeWidth="1.3" />
    </>
  ),
};

export type MarkName = keyof typeof marks;

/** The shape of a state. Its word is said beside it, or by `hidden`. */
export function Mark({ of }: { of: MarkName }) {
  return (
    <svg className={`m is-${of}`} viewBox="0 0 12 12" aria-hidden="true">
      {marks[of]}
    </svg>
  );
}
