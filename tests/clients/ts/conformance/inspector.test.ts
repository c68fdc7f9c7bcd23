// The Inspector's strict look at the tools, over both doors and in both eras.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Home, type Json } from "../support/ozbrain.ts";
import { tool } from "../support/programs.ts";

describe("the Inspector", () => {
  let home: Home;
  let config: string;

  before(async () => {
    home = new Home();
    const server = await home.serve();
    const headers = { Authorization: `Bearer ${home.key("inspector")}` };
    const mcpServers: Json = {};
    for (const protocolEra of ["legacy", "modern"]) {
      mcpServers[`http-${protocolEra}`] = { type: "streamable-http", url: server.url.href, headers, protocolEra };
      mcpServers[`stdio-${protocolEra}`] = { type: "stdio", ...home.stdio("inspector-stdio"), protocolEra };
    }
    config = join(home.dir, "inspector.json");
    writeFileSync(config, JSON.stringify({ mcpServers }));
  });

  after(() => home?.close());

  for (const server of ["http-legacy", "http-modern", "stdio-legacy", "stdio-modern"]) {
    it(`finds no fault in the tools over ${server}`, async () => {
      const args = ["--cli", "--config", config, "--server", server, "--method", "tools/list", "--strict"];
      const { code, text } = await tool("mcp-inspector", args, { MCP_INSPECTOR_SECRET_STORE: "memory" });
      assert.equal(code, 0, text);
      assert.match(text, /"base_revision"/);
      assert.doesNotMatch(text, /portability/i, text);
    });
  }
});
