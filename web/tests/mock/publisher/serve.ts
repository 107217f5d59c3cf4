/**
 * A stand-in for the publisher: it answers as the program once did on the files of `sample.ts` (`record.ts` asked it then).
 *
 * It compiles nothing and runs nothing. What was never asked is refused in words, except a check of a text, which finds nothing wrong.
 */

import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { file, json, read } from "../reply.ts";

export interface Recorded {
  status: number;
  body: unknown;
}

export type Recording = Record<string, Recorded>;

/** What is asked, in one line. */
export function keyOf(method: string, path: string, body: unknown): string {
  return body === undefined || method === "GET"
    ? `${method} ${path}`
    : `${method} ${path} ${JSON.stringify(body)}`;
}

const FILE = resolve(process.env["TANDEM_RECORDED"] ?? "tests/mock/publisher/recorded.json");

interface Asked {
  id: number;
  [more: string]: unknown;
}

export class Publisher {
  readonly #recording = JSON.parse(readFileSync(FILE, "utf8")) as Recording;
  readonly #readers = new Set<ServerResponse>();
  readonly #history: Asked[] = [];

  /** Answers one request: a route of the application, else a file of its page. */
  async answer(request: IncomingMessage, response: ServerResponse, prefix: string): Promise<void> {
    const method = request.method ?? "GET";
    const { pathname, search } = new URL(request.url ?? "/", "http://mock");
    const path = pathname.slice(prefix.length + 1);
    if (!path.startsWith("api/")) return file(response, "publisher", path);
    if (path === "api/v0/events") return this.#listen(request, response);
    if (path === "api/v0/history") return json(response, 200, this.#history);
    const body = method === "GET" ? undefined : await read(request);
    const found = this.#recording[keyOf(method, path + search, body)];
    if (method === "POST" && path.endsWith("/compile") && !found) {
      return json(response, 200, { status: "success", problems: [] });
    }
    const { status, body: answer } = found ?? {
      status: 404,
      body: { code: 404, message: `the stand-in was never asked \`${path}\`` },
    };
    if (method === "POST" && path.endsWith("/query")) this.#remember(path, body ?? {}, answer);
    json(response, status, answer);
  }

  #listen(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    response.write(": here\n\n");
    this.#readers.add(response);
    request.on("close", () => this.#readers.delete(response));
  }

  #remember(path: string, body: Record<string, unknown>, answer: unknown): void {
    const [, , , project, , name, , ...file] = path.split("/").map(decodeURIComponent);
    const { malloy, message } = answer as { malloy?: string; message?: string };
    const run: Asked = {
      id: this.#history.length + 1,
      at: Date.now(),
      caller: "local",
      surface: "rest",
      project,
      package: name,
      modelPath: file.slice(0, -1).join("/"),
      malloy: malloy ?? String(body["query"] ?? body["queryName"]),
      rows: 1,
      elapsedMs: 3,
      ...(message === undefined ? {} : { error: message }),
    };
    this.#history.unshift(run);
    const told = `event: change\ndata: ${JSON.stringify({ kind: "query", ...run })}\n\n`;
    for (const reader of this.#readers) reader.write(told);
  }
}

export async function servePublisher(
  prefix: "" | "/publisher",
  port = 0,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const publisher = new Publisher();
  const server = createServer((request, response) => {
    publisher.answer(request, response, prefix).catch((error: unknown) => {
      json(response, 500, { message: String(error) });
    });
  });
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  const { port: bound } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${bound}`, stop };
}
