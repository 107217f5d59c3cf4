/** Charts as plain values: which column is what, the points of each series, what a tooltip says. Drawing is elsewhere. */

import { amount, moment, type Column, type Row, type Table, type Value } from "./data.ts";
import { fixed, formatterOf, short } from "./format.ts";
import { isScalar, visible } from "./plan.ts";
import type { Tag } from "./tag.ts";

export interface Point {
  /** A number or moment, or the number of the category. */
  x: number;
  y: number;
  /** Where a bar that is stacked begins. */
  from: number;
  size: number;
  series: number;
  /** What is said of it: label and value. */
  about: [label: string, value: string][];
}

export interface Series {
  name: string;
  points: Point[];
}

export interface Axis {
  title: string;
  kind: "band" | "number" | "time";
  /** Names of the places, where these are categories. */
  names: string[];
  /** Whether the names have an order that turning the chart would hide. */
  ordered: boolean;
  format: (value: number) => string;
  /** All of its digits, where there is room for them. */
  exact: (value: number) => string;
}

export interface Chart {
  kind: "bar" | "line" | "scatter";
  x: Axis;
  y: Axis;
  series: Series[];
  /** What the colours stand for; empty for one series. */
  legend: string;
  stacked: boolean;
  zero: boolean;
  /** What was left out, in words. */
  notes: string[];
}

const MOST_BARS = 60;
const MOST_SERIES = 12;

export function chartOf(table: Table, kind: Chart["kind"], tag?: Tag): Chart {
  return kind === "scatter" ? scatterOf(table, tag) : seriesOf(table, kind, tag);
}

/** The column that plays a part: named by the chart's tag, or tagged itself. */
function named(columns: readonly Column[], tag: Tag | undefined, part: string): Column[] {
  const wanted = tag?.texts(part) ?? [];
  const found = wanted.flatMap((name) => columns.filter((column) => column.name === name));
  return found.length > 0 ? found : columns.filter((column) => column.tag.is(part));
}

function seriesOf(table: Table, kind: "bar" | "line", tag: Tag | undefined): Chart {
  const columns = visible(table.columns).filter(isScalar);
  const groups = columns.filter(({ measure }) => !measure);
  const x = named(columns, tag, "x")[0] ?? groups[0] ?? (columns[0] as Column);
  const ys = numbersOf(columns, x, tag);
  const own = named(columns, tag, "series").filter((column) => column !== x);
  const others = own.length > 0 ? own : groups.filter((each) => each !== x && !ys.includes(each));
  const builder = new Builder(table, kind, x, ys, others);
  for (const row of table.rows) builder.add(row);
  const stacked = kind === "bar" && (tag?.is("stack") ?? false);
  const chart = builder.chart(stacked, tag);
  if (stacked) stack(chart);
  return chart;
}

/** What is measured: all that are named, else the first measure. */
function numbersOf(columns: readonly Column[], x: Column, tag: Tag | undefined): Column[] {
  const numbers = columns.filter((column) => column.kind === "number" && column !== x);
  const wanted = named(numbers, tag, "y");
  if (wanted.length > 0) return wanted;
  const first = numbers.find(({ measure }) => measure) ?? numbers.at(-1);
  return first ? [first] : [];
}

class Builder {
  readonly #table: Table;
  readonly #kind: "bar" | "line";
  readonly #x: Column;
  readonly #ys: Column[];
  readonly #by: Column[];
  readonly #axis: "band" | "number" | "time";
  readonly #places = new Map<string, number>();
  readonly #series = new Map<string, Series>();
  readonly #formats: Map<Column, (value: Value | undefined) => string>;
  #bars = 0;
  #left = new Set<string>();

