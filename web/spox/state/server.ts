/** The requests of this page. All paths are relative: the application is served under a path or at a root. */

import { request } from "../../kit/api.ts";
import type {
  Approval,
  Archived,
  Change,
  ChangeSummary,
  Diff,
  Hit,
  Project,
  Spec,
  SpecSummary,
  Validation,
} from "./types.ts";

/** Names the surface where requests are looked at. */
const VIA = { "x-via": "page" };
/** Embedding every text of a large project takes its time. */
const INDEX_PATIENCE_MS = 300_000;
/** As many results as fit under the box. */
const TOP = 10;

export function getProject(): Promise<Project> {
  return request("GET", "project");
}

export async function listSpecs(): Promise<SpecSummary[]> {
  return (await request<{ specs: SpecSummary[] }>("GET", "specs")).specs;
}

export async function listChanges(): Promise<ChangeSummary[]> {
  return (await request<{ changes: ChangeSummary[] }>("GET", "changes")).changes;
}

export function getSpec(id: string): Promise<Spec> {
  return request("GET", `specs/${encodeURIComponent(id)}`);
}

export function getChange(id: string): Promise<Change> {
  return request("GET", `changes/${encodeURIComponent(id)}`);
}

export function getDiff(id: string): Promise<Diff> {
  return request("GET", `changes/${encodeURIComponent(id)}/diff`);
}

export function validateAll(): Promise<{ specs: Validation; changes: Validation }> {
  return request("GET", "validate");
}

export interface Found {
  results: Hit[];
  /** Files changed since the index was made, and their meaning is not in it yet. */
  stale?: boolean;
}

export function searchSpecs(
  query: string,
  withChanges: boolean,
  signal: AbortSignal,
): Promise<Found> {
  const asked = new URLSearchParams({
    query,
    top_k: String(TOP),
    include_changes: String(withChanges),
  });
  return request("GET", `search?${asked.toString()}`, undefined, { signal });
}

export function buildIndex(): Promise<{ specs_indexed: number }> {
  return request("POST", "index", undefined, { headers: VIA, patience: INDEX_PATIENCE_MS });
}

export function approveChange(id: string): Promise<{ approved: Approval }> {
  const path = `changes/${encodeURIComponent(id)}/approve`;
  return request("POST", path, undefined, { headers: VIA });
}

export function archiveChange(id: string, force: boolean): Promise<Archived> {
  const path = `changes/${encodeURIComponent(id)}/archive`;
  return request("POST", path, { force }, { headers: VIA });
}

/** Tells what was touched whenever files change. */
export function feed(): EventSource {
  return new EventSource("events");
}
