// Ten clients in a home folder of the story's own, each with a configuration as its users have it.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "../../clients/ts/support/entries.ts";
import type { Home } from "../../clients/ts/support/ozbrain.ts";

/** A client's configuration and how its entry is read back, by other means than the program's own. */
export interface FakeClient {
  client: string;
  name: string;
  file: string;
  text: string;
  entry: (text: string) => Command;
  mode?: number;
}

/** JSON with whole lines of comments and commas at the ends, as these files have them. */
function jsonc(text: string): Record<string, any> {
  return JSON.parse(text.replace(/^\s*\/\/.*$/gm, "").replace(/,(\s*[}\]])/g, "$1"));
}

const fromJson = (container: string) => (text: string) => jsonc(text)[container].ozbrain as Command;

function fromToml(text: string): Command {
  const section = /\[mcp_servers\.ozbrain\]\n([^[]*(?:\[[^\]]*\][^[]*)*)/.exec(text)?.[1] ?? "";
  return {
    command: JSON.parse(/^command = (".*")$/m.exec(section)![1]!),
    args: JSON.parse(/^args = (\[[^\]]*\])/m.exec(section)![1]!),
  };
}

function fromYaml(text: string): Command {
  const entry = /^ {2}ozbrain:\n((?: {4}.*\n?)+)/m.exec(text)![1]!;
  return { command: JSON.parse(/^ +cmd: (".*")$/m.exec(entry)![1]!), args: JSON.parse(/^ +args: (\[.*\])$/m.exec(entry)![1]!) };
}

export const CURSOR: FakeClient = {
  client: "cursor",
  name: "Cursor",
  file: ".cursor/mcp.json",
  text: `{
  // Servers that Ann added by hand. See https://example.org/mcp
  "mcpServers": {
    "github": { "url": "https://mcp.example/github" }
  }
}
`,
  entry: fromJson("mcpServers"),
};

export const VSCODE: FakeClient = {
  client: "vscode",
  name: "VS Code",
  file: ".config/Code/User/mcp.json",
  text: `{
\t// The design team's server
\t"servers": {
\t\t"figma": { "url": "http://127.0.0.1:3845/mcp" }
\t},
\t"inputs": [
\t\t// none yet
\t]
}
`,
  entry: fromJson("servers"),
};

export const CODEX: FakeClient = {
  client: "codex",
  name: "Codex and ChatGPT",
  file: ".codex/config.toml",
  text: `# Ann's settings
model = "gpt-5-codex"

[mcp_servers.docs] # the handbook
command = "npx"
args = ["-y", "docs-server"]

[tui]
theme = "calm"
`,
  entry: fromToml,
};

export const GOOSE: FakeClient = {
  client: "goose",
  name: "Goose",
  file: ".config/goose/config.yaml",
  text: `# what goose starts
GOOSE_PROVIDER: openai
extensions:
  developer: # built in
    type: builtin
    name: developer
    enabled: true
`,
  entry: fromYaml,
};

export const ZED: FakeClient = {
  client: "zed",
  name: "Zed",
  file: ".config/zed/settings.json",
  text: `// Zed settings
{
  "theme": "One Light",
  "context_servers": {},
  "vim_mode": false,
}
`,
  entry: fromJson("context_servers"),
};

export const CLAUDE_DESKTOP: FakeClient = {
  client: "claude-desktop",
  name: "Claude Desktop",
  file: ".config/Claude/claude_desktop_config.json",
  text: `{\n  "globalShortcut": "",\n  "mcpServers": {}\n}\n`,
  entry: fromJson("mcpServers"),
};

/** Its configuration lacks a comma, in line 4. */
export const WINDSURF: FakeClient = {
  client: "windsurf",
  name: "Windsurf",
  file: ".codeium/windsurf/mcp_config.json",
  text: `{
  "mcpServers": {
    "a": { "command": "a" }
    "b": { "command": "b" }
  }
}
`,
  entry: fromJson("mcpServers"),
};

/** Its configuration may not be written. */
export const LM_STUDIO: FakeClient = {
  client: "lmstudio",
  name: "LM Studio",
  file: ".lmstudio/mcp.json",
  text: `{\n  "mcpServers": {}\n}\n`,
  entry: fromJson("mcpServers"),
  mode: 0o444,
};

export const GEMINI: FakeClient = {
  client: "gemini",
  name: "Gemini CLI",
  file: ".gemini/settings.json",
  text: `{ "theme": "Default", "mcpServers": { "x": { "command": "x" } } }`,
  entry: fromJson("mcpServers"),
};

export const CLAUDE_CODE: FakeClient = {
  client: "claude-code",
  name: "Claude Code",
  file: ".claude.json",
  text: `{\n  "numStartups": 41,\n  "projects": { "/home/ann/site": { "allowedTools": [] } }\n}`,
  entry: fromJson("mcpServers"),
};

export const TEN: readonly FakeClient[] = [CLAUDE_DESKTOP, CLAUDE_CODE, CURSOR, VSCODE, CODEX, WINDSURF, GEMINI, ZED, GOOSE, LM_STUDIO];

export const pathOf = (home: Home, client: FakeClient): string => join(home.user, client.file);
export const bytesOf = (home: Home, client: FakeClient): string => readFileSync(pathOf(home, client), "utf8");

/** What the client would start, by its configuration as it is now. */
export const entryOf = (home: Home, client: FakeClient): Command => client.entry(bytesOf(home, client));

/** Puts clients into a home folder. */
export function install(home: Home, clients: readonly FakeClient[]): void {
  for (const client of clients) {
    const path = pathOf(home, client);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, client.text);
    if (client.mode !== undefined) chmodSync(path, client.mode);
  }
}
