// Agents on one memory: three official clients and raw requests, behind one face.
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  ElicitRequestSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Arrivals } from "./net.ts";
import type { Home, Json, Server } from "./ozbrain.ts";

export const MODERN = "2026-07-28";

export interface Answer {
  action: "accept" | "decline" | "cancel";
  content?: Json;
}

/** The one whom a client asks: gets the question and the form, and answers. */
export type Person = (question: string, form: Json) => Answer;

/** A person who keeps what they were asked, and picks one verdict. */
export function personWho(verdict: "still_true" | "unknown" | "decline"): { asked: string[]; answer: Person } {
  const asked: string[] = [];
  const answer: Person = (question, form) => {
    asked.push(question);
    if (verdict === "decline") return { action: "decline" };
    const fields = Object.entries((form.properties ?? {}) as Record<string, Json>);
    const choices = (field: Json): unknown[] =>
      field.enum ?? (field.oneOf ?? field.anyOf ?? []).map((option: Json) => option.const);
    const field = fields.find(([, schema]) => choices(schema).includes(verdict));
    assert.ok(field, `the form offers ${verdict}: ${JSON.stringify(form)}`);
    return { action: "accept", content: { [field[0]]: verdict } };
  };
  return { asked, answer };
}

export interface Refusal {
  code: string;
  message: string;
  [more: string]: unknown;
}

/** A tool's reply, checked for what holds of every reply. */
function checked(tool: string, result: Json): { refused: boolean; data: Json; text: string } {
  assert.equal(result.content?.length, 1, `${tool} answers with one text block`);
  const [block] = result.content;
  assert.equal(block.type, "text");
  const data = result.structuredContent;
  assert.ok(data && typeof data === "object", `${tool} has structured content`);
  if (result.isError) {
    assert.equal(typeof data.code, "string", `${tool}'s refusal has a code: ${block.text}`);
    assert.ok(block.text.length > 10, `${tool}'s refusal says what to do`);
    return { refused: true, data, text: block.text };
  }
  assert.deepEqual(JSON.parse(block.text), data, `${tool}'s text block repeats the structured content`);
  return { refused: false, data, text: block.text };
}

export abstract class Agent {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** The raw result of a tool call. */
  abstract callTool(tool: string, args: Json): Promise<Json>;
  abstract close(): Promise<void>;

  /** Calls a tool that must do its work. */
  async call(tool: string, args: Json = {}): Promise<Json> {
    const { refused, data, text } = checked(tool, await this.callTool(tool, args));
    assert.ok(!refused, `${this.name}: ${tool} ${JSON.stringify(args).slice(0, 300)} was refused: ${text}`);
    return data;
  }

  /** Calls a tool that must do its work; returns the text block as the agent reads it. */
  async text(tool: string, args: Json = {}): Promise<string> {
    const { refused, text } = checked(tool, await this.callTool(tool, args));
    assert.ok(!refused, `${this.name}: ${tool} was refused: ${text}`);
    return text;
  }

  /** Calls a tool that must refuse. */
  async refusal(tool: string, args: Json = {}): Promise<Refusal> {
    const { refused, data, text } = checked(tool, await this.callTool(tool, args));
    assert.ok(refused, `${this.name}: ${tool} ${JSON.stringify(args).slice(0, 300)} was not refused: ${text}`);
    return data as Refusal;
  }
}

const clientInfo = (name: string) => ({ name, version: "1.0.0" });

/** Where an agent connects over HTTP. */
export type Door = Pick<Server, "url">;

const withKey = (key: string) => ({ requestInit: { headers: { Authorization: `Bearer ${key}` } } });

/** The official TypeScript client of the handshake era, over Streamable HTTP. */
export class LegacyAgent extends Agent {
  readonly client: LegacyClient;
  readonly updated = new Arrivals<string>();
  readonly listChanged = new Arrivals<true>();

