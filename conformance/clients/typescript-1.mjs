// The official TypeScript SDK, first generation: revisions up to 2025-11-25.

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { exitOf, readArguments, runChecks } from "./checks.mjs";

const { target, url, command, args } = readArguments();
const transport = url
  ? new StreamableHTTPClientTransport(new URL(url))
  : new StdioClientTransport({ command, args, stderr: "ignore" });
const client = new Client({ name: "interop", version: "1" });
client.onerror = (error) => console.error(`client: ${error}`);

await runChecks(target, {
  connect: () => client.connect(transport),
  tools: async () => (await client.listTools()).tools.map(({ name }) => name),
  call: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options),
  read: async (uri) => (await client.readResource({ uri })).contents[0].text,
  prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages[0].content.text,
  async watch(uri, told) {
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => told(params.uri));
    await client.subscribeResource({ uri });
    return () => client.unsubscribeResource({ uri });
  },
  terminate: () => (url ? endSession() : endProcess()),
});

/** A server without sessions has nothing to end. */
async function endSession() {
  const id = transport.sessionId;
  await transport.terminateSession();
  await client.close();
  if (id === undefined) return;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const headers = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-session-id": id,
  };
  const { status } = await fetch(url, { method: "POST", headers, body });
  assert.equal(status, 404);
}

async function endProcess() {
  const exited = exitOf(transport);
  await client.close();
  assert.deepEqual(await exited, { code: 0, signal: null });
}
