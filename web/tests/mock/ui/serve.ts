/** Serves sessions of the stand-in: the page as the server prepares it, the WebSocket, the variables. */

import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";
import { WebSocketServer, type WebSocket } from "ws";
import type { Batch } from "../../../ui/state/wire.ts";
import { Link, type Session } from "./session.ts";

const dist = resolve(process.env["TANDEM_WEB_DIST"] ?? "dist", "ui");
const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};
const POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data: blob: https: http:; media-src 'self' data: blob: https: http:; font-src 'self' data:; " +
  "connect-src 'self' data:; base-uri 'none'; form-action 'self'; object-src 'none'; frame-ancestors 'none'";

export interface Served {
  url: string;
  stop(): Promise<void>;
}

/** Serves `sessions` below `base`. */
export async function serveUi(
  sessions: Map<string, Session>,
  port = 0,
  base = "/",
): Promise<Served> {
  const server = createServer((request, response) => {
    answer(request, response, sessions, base).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    const id = below(request, base).replace(/^ws\//, "");
    const session = sessions.get(id);
    if (!session) return void socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
    sockets.handleUpgrade(request, socket, head, (opened) => adopt(session, opened));
  });
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  const { port: bound } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${bound}${base}`, stop: () => stop(server, sockets) };
}

function adopt(session: Session, socket: WebSocket): void {
  const link = new Link((messages) => {
    socket.send(JSON.stringify(messages.length === 1 ? messages[0] : messages));
  });
  session.links.add(link);
  socket.on("message", (data) => {
    const batch = JSON.parse(String(data)) as Batch;
    session.take(link, batch.messages);
  });
  socket.on("close", () => session.links.delete(link));
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Map<string, Session>,
  base: string,
): Promise<void> {
  const path = below(request, base);
  const [first = "", second = ""] = path.split("/");
  if (path.startsWith("assets/") || path === "ui.js") return file(response, path);
  if (path === "debug/variables") {
    const { searchParams } = new URL(request.url ?? "/", "http://x");
    return page(response, "variables.html", searchParams.get("session") ?? "1", base);
  }
  const session = sessions.get(first);
  if (!session) return void response.writeHead(404).end(`no session ${first}`);
  if (second === "variables") return page(response, "variables.html", first, base);
  if (second === "variables.json") {
    response.writeHead(200, { "content-type": "application/json", "x-change-count": "1" });
    return void response.end(JSON.stringify(session.listing()));
  }
  return page(response, "index.html", first, base);
}

function below(request: IncomingMessage, base: string): string {
  const { pathname } = new URL(request.url ?? "/", "http://x");
  return pathname.startsWith(base) ? pathname.slice(base.length) : "";
}

async function file(response: ServerResponse, path: string): Promise<void> {
  try {
    const content = await readFile(join(dist, join("/", path)));
    response.writeHead(200, { "content-type": types[extname(path)] ?? "text/plain" }).end(content);
  } catch {
    response.writeHead(404).end(`no ${path}`);
  }
}

async function page(
  response: ServerResponse,
  name: string,
  session: string,
  base: string,
): Promise<void> {
  const text = await readFile(join(dist, name), "utf8");
  const tags = `<head><meta name="ui-session" content="${session}"><meta name="ui-base" content="${base}">`;
  const prepared = text.replace("<head>", tags).replaceAll('"./', `"${base}`);
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": POLICY };
  response.writeHead(200, headers).end(prepared);
}

function stop(server: Server, sockets: WebSocketServer): Promise<void> {
  return new Promise((done) => {
    for (const client of sockets.clients) client.terminate();
    sockets.close();
    server.close(() => done());
    server.closeAllConnections();
  });
}
