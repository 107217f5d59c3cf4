// The server that Tandem is measured against: the official TypeScript SDK, set up as its own documentation
// shows, in the fastest of the ways it offers: plain `node:http` (no express), the body parsed once with
// `JSON.parse`, JSON answers instead of event streams.
//
//   node server.mjs sessions|stateless|stdio
//
// Over HTTP it prints the address it listens on as its first line. It ends when its standard input does.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const inputSchema = z.strictObject({ message: z.string().max(4096).describe('What to give back.') });

function echoServer() {
  const server = new McpServer({ name: 'echo', version: '1.0.0' });
  server.registerTool(
    'echo',
    {
      description: 'Give back the message.',
      inputSchema,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ message }) => ({ content: [{ type: 'text', text: message }] }),
  );
  return server;
}

async function read(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** One transport and one server for each session, as the SDK wants it. */
function withSessions() {
  const sessions = new Map();
  return async (request, response) => {
    const body = await read(request);
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: true,
        onsessioninitialized: (id) => sessions.set(id, transport),
      });
      await echoServer().connect(transport);
    }
    await transport.handleRequest(request, response, body);
  };
}

/** One transport and one server for each request: the SDK refuses to use a stateless transport twice. */
async function stateless(request, response) {
  const body = await read(request);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await echoServer().connect(transport);
  await transport.handleRequest(request, response, body);
}

function listen(handler) {
  const server = createServer((request, response) => {
    handler(request, response).catch((error) => {
      console.error(error);
      response.writeHead(500).end();
    });
  });
  // The load keeps its connections open longer than node's default of five seconds.
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1', () => {
    console.log(`127.0.0.1:${server.address().port}`);
  });
  process.stdin.resume().on('end', () => process.exit(0));
}

const mode = process.argv[2];
if (mode === 'sessions') listen(withSessions());
else if (mode === 'stateless') listen(stateless);
else if (mode === 'stdio') await echoServer().connect(new StdioServerTransport());
else throw new Error(`no mode \`${mode}\`: use sessions, stateless or stdio`);
