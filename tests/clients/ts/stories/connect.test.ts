// A client is connected from the command line, starts exactly what was written
// into its file, and that call is the proof.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Home, type Json } from "../support/ozbrain.ts";

const clients = [
  { client: "claude-desktop", file: ".config/Claude/claude_desktop_config.json", servers: "mcpServers" },
  { client: "cursor", file: ".cursor/mcp.json", servers: "mcpServers" },
  { client: "vscode", file: ".config/Code/User/mcp.json", servers: "servers" },
] as const;

describe("a connected client", () => {
  let home: Home;

  before(() => {
    home = new Home();
    home.sharedBrain("team");
  });

  after(() => home?.close());

  const stands = (client: string): Json =>
    home.json("connect").clients.find((found: Json) => found.client === client);

  for (const { client, file, servers } of clients) {
    it(`${client} works once the official client has called through its entry`, async () => {
      const path = join(home.user, file);
      const text = `{\n  "${servers}": {\n    "other": { "command": "x" }\n  }\n}\n`;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      assert.equal(stands(client).state, "found");
      home.ok("connect", client);
      assert.equal(stands(client).state, "waiting");

      const { command, args } = JSON.parse(readFileSync(path, "utf8"))[servers].ozbrain;
      const agent = new LegacyClient({ name: `${client}-test`, version: "1.0.0" });
      await agent.connect(new StdioClientTransport({ command, args, env: {} }));
      const call = { name: "write", arguments: { brain: "team", topic: `clients/${client}`, body: "It works." } };
      const { structuredContent } = await agent.callTool(call);
      assert.equal((structuredContent as Json).outcome, "created");
      await agent.close();

      const works = stands(client);
      assert.equal(works.state, "works");
      assert.ok(Date.now() - Date.parse(works.last_call) < 60_000, works.last_call);
      const { metadata } = home.json("fetch", `team:clients/${client}`);
      assert.match(metadata.agent, new RegExp(`^${client} \\(${client}-test 1.0.0\\)`));

      home.ok("disconnect", client);
      assert.equal(readFileSync(path, "utf8"), text);
      assert.equal(stands(client).state, "found");
    });
  }
});
