// The official TypeScript SDK, second generation: finds out the era by itself, or is told it by `--era legacy`.

import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { exitOf, readArguments, runChecks } from "./checks.mjs";

const { target, url, era, command, args } = readArguments();
const transport = url
  ? new StreamableHTTPClientTransport(new URL(url))
  : new StdioClientTransport({ command, args, stderr: "ignore" });
const client = new Client({ name: "interop", version: "2" }, { versionNegotiation: { mode: era } });
client.onerror = (error) => console.error(`client: ${error}`);

await runChecks(target, {
  async connect() {
    await client.connect(transport);
    const modern = era === "auto";
    assert.equal(client.getNegotiatedProtocolVersion(), modern ? "2026-07-28" : "2025-11-25");
  },
  tools: async () => (await client.listTools()).tools.map(({ name }) => name),
  call: (name, args, options) => client.callTool({ name, arguments: args }, options),
  read: async (uri) => (await client.readResource({ uri })).contents[0].text,
  prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages[0].content.text,
  async watch(uri, told) {
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => told(params.uri));
    if (era === "auto") {
      const listening = await client.listen({ resourceSubscriptions: [uri] });
      return () => listening.close();
    }
    await client.subscribeResource({ uri });
    return () => client.unsubscribeResource({ uri });
  },
  async terminate() {
    const exited = url ? undefined : exitOf(transport);
    if (url && era === "legacy") await transport.terminateSession();
    await client.close();
    if (exited) assert.deepEqual(await exited, { code: 0, signal: null });
  },
});
