// Real clients, each as its vendor publishes it, in a home folder of their own
// and without any account: connected, they reach the server themselves.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, it, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { nothingElseWent } from "../support/left.ts";
import { Home, type Json } from "../support/ozbrain.ts";

const installed = process.env.OZBRAIN_REAL_CLIENTS ?? "";
const command = (name: string): string => join(installed, "node_modules", ".bin", name);

describe("a real client", () => {
  let home: Home;
  let env: Record<string, string>;

  before(() => {
    assert.ok(existsSync(command("codex")), "run it with `npm test -- --only clients`");
    home = new Home();
    const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
    env = { HOME: home.user, PATH: path, TERM: "dumb", DISABLE_AUTOUPDATER: "1" };
  });

  after(() => home?.close());

  const stands = (client: string): Json =>
    home.json("connect").clients.find((found: Json) => found.client === client);

  const put = (path: string, text: string): string => {
    const file = join(home.user, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };

  /** Runs a client's command to its end; what it printed. */
  function run(name: string, ...args: string[]): Promise<string> {
    const child = spawn(command(name), args, { cwd: home.user, env, stdio: ["ignore", "pipe", "pipe"], timeout: 90_000 });
    let printed = "";
    child.stdout.on("data", (data) => (printed += data));
    child.stderr.on("data", (data) => (printed += data));
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", () => resolve(printed));
    });
  }

  /** Connects; afterwards the client calls, which must be the proof. */
  async function proved(
    context: TestContext,
    client: string,
    file: string,
    text: string,
    call: () => Promise<void>,
  ): Promise<void> {
    const path = put(file, text);
    assert.equal(stands(client).state, "found");
    home.ok("connect", client);
    const connected = readFileSync(path, "utf8");
    assert.equal(stands(client).state, "waiting");
    const { rules } = stands(client);
    if (rules) assert.match(readFileSync(rules.file, "utf8"), /OzBrain: end/);
    await call();
    const works = stands(client);
    assert.equal(works.state, "works");
    // The proof says who called.
    assert.ok(works.proof.client, JSON.stringify(works));
    context.diagnostic(`it calls itself ${works.proof.client} ${works.proof.version}`);
    const rewritten = readFileSync(path, "utf8");
    home.ok("disconnect", client);
    assert.equal(stands(client).state, "found");
    assert.doesNotMatch(readFileSync(path, "utf8"), /--data-dir/);
    if (rules) assert.ok(!existsSync(rules.file), "it was made, and goes again");
    nothingElseWent({ before: text, connected, rewritten, after: readFileSync(path, "utf8") });
  }

  it("Claude Code checks the server's health", (context) =>
    proved(context, "claude-code", ".claude.json", '{\n  "numStartups": 1\n}\n', async () => {
      assert.match(await run("claude", "mcp", "list"), /ozbrain:.*Connected/);
    }));

  it("Claude Code's own command writes the entry that OzBrain knows", async () => {
    const args = ["mcp", "--connection", "claude-code", "--data-dir", join(home.dir, "data")];
    const entry = { type: "stdio", command: "/usr/bin/ozbrain", args };
    await run("claude", "mcp", "add-json", "-s", "user", "ozbrain", JSON.stringify(entry));
    assert.equal(stands("claude-code").state, "outdated");
    home.ok("connect", "claude-code");
    assert.match(await run("claude", "mcp", "list"), /ozbrain:.*Connected/);
    await run("claude", "mcp", "remove", "-s", "user", "ozbrain");
    assert.equal(stands("claude-code").state, "gone");
    home.ok("disconnect", "claude-code");
    assert.equal(stands("claude-code").state, "found");
  });

  it("Codex lists the server, and its app server starts it", (context) =>
    proved(context, "codex", ".codex/config.toml", 'model = "x" # mine\n', async () => {
      assert.match(await run("codex", "mcp", "list"), /ozbrain .*--connection codex/);
      const tools = await appServerTools();
      assert.ok(tools.includes("search") && tools.includes("write"), tools.join(", "));
    }));

  /** The tools that Codex's app server, which the desktop app talks to, has of ours. */
  function appServerTools(): Promise<string[]> {
    const child = spawn(command("codex"), ["app-server"], { cwd: home.user, env, stdio: ["pipe", "pipe", "ignore"] });
    const send = (message: Json) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const tools = new Promise<string[]>((resolve, reject) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        const { id, result } = JSON.parse(line);
        if (id === 1) {
          send({ method: "initialized" });
          send({ id: 2, method: "mcpServerStatus/list", params: {} });
        }
        if (id === 2) resolve(Object.keys(result.data.find((server: Json) => server.name === "ozbrain").tools));
      });
      child.once("error", reject);
      child.once("close", () => reject(new Error("codex app-server ended")));
    });
    send({ id: 1, method: "initialize", params: { clientInfo: { name: "test", title: "Test", version: "1.0.0" } } });
    return tools.finally(() => child.kill());
  }

  it("Gemini CLI connects", (context) =>
    proved(context, "gemini", ".gemini/settings.json", '{\n  // mine\n  "ui": {}\n}\n', async () => {
      put(".gemini/trustedFolders.json", JSON.stringify({ [home.user]: "TRUST_FOLDER" }));
      assert.match(await run("gemini", "mcp", "list"), /ozbrain:.*Connected/);
    }));

  it("opencode connects", (context) =>
    proved(context, "opencode", ".config/opencode/opencode.json", "{}", async () => {
      assert.match(await run("opencode", "mcp", "list"), /ozbrain.*connected/);
    }));

  it("Goose starts the server for a session", (context) =>
    proved(context, "goose", ".config/goose/config.yaml", "# mine\nGOOSE_MODE: auto\n", async () => {
      const model = { GOOSE_PROVIDER: "ollama", GOOSE_MODEL: "none", GOOSE_DISABLE_KEYRING: "1" };
      const args = ["run", "--no-session", "--text", "hello"];
      const child = spawn(command("goose"), args, { cwd: home.user, env: { ...env, ...model }, stdio: "ignore" });
      const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
      // It says nowhere that an extension was reached, and then waits for a
      // model that is not there.
      const deadline = Date.now() + 60_000;
      while (stands("goose").state !== "works" && Date.now() < deadline) await pause(250);
      child.kill("SIGKILL");
      await ended;
    }));

  it("Cline's own reader takes the entry, and its client reaches the server", (context) =>
    proved(context, "cline", ".cline/data/settings/cline_mcp_settings.json", '{"mcpServers":{}}', async () => {
      const core = await import(pathToFileURL(join(installed, "node_modules", "@cline", "core", "dist", "index.js")).href);
      const filePath = join(home.user, ".cline/data/settings/cline_mcp_settings.json");
      const registrations: Json[] = core.resolveMcpServerRegistrations({ filePath });
      const registration = registrations.find(({ name }) => name === "ozbrain");
      assert.equal(registration?.transport.type, "stdio", JSON.stringify(registrations));
      const client = await core.createDefaultMcpServerClientFactory()(registration);
      await client.connect();
      const tools: Json[] = await client.listTools();
      assert.ok(tools.some(({ name }) => name === "search"), JSON.stringify(tools));
      await client.disconnect();
    }));
});
