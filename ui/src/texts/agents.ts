import type { AfterChange, ClientState, FileEffect } from "../api/types";
import { count, listed } from "./common";

const restart: Record<AfterChange, (name: string) => string> = {
  nothing: (name) => `open ${name} if it is closed`,
  new_session: (name) => `open a new session in ${name}`,
  restart: (name) => `quit ${name} whole, from the tray too, and start it again`,
  install: (name) => `say Install where ${name} asks you to install OzBrain`,
};

export const agents = {
  title: "Agents",
  sub: (connected: number, found: number) =>
    [count(connected, "connection", "connections"), found > 0 && `${count(found, "more client", "more clients")} found`].filter(Boolean).join(", "),
  look: "Search this computer again",
  looking: "Searching…",
  looked: (found: number) => `Searched. ${count(found, "client is", "clients are")} on this computer.`,
  view: "Show",
  views: { clients: "Clients", grants: "Grants" },
  list: "Clients and connections",
  toList: "Back to the list",
  choose: "Choose a client.",
  gone: "No client or connection of this name is here.",

  groups: {
    needs: "Needs you",
    connected: "Connected",
    found: "Found on this computer",
    others: "Other connections",
    more: "More ways",
    revoked: "Revoked",
    absent: "Not on this computer",
  },
  lastCall: "last call",
  fold: (name: string, n: number) => `${name}, ${n}`,

  /** What a row says under the name. */
  row: {
    waiting: (after: AfterChange) =>
      ({ nothing: "waits for its first call", new_session: "waits for its first call: open a new session", restart: "waits for its first call: restart it", install: "waits for its first call: say Install there" })[after],
    outdated: "its entry starts another OzBrain",
    gone: "its entry is gone",
    revoked: "its connection was revoked",
    blocked: (line: number | undefined) => (line === undefined ? "its file cannot be changed" : `its file is broken in line ${line}`),
    noGrants: "may read no brain",
    hand: "any other client, over stdio or HTTP",
    web: "ChatGPT on the web, Claude’s connectors",
    waits: "waits for its first call",
    revokedAt: (day: string) => `revoked ${day}, for good`,
  },
  another: "Another client",
  web: "On the web",
  granted: (write: readonly string[], read: readonly string[]) =>
    [write.length > 0 && `write ${listed(write)}`, read.length > 0 && `read ${listed(read)}`].filter(Boolean).join(", "),

  connectTitle: (name: string) => `Connect ${name}`,
  mendTitle: (name: string) => `Mend ${name}`,
  /** How a client stands, in one sentence. */
  stands: (state: ClientState, name: string, after: AfterChange, called?: string, connected?: string): string =>
    ({
      absent: `${name} is not on this computer.`,
      found: "On this computer. Not connected.",
      waiting: `Waits for its first call: ${restart[after](name)}.`,
      works: `Works, last call ${called ?? "just now"}.`,
      outdated: "Its entry starts another OzBrain, starts it another way, or as the connection of another client. Connecting again mends it.",
      gone: `It was connected${connected ? ` ${connected}` : ""}, and its entry is gone: ${name}, or someone, wrote the file without it.`,
      revoked: "Its connection was revoked, so its calls are refused. Connecting again makes another one.",
      blocked: "Its file cannot be changed as it is.",
    })[state],
  connectedAt: (when: string) => `Connected ${when.charAt(0).toLowerCase()}${when.slice(1)}.`,

  change: "Exact change",
  changeMade: "Entry",
  figure: (file: string) => `Exact change of ${file}`,
  line: { added: "Added: ", removed: "Taken out: " },
  skipped: (n: number) => `${count(n, "line stays as it is", "lines stay as they are")}`,
  stay: (n: number) => count(n, "further line stays byte for byte as it is", "further lines stay byte for byte as they are"),
  sums: (effect: FileEffect, lines: Lines) => {
    const sum = counted(lines, (n) => count(n, "line is", "lines are"));
    return {
      same: "Nothing has to change.",
      made: `The file is made: ${sum || "it is empty"}.`,
      changed: `${sum}.`,
      restored: `${sum}. The file is byte for byte what it was before it was connected.`,
      removed: "The file goes: connecting had made it.",
    }[effect];
  },
  backup: "The file as it is now is kept.",
  byCommand: (name: string) => `${name} runs and keeps its file itself, so its own command makes the change:`,
  /** A client that can install OzBrain itself. */
  bundle: {
    title: "Extension",
    other: "Another way",
    offer: (name: string) => `${name} can install OzBrain itself, as an extension. It asks you first, it may stay open, and none of its files is touched.`,
    take: (name: string) => `Let ${name} install it`,
    fileOffer: (name: string) => `OzBrain can put an entry into ${name}’s own file instead. ${name} has to be quit for that.`,
    takeFile: "Change its file instead",
    says: (name: string) => `OzBrain makes this extension and opens it. ${name} then asks you whether to install it: say Install. The extension says of itself:`,
    goes: "The extension’s file goes:",
    figure: "What the extension says of itself",
    notAsked: (name: string) => `If ${name} does not ask, have it opened again, or drag this file into ${name}’s window, under Settings > Extensions.`,
    again: "Open it again",
    opened: (name: string) => `The extension was opened again. Say Install where ${name} asks you.`,
  },
  /** What to look at where the first call does not come. */
  late: {
    title: "No call yet",
    says: "It waits for more than two minutes now. What to check:",
    list: (name: string, after: AfterChange): readonly string[] => [
      {
        nothing: `Is ${name} open? Open it, and ask its agent to list the brains.`,
        new_session: `Was a new session opened in ${name} since it was connected? One that ran before does not see OzBrain.`,
        restart: `Was ${name} quit whole, from the tray too, and started again? Closing its window is not enough.`,
        install: `Did you say Install in ${name}? Under Settings > Extensions there it stands, and is turned on.`,
      }[after],
      `Do ${name}’s own settings for MCP servers show ozbrain, turned on and without an error?`,
      `Does ${name} run in a sandbox, such as Flatpak, Snap or a container? Then it may have opened another memory there: what its agent writes does not arrive here.`,
    ],
  },
  otherStore: (folder: string) => `An entry in its file starts OzBrain on another memory, ${folder}. It stays as it is; this one stands beside it.`,
  rules: {
    title: "Rules",
    there: (file: string) => `${file} tells its agents when to use OzBrain.`,
    notThere: (file: string) => `${file} does not tell its agents when to use OzBrain.`,
    add: "Add the text…",
    remove: "Take the text out…",
    addTitle: (name: string) => `Rules for ${name}`,
    addDo: "Add it",
    removeDo: "Take it out",
    did: (name: string, there: boolean) => (there ? `${name}’s rules speak of OzBrain now.` : `${name}’s rules speak of OzBrain no longer.`),
    ask: (name: string) => `Tell ${name}’s agents when to use OzBrain`,
    says: "A short text for its rules file: search before answering, write what was learned. It goes when you disconnect.",
    effect: (effect: FileEffect, wanted: boolean) =>
      ({
        same: "stays as it is.",
        made: "is made.",
        changed: wanted ? "gets a section on OzBrain. All else stays." : "loses its section on OzBrain. All else stays.",
        restored: "is byte for byte what it was before.",
        removed: "goes: connecting had made it.",
      })[effect],
    show: "Show the text",
    hide: "Hide the text",
    figure: (file: string) => `Exact change of the rules in ${file}`,
  },
  byHand: "Add it by hand",
  byHandSays: "Put this into the file yourself. The first call proves it all the same:",
  mendFile: "Mend the file, then look again: OzBrain’s entry stands in it. Nothing else has to be done.",
  takeOut: (entry: string, file: string) => `Take the entry ${entry} out of ${file} yourself, or mend the file and look again. This page notices.`,
  openLink: (name: string) => `Let ${name} ask you`,
  copy: "Copy",
  copyLines: "Copy the lines instead",
  copied: "Copied.",
  selected: (mac: boolean) => `It is selected: press ${mac ? "⌘" : "Ctrl "}C to copy it.`,
  snippet: "The lines to add",

  connect: "Connect",
  connecting: "Writing…",
  mend: "Put it back",
  repair: "Mend it",
  reconnect: "Connect again",
  disconnect: "Disconnect",
  disconnectAsks: "Disconnect…",
  disconnectTitle: (name: string) => `Disconnect ${name}?`,
  disconnectSays: (name: string) =>
    `${name} calls no longer. Its connection and its grants are kept, and what it wrote stays. It can be connected again at any time.`,
  again: "Look again",
  moved: (file: string) => `Nothing was changed. ${file} changed since the preview. Here is the new change: look at it, then decide.`,
  notices: "This page notices once it is quit.",

  did: {
    connected: (name: string, after: AfterChange) => `${name} is connected. It waits for its first call: ${restart[after](name)}.`,
    disconnected: (name: string) => `${name} is disconnected.`,
    works: (name: string) => `${name} called OzBrain. It works.`,
    nothing: (name: string) => `${name} is connected as it should be. Nothing was changed.`,
    granted: (name: string, grant: string, brain: string) => `${name} has the grant ${grant} in ${brain} now.`,
    owner: (name: string, brain: string, owner: boolean) => `${name} is ${owner ? "an owner" : "no owner"} of ${brain} now.`,
    revoked: (name: string) => `${name} is revoked, and stays so.`,
  },

  proof: {
    title: "Live proof",
    file: "The file holds the entry",
    fileDone: "read back after writing",
    bundle: "The extension is made",
    bundleDone: "OzBrain had it opened",
    fileGone: "it is not there",
    fileOld: "it starts another OzBrain",
    calls: (name: string) => `${name} calls OzBrain`,
    called: (name: string) => `${name} called OzBrain`,
    callsHow: (after: AfterChange) => ({ nothing: "open it if it is closed", new_session: "open a new session in it", restart: "quit it whole, from the tray too, and start it again", install: "say Install where it asks you" })[after],
    refused: "its calls are refused: its connection was revoked",
    sees: "It sees what you granted",
    seesHow: "and nothing else",
    seesNow: (names: readonly string[]) => (names.length === 0 ? "It sees no brain" : `It sees ${listed(names)}`),
    notSees: (names: readonly string[]) => (names.length === 0 ? "all that there is, as granted" : `and not ${listed(names)}, as granted`),
    done: "done",
    waits: "waits",
    failed: "failed",
  },

  last: {
    title: "Last",
    read: "Read",
    wrote: "Wrote",
    none: "nothing yet",
  },

  grants: {
    title: "Grants",
    of: (connection: string, brain: string) => `Grant of ${connection} in ${brain}`,
    owner: "owner",
    ownerOf: (connection: string, brain: string) => `${connection} is an owner of ${brain}`,
    ownerHint: "Only owners write here.",
    brain: (kind: string, policy: string, units: number) =>
      `${kind === "personal" ? "kept on this computer" : policy === "owners" ? "shared, owners write" : policy === "review" ? "shared, writes wait for you" : "shared, open"}. ${count(units, "unit", "units")}`,
    firstSays: "These hold from its first call on, and can be changed at any time.",
    lastRead: "Read last",
    lastWrote: "Wrote last",
    boundary:
      "Grants keep honest agents apart. They are no wall: your account on this computer is the boundary, and any program that runs in it could open OzBrain’s file or take a connection’s name.",
    matrix: "Grants of each connection in each brain",
    connection: "Connection",
    none: "No connection yet. Connect a client, and it stands here.",
    revoke: "Revoke",
  },

  revoke: (name: string) => `Revoke ${name}…`,
  revokeHint: "Its calls are refused at once, and for good.",

  connection: {
    how: (key: boolean) => (key ? "Connected by hand, with a key for HTTP." : "Connected by hand, over stdio."),
    cli: "The command line of this computer: ozbrain search, write and the rest.",
    since: (day: string) => `Here since ${day}.`,
    revoked: (day: string) => `Revoked ${day}, for good. Its calls are refused. What it wrote stays, and can be undone.`,
    disconnected: (client: string) => `This was ${client}, which is not connected now. Its grants are kept.`,
  },

  hand: {
    title: "Connect another client",
    says: "Any client that speaks MCP works, if its settings take one of these.",
    name: "Name",
    example: "My agent",
    nameHint: "It stands under what this agent writes, and in the grants.",
    taken: "A connection of this name has called already. The same name is the same connection.",
    needName: "Give it a name.",
    how: "How it calls",
    stdio: "stdio",
    http: "HTTP",
    stdioSays: "The client starts OzBrain itself. No port, no key: take this where you can.",
    httpSays: "For a client that takes an address. It works while OzBrain runs on this computer.",
    noHttp: "Nothing is served over HTTP now, so there is no address.",
    lines: "For its settings",
    orCommand: "Where one field takes the whole command:",
    command: "The command",
    make: "Make a key",
    makeSays: "It is shown once, in the lines below.",
    making: "Making…",
    key: "The key stands in the lines below, this once: OzBrain keeps only its hash. Copy them now.",
    hasKey: "This connection has a key. It was shown once, and cannot be shown again: take another name for another client, or put your key in the place of OZBRAIN_KEY.",
    address: "Address",
    header: "Header",
    entry: "As JSON",
    waits: "this page notices",
  },

  webPage: {
    title: "ChatGPT and Claude on the web",
    says: "The connectors of chatgpt.com and claude.ai are called from their makers’ computers. They need a public HTTPS address and a sign-in. This version of OzBrain has neither: it listens on this computer alone, and nothing here is open to the network.",
    works: "What works today",
    chatgpt: "The ChatGPT desktop app reads the same file as Codex: connect “Codex and ChatGPT”, and both call.",
    claude: "Claude Desktop and Claude Code start OzBrain on this computer: connect them.",
    not: "What does not",
    notList: ["Connectors and apps added on chatgpt.com or claude.ai", "Custom connectors in Claude Desktop’s own settings: Anthropic’s servers call those, not your computer", "Agents in the phone apps"],
    open: (name: string) => `Open ${name}`,
  },

  notInstalled: (name: string) => `${name} was not found on this computer. If it is here after all, add this by hand.`,

  first: {
    title: "One memory for all your agents",
    says: "They read and write it as they work. You keep it true: a minute or two a day.",
    steps: [
      ["Connect your clients", "You see every change before it is made"],
      ["See it work", "Each client makes one live call"],
      ["Write the first fact", "Every agent has it from then on"],
    ] as const,
    local: "All of it stays on this computer. No account.",
    found: (n: number) => (n === 1 ? "One client is on this computer" : `${numbers[n] ?? n} clients are on this computer`),
    foundSays: "OzBrain adds one entry to each. Nothing else in these files is touched, and disconnecting takes it out again.",
    none: "No client that OzBrain knows is on this computer",
    noneSays: "Install one, such as Claude Desktop, Cursor or Codex, and search again. Any other client that speaks MCP can be connected by hand.",
    adds: (file: string, lines: Lines, effect: FileEffect) => [file, effect === "made" && "made", counted(lines, (n) => count(n, "line", "lines"))].filter(Boolean).join(", "),
    show: "Show the change",
    hide: "Hide the change",
    showOf: (name: string) => `Show the change of ${name}`,
    hideOf: (name: string) => `Hide the change of ${name}`,
    blocked: (file: string) => `${file} cannot be changed as it is`,
    runs: "it runs: quit it whole, from the tray too, to connect it",
    andRules: (file: string) => `rules in ${file}`,
    rules: "Tell their agents when to use OzBrain",
    rulesSay: (files: readonly string[]) => `A short text for ${listed(files)}: search before answering, write what was learned. It goes when you disconnect.`,
    sharedName: "Shared",
    connected: (n: number) => `${count(n, "client is", "clients are")} connected.`,
    connectN: (n: number) => `Connect ${count(n, "client", "clients")}`,
    skip: "Not now",
    proofTitle: "Now open them",
    proofSays: "Each client proves itself by one real call. This page notices.",
    provedSays: "Each has made a real call, and sees what you granted.",
    called: (when: string) => `Called OzBrain. ${when}`,
    proved: (done: number, of: number) => (done === of ? (of === 1 ? "It works" : "All of them work") : `${done} of ${of} have called`),
    toFact: "Write the first fact",
    later: "Carry on without",
    failed: (name: string, message: string) => `${name} was not connected. ${message}`,
    factTitle: "Write the first fact",
    factSays: "One thing that every agent should know. They find it by its topic and its words.",
    factText: "The fact",
    factExample: "Meridian’s contract runs until 30 June. Ask Dana before promising a date.",
    factTopic: "Topic",
    factTopicExample: "clients/meridian",
    factBrain: "Brain",
    write: "Write it",
    writing: "Writing…",
    wroteTitle: "It is written",
    wrote: (topic: string) => `Written to ${topic}. Ask any connected agent about it.`,
    finish: "Go to the Inbox",
    brains: "Brains to start with",
    personal: "your preferences and style. OzBrain keeps it on this computer",
    shared: "facts that your agents share",
    makeShared: "Make a shared brain",
    grantsLater: "Each client reads and writes them, unless you choose otherwise under Agents.",
  },

  keys: { next: "Next", previous: "Previous", disconnect: "Disconnect: asks first" },
};

interface Lines {
  added: number;
  removed: number;
  changed: number;
}

/** "5 lines are added, 1 line is changed". */
function counted({ added, removed, changed }: Lines, lines: (n: number) => string): string {
  return [added > 0 && `${lines(added)} added`, changed > 0 && `${lines(changed)} changed`, removed > 0 && `${lines(removed)} taken out`].filter(Boolean).join(", ");
}

const numbers: Record<number, string> = { 2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six", 7: "Seven", 8: "Eight", 9: "Nine", 10: "Ten", 11: "Eleven", 12: "Twelve" };
