/** Having the server make a universe, and hearing how far it is. */

import { ApiError, request, words } from "../../kit/api.ts";
import type { Listed, Seed } from "./types.ts";

export interface Parameter {
  name: string;
  about: string;
  kind: string;
  min?: number;
  max?: number;
  options?: string[];
  default: unknown;
}

export interface Preset {
  name: string;
  title: string;
  about: string;
  parameters: Record<string, unknown>;
}

export interface Generator {
  presets: Preset[];
  parameters: Parameter[];
  topologies: (string | { name: string; title?: string })[];
}

export interface Order {
  name?: string;
  preset?: string;
  seed?: Seed;
  topology?: string;
  parameters?: Record<string, unknown>;
}

export interface Progress {
  stage: string;
  done: number;
  of: number;
}

export function getGenerator(): Promise<Generator> {
  return request("GET", "generator");
}

/** Makes a universe; gives it once it is there. */
export async function generate(order: Order, progress: (step: Progress) => void): Promise<Listed> {
  const response = await fetch("universes/generate", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream", "x-via": "page" },
    body: JSON.stringify(order),
  }).catch(() => {
    throw new ApiError("the server does not answer", 0);
  });
  if (!response.ok || !response.body) {
    throw new ApiError(words(await response.text(), response.status), response.status);
  }
  for await (const { event, data } of messages(response.body)) {
    if (event === "progress") progress(JSON.parse(data) as Progress);
    if (event === "done") return JSON.parse(data) as Listed;
    if (event === "failed") throw new ApiError(words(data, 500), 500);
  }
  throw new ApiError("the server stopped before the universe was made; try again", 0);
}

/** The messages of a stream of server-sent events. */
export async function* messages(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ event: string; data: string }> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: !done });
    const parts = text.split(/\r?\n\r?\n/);
    text = parts.pop() ?? "";
    for (const part of parts) {
      const lines = part.split(/\r?\n/);
      const of = (name: string) =>
        lines
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).trimStart());
      const data = of("data").join("\n");
      if (data !== "") yield { event: of("event")[0] ?? "message", data };
    }
    if (done) return;
  }
}