  constructor(table: Table, kind: "bar" | "line", x: Column, ys: Column[], by: Column[]) {
    this.#table = table;
    this.#kind = kind;
    this.#x = x;
    this.#ys = ys;
    this.#by = by;
    this.#axis = kind === "bar" ? "band" : axisKind(x);
    this.#formats = new Map(
      table.columns.map((column) => [column, formatterOf(column, table.timezone)]),
    );
  }

  add(row: Row): void {
    const value = this.#of(row, this.#x);
    const name = this.#text(row, this.#x);
    const x = this.#place(value, name);
    if (x === undefined) return;
    const parts = this.#by.map((column) => this.#text(row, column));
    for (const column of this.#ys) {
      const y = amount(this.#of(row, column));
      const words = this.#ys.length > 1 ? [...parts, column.label] : parts;
      const key = words.join(" · ");
      if (!this.#series.has(key) && this.#series.size >= MOST_SERIES) {
        this.#left.add(key);
        continue;
      }
      const series = this.#series.get(key) ?? { name: key, points: [] };
      this.#series.set(key, series);
      if (y === undefined) continue;
      const about = this.#about(row);
      series.points.push({ x, y, from: 0, size: 1, series: 0, about });
    }
  }

  chart(stacked: boolean, tag: Tag | undefined): Chart {
    const series = [...this.#series.values()];
    series.forEach((each, n) => {
      for (const point of each.points) point.series = n;
      if (this.#axis !== "band") each.points.sort((a, b) => a.x - b.x);
    });
    const notes: string[] = [];
    if (this.#bars > 0) {
      notes.push(
        `The first ${MOST_BARS} of ${MOST_BARS + this.#bars} values are drawn; the table has all.`,
      );
    }
    if (this.#left.size > 0) {
      const all = MOST_SERIES + this.#left.size;
      notes.push(`The first ${MOST_SERIES} of ${all} series are drawn; the table has all.`);
    }
    const [y] = this.#ys;
    return {
      kind: this.#kind,
      x: {
        title: this.#x.label,
        kind: this.#axis,
        names: [...this.#places.keys()],
        ordered: this.#x.kind !== "string" && this.#x.kind !== "boolean",
        format: (at) => this.#formats.get(this.#x)?.(at) ?? String(at),
        exact: (at) => this.#formats.get(this.#x)?.(at) ?? String(at),
      },
      y: {
        title: this.#ys.length === 1 ? (y?.label ?? "") : "",
        kind: "number",
        names: [],
        ordered: true,
        format: y ? axisFormat(y) : short,
        exact: y ? formatterOf(y) : short,
      },
      series,
      legend: series.length < 2 ? "" : this.#by.map(({ label }) => label).join(", ") || "measure",
      stacked,
      zero: this.#kind === "bar" || (tag?.text("zero_baseline") ?? "false") === "true",
      notes,
    };
  }

  #of(row: Row, column: Column): Value {
    return row[this.#table.columns.indexOf(column)] ?? null;
  }

  #text(row: Row, column: Column): string {
    return this.#formats.get(column)?.(this.#of(row, column)) ?? "";
  }

  #place(value: Value, name: string): number | undefined {
    if (this.#axis === "number") return amount(value);
    if (this.#axis === "time") return moment(value);
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    if (this.#kind === "bar" && this.#places.size >= MOST_BARS) {
      this.#bars += 1;
      return undefined;
    }
    this.#places.set(name, this.#places.size);
    return this.#places.size - 1;
  }

  #about(row: Row): [string, string][] {
    const seen = visible(this.#table.columns).filter(isScalar);
    return seen.map((column) => [column.label, this.#text(row, column)]);
  }
}

function axisKind(column: Column): "band" | "number" | "time" {
  if (column.kind === "date" || column.kind === "time") return "time";
  return column.kind === "number" ? "number" : "band";
}

/** Puts the bars of one place on top of each other, what is negative below zero. */
function stack(chart: Chart): void {
  const up = new Map<number, number>();
  const down = new Map<number, number>();
  for (const { points } of chart.series) {
    for (const point of points) {
      const side = point.y < 0 ? down : up;
      point.from = side.get(point.x) ?? 0;
      side.set(point.x, point.from + point.y);
    }
  }
}

function scatterOf(table: Table, tag: Tag | undefined): Chart {
  const columns = visible(table.columns).filter(isScalar);
  const numbers = columns.filter(({ kind }) => kind === "number");
  const measures = numbers.filter(({ measure }) => measure);
  const best = measures.length > 1 ? measures : numbers;
  const x = named(columns, tag, "x")[0] ?? (best[0] as Column);
  const y = named(columns, tag, "y")[0] ?? (best.find((each) => each !== x) as Column);
  const size = named(columns, tag, "size")[0];
  const colour = named(columns, tag, "series")[0] ?? named(columns, tag, "color")[0];
  const at = (column: Column) => table.columns.indexOf(column);
  const formats = columns.map((column) => [column, formatterOf(column, table.timezone)] as const);
  const series = new Map<string, Series>();
  const axis = axisKind(x) === "time" ? "time" : "number";
  let left = 0;
  for (const row of table.rows) {
    const value = row[at(x)] ?? null;
    const px = axis === "time" ? moment(value) : amount(value);
    const py = amount(row[at(y)] ?? null);
    if (px === undefined || py === undefined) continue;
    const name = colour ? (formats.find(([it]) => it === colour)?.[1](row[at(colour)]) ?? "") : "";
    if (!series.has(name) && series.size >= MOST_SERIES) {
      left += 1;
      continue;
    }
    const own = series.get(name) ?? { name, points: [] };
    series.set(name, own);
    const about = formats.map(([column, write]): [string, string] => [
      column.label,
      write(row[at(column)]),
    ]);
    const weight = size ? (amount(row[at(size)] ?? null) ?? 0) : 1;
    const place = [...series.keys()].indexOf(name);
    own.points.push({ x: px, y: py, from: 0, size: weight, series: place, about });
  }
  const notes =
    left > 0
      ? [`${left} points belong to further series and are not drawn; the table has all.`]
      : [];
  return {
    kind: "scatter",
    x: {
      title: x.label,
      kind: axis,
      names: [],
      ordered: true,
      format: axisFormat(x),
      exact: formatterOf(x),
    },
    y: {
      title: y.label,
      kind: "number",
      names: [],
      ordered: true,
      format: axisFormat(y),
      exact: formatterOf(y),
    },
    series: [...series.values()],
    legend: series.size < 2 ? "" : (colour?.label ?? ""),
    stacked: false,
    zero: false,
    notes,
  };
}

/** Short, in the manner of the column: `20%`, `$4.5M`, `12k`. */
export function axisFormat(column: Column): (value: number) => string {
  const { tag } = column;
  if (tag.has("percent"))
    return (value) => `${fixed(value * 100, Math.abs(value) < 0.02 && value !== 0 ? 1 : 0)}%`;
  if (tag.has("currency")) {
    const sign = /^\D*/.exec(formatterOf(column)(0))?.[0] ?? "";
    return (value) => `${value < 0 ? "−" : ""}${sign}${short(Math.abs(value))}`;
  }
  if (tag.has("duration")) return (value) => formatterOf(column)(value);
  if (column.whole && !column.measure) return (value) => formatterOf(column)(value);
  return (value) => short(value);
}
