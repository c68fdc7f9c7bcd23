import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import type { ClientPlan, ClientView, DiffLine } from "../../api/types";

vi.mock("../../platform", () => ({ platform: { mac: false, recall: () => undefined, copy: async () => true, openLink: () => undefined } }));

const { Diff, PlanView } = await import("./plan");
const { Proof } = await import("./proof");

const lines: DiffLine[] = [
  { kind: "same", text: "{", line: 1 },
  { kind: "removed", text: '  "a": 1', line: 2 },
  { kind: "added", text: '  "a": 1,', line: 2 },
  { kind: "added", text: "<b>", line: 3 },
  { kind: "same", text: "}", line: 40 },
];
const plan: ClientPlan = {
  client: "cursor",
  name: "Cursor",
  act: "connect",
  file: "/home/ann/.cursor/mcp.json",
  entry: "ozbrain",
  way: { way: "edit" },
  changes: true,
  stay: 36,
  effect: "changed",
  diff: lines,
  plan: "9f0c",
  notes: ["Another server there is called ozbrain already."],
  after: "nothing",
  snippet: '{ "ozbrain": {} }',
};
const text = (markup: string) => markup.replace(/<[^>]*>/g, "|").replace(/\|+/g, "|");

test("a change is told line by line, in words too, and what is left out is counted", () => {
  const markup = renderToStaticMarkup(<Diff lines={lines} stay={40} label="Exact change of mcp.json" />);
  expect(text(markup)).toBe("|{|Taken out: |  &quot;a&quot;: 1|Added: |  &quot;a&quot;: 1,|Added: |&lt;b&gt;|36 lines stay as they are|}|4 further lines stay byte for byte as they are|");
  expect(markup).toContain('aria-label="Exact change of mcp.json"');
});

test("a plan says the file, the sums, that the old file is kept, and its notes", () => {
  const shown = text(renderToStaticMarkup(<PlanView plan={plan} />));
  expect(shown).toContain("/home/ann/.cursor/mcp.json");
  expect(shown).toContain("1 line is added, 1 line is changed. The file as it is now is kept.");
  expect(shown).toContain("Another server there is called ozbrain already.");
  expect(text(renderToStaticMarkup(<PlanView plan={{ ...plan, effect: "made" }} />))).not.toContain("is kept");
});

test("a plan that cannot be done shows the place, the reason and the lines, and no change", () => {
  const problem = { code: "syntax" as const, message: "A comma is missing in line 12.", place: { line: 12, column: 3 } };
  const markup = renderToStaticMarkup(<PlanView plan={{ ...plan, problem, diff: [], link: "cursor://install" }} />);
  expect(text(markup)).toContain("|A comma is missing in line 12.|");
  expect(markup).toContain("{ &quot;ozbrain&quot;: {} }");
  expect(text(markup)).toContain("Let Cursor ask you");
  expect(markup).not.toContain('role="figure"');
});

test("the client's own command stands whole where it makes the change", () => {
  const way = { way: "command" as const, command: ["/usr/bin/claude", "mcp", "add-json", "{}"], shell: "/usr/bin/claude mcp add-json '{}'" };
  expect(text(renderToStaticMarkup(<PlanView plan={{ ...plan, way }} />))).toContain("/usr/bin/claude mcp add-json &#x27;{}&#x27;");
});

test("a proof tells who called and when, and what is not seen", () => {
  const now = new Date("2026-12-01T10:00:00");
  const at = new Date("2026-12-01T09:41:00").toISOString();
  const client: ClientView = {
    client: "vscode",
    name: "VS Code",
    state: "works",
    file: "/x",
    after: "nothing",
    running: false,
    last_call: at,
    proof: { at, client: "Visual Studio Code", version: "1.108.0" },
  };
  const brains = [
    { brain: "studio", name: "Studio" },
    { brain: "personal", name: "Personal" },
  ] as never;
  const connection = { connection: "vscode", created_at: at, key: false, waits: false, owner: [], grants: { studio: "read" as const } };
  const shown = text(renderToStaticMarkup(<Proof client={client} connection={connection} brains={brains} now={now} />));
  expect(shown).toContain("VS Code called OzBrain|Visual Studio Code 1.108.0, today 09:41");
  expect(shown).toContain("It sees Studio|and not Personal, as granted");
  const waits = text(renderToStaticMarkup(<Proof client={{ ...client, state: "waiting", after: "restart" }} connection={connection} brains={brains} now={now} />));
  expect(waits).toContain("waits: |VS Code calls OzBrain|quit it whole, from the tray too, and start it again");
  expect(waits).not.toContain("It sees Studio");
});
