/** Dashboards and big figures: cards for what is measured, tiles for what is nested. */

import { h } from "../../kit/dom.ts";
import { chartOf } from "../render/chart.ts";
import { amount, nested, type Column, type Row, type Table } from "../render/data.ts";
import { fixed } from "../render/format.ts";
import { gridOf } from "../render/grid.ts";
import { isScalar, planOf, visible } from "../render/plan.ts";
import { drawValue, textOf } from "./cell.ts";
import { drawChart } from "./figure.ts";
import { drawInner } from "./result.ts";

/** More rows than make sense as dashboards. */
const MOST = 12;

export function drawDashboard(table: Table): HTMLElement {
  const shown = table.rows.slice(0, MOST);
  const left = table.rows.length - shown.length;
  return h(
    "div",
    { className: "dashboards" },
    ...shown.map((row) => dashboard(table, row)),
    left > 0 &&
      h("p", { className: "cut" }, `${left} further rows are left out; the table has all.`),
  );
}

function dashboard(table: Table, row: Row): HTMLElement {
  const columns = visible(table.columns);
  const dimensions = columns.filter((column) => isScalar(column) && !column.measure);
  const measures = columns.filter((column) => isScalar(column) && column.measure);
  const nests = columns.filter((column) => !isScalar(column));
  const at = (column: Column) => row[table.columns.indexOf(column)] ?? null;
  const around = { row, columns: table.columns, timezone: table.timezone };
  return h(
    "div",
    { className: "dashboard" },
    dimensions.length > 0 &&
      h(
        "dl",
        { className: "dash-head" },
        ...dimensions.map((column) =>
          h(
            "div",
            {},
            h("dt", {}, column.label),
            h("dd", {}, drawValue(column, at(column), around)),
          ),
        ),
      ),
    measures.length > 0 && cards(table, row, measures),
    nests.length > 0 &&
      h(
        "div",
        { className: "tiles" },
        ...nests.map((column) => {
          const inner = nested(column, at(column), table.timezone);
          const wide = isWide(inner);
          return h(
            "section",
            { className: "tile", "data-wide": String(wide), "aria-label": column.label },
            h("h4", { title: column.doc }, column.label),
            drawInner(inner, "tile"),
          );
        }),
      ),
  );
}

/** A table that would not fit into half of the width. */
function isWide(inner: Table): boolean {
  const { shape } = planOf(inner.tag, inner.columns);
  if (shape === "dashboard") return true;
  return shape === "table" && gridOf({ ...inner, rows: [] }).width > 5;
}

function cards(table: Table, row: Row, measures: readonly Column[]): HTMLElement {
  const compared = (column: Column) =>
    measures.find((other) => other.tag.text("big_value", "comparison_field") === column.name);
  const shown = measures.filter((column) => !column.tag.has("big_value", "comparison_field"));
  return h(
    "dl",
    { className: "cards" },
    ...shown.map((column) => card(table, row, column, compared(column))),
  );
}

function card(table: Table, row: Row, column: Column, beside: Column | undefined): HTMLElement {
  const value = row[table.columns.indexOf(column)] ?? null;
  const text = textOf(column, value, table.timezone);
  const spark =
    column.tag.text("big_value", "sparkline") ?? table.tag.text("big_value", "sparkline");
  return h(
    "div",
    { className: "figure-card", title: column.doc },
    h("dt", {}, column.label),
    h("dd", { "data-long": String(text.length > 9) }, text),
    beside ? change(table, row, column, beside) : null,
    spark ? sparkOf(table, row, spark) : null,
  );
}

/** How far a figure is from what it is compared with. */
function change(table: Table, row: Row, column: Column, beside: Column): HTMLElement | null {
  const now = amount(row[table.columns.indexOf(column)]);
  const before = amount(row[table.columns.indexOf(beside)]);
  if (now === undefined || before === undefined || before === 0) return null;
  const share = (now - before) / Math.abs(before);
  const down = beside.tag.text("big_value", "down_is_good") === "true";
  const good = share === 0 ? "same" : share > 0 !== down ? "good" : "bad";
  const words = beside.tag.text("big_value", "comparison_label") ?? `vs ${beside.label}`;
  const sign = share > 0 ? "▲" : share < 0 ? "▼" : "=";
  return h(
    "p",
    { className: "change", "data-is": good },
    `${sign} ${fixed(Math.abs(share) * 100, 1)}% ${words}`,
  );
}

function sparkOf(table: Table, row: Row, name: string): HTMLElement | null {
  const column = table.columns.find((each) => each.name === name && each.kind === "table");
  if (!column) return null;
  const inner = nested(column, row[table.columns.indexOf(column)] ?? null, table.timezone);
  const { shape, tag } = planOf(inner.tag, inner.columns);
  return drawChart(chartOf(inner, shape === "bar" ? "bar" : "line", tag), "spark");
}

/** `# big_value`: the measures of each row as cards. */
export function drawBigValues(table: Table): HTMLElement {
  const columns = visible(table.columns).filter(isScalar);
  const measures = columns.filter(({ measure, kind }) => measure || kind === "number");
  const names = columns.filter((column) => !measures.includes(column));
  return h(
    "div",
    { className: "big-values" },
    ...table.rows.slice(0, MOST).map((row) => {
      const title = names
        .map((column) => textOf(column, row[table.columns.indexOf(column)], table.timezone))
        .join(" · ");
      return h("div", {}, title !== "" && h("h4", {}, title), cards(table, row, measures));
    }),
    table.rows.length > MOST &&
      h(
        "p",
        { className: "cut" },
        `${table.rows.length - MOST} further rows are left out; the table has all.`,
      ),
  );
}
