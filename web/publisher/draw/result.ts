/** A result as its tags want it, at any size. The renderer's way in: `drawResult`. */

import { h } from "../../kit/dom.ts";
import { chartOf, type Chart } from "../render/chart.ts";
import type { Table } from "../render/data.ts";
import { planOf, visible, type Plan, type Shape } from "../render/plan.ts";
import { textOf } from "./cell.ts";
import { drawBigValues, drawDashboard } from "./dashboard.ts";
import { drawChart, type Size } from "./figure.ts";
import { drawTable, drawTransposed } from "./table.ts";

/** The result, in the shape that its tags ask for or in another one. */
export function drawResult(table: Table, shape?: Shape): HTMLElement {
  const wanted = planOf(table.tag, table.columns);
  const plan = shape === undefined || shape === wanted.shape ? wanted : other(shape);
  return h(
    "div",
    { className: "rendered", "data-shape": plan.shape },
    plan.note !== "" && h("p", { className: "cut" }, ...words(plan.note)),
    draw(table, plan, "full"),
  );
}

function other(shape: Shape): Plan {
  return { shape, tag: undefined, note: "" };
}

/** A nest in a tile or a cell. */
export function drawInner(table: Table, size: "tile" | "cell"): HTMLElement {
  const plan = planOf(table.tag, table.columns);
  return draw(table, plan, size);
}

function draw(table: Table, { shape, tag }: Plan, size: Size): HTMLElement {
  if (table.rows.length === 0) return h("p", { className: "no-rows" }, "No rows.");
  switch (shape) {
    case "bar":
    case "line":
    case "scatter":
      return drawChart(chartOf(table, shape, tag), size);
    case "sparkline":
      return drawChart(chartOf(table, sparkKind(table), undefined), "spark");
    case "dashboard":
      return drawDashboard(table);
    case "big_value":
      return drawBigValues(table);
    case "list":
    case "list_detail":
      return list(table, shape === "list_detail");
    case "transpose":
      return drawTransposed(table);
    default:
      return drawTable(table, size);
  }
}

function sparkKind(table: Table): Chart["kind"] {
  return table.tag.has("bar_chart") || table.tag.text("viz") === "bar" ? "bar" : "line";
}

/** `a, b, c`, or with the second column in brackets. */
function list(table: Table, detailed: boolean): HTMLElement {
  const [first, second] = visible(table.columns);
  const at = (column: typeof first) => (column ? table.columns.indexOf(column) : -1);
  const items = table.rows.map((row) => {
    const name = first ? textOf(first, row[at(first)], table.timezone) : "";
    const detail =
      detailed && second ? ` (${textOf(second, row[at(second)], table.timezone)})` : "";
    return name + detail;
  });
  return h("p", { className: "value-list" }, items.join(", "));
}

function words(note: string): (string | HTMLElement)[] {
  return note.split("`").map((part, n) => (n % 2 === 1 ? h("code", {}, part) : part));
}
