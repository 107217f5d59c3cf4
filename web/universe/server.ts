/** The requests of this page. All paths are relative: the application is served under a path or at a root. */

import { request } from "../kit/api.ts";
import type { Command, State, Universe } from "./model.ts";
import type { Outcome } from "./refusal.ts";

/** The answer to a command. The last two are there where the server tells. */
export interface Reply {
  nextState: State;
  events: Outcome[];
  applied?: boolean;
  revision?: number;
}

export function listUniverses(): Promise<Universe[]> {
  return request("GET", "universes");
}

export function getUniverse(id: string): Promise<Universe> {
  return request("GET", path(id));
}

export function createUniverse(name: string): Promise<Universe> {
  return request("POST", "universes", { name, state: {} });
}

export function renameUniverse(id: string, name: string): Promise<Universe> {
  return request("PUT", path(id), { name });
}

export function deleteUniverse(id: string): Promise<void> {
  return request("DELETE", path(id));
}

export function sendCommand(id: string, command: Command): Promise<Reply> {
  return request("POST", `${path(id)}/commands`, command);
}

export function feed(id: string): EventSource {
  return new EventSource(`${path(id)}/events`);
}

function path(id: string): string {
  return `universes/${encodeURIComponent(id)}`;
}
