/** The requests of this page. All paths are relative: the application is served under a path or at a root. */

import { request } from "../../kit/api.ts";
import type {
  Answer,
  Asked,
  Cell,
  Compiled,
  Connection,
  Database,
  Listed,
  Model,
  Notebook,
  Package,
  Project,
  Schedule,
  Schema,
} from "./types.ts";

export const API = "api/v0";
/** Names the surface where requests are looked at. */
const VIA = { "x-via": "page" };
/** A first load compiles every model of a package, and a query may take as long as the server lets it. */
const PATIENCE_MS = 600_000;
const LOAD = { patience: PATIENCE_MS };

/** A model in its package. */
export interface At {
  project: string;
  name: string;
  path: string;
}

function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return request("GET", `${API}/${path}`, undefined, signal ? { ...LOAD, signal } : LOAD);
}

function packagePath(project: string, name = ""): string {
  const parts = ["projects", encodeURIComponent(project), "packages"];
  return [...parts, ...(name === "" ? [] : [encodeURIComponent(name)])].join("/");
}

function filePath({ project, name, path }: At, kind: "models" | "notebooks"): string {
  const file = path.split("/").map(encodeURIComponent).join("/");
  return `${packagePath(project, name)}/${kind}/${file}`;
}

export const listProjects = () => get<Project[]>("projects");
export const getProject = (name: string) => get<Project>(`projects/${encodeURIComponent(name)}`);
export const listPackages = (project: string) => get<Package[]>(packagePath(project));
export const getPackage = (project: string, name: string) =>
  get<Package>(packagePath(project, name));
export const reloadPackage = (project: string, name: string) =>
  get<Package>(`${packagePath(project, name)}?reload=true`);

export const listModels = (project: string, name: string) =>
  get<Listed[]>(`${packagePath(project, name)}/models`);
export const listNotebooks = (project: string, name: string) =>
  get<Listed[]>(`${packagePath(project, name)}/notebooks`);
export const listDatabases = (project: string, name: string) =>
  get<Database[]>(`${packagePath(project, name)}/databases`);
export const listSchedules = (project: string, name: string) =>
  get<Schedule[]>(`${packagePath(project, name)}/schedules`);

export const getModel = (at: At) => get<Model>(filePath(at, "models"));
/** The cells as they stand; each is run when it is looked at. */
export const getNotebook = (at: At) => get<Notebook>(`${filePath(at, "notebooks")}?run=false`);

export function runCell(at: At, n: number, signal: AbortSignal): Promise<Cell> {
  const options = { ...LOAD, headers: VIA, ...(signal ? { signal } : {}) };
  return request("GET", `${API}/${filePath(at, "notebooks")}/cells/${n}`, undefined, options);
}

export interface Question {
  query?: string | undefined;
  sourceName?: string | undefined;
  queryName?: string | undefined;
  givens?: Record<string, unknown> | undefined;
  rowLimit?: number | undefined;
  /** Asks the database, whatever was kept. */
  fresh?: boolean | undefined;
}

export function runQuery(at: At, asked: Question, signal: AbortSignal): Promise<Answer> {
  const options = { ...LOAD, signal, headers: VIA };
  return request("POST", `${API}/${filePath(at, "models")}/query`, asked, options);
}

export function compile(
  at: At,
  source: string,
  givens: Record<string, unknown> | undefined,
  signal: AbortSignal,
): Promise<Compiled> {
  const asked = { source, scope: "append", includeSql: true, givens };
  const options = { signal, headers: VIA };
  return request("POST", `${API}/${filePath(at, "models")}/compile`, asked, options);
}

/** Connections belong to a project, or to one of its packages. */
export interface Scope {
  project: string;
  name?: string;
}

function connectionPath({ project, name }: Scope, ...rest: string[]): string {
  const base =
    name === undefined ? `projects/${encodeURIComponent(project)}` : packagePath(project, name);
  return [base, "connections", ...rest.map(encodeURIComponent)].join("/");
}

export const listConnections = (scope: Scope) => get<Connection[]>(connectionPath(scope));
export const testConnection = (scope: Scope, connection: string) =>
  get<undefined>(connectionPath(scope, connection, "test"));
export const listSchemas = (scope: Scope, connection: string) =>
  get<Schema[]>(connectionPath(scope, connection, "schemas"));
export const listTables = (scope: Scope, connection: string, schema: string) =>
  get<string[]>(connectionPath(scope, connection, "schemas", schema, "tables"));
export const getTable = (scope: Scope, connection: string, schema: string, table: string) =>
  get<{ columns?: { name: string; type: string }[] }>(
    connectionPath(scope, connection, "schemas", schema, "tables", table),
  );

export const listHistory = (most: number) => get<Asked[]>(`history?limit=${most}`);
export const getOpenApi = () => get<OpenApi>("openapi.json");

export interface OpenApi {
  info: { title: string; version: string; description?: string };
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
}

export interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: { name: string; in: string; required?: boolean; description?: string }[];
  requestBody?: unknown;
}

/** Tells what changed: packages that were loaded, queries that were run. */
export function feed(): EventSource {
  return new EventSource(`${API}/events`);
}

/** The same address as a program outside of the page needs it. */
export function outside(path: string): string {
  return new URL(`${API}/${path}`, document.baseURI).href;
}

export function queryAddress(at: At): string {
  return outside(`${filePath(at, "models")}/query`);
}
