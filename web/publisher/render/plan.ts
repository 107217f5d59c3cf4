/** How a table is shown: what its tags ask for, as far as its columns allow it. */

import type { Column, Table } from "./data.ts";
import type { Tag } from "./tag.ts";

export type Shape =
  | "table"
  | "bar"
  | "line"
  | "scatter"
  | "list"
  | "list_detail"
  | "dashboard"
  | "big_value"
  | "sparkline"
  | "transpose"
  | "value";

export interface Plan {
  shape: Shape;
  /** The property with the wishes for this shape. */
  tag: Tag | undefined;
  /** What was asked for and is not given, in words. */
  note: string;
}

const SHAPES: Record<string, Shape> = {
  table: "table",
  bar_chart: "bar",
  bar: "bar",
  column_chart: "bar",
  line_chart: "line",
  line: "line",
  area_chart: "line",
  scatter_chart: "scatter",
  scatter: "scatter",
  list: "list",
  list_detail: "list_detail",
  dashboard: "dashboard",
  big_value: "big_value",
  sparkline: "sparkline",
  transpose: "transpose",
};

const MAPS = new Set(["shape_map", "segment_map", "point_map"]);

/** The last tag that names a shape has the word; a sparkline is a way to draw another one. */
export function planOf(tag: Tag, columns: readonly Column[]): Plan {
  let plan: Plan = { shape: "table", tag: undefined, note: "" };
  for (const name of tag.names()) {
    const own = tag.get(name);
    if (name === "viz") {
      const shape = SHAPES[tag.text("viz") ?? ""];
      if (shape) plan = { shape, tag: own, note: "" };
    } else if (MAPS.has(name)) {
      const note = `Maps (\`# ${name}\`) are not drawn here: this is the same result as a table.`;
      plan = { shape: "table", tag: own, note };
    } else if (SHAPES[name] && own?.value !== "false") {
      plan = { shape: SHAPES[name], tag: own, note: "" };
    }
  }
  if (tag.is("sparkline") && isChart(plan.shape)) plan.shape = "sparkline";
  return possible(plan, columns);
}

export function isChart(shape: Shape): boolean {
  return shape === "bar" || shape === "line" || shape === "scatter";
}

/** A chart without a number to draw is a table, and says so. */
function possible(plan: Plan, columns: readonly Column[]): Plan {
  const seen = visible(columns);
  const numbers = seen.filter(({ kind }) => kind === "number").length;
  const scalars = seen.filter(isScalar).length;
  const lacks = (what: string) => ({
    shape: "table" as const,
    tag: undefined,
    note: `There is no ${what} to draw a chart with: this is the same result as a table.`,
  });
  if ((plan.shape === "bar" || plan.shape === "line") && (numbers === 0 || scalars < 2)) {
    return numbers === 0 ? lacks("number") : lacks("second column");
  }
  if (plan.shape === "scatter" && numbers < 2) return lacks("second number");
  return plan;
}

export function isScalar({ kind }: Column): boolean {
  return kind !== "table" && kind !== "record";
}

/** Columns that are meant to be seen. */
export function visible(columns: readonly Column[]): Column[] {
  return columns.filter(({ tag }) => !tag.is("hidden"));
}

/** A table of these columns only, so that places in rows stay right. */
export function only(table: Table, columns: readonly Column[]): Table {
  const places = columns.map((column) => table.columns.indexOf(column));
  return {
    ...table,
    columns: [...columns],
    rows: table.rows.map((row) => places.map((place) => row[place] ?? null)),
  };
}

/** The shapes that one may choose for a result by hand. */
export function choices(table: Table): Shape[] {
  const seen = visible(table.columns);
  const numbers = seen.filter(({ kind }) => kind === "number").length;
  const found: Shape[] = ["table"];
  const many = table.rows.length > 1;
  if (many && numbers > 0 && seen.filter(isScalar).length > 1) found.push("bar", "line");
  if (many && numbers > 1) found.push("scatter");
  if (table.rows.length === 1 && numbers > 0) found.push("big_value");
  if (seen.some((column) => !isScalar(column)) || table.rows.length === 1) found.push("dashboard");
  return found;
}
