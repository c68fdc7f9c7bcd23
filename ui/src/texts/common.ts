const plural = (n: number, one: string, many: string) => (n === 1 ? one : many);
export const count = (n: number, one: string, many: string) => `${n.toLocaleString("en-GB")} ${plural(n, one, many)}`;

/** "a, b and c". */
export function listed(words: readonly string[]): string {
  if (words.length <= 1) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

export const time = {
  now: "now",
  justNow: "just now",
  ago: (span: string) => `${span} ago`,
  today: "Today",
  yesterday: "yesterday",
  yesterdayFirst: "Yesterday",
  minutes: (n: number) => `${n} min`,
  hours: (n: number) => `${n} h`,
  shortDays: (n: number) => `${n} d`,
  moment: "a moment",
  spanMinutes: (n: number) => count(n, "minute", "minutes"),
  spanHours: (n: number) => count(n, "hour", "hours"),
  spanDays: (n: number) => count(n, "day", "days"),
  shortMonths: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
  months: [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
  ],
};

export const app = {
  name: "OzBrain",
  title: (waiting: number) => (waiting > 0 ? `(${waiting}) OzBrain` : "OzBrain"),
  places: "Places",
  inbox: "Inbox",
  review: "Review",
  brains: "Brains",
  agents: "Agents",
  waiting: (n: number) => ` ${plural(n, "waits", "wait")} for you`,
  toConfirm: " to confirm",
  serving: (n: number) => `Serving ${count(n, "connection", "connections")}`,
  testWrite: (at: string) => `Test write succeeded ${at}`,
  noTestWrite: "No test write yet",
  notAnswering: "Not answering",
  gone: "OzBrain is not answering. Trying again…",
  start: ["To start it, run", "npm start"] as const,
  restart: "If it stays so, quit OzBrain and start it again.",
  goneAct: "OzBrain did not answer.",
  unknownOutcome: "OzBrain did not answer. Whether it was done shows once it is back.",
  onItsWay: "Nothing was changed: your act before this one is still on its way.",
  comes: "It comes by itself once OzBrain answers.",
  loading: "Loading…",
  searchUnits: "Search units",
  searchesIn: "searches in Brains",
  failed: "This could not be shown",
  failedCode: (code: string) => `Code ${code}`,
  again: "Try again",
  back: "Back",
  cancel: "Cancel",
  close: "Close",
  signOut: "Sign out",
  refused: (message: string) => `Nothing was changed. ${message}`,
  undo: "Undo",
  notFound: "Nothing is at this address.",
  toInbox: "Go to the Inbox",
  skip: "Skip to the content",
  you: "you",
  You: "You",
  yours: "yours",
  your: "your",
  Your: "Your",
  of: (name: string) => `${name}’s`,
};

export const freshness = {
  fresh: "fresh",
  aging: "aging",
  stale: "stale",
  conflict: "conflict",
  Fresh: "Fresh.",
  Aging: "Aging.",
  Stale: "Stale.",
};

export const fields: Record<string, string> = {
  topic: "Topic",
  title: "Title",
  body: "Text",
  tags: "Tags",
  source: "Source",
  fresh_for_days: "Fresh for",
};

export const keys = {
  title: "Keys",
  anywhere: "Anywhere",
  all: "All keys",
  search: "Search",
  goTo: (place: string) => `Go to ${place}`,
  back: "Back",
  undo: "Undo your last act",
  singles: "Single letters act",
  singlesHint: "Off: only keys with a modifier, arrows, Enter and Esc act.",
};

/** How connections are called on screen. Others stand under their own name. */
export const clients: Record<string, string> = {
  "claude-desktop": "Claude Desktop",
  "claude-code": "Claude Code",
  claude: "Claude",
  chatgpt: "ChatGPT",
  cursor: "Cursor",
  vscode: "VS Code",
  windsurf: "Windsurf",
  codex: "Codex",
  gemini: "Gemini",
  zed: "Zed",
  goose: "goose",
  cline: "Cline",
  junie: "Junie",
  opencode: "opencode",
  lmstudio: "LM Studio",
  cli: "Command line",
};

export const difference = {
  capped: "These texts differ too much to mark words. Whole lines are marked.",
  sameText: "The two are the same.",
  tooMuch: "These texts are too large or differ too much to mark words.",
  yourText: "Your text",
  beside: (left: string, right: string) => `${left} beside ${right}`,
  alike: (n: number) => `${count(n, "line", "lines")} alike`,
  headNow: (revision: number) => `Head, r${revision}`,
};

/** What the live region says and the undo line shows after an undo. */
export const undo = {
  done: (said: string) => (said === "" ? "Undone." : `Undone. ${said}`),
  of: (title: string) => `${title}.`,
  moved: "Nothing was undone: it has changed since.",
  nothing: "Nothing to undo.",
  final: (said: string) => `This cannot be undone. ${said}`,
  failed: (message: string) => `Nothing was undone. ${message}`,
};

export const markdown = {
  table: "Table",
  code: "Code",
  shown: (shown: number, of: number) => `The first ${Math.round(shown / 1024)} of ${Math.round(of / 1024)} KiB.`,
  asWritten: "Shown as it was written: set as Markdown it would hold the window up.",
  showAll: "Show all",
};
