/** Answers of the stand-in: files of the pages as they are built, and JSON. */

import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, resolve } from "node:path";

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

export async function file(response: ServerResponse, page: string, path: string): Promise<void> {
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

export async function read(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text === "" ? "{}" : text) as Record<string, unknown>;
}

export function json(response: ServerResponse, code: number, body: unknown): void {
  response
    .writeHead(code, { "content-type": "application/json", ...guards })
    .end(JSON.stringify(body));
}
