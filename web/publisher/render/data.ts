/** A stable result as a table of plain values: what everything that is drawn is worked out from. Start at `tableOf`. */

import type { AtomicType, Cell, FieldInfo, Note, StableResult, Timeframe } from "./stable.ts";
import { docOf, isCalculation, Tag, tagOf } from "./tag.ts";

/** Whole numbers that do not fit into a number stay digits; times stay as they were sent. */
export type Value = null | string | number | boolean | Row[] | Row;
export type Row = Value[];

export type Kind = "string" | "number" | "boolean" | "date" | "time" | "table" | "record" | "other";

export interface Column {
  name: string;
  /** What people see in its place. */
  label: string;
  kind: Kind;
  /** Without a fraction. */
  whole: boolean;
  timeframe: Timeframe;
  /** Worked out over a group, not one of the things that are grouped by. */
  measure: boolean;
  tag: Tag;
  doc: string;
  /** Of a nested table or a record. */
  columns: Column[];
  /** A list of single values: its one column has no name. */
  plain: boolean;
}

export interface Table {
  columns: Column[];
  rows: Row[];
  tag: Tag;
  timezone: string | undefined;
}

export function tableOf(result: StableResult): Table {
  const columns = result.schema.fields.map(columnOf);
  const rows =
    result.data.kind === "array_cell"
      ? result.data.array_value.map((cell) => rowOf(cell, columns))
      : [rowOf(result.data, columns)];
  return {
    columns,
    rows,
    tag: tagOf(texts(result.annotations)),
    timezone: result.query_timezone,
  };
}

/** A nest as a table of its own. */
export function nested(column: Column, value: Value, timezone: string | undefined): Table {
  const rows = Array.isArray(value) ? (column.kind === "record" ? [value as Row] : value) : [];
  return { columns: column.columns, rows: rows as Row[], tag: column.tag, timezone };
}

function texts(notes: readonly Note[] | undefined): string[] {
  return (notes ?? []).map(({ value }) => value);
}

function columnOf(field: FieldInfo): Column {
  const notes = texts(field.annotations);
  const tag = tagOf(notes);
  const { type } = field;
  const inner = innerOf(type);
  return {
    name: field.name,
    label: tag.text("label") ?? field.name,
    kind: kindOf(type),
    whole: type.kind === "number_type" && (type.subtype ?? "decimal") !== "decimal",
    timeframe: "timeframe" in type ? type.timeframe : undefined,
    measure: field.kind === "measure" || isCalculation(notes),
    tag,
    doc: docOf(notes),
    columns: inner.map(columnOf),
    plain: type.kind === "array_type" && type.element_type.kind !== "record_type",
  };
}

function innerOf(type: AtomicType): FieldInfo[] {
  if (type.kind === "record_type") return type.fields;
  if (type.kind !== "array_type") return [];
  if (type.element_type.kind === "record_type") return type.element_type.fields;
  return [{ name: "value", type: type.element_type }];
}

const KINDS: Partial<Record<AtomicType["kind"], Kind>> = {
  string_type: "string",
  number_type: "number",
  boolean_type: "boolean",
  date_type: "date",
  timestamp_type: "time",
  timestamptz_type: "time",
  array_type: "table",
  record_type: "record",
};

function kindOf(type: AtomicType): Kind {
  return KINDS[type.kind] ?? "other";
}

function rowOf(cell: Cell, columns: readonly Column[]): Row {
  if (cell.kind !== "record_cell") return columns.map((column) => valueOf(cell, column));
  return columns.map((column, n) => valueOf(cell.record_value[n], column));
}

function valueOf(cell: Cell | undefined, column: Column): Value {
  switch (cell?.kind) {
    case "string_cell":
      return cell.string_value;
    case "boolean_cell":
      return cell.boolean_value;
    case "number_cell":
      return numberOf(cell.string_value ?? cell.number_value);
    case "date_cell":
      return cell.date_value;
    case "timestamp_cell":
      return cell.timestamp_value;
    case "json_cell":
      return cell.json_value;
    case "sql_native_cell":
      return cell.sql_native_value;
    case "array_cell":
      return cell.array_value.map((inner) => rowOf(inner, column.columns));
    case "record_cell":
      return rowOf(cell, column.columns);
    default:
      return null;
  }
}

/** A number, or its digits where a number would lose some. */
function numberOf(value: number | string): number | string {
  if (typeof value === "number") return value;
  const number = Number(value);
  const whole = /^-?\d+$/.test(value);
  return whole && !Number.isSafeInteger(number) ? value : number;
}

/** The number to draw for a value, where it is one. */
export function amount(value: Value | undefined): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** The moment that a value names, in milliseconds. */
export function moment(value: Value | undefined): number | undefined {
  if (typeof value !== "string") return undefined;
  const time = Date.parse(/[zZ]$|[+-]\d\d:?\d\d$/.test(value) ? value : isoOf(value));
  return Number.isNaN(time) ? undefined : time;
}

/** Without a zone it is the clock of the query, which the server has in UTC. */
function isoOf(value: string): string {
  const [day = "", time] = value.split(/[ T]/, 2);
  return time ? `${day}T${time}Z` : `${day}T00:00:00Z`;
}

/** Rows as people and programs exchange them. */
export function objects(table: Pick<Table, "columns" | "rows">): Record<string, unknown>[] {
  return table.rows.map((row) => objectOf(table.columns, row));
}

function objectOf(columns: readonly Column[], row: Row): Record<string, unknown> {
  return Object.fromEntries(columns.map((column, n) => [column.name, plainOf(column, row[n])]));
}

function plainOf(column: Column, value: Value | undefined): unknown {
  if (!Array.isArray(value)) return value ?? null;
  if (column.kind === "record") return objectOf(column.columns, value as Row);
  if (column.plain) return (value as Row[]).map((row) => row[0] ?? null);
  return (value as Row[]).map((row) => objectOf(column.columns, row));
}

/** The same as comma-separated values; nests are JSON in their cell. A sign that a spreadsheet would run is disarmed. */
export function csv(table: Pick<Table, "columns" | "rows">): string {
  const quoted = (text: string) =>
    /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const safe = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
  const cell = (column: Column, value: Value | undefined) => {
    const plain = plainOf(column, value);
    if (plain === null) return "";
    if (typeof plain === "object") return quoted(JSON.stringify(plain));
    return quoted(
      typeof plain === "string" && column.kind === "string" ? safe(plain) : String(plain),
    );
  };
  const lines = [
    table.columns.map(({ name }) => quoted(safe(name))),
    ...table.rows.map((row) => table.columns.map((column, n) => cell(column, row[n]))),
  ];
  return lines.map((line) => line.join(",")).join("\r\n") + "\r\n";
}
