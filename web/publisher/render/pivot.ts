/** `# pivot` and `# transpose`: values that become columns. */

import type { Column, Row, Table, Value } from "./data.ts";
import { formatterOf } from "./format.ts";
import { isScalar, visible } from "./plan.ts";
import { Tag } from "./tag.ts";

/** More columns than anybody reads across. */
const MOST = 60;

export interface Pivoted {
  table: Table;
  notes: string[];
}

/** The table with its pivoted nests spread out: one group of columns for each value that the nest is grouped by. */
export function pivoted(table: Table): Pivoted {
  const notes: string[] = [];
  let made = table;
  for (const column of table.columns) {
    if (column.kind === "table" && column.tag.is("pivot")) made = spread(made, column, notes);
  }
  return { table: made, notes };
}

function spread(table: Table, nest: Column, notes: string[]): Table {
  const at = table.columns.indexOf(nest);
  const wanted = nest.tag.texts("pivot", "dimensions");
  const seen = visible(nest.columns);
  const keys = seen.filter((column) =>
    wanted.length > 0 ? wanted.includes(column.name) : !column.measure && isScalar(column),
  );
  const values = seen.filter((column) => !keys.includes(column));
  if (keys.length === 0 || values.length === 0) return table;
  const formats = keys.map((column) => formatterOf(column, table.timezone));
  const nameOf = (row: Row) =>
    keys.map((key, n) => formats[n]?.(row[nest.columns.indexOf(key)])).join(" · ");
  const groups = new Map<string, number>();
  for (const row of table.rows) {
    for (const child of rowsOf(row[at])) {
      const name = nameOf(child);
      if (!groups.has(name)) groups.set(name, groups.size);
    }
  }
  const names = [...groups.keys()].slice(0, MOST);
  if (groups.size > MOST) {
    notes.push(`The first ${MOST} of ${groups.size} values of ${nest.label} are columns.`);
  }
  const columns = names.map((name) => group(name, nest, values));
  const places = values.map((column) => nest.columns.indexOf(column));
  const rows = table.rows.map((row) => {
    const cells: Value[] = names.map(() => null);
    for (const child of rowsOf(row[at])) {
      const place = groups.get(nameOf(child)) ?? MOST;
      if (place < names.length) cells[place] = places.map((from) => child[from] ?? null);
    }
    return [...row.slice(0, at), ...cells, ...row.slice(at + 1)];
  });
  return {
    ...table,
    columns: [...table.columns.slice(0, at), ...columns, ...table.columns.slice(at + 1)],
    rows,
  };
}

function rowsOf(value: Value | undefined): Row[] {
  return Array.isArray(value) ? (value as Row[]) : [];
}

function group(name: string, nest: Column, values: Column[]): Column {
  return { ...nest, name, label: name, kind: "record", tag: new Tag(), columns: values };
}
