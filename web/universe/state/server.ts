/** The requests of this page. All paths are relative: the application is served under a path or at a root. */

import { ApiError, exchange, request, type Answer } from "../../kit/api.ts";
import { freshId } from "../../kit/id.ts";
import type { Command, Entry, Listed, State, Universe } from "./types.ts";
import type { Reply } from "./refusal.ts";

/** Names the surface in the history. */
const VIA = { "x-via": "page" };
/** Universes in one page of the list. */
const PAGE = 100;
/** A big universe takes its time to be read, written or copied. */
const LONG_MS = 120_000;

/** Names only: the states may be large, and the list is asked for often. */
export async function listUniverses(): Promise<Listed[]> {
  const found: Listed[] = [];
  let path: string | null = `universes?state=none&limit=${PAGE}`;
  while (path !== null) {
    const answer: Answer<Listed[]> = await exchange("GET", path);
    found.push(...answer.body);
    path = answer.next && `universes${answer.next.slice(answer.next.indexOf("?"))}`;
  }
  return found;
}

export async function getUniverse(id: string, revision?: number): Promise<Universe> {
  const at = revision === undefined ? "" : `?revision=${revision}`;
  const { body, etag } = await exchange<Universe>("GET", `${pathOf(id)}${at}`, undefined, {
    patience: LONG_MS,
  });
  return { ...body, revision: revision ?? body.revision ?? Number(etag?.replaceAll('"', "")) };
}

export async function createUniverse(name: string, state: State = {}): Promise<Listed> {
  const options = { headers: VIA, patience: LONG_MS };
  return (await exchange<Listed>("POST", "universes?state=none", { name, state }, options)).body;
}

export function renameUniverse(id: string, name: string): Promise<Listed> {
  return request("PUT", `${pathOf(id)}?state=none`, { name }, { headers: VIA });
}

export function deleteUniverse(id: string): Promise<void> {
  return request("DELETE", pathOf(id), undefined, { headers: VIA });
}

export function forkUniverse(id: string, revision?: number, name?: string): Promise<Listed> {
  const options = { headers: VIA, patience: LONG_MS };
  return request("POST", `${pathOf(id)}/fork?state=none`, { revision, name }, options);
}

/**
 * Without the state in the answer, so that its cost does not grow with the universe; the feed tells what changed. With a
 * key, so that it can be sent again when no answer came, and still counts once.
 */
export async function sendCommand(id: string, command: Command): Promise<Reply> {
  const headers = { ...VIA, "idempotency-key": freshId() };
  const send = () =>
    request<Reply>("POST", `${pathOf(id)}/commands?state=none`, command, { headers });
  try {
    return await send();
  } catch (error) {
    if (error instanceof ApiError && error.status === 0) return send();
    throw error;
  }
}

/** A part of the history, newest first; `next` continues it. */
export interface Page {
  entries: Entry[];
  next?: number | string;
}

export function getHistory(id: string, before?: number | string): Promise<Page> {
  const from = before === undefined ? "" : `&before=${before}`;
  return request("GET", `${pathOf(id)}/history?limit=50${from}`);
}

/** Everything that happens after `revision`. A browser that reconnects goes on from the last event it saw. */
export function feed(id: string, revision: number): EventSource {
  return new EventSource(`${pathOf(id)}/changes?after=${revision}`);
}

export function pathOf(id: string): string {
  return `universes/${encodeURIComponent(id)}`;
}
