// An agent as a client's configuration starts it: the official client over
// stdio, with exactly the command that an entry names.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Agent } from "./agents.ts";
import type { Json } from "./ozbrain.ts";

/** What an entry starts. */
export interface Command {
  command: string;
  args: string[];
}

/** The official TypeScript client of the handshake era, over stdio to what an entry starts. */
export class EntryAgent extends Agent {
  readonly #client: Client;

  private constructor(name: string) {
    super(name);
    this.#client = new Client({ name, version: "1.0.0" });
  }

  static async start(name: string, { command, args }: Command): Promise<EntryAgent> {
    const agent = new EntryAgent(name);
    await agent.#client.connect(new StdioClientTransport({ command, args, env: {} }));
    await agent.#client.listTools();
    return agent;
  }

  async callTool(tool: string, args: Json): Promise<Json> {
    return this.#client.callTool({ name: tool, arguments: args });
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}
