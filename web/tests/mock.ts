/**
 * A small stand-in for the server: what the pages are developed against (`npm run dev:mock`) and what the browser tests use when
 * no `tandem serve` is given. It keeps universes in memory and speaks the routes the pages use, no more.
 */

import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { apply, type Command, type Universe } from "../universe/model.ts";

const dist = resolve(process.env["TANDEM_WEB_DIST"] ?? "dist");
const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};
// The policy of the real server, so that a page which breaks it breaks here.
const guards = {
  "content-security-policy":
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

interface Kept {
  record: Universe;
  /** Everything told so far; the n-th line is revision n + 2, the first being its creation. */
  lines: string[];
  readers: Set<ServerResponse>;
}

/** Starts the server; gives its address and a way to stop it. */
export async function startMock(port = 0): Promise<{ url: string; stop: () => Promise<void> }> {
  const universes = new Map<string, Kept>();
  const started = Date.now();
  const server = createServer((request, response) => {
    answer(request, response, universes, started).catch((error: unknown) => {
      json(response, 500, { error: String(error) });
    });
  });
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  const { port: bound } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${bound}`, stop: () => stop(server) };
}

function stop(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  universes: Map<string, Kept>,
  started: number,
): Promise<void> {
  const origin = `http://${request.headers.host}`;
  const { pathname } = new URL(request.url ?? "/", origin);
  if (pathname === "/api/status") return json(response, 200, status(origin, started));
  if (pathname.startsWith("/universe/universes")) {
    const [, , , id, part] = pathname.split("/");
    return universe(request, response, universes, id, part);
  }
  if (pathname.startsWith("/universe/")) return file(response, "universe", pathname.slice(10));
  return file(response, "home", pathname.slice(1));
}

function status(origin: string, started: number) {
  return {
    name: "tandem",
    version: "0.1.0",
    uptime_seconds: Math.floor((Date.now() - started) / 1000),
    ready: true,
    auth: { required: false },
    mcp: { url: `${origin}/mcp`, command: ["tandem", "mcp"] },
    applications: [
      {
        name: "universe",
        title: "Universe simulator",
        about: "Build and animate universes of stars, planets, belts and nebulae.",
        health: { status: "well" },
        links: [
          { label: "Open", href: "/universe/" },
          { label: "API", href: "/universe/universes" },
        ],
        mcp: { url: `${origin}/universe/mcp`, command: ["tandem", "mcp", "--apps", "universe"] },
      },
    ],
  };
}

async function universe(
  request: IncomingMessage,
  response: ServerResponse,
  universes: Map<string, Kept>,
  id: string | undefined,
  part: string | undefined,
): Promise<void> {
  const method = request.method ?? "GET";
  const body = method === "POST" || method === "PUT" ? await read(request) : {};
  if (id === undefined) {
    if (method === "GET")
      return json(response, 200, [...universes.values()].map((kept) => kept.record).reverse());
    return create(response, universes, body);
  }
  const kept = universes.get(id);
  if (!kept) return json(response, 404, { error: "Universe not found", universeId: id });
  if (part === "events") return stream(request, response, kept);
  if (part === "commands") return command(response, kept, body as unknown as Command);
  if (method === "PUT") {
    kept.record.name = String(body["name"] ?? kept.record.name);
    tell(kept, "replaced", { name: kept.record.name });
  }
  if (method === "DELETE") {
    universes.delete(id);
    tell(kept, "deleted", {});
    return void response.writeHead(204).end();
  }
  response.setHeader("etag", `"${kept.record.revision}"`);
  json(response, 200, kept.record);
}

function create(
  response: ServerResponse,
  universes: Map<string, Kept>,
  body: Record<string, unknown>,
): void {
  const name = String(body["name"] ?? "").trim();
  if (name === "") {
    return json(response, 400, { error: '"name" is required and must be a non-empty string' });
  }
  const state = { stars: {}, rootIds: [], time: 0, ...(body["state"] as object) };
  const record = { id: randomUUID(), name, state, revision: 1 };
  universes.set(record.id, { record, lines: [], readers: new Set() });
  json(response, 201, record);
}

function command(response: ServerResponse, kept: Kept, body: Command): void {
  const { state, revision } = kept.record;
  const next = apply(state, body);
  if (!next) {
    const events = [{ type: "starNotFound", id: "id" in body ? body.id : "" }];
    return json(response, 200, { events, applied: false, revision });
  }
  kept.record.state = next;
  tell(kept, "command", body);
  json(response, 200, { events: [], applied: true, revision: kept.record.revision });
}

/** Numbers a change and tells everyone who reads. */
function tell(kept: Kept, name: string, data: unknown): void {
  kept.record.revision += 1;
  const frame = `id: ${kept.record.revision}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  kept.lines.push(frame);
  kept.readers.forEach((reader) => reader.write(frame));
}

function stream(request: IncomingMessage, response: ServerResponse, kept: Kept): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.write(":connected\n\n");
  const after = new URL(request.url ?? "", "http://mock").searchParams.get("after");
  const seen = Number(request.headers["last-event-id"] ?? after ?? kept.record.revision);
  kept.lines.slice(Math.max(0, seen - 1)).forEach((line) => response.write(line));
  kept.readers.add(response);
  request.on("close", () => kept.readers.delete(response));
}

async function file(response: ServerResponse, page: string, path: string): Promise<void> {
  const name = path === "" ? "index.html" : path;
  try {
    const content = await readFile(join(dist, page, join("/", name)));
    response
      .writeHead(200, { "content-type": types[extname(name)] ?? "text/plain", ...guards })
      .end(content);
  } catch {
    json(response, 404, { error: `no \`${name}\`; is ${dist} built? run \`npm run build\`` });
  }
}

async function read(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text) as Record<string, unknown>;
}

function json(response: ServerResponse, code: number, body: unknown): void {
  response
    .writeHead(code, { "content-type": "application/json", ...guards })
    .end(JSON.stringify(body));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { url } = await startMock(Number(process.env["PORT"] ?? 3000));
  console.log(`the pages, without the real server: ${url}`);
}
