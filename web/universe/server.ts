/** The requests of this page. All paths are relative: the application is served under a path or at a root. */

import { exchange, request } from "../kit/api.ts";
import type { Command, Listed, Universe } from "./model.ts";
import type { Reply } from "./refusal.ts";

/** Names only: the states may be large, and the list is asked for often. */
export function listUniverses(): Promise<Listed[]> {
  return request("GET", "universes?state=none");
}

export async function getUniverse(id: string): Promise<Universe> {
  const { body, etag } = await exchange<Omit<Universe, "revision">>("GET", path(id));
  return { ...body, revision: Number(etag?.replaceAll('"', "")) };
}

export function createUniverse(name: string): Promise<Listed> {
  return request("POST", "universes", { name, state: {} });
}

export function renameUniverse(id: string, name: string): Promise<Listed> {
  return request("PUT", `${path(id)}?state=none`, { name });
}

export function deleteUniverse(id: string): Promise<void> {
  return request("DELETE", path(id));
}

/** Without the state in the answer, so that its cost does not grow with the universe; the feed tells what changed. */
export function sendCommand(id: string, command: Command): Promise<Reply> {
  return request("POST", `${path(id)}/commands?state=none`, command);
}

/** Everything that happens after `revision`. A browser that reconnects goes on from the last event it saw. */
export function feed(id: string, revision: number): EventSource {
  return new EventSource(`${path(id)}/events?after=${revision}`);
}

function path(id: string): string {
  return `universes/${encodeURIComponent(id)}`;
}
