/**
 * Nested tables as one grid: the columns of a nest stand below its name, its rows beside the row they belong to.
 *
 * A nest inside a cell would repeat its head in every row. Here every column has its place once, and cells span as many lines as the
 * longest nest of their row needs.
 */

import type { Column, Row, Table, Value } from "./data.ts";
import { planOf, visible } from "./plan.ts";

export interface HeadCell {
  column: Column;
  span: number;
  lines: number;
  /** Whether it is the name of a nest over the nest's columns. */
  group: boolean;
  /** Of its first column among all. */
  place: number;
}

export interface BodyCell {
  /** `undefined` for the rest of a nest that has fewer rows than its neighbour. */
  column: Column | undefined;
  value: Value;
  /** The row of which it is a part, whole: a link may need another column. */
  row: Row;
  columns: readonly Column[];
  span: number;
  lines: number;
  place: number;
  /** How many rows of the nest are left out after this cell. */
  more?: number;
  depth: number;
}

export interface Grid {
  head: HeadCell[][];
  /** For each row of the table, its lines. */
  body: BodyCell[][][];
  width: number;
}

/** More rows of a nest than one looks at; the rest is one click away. */
export const MOST_NESTED = 20;
const DEEPEST = 6;

/** Whether the columns of this nest become columns of the grid. */
export function opens(column: Column, depth: number): boolean {
  if (column.plain || depth >= DEEPEST || column.columns.length === 0) return false;
  if (column.kind !== "table" && column.kind !== "record") return false;
  return planOf(column.tag, column.columns).shape === "table" && !column.tag.is("pivot");
}

export function gridOf(table: Table, whole: ReadonlySet<Row[]> = new Set()): Grid {
  const columns = visible(table.columns);
  const width = span(columns, 0);
  const height = headHeight(columns, 0);
  const head: HeadCell[][] = Array.from({ length: height }, () => []);
  layHead(head, columns, 0, 0, height);
  const body = table.rows.map((row) => {
    const lines: BodyCell[][] = Array.from(
      { length: heightOf(row, table.columns, 0, whole) },
      () => [],
    );
    layRow(
      lines,
      { row, all: table.columns, top: 0, left: 0, lines: lines.length, depth: 0 },
      whole,
    );
    for (const line of lines) line.sort((a, b) => a.place - b.place);
    return lines;
  });
  return { head, body, width };
}

function span(columns: readonly Column[], depth: number): number {
  return columns.reduce((sum, column) => sum + spanOf(column, depth), 0);
}

function spanOf(column: Column, depth: number): number {
  return opens(column, depth) ? Math.max(1, span(visible(column.columns), depth + 1)) : 1;
}

function headHeight(columns: readonly Column[], depth: number): number {
  const heights = columns.map((column) =>
    opens(column, depth) ? 1 + headHeight(visible(column.columns), depth + 1) : 1,
  );
  return Math.max(1, ...heights);
}

function layHead(
  head: HeadCell[][],
  columns: readonly Column[],
  depth: number,
  left: number,
  height: number,
): void {
  let place = left;
  for (const column of columns) {
    const wide = spanOf(column, depth);
    const group = opens(column, depth);
    head[depth]?.push({ column, span: wide, lines: group ? 1 : height - depth, group, place });
    if (group) layHead(head, visible(column.columns), depth + 1, place, height);
    place += wide;
  }
}

function childRows(column: Column, value: Value, whole: ReadonlySet<Row[]>): Row[] {
  if (!Array.isArray(value)) return [];
  if (column.kind === "record") return [value as Row];
  const rows = value as Row[];
  return rows.length > MOST_NESTED && !whole.has(rows) ? rows.slice(0, MOST_NESTED) : rows;
}

function isCut(column: Column, value: Value, whole: ReadonlySet<Row[]>): number {
  if (!Array.isArray(value) || column.kind === "record") return 0;
  return Math.max(0, value.length - childRows(column, value, whole).length);
}

function heightOf(
  row: Row,
  all: readonly Column[],
  depth: number,
  whole: ReadonlySet<Row[]>,
): number {
  let most = 1;
  all.forEach((column, n) => {
    if (column.tag.is("hidden") || !opens(column, depth)) return;
    const value = row[n] ?? null;
    const rows = childRows(column, value, whole);
    const lines = rows.reduce(
      (sum, child) => sum + heightOf(child, column.columns, depth + 1, whole),
      isCut(column, value, whole) > 0 ? 1 : 0,
    );
    most = Math.max(most, lines);
  });
  return most;
}

interface Spot {
  row: Row;
  all: readonly Column[];
  top: number;
  left: number;
  lines: number;
  depth: number;
}

function layRow(lines: BodyCell[][], spot: Spot, whole: ReadonlySet<Row[]>): void {
  const { row, all, top, depth } = spot;
  let place = spot.left;
  all.forEach((column, n) => {
    if (column.tag.is("hidden")) return;
    const value = row[n] ?? null;
    const wide = spanOf(column, depth);
    const cell = { row, columns: all, span: wide, place, depth };
    if (!opens(column, depth)) {
      lines[top]?.push({ ...cell, column, value, lines: spot.lines });
    } else {
      let at = top;
      for (const child of childRows(column, value, whole)) {
        const high = heightOf(child, column.columns, depth + 1, whole);
        const inner = { row: child, all: column.columns, top: at, left: place, lines: high };
        layRow(lines, { ...inner, depth: depth + 1 }, whole);
        at += high;
      }
      const more = isCut(column, value, whole);
      const rest = top + spot.lines - at;
      if (rest > 0) {
        const filler = { ...cell, column: undefined, value, lines: rest };
        lines[at]?.push(more > 0 ? { ...filler, more } : filler);
      }
    }
    place += wide;
  });
}
