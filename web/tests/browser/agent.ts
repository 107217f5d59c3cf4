/** An agent, as far as these tests need one: an MCP session over HTTP that calls tools and hears notifications. */

import assert from "node:assert/strict";
import { messages } from "../../universe/state/generate.ts";
import { at } from "./browser.ts";

const VERSION = "2025-06-18";

interface Message {
  id?: number;
  method?: string;
  params?: { uri?: string };
  result?: { content?: { text: string }[] };
  error?: { message: string };
}

export class Agent {
  readonly #session: string;
  readonly #url: string;
  readonly #ears = new AbortController();
  #last = 1;

  private constructor(url: string, session: string) {
    this.#url = url;
    this.#session = session;
  }

  /** Connects to the MCP endpoint of one application. */
  static async connect(application = "universe"): Promise<Agent> {
    const url = at(`/${application}/mcp`);
    const clientInfo = { name: "browser-tests", version: "1" };
    const params = { protocolVersion: VERSION, capabilities: {}, clientInfo };
    const response = await post(url, {}, { jsonrpc: "2.0", id: 1, method: "initialize", params });
    const session = response.headers.get("mcp-session-id");
    assert.ok(session, await response.text());
    const agent = new Agent(url, session);
    await post(url, agent.#headers(), { jsonrpc: "2.0", method: "notifications/initialized" });
    return agent;
  }

  /** Calls a tool and gives the JSON of its answer. */
  async call<T>(name: string, args: object): Promise<T> {
    const { result } = await this.#ask("tools/call", { name, arguments: args });
    return JSON.parse(result?.content?.[0]?.text ?? "null") as T;
  }

  /** From now on; `told` gives the resource that the server says has changed, once it does. */
  async subscribe(uri: string): Promise<{ told: Promise<string | undefined> }> {
    const { signal } = this.#ears;
    const headers = { ...this.#headers(), accept: "text/event-stream" };
    const { body } = await fetch(this.#url, { headers, signal });
    assert.ok(body);
    await this.#ask("resources/subscribe", { uri });
    return { told: firstUpdate(body) };
  }

  async close(): Promise<void> {
    this.#ears.abort();
    await fetch(this.#url, { method: "DELETE", headers: this.#headers() });
  }

  async #ask(method: string, params: object): Promise<Message> {
    const id = (this.#last += 1);
    const response = await post(this.#url, this.#headers(), { jsonrpc: "2.0", id, method, params });
    const text = await response.text();
    const json = text.startsWith("{") ? text : (/^data: ?(\{.*)$/m.exec(text)?.[1] ?? "{}");
    const message = JSON.parse(json) as Message;
    assert.equal(message.error, undefined, text);
    return message;
  }

  #headers(): Record<string, string> {
    return { "mcp-session-id": this.#session, "mcp-protocol-version": VERSION };
  }
}

async function firstUpdate(body: ReadableStream<Uint8Array>): Promise<string | undefined> {
  for await (const { data } of messages(body)) {
    const { method, params } = JSON.parse(data) as Message;
    if (method === "notifications/resources/updated") return params?.uri;
  }
  return undefined;
}

function post(url: string, headers: Record<string, string>, body: object): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify(body),
  });
}
