/** What the server says, as this page reads it. Fields that it may leave out are optional, unknown ones do no harm. */

import type { AtomicType, Note } from "../render/stable.ts";

/** An error or a warning, at its place where it has one. Lines and columns count from 1. */
export interface Told {
  message: string;
  file?: string;
  line?: number;
  column?: number;
  suggestions?: string[];
  /** The way out. */
  hint?: string;
  /** The line with a mark below what is meant. */
  shown?: string;
}

export interface Project {
  name: string;
  readme?: string;
}

export interface Package {
  name: string;
  description?: string;
  error?: unknown;
  stale?: unknown;
  warnings?: unknown[];
  loading?: boolean;
  version?: string;
  readme?: string;
}

export interface Listed {
  path: string;
  error?: unknown;
  stale?: unknown;
}

export interface Database {
  path: string;
  size: number;
  info?: { name?: string; rowCount?: number; columns?: { name: string; type: string }[] };
}

export interface Schedule {
  resource: string;
  schedule: string;
  action: string;
  connection: string;
  lastRunTime?: number;
  lastRunStatus?: string;
}

export interface Connection {
  name: string;
  type: string;
  attributes?: Record<string, unknown>;
  [block: string]: unknown;
}

export interface Schema {
  name: string;
  isDefault?: boolean;
  isHidden?: boolean;
}

export interface Given {
  name: string;
  type?: unknown;
  default?: unknown;
  defaultValue?: unknown;
  label?: string;
  description?: string;
}

export interface Field {
  kind: "dimension" | "measure" | "view" | "join" | "calculate";
  name: string;
  type?: AtomicType;
  annotations?: Note[];
  relationship?: "one" | "many" | "cross";
  schema?: { fields: Field[] };
}

export interface SourceInfo {
  kind: "source" | "query";
  name: string;
  schema: { fields: Field[] };
  annotations?: Note[];
  parameters?: { name: string }[];
}

export interface Model {
  type: string;
  modelPath: string;
  sources?: {
    name: string;
    annotations?: string[];
    views: { name: string; annotations?: string[] }[];
  }[];
  queries?: { name: string; annotations?: string[]; sourceName?: string }[];
  sourceInfos?: string[];
  modelInfo?: string;
  givens?: Given[];
  text?: string;
  stale?: unknown;
}

export interface Cell {
  type: "markdown" | "code";
  text: string;
  queryName?: string;
  result?: string;
  newSources?: string[];
  error?: unknown;
}

export interface Notebook {
  modelPath: string;
  notebookCells?: Cell[];
  givens?: Given[];
}

/** A query and how long it took. */
export interface Answer {
  result: string;
  sql?: string;
  malloy?: string;
  queryRowLimit?: number;
  queryRowLimitSource?: "query" | "server_default" | "request";
  limitHit?: boolean;
  executionTimeMs?: number;
  cachedAgeMs?: number;
  [more: string]: unknown;
}

export interface Problem {
  message: string;
  severity?: "error" | "warn" | "warning" | "debug";
  code?: string;
  /** The way out, in words. */
  help?: string;
  suggestions?: string[];
  at?: { url?: string; range: { start: Position; end: Position } };
}

export interface Position {
  line: number;
  character: number;
}

export interface Compiled {
  status: "success" | "error";
  problems: Problem[];
  sql?: string;
}

export interface Asked {
  id: string | number;
  at: string | number;
  caller?: unknown;
  surface?: string;
  by?: string;
  /** Of the notebook that `modelPath` is, from 0. */
  cell?: number;
  cached?: boolean;
  project: string;
  package: string;
  modelPath: string;
  malloy: string;
  rows?: number;
  elapsedMs?: number;
  error?: unknown;
}

export interface Change {
  kind: string;
  project?: string;
  package?: string;
  [more: string]: unknown;
}

/** Any shape of error that the server has, in one. */
export function toldOf(value: unknown): Told | undefined {
  if (value === undefined || value === null || value === false) return undefined;
  if (typeof value === "string") return { message: value };
  if (typeof value !== "object") return { message: String(value) };
  const from = value as Record<string, unknown>;
  const place = (from["place"] ?? from["at"] ?? from) as Record<string, unknown>;
  const message = [from["message"], from["error"], from["detail"]].find(
    (it) => typeof it === "string",
  );
  const number = (key: string) =>
    typeof place[key] === "number" ? (place[key] as number) : undefined;
  const file = [place["file"], place["path"], from["model"], place["url"]].find(
    (it) => typeof it === "string",
  ) as string | undefined;
  const [line, column] = [number("line"), number("column")];
  const near = Array.isArray(from["suggestions"]) ? (from["suggestions"] as unknown[]) : [];
  return {
    message: message ? withoutPlace(String(message)) : "it could not be loaded",
    ...(file ? { file } : {}),
    ...(line ? { line } : {}),
    ...(column ? { column } : {}),
    ...(near.length > 0 ? { suggestions: near.map(String) } : {}),
    ...(typeof from["hint"] === "string" ? { hint: from["hint"] } : {}),
    ...(typeof place["shown"] === "string" ? { shown: place["shown"] } : {}),
  };
}

/** Some messages begin with the place that is told beside them. */
function withoutPlace(message: string): string {
  return message.replace(/^(?:[^\s:]+:\d+:\d+|line \d+, column \d+): /, "");
}
