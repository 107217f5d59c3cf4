/** Tables: one grid with its nests, a head that stays, numbers aligned, a page at a time. */

import { h, replace } from "../../kit/dom.ts";
import type { Row, Table } from "../render/data.ts";
import { gridOf, type BodyCell, type Grid, type HeadCell } from "../render/grid.ts";
import { pivoted } from "../render/pivot.ts";
import { visible } from "../render/plan.ts";
import { drawValue } from "./cell.ts";
import type { Size } from "./figure.ts";

/** As many rows as are drawn at once. */
const PAGE = 100;
const whole = new Intl.NumberFormat("en-US");

export function drawTable(table: Table, size: Size): HTMLElement {
  const spread = pivoted(table);
  if (visible(spread.table.columns).length === 0 || table.rows.length === 0) {
    return h("p", { className: "no-rows" }, "No rows.");
  }
  return new Paged(spread.table, size, spread.notes).element;
}

class Paged {
  readonly element: HTMLElement;
  readonly #table: Table;
  /** Nests that are shown whole. */
  readonly #open = new Set<Row[]>();
  readonly #body = h("table", { className: "grid" });
  readonly #where = h("span", { className: "pager-where", role: "status" });
  readonly #back = h("button", { className: "button small", type: "button" }, "Previous");
  readonly #on = h("button", { className: "button small", type: "button" }, "Next");
  readonly #scroll: HTMLElement;
  #page = 0;

  constructor(table: Table, size: Size, notes: string[]) {
    this.#table = table;
    this.#scroll = h("div", { className: "grid-scroll", "data-size": size }, this.#body);
    // What scrolls must be reachable by keyboard.
    if (size !== "cell") {
      this.#scroll.tabIndex = 0;
      this.#scroll.setAttribute("role", "region");
      this.#scroll.setAttribute("aria-label", "Rows");
    }
    const pager =
      table.rows.length > PAGE &&
      h("div", { className: "pager" }, this.#back, this.#where, this.#on);
    this.element = h(
      "div",
      { className: "table-frame" },
      this.#scroll,
      pager,
      ...notes.map((note) => h("p", { className: "cut" }, note)),
    );
    this.#back.addEventListener("click", () => this.#turn(-1));
    this.#on.addEventListener("click", () => this.#turn(1));
    this.#draw();
  }

  #turn(by: number): void {
    this.#page += by;
    this.#draw();
    this.#scroll.scrollTop = 0;
  }

  #draw(): void {
    const { rows } = this.#table;
    const from = this.#page * PAGE;
    const part = { ...this.#table, rows: rows.slice(from, from + PAGE) };
    const grid = gridOf(part, this.#open);
    replace(this.#body, head(grid), ...grid.body.map((lines) => this.#row(lines)));
    const to = Math.min(rows.length, from + PAGE);
    this.#where.textContent = `Rows ${whole.format(from + 1)} to ${whole.format(to)} of ${whole.format(rows.length)}`;
    this.#back.disabled = this.#page === 0;
    this.#on.disabled = to >= rows.length;
  }

  #row(lines: BodyCell[][]): HTMLElement {
    const drawn = lines.map((line) => h("tr", {}, ...line.map((cell) => this.#cell(cell))));
    return h("tbody", {}, ...drawn);
  }

  #cell(cell: BodyCell): HTMLElement {
    const { column, lines, span } = cell;
    const place = { rowSpan: lines, colSpan: span, "data-depth": cell.depth };
    if (!column) {
      const more = cell.more ? this.#more(cell) : null;
      return h("td", { ...place, className: "filler" }, more);
    }
    const around = { row: cell.row, columns: cell.columns, timezone: this.#table.timezone };
    const kind = column.kind === "number" ? "num" : column.kind;
    const value = drawValue(column, cell.value, around);
    return h("td", { ...place, className: kind }, value);
  }

  #more(cell: BodyCell): HTMLElement {
    const button = h("button", { className: "more", type: "button" }, `${cell.more} more rows`);
    button.addEventListener("click", () => {
      this.#open.add(cell.value as Row[]);
      this.#draw();
    });
    return button;
  }
}

function head(grid: Grid): HTMLElement {
  return h(
    "thead",
    {},
    ...grid.head.map((line) => h("tr", {}, ...line.map((cell) => headCell(cell)))),
  );
}

function headCell({ column, span, lines, group }: HeadCell): HTMLElement {
  const th = h(
    "th",
    {
      colSpan: span,
      rowSpan: lines,
      className: group ? "group" : column.kind === "number" ? "num" : "",
      title: column.doc || (column.label === column.name ? "" : column.name),
    },
    column.label,
  );
  th.setAttribute("scope", group ? "colgroup" : "col");
  return th;
}

/** Rows as columns: for few rows with many facts. */
export function drawTransposed(table: Table): HTMLElement {
  const MOST = 20;
  const rows = table.rows.slice(0, MOST);
  const lines = visible(table.columns).map((column) => {
    const at = table.columns.indexOf(column);
    const cells = rows.map((row) => {
      const around = { row, columns: table.columns, timezone: table.timezone };
      const kind = column.kind === "number" ? "num" : column.kind;
      return h("td", { className: kind }, drawValue(column, row[at] ?? null, around));
    });
    return h("tr", {}, h("th", { scope: "row", title: column.doc }, column.label), ...cells);
  });
  const left = table.rows.length - rows.length;
  return h(
    "div",
    { className: "table-frame" },
    h(
      "div",
      { className: "grid-scroll", tabIndex: 0 },
      h("table", { className: "grid transposed" }, h("tbody", {}, ...lines)),
    ),
    left > 0 &&
      h("p", { className: "cut" }, `${left} further rows are left out; the table has all.`),
  );
}
