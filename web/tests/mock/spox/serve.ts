/** The spox application alone on a port, under a path or at the root: what the tests of its page use. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { file, json, read } from "../reply.ts";
import { Project } from "./project.ts";
import { Spox } from "./routes.ts";

export async function serveSpox(
  folder: string,
  prefix: "" | "/spox",
  port = 0,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const spox = new Spox(new Project(folder));
  const server = createServer((request, response) => {
    answerSpox(request, response, spox, prefix).catch((error: unknown) => {
      json(response, 500, { error: String(error) });
    });
  });
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  const { port: bound } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((done) => {
      spox.close();
      server.close(() => done());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${bound}`, stop };
}

/** Answers one request: a route of the application, else a file of its page. */
export async function answerSpox(
  request: IncomingMessage,
  response: ServerResponse,
  spox: Spox,
  prefix: string,
): Promise<void> {
  const method = request.method ?? "GET";
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://mock");
  const path = pathname.slice(prefix.length + 1);
  const parts = path.split("/").map(decodeURIComponent);
  const body = method === "GET" ? {} : await read(request);
  const answered = await spox.answer({ method, parts, query, body, request, response });
  if (answered) json(response, ...answered);
  else if (!response.headersSent) await file(response, "spox", path);
}