  private constructor(name: string, person?: Person) {
    super(name);
    this.client = new LegacyClient(clientInfo(name), { capabilities: person ? { elicitation: {} } : {} });
    if (person) {
      this.client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        assert.ok("requestedSchema" in params);
        return { ...person(params.message, params.requestedSchema) };
      });
    }
    this.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => this.updated.add(params.uri));
    this.client.setNotificationHandler(ResourceListChangedNotificationSchema, () => this.listChanged.add(true));
  }

  static async connect(server: Door, key: string, name: string, person?: Person): Promise<LegacyAgent> {
    const agent = new LegacyAgent(name, person);
    const transport = new LegacyTransport(server.url, withKey(key));
    await agent.client.connect(transport as Parameters<LegacyClient["connect"]>[0]);
    // A client that knows the output schemas checks every reply against them.
    await agent.client.listTools();
    return agent;
  }

  async callTool(tool: string, args: Json): Promise<Json> {
    return this.client.callTool({ name: tool, arguments: args });
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

/** The official TypeScript client of the 2026-07-28 era, over Streamable HTTP. */
export class ModernAgent extends Agent {
  readonly client: ModernClient;
  readonly updated = new Arrivals<string>();

  private constructor(name: string, person?: Person) {
    super(name);
    this.client = new ModernClient(clientInfo(name), {
      capabilities: person ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: { pin: MODERN } },
    });
    if (person) {
      this.client.setRequestHandler("elicitation/create", ({ params }) => {
        assert.ok("requestedSchema" in params);
        return { ...person(params.message, params.requestedSchema) } as never;
      });
    }
    this.client.setNotificationHandler("notifications/resources/updated", ({ params }) => this.updated.add(params.uri));
  }

  static async connect(server: Door, key: string, name: string, person?: Person): Promise<ModernAgent> {
    const agent = new ModernAgent(name, person);
    await agent.client.connect(new ModernTransport(server.url, withKey(key)));
    await agent.client.listTools();
    return agent;
  }

  async callTool(tool: string, args: Json): Promise<Json> {
    return this.client.callTool({ name: tool, arguments: args });
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

/** The official Python client, over stdio to an `ozbrain mcp` of its own. */
export class PythonAgent extends Agent {
  #child: ChildProcess;
  #ended: Promise<void>;
  #next = 1;
  #open = new Map<number, { resolve: (value: Json) => void; reject: (error: Error) => void }>();
  #person: Person | undefined;
  #ready: Promise<Json>;
  protocol = "";

  private constructor(home: Home, name: string, mode: string, person?: Person) {
    super(name);
    this.#person = person;
    const settings = { ...home.stdio(name), name, mode, person: person !== undefined };
    const script = fileURLToPath(new URL("../../python/agent.py", import.meta.url));
    const python = process.env.OZBRAIN_TEST_PYTHON ?? "python3";
    this.#child = spawn(python, [script, JSON.stringify(settings)], { stdio: ["pipe", "pipe", "inherit"] });
    let ready: (value: Json) => void;
    let failed: (error: Error) => void;
    this.#ready = new Promise((resolve, reject) => {
      ready = resolve;
      failed = reject;
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once("close", (code) => {
        const error = new Error(`the Python agent ${name} ended with code ${code}`);
        failed(error);
        for (const { reject } of this.#open.values()) reject(error);
        resolve();
      });
    });
    this.#child.once("error", (error) => failed(error));
    createInterface({ input: this.#child.stdout! }).on("line", (line) => {
      const message = JSON.parse(line) as Json;
      if ("ready" in message) ready(message.ready);
      else if ("ask" in message) this.#answer(message);
      else this.#settle(message);
    });
  }

  /** `mode`: `legacy` for the handshake, `auto` for the newest both sides speak. */
  static async connect(home: Home, name: string, mode: "legacy" | "auto", person?: Person): Promise<PythonAgent> {
    const agent = new PythonAgent(home, name, mode, person);
    agent.protocol = (await agent.#ready).protocol;
    await agent.order({ list: "tools" });
    return agent;
  }

  #answer(message: Json): void {
    const result = this.#person?.(message.message, message.schema) ?? { action: "cancel" };
    this.#child.stdin!.write(`${JSON.stringify({ answer: message.ask, result })}\n`);
  }

  #settle(message: Json): void {
    const waiting = this.#open.get(message.id);
    assert.ok(waiting, `an answer to nothing: ${JSON.stringify(message)}`);
    this.#open.delete(message.id);
    if ("error" in message) waiting.reject(new Error(message.error));
    else waiting.resolve(message.result);
  }

  order(order: Json): Promise<Json> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#child.stdin!.write(`${JSON.stringify({ id, ...order })}\n`);
    });
  }

  callTool(tool: string, args: Json): Promise<Json> {
    return this.order({ call: { tool, arguments: args } });
  }

  async close(): Promise<void> {
    this.#child.stdin!.end();
    await this.#ended;
  }
}

export interface Posted {
  status: number;
  headers: Headers;
  /** The JSON-RPC messages of the answer, the response last. */
  messages: Json[];
}

/** Reads the messages of a JSON or event stream answer. */
async function messagesOf(response: Response): Promise<Json[]> {
  const text = await response.text();
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    try {
      return text ? [JSON.parse(text)] : [];
    } catch {
      return [];
    }
  }
  return text
    .split(/\r?\n\r?\n/)
    .map((event) =>
      event
        .split(/\r?\n/)
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5).trim())
        .join("\n"),
    )
    .filter((data) => data !== "")
    .map((data) => JSON.parse(data));
}

/** Requests of the 2026-07-28 era, written by hand. */
export class RawAgent extends Agent {
  readonly server: Door;
  readonly key: string;
  #capabilities: Json;
  #next = 1;

  constructor(server: Door, key: string, name: string, capabilities: Json = {}) {
    super(name);
    this.server = server;
    this.key = key;
    this.#capabilities = capabilities;
  }

  headers(method: string, name?: string): Record<string, string> {
    return {
      Authorization: `Bearer ${this.key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": MODERN,
      "Mcp-Method": method,
      ...(name === undefined ? {} : { "Mcp-Name": name }),
    };
  }

  body(method: string, params: Json): Json {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": MODERN,
      "io.modelcontextprotocol/clientInfo": clientInfo(this.name),
      "io.modelcontextprotocol/clientCapabilities": this.#capabilities,
    };
    return { jsonrpc: "2.0", id: this.#next++, method, params: { ...params, _meta: meta } };
  }

  async post(method: string, params: Json, name?: string): Promise<Posted> {
    const response = await fetch(this.server.url, {
      method: "POST",
      headers: this.headers(method, name),
      body: JSON.stringify(this.body(method, params)),
    });
    return { status: response.status, headers: response.headers, messages: await messagesOf(response) };
  }

  /** The result of a request that must succeed. */
  async request(method: string, params: Json, name?: string): Promise<Json> {
    const { status, messages } = await this.post(method, params, name);
    const response = messages.at(-1);
    assert.equal(status, 200, `${method}: ${JSON.stringify(response)}`);
    assert.ok(response?.result, `${method}: ${JSON.stringify(response)}`);
    return response.result;
  }

  callTool(tool: string, args: Json, more: Json = {}): Promise<Json> {
    return this.request("tools/call", { name: tool, arguments: args, ...more }, tool);
  }

  async close(): Promise<void> {}
}
