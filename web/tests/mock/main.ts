/**
 * A small stand-in for the server: what the pages are developed against (`npm run dev:mock`) and what the browser tests use when
 * no `tandem serve` is given. It keeps universes and campaigns in memory, reads a project folder for spox, and speaks the routes the
 * pages use, no more.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import type { Clock, Command, Seed } from "../../universe/state/types.ts";
import { Campaigns } from "./campaign/routes.ts";
import { sampleCampaign } from "./campaign/sample.ts";
import { GENERATOR, STAGES } from "./generator.ts";
import type { State } from "./reducer.ts";
import { file, json, read } from "./reply.ts";
import { crowd, sample } from "./sample.ts";
import { Project } from "./spox/project.ts";
import { Spox } from "./spox/routes.ts";
import { sampleProject } from "./spox/sample.ts";
import { answerSpox } from "./spox/serve.ts";
import type { Session as UiSession } from "../../ui-home/sessions.ts";
import { sampleUi } from "./ui/sample.ts";
import { serveUi } from "./ui/serve.ts";
import { Publisher } from "./publisher/serve.ts";
import { frame, Kept } from "./universe.ts";

/** Starts the server; gives its address and a way to stop it. */
export async function startMock(
  port = 0,
  universesAtStart: Kept[] = [],
  campaigns = new Campaigns(),
  spox?: Spox,
  ui: UiSession[] = [],
  publisher?: Publisher,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const universes = new Map(universesAtStart.map((kept) => [kept.id, kept]));
  const started = Date.now();
  const server = createServer((request, response) => {
    answer(request, response, { universes, campaigns, spox, publisher, ui, started }).catch(
      (error: unknown) => {
        json(response, 500, { error: String(error) });
      },
    );
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

/** All that is served. */
interface Served {
  universes: Map<string, Kept>;
  campaigns: Campaigns;
  spox: Spox | undefined;
  publisher: Publisher | undefined;
  /** Sessions of the UI platform, which are served elsewhere. */
  ui: UiSession[];
  started: number;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { universes, campaigns, spox, publisher, ui, started }: Served,
): Promise<void> {
  const origin = `http://${request.headers.host}`;
  const { pathname } = new URL(request.url ?? "/", origin);
  if (pathname === "/api/status") return json(response, 200, status(origin, started));
  if (pathname.startsWith("/spox/") && spox) return answerSpox(request, response, spox, "/spox");
  if (pathname.startsWith("/publisher/") && publisher) {
    return publisher.answer(request, response, "/publisher");
  }
  if (pathname === "/ui/api/sessions") return json(response, 200, { sessions: ui });
  if (pathname.startsWith("/ui/")) return file(response, "ui-home", pathname.slice(4));
  if (pathname === "/universe/generator") return json(response, 200, GENERATOR);
  if (pathname.startsWith("/universe/universes")) {
    const [, , , id, part] = pathname.split("/");
    return universe(request, response, universes, id, part);
  }
  if (/^\/campaign\/(campaigns|sessions|duality|dice)(\/|$)/.test(pathname)) {
    return campaign(request, response, campaigns);
  }
  if (pathname.startsWith("/campaign/")) return file(response, "campaign", pathname.slice(10));
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
      {
        name: "campaign",
        title: "Campaign table",
        about: "Play tabletop campaigns with Duality dice, people and AIs at one table.",
        health: { status: "well" },
        links: [{ label: "Open", href: "/campaign/" }],
        mcp: { url: `${origin}/campaign/mcp`, command: ["tandem", "mcp", "--apps", "campaign"] },
      },
      {
        name: "spox",
        title: "Specs",
        about: "Keep specs and changes as Markdown: read, search, check and apply them.",
        health: { status: "well" },
        links: [{ label: "Open", href: "/spox/" }],
        mcp: { url: `${origin}/spox/mcp`, command: ["tandem", "mcp", "--apps", "spox"] },
      },
      {
        name: "publisher",
        title: "Publisher",
        about: "Publish semantic models over data, and ask questions of them.",
        health: { status: "well" },
        links: [{ label: "Open", href: "/publisher/" }],
        mcp: { url: `${origin}/publisher/mcp`, command: ["tandem", "mcp", "--apps", "publisher"] },
      },
      {
        name: "ui",
        title: "UI platform",
        about: "Let an agent build a live interface in Lua and HTML, and use it with the agent.",
        health: { status: "well" },
        links: [{ label: "Open", href: "/ui/" }],
        mcp: { url: `${origin}/ui/mcp`, command: ["tandem", "mcp", "--apps", "ui"] },
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
  const { searchParams: query } = new URL(request.url ?? "/", "http://mock");
  const body = method === "POST" || method === "PUT" ? await read(request) : {};
  const full = query.get("state") !== "none";
  if (id === undefined) {
    if (method === "POST") return create(response, universes, body, full);
    return json(response, 200, [...universes.values()].map((kept) => kept.record(full)).reverse());
  }
  if (id === "generate") return generate(request, response, universes, body);
  const kept = universes.get(id);
  if (!kept) return json(response, 404, { error: "Universe not found", universeId: id });
  const via = String(request.headers["x-via"] ?? "rest");
  if (part === "changes") return stream(request, response, kept);
  if (part === "history") return json(response, 200, history(kept, query));
  if (part === "commands") return command(request, response, kept, body, via);
  if (part === "clock") {
    if (method === "PUT") kept.setClock(body as Partial<Clock>, via);
    return json(response, 200, kept.clock);
  }
  if (part === "fork") {
    const made = kept.fork(
      body["revision"] as number | undefined,
      body["name"] as string | undefined,
    );
    universes.set(made.id, made);
    return json(response, 201, made.record(full));
  }
  if (method === "PUT") {
    if (body["name"] !== undefined) kept.rename(String(body["name"]));
    if (body["state"] !== undefined) kept.replace(body["state"] as Partial<State>);
  }
  if (method === "DELETE") {
    universes.delete(id);
    kept.end();
    return void response.writeHead(204).end();
  }
  const revision = Number(query.get("revision") ?? kept.revision);
  response.setHeader("etag", `"${revision}"`);
  json(response, 200, kept.record(full, revision));
}

async function campaign(
  request: IncomingMessage,
  response: ServerResponse,
  campaigns: Campaigns,
): Promise<void> {
  const method = request.method ?? "GET";
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://mock");
  const parts = pathname.split("/").slice(2).map(decodeURIComponent);
  const body = method === "GET" ? {} : await read(request);
  const answered = campaigns.answer({ method, parts, query, body, request, response });
  if (answered) json(response, ...answered);
  else if (!response.headersSent) json(response, 404, { error: `no route ${pathname}` });
}

function create(
  response: ServerResponse,
  universes: Map<string, Kept>,
  body: Record<string, unknown>,
  full: boolean,
): void {
  const name = String(body["name"] ?? "").trim();
  if (name === "") {
    return json(response, 400, { error: '"name" is required and must be a non-empty string' });
  }
  const kept = new Kept(name, body["state"] as Partial<State>);
  universes.set(kept.id, kept);
  json(response, 201, kept.record(full));
}

function command(
  request: IncomingMessage,
  response: ServerResponse,
  kept: Kept,
  body: Record<string, unknown>,
  via: string,
): void {
  const key = request.headers["idempotency-key"];
  json(
    response,
    200,
    kept.command(body as Command, via, typeof key === "string" ? key : undefined),
  );
}

function history(kept: Kept, query: URLSearchParams): object {
  return kept.history(Number(query.get("limit") ?? 50), Number(query.get("before") ?? Infinity));
}

/** A crowd of bodies, told stage by stage when the asker can hear it. */
function generate(
  request: IncomingMessage,
  response: ServerResponse,
  universes: Map<string, Kept>,
  body: Record<string, unknown>,
): void {
  const { maxSystems = 5 } = (body["parameters"] ?? {}) as { maxSystems?: number };
  const seed = (body["seed"] as Seed | undefined) ?? "chosen by the server";
  const kept = new Kept(String(body["name"] ?? "Generated"), crowd(maxSystems * 20, seed));
  universes.set(kept.id, kept);
  const record = { ...kept.record(false), generated: { seed, totals: { systems: maxSystems } } };
  if (!String(request.headers.accept).includes("text/event-stream")) {
    return json(response, 201, record);
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const say = (event: string, data: object) =>
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  STAGES.forEach((stage, n) => say("progress", { stage, done: n + 1, of: STAGES.length }));
  say("done", record);
  response.end();
}

function stream(request: IncomingMessage, response: ServerResponse, kept: Kept): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.write(":connected\n\n");
  const after = new URL(request.url ?? "", "http://mock").searchParams.get("after");
  const seen = Number(request.headers["last-event-id"] ?? after ?? kept.revision);
  kept.lines.slice(Math.max(0, seen)).forEach(({ change }) => response.write(frame(change)));
  kept.readers.add(response);
  request.on("close", () => kept.readers.delete(response));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const shown = new Kept("A bit of everything", sample());
  const campaigns = new Campaigns();
  campaigns.add(sampleCampaign());
  const project = new Project(process.env["PROJECT"] ?? sampleProject());
  const port = Number(process.env["PORT"] ?? 3000);
  const { url: beside } = await serveUi(new Map([["1", sampleUi()]]), port + 1);
  const started = Date.now();
  const session = { id: "1", url: `${beside}1/`, type: "Contacts", connections: 1, started };
  const { url } = await startMock(
    port,
    [shown],
    campaigns,
    new Spox(project),
    [session],
    new Publisher(),
  );
  console.log(`the pages, without the real server: ${url}`);
}
