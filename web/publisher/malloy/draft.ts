/** A query that is put together by clicking, and the Malloy that it is written as. `read.ts` is the way back. */

import { ident, path, text } from "./name.ts";

export type Truncation = "year" | "quarter" | "month" | "week" | "day" | "hour" | "minute";

/** A field that is taken as it is: its path from the source, cut to a unit of time where it is one. */
export interface Picked {
  path: string[];
  unit?: Truncation;
  /** What it is called in the result, where its own name is taken already. */
  as?: string;
}

export type Operator =
  | "is"
  | "is not"
  | "contains"
  | "starts"
  | "ends"
  | "<"
  | "<="
  | ">"
  | ">="
  | "during"
  | "before"
  | "after"
  | "null"
  | "not null"
  | "true"
  | "false";

export interface Filter {
  path: string[];
  kind: "string" | "number" | "boolean" | "date" | "time" | "other";
  operator: Operator;
  values: string[];
  /** On what is worked out over a group. */
  measure: boolean;
}

export interface Ordered {
  name: string;
  direction: "asc" | "desc";
}

/** One level: what stands in braces. */
export interface Level {
  groupBy: Picked[];
  aggregate: Picked[];
  filters: Filter[];
  nests: Nest[];
  orderBy: Ordered[];
  limit: number | undefined;
}

/** A level below, made here or a view of the source. */
export type Nest = { name: string; chart: string } & ({ view: string } | { level: Level });

export interface Draft {
  source: string;
  /** Begins with a view of the source. */
  view: string | undefined;
  /** The tag that says how the result is drawn. */
  chart: string;
  level: Level;
}

export function emptyLevel(): Level {
  return { groupBy: [], aggregate: [], filters: [], nests: [], orderBy: [], limit: undefined };
}

export function emptyDraft(source: string): Draft {
  return { source, view: undefined, chart: "", level: emptyLevel() };
}

export function isEmptyLevel(level: Level): boolean {
  const { groupBy, aggregate, filters, nests, orderBy, limit } = level;
  const all = [groupBy, aggregate, filters, nests, orderBy];
  return all.every(({ length }) => length === 0) && limit === undefined;
}

/** Whether there is something to run. */
export function isRunnable({ view, level }: Draft): boolean {
  return (
    view !== undefined || level.groupBy.length + level.aggregate.length + level.nests.length > 0
  );
}

/** The name of a picked field in the result. */
export function outputName({ path, unit, as }: Picked): string {
  if (as) return as;
  const last = path.at(-1) ?? "";
  return unit ? `${last}_${unit}` : last;
}

/** The same field with a name that nothing else of the level has. */
export function named(level: Level, picked: Picked): Picked {
  const taken = new Set([
    ...[...level.groupBy, ...level.aggregate].map(outputName),
    ...level.nests.map(({ name }) => name),
  ]);
  if (!taken.has(outputName(picked))) return picked;
  const last = picked.unit ? `${picked.path.at(-1)}_${picked.unit}` : (picked.path.at(-1) ?? "");
  const whole = [...picked.path.slice(0, -1), last].join("_");
  for (let n = 1; ; n += 1) {
    const as = n === 1 ? whole : `${whole}_${n}`;
    if (!taken.has(as)) return { ...picked, as };
  }
}

/** The query as Malloy. */
export function write(draft: Draft): string {
  const tag = draft.chart === "" ? "" : `# ${draft.chart}\n`;
  const start = `${tag}run: ${ident(draft.source)} -> `;
  const body = isEmptyLevel(draft.level) && draft.view ? "" : braces(draft.level, 0);
  if (!draft.view) return start + body;
  return body === "" ? start + ident(draft.view) : `${start}${ident(draft.view)} + ${body}`;
}

function braces(level: Level, depth: number): string {
  const lines = statements(level, depth + 1);
  if (lines.length === 0) return "{ }";
  const margin = "  ".repeat(depth + 1);
  return `{\n${lines.map((line) => margin + line).join("\n")}\n${"  ".repeat(depth)}}`;
}

function statements(level: Level, depth: number): string[] {
  const lines: string[] = [];
  const before = level.filters.filter(({ measure }) => !measure).map(condition);
  const after = level.filters.filter(({ measure }) => measure).map(condition);
  if (before.length > 0) lines.push(`where: ${before.join(", ")}`);
  if (level.groupBy.length > 0) lines.push(`group_by: ${level.groupBy.map(field).join(", ")}`);
  if (level.aggregate.length > 0) lines.push(`aggregate: ${level.aggregate.map(field).join(", ")}`);
  for (const nest of level.nests) {
    if (nest.chart !== "") lines.push(`# ${nest.chart}`);
    lines.push(`nest: ${nestText(nest, depth)}`);
  }
  if (after.length > 0) lines.push(`having: ${after.join(", ")}`);
  if (level.orderBy.length > 0) lines.push(`order_by: ${level.orderBy.map(order).join(", ")}`);
  if (level.limit !== undefined) lines.push(`limit: ${level.limit}`);
  return lines;
}

function nestText(nest: Nest, depth: number): string {
  if ("view" in nest) {
    return nest.view === nest.name
      ? ident(nest.view)
      : `${ident(nest.name)} is ${ident(nest.view)}`;
  }
  return `${ident(nest.name)} is ${braces(nest.level, depth)}`;
}

function field(picked: Picked): string {
  const { unit, as } = picked;
  const whole = path(picked.path) + (unit ? `.${unit}` : "");
  return unit || as ? `${ident(outputName(picked))} is ${whole}` : whole;
}

function order({ name, direction }: Ordered): string {
  return `${ident(name)} ${direction}`;
}

/** A condition. Several values of a text mean any of them. */
export function condition({ path: names, kind, operator, values }: Filter): string {
  const name = path(names);
  const [value = "", second = ""] = values;
  switch (operator) {
    case "null":
      return `${name} is null`;
    case "not null":
      return `${name} is not null`;
    case "true":
      return name;
    case "false":
      return `not ${name}`;
    case "contains":
      return `${name} ~ ${text(`%${value}%`)}`;
    case "starts":
      return `${name} ~ ${text(`${value}%`)}`;
    case "ends":
      return `${name} ~ ${text(`%${value}`)}`;
    case "is":
      return `${name} = ${values.map((each) => literal(each, kind)).join(" | ")}`;
    case "is not":
      return `${name} != ${values.map((each) => literal(each, kind)).join(" & ")}`;
    case "during":
      return second === ""
        ? `${name} ? ${literal(value, kind)}`
        : `${name} ? ${literal(value, kind)} to ${literal(second, kind)}`;
    case "before":
      return `${name} < ${literal(value, kind)}`;
    case "after":
      return `${name} >= ${literal(value, kind)}`;
    default:
      return `${name} ${operator} ${literal(value, kind)}`;
  }
}

function literal(value: string, kind: Filter["kind"]): string {
  if (kind === "number")
    return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value.trim()) ? value.trim() : "0";
  if (kind === "date" || kind === "time") return `@${timeText(value)}`;
  return text(value);
}

/** What an input of the browser gives, as a time literal: nothing but digits and their signs gets through. */
function timeText(value: string): string {
  const clean = value
    .trim()
    .replace("T", " ")
    .replace(/[^0-9Q: .-]/g, "")
    .trim();
  return clean === "" ? "2000" : clean;
}
