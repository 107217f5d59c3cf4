/** Bars, upright where their names fit below them, else lying. */

import { svg } from "../../kit/dom.ts";
import type { Chart, Point } from "../render/chart.ts";
import { domain, linear } from "../render/scale.ts";
import type { Size } from "./figure.ts";
import { canvas, label, LETTER, thinning, valueAxis, type Mark, type Painted } from "./paint.ts";

/** Whether names stand to the left: they have no order of their own and are too long to stand below. */
export function isFlat(chart: Chart, width: number): boolean {
  const { names, ordered } = chart.x;
  if (ordered || names.length > 40) return false;
  return thinning(names, (width - 60) / Math.max(1, names.length)) > 1;
}

export function uprightBars(chart: Chart, width: number, height: number): Painted {
  const { room, y, zero, axis } = valueAxis(chart, width, height, 44);
  const names = chart.x.names;
  const step = room.width / Math.max(1, names.length);
  const places = chart.stacked ? 1 : Math.max(1, chart.series.length);
  const wide = Math.min(72, step * 0.74) / places;
  const marks: Mark[] = [];
  const bars = chart.series.flatMap((series, n) =>
    series.points.map((point) => {
      const left =
        room.left + step * (point.x + 0.5) + (chart.stacked ? -wide / 2 : (n - places / 2) * wide);
      const [from, to] = chart.stacked
        ? [y(point.from), y(point.from + point.y)]
        : [zero, y(point.y)];
      const gap = places > 1 ? Math.min(1.5, wide / 6) : 0;
      const bar = rect(n, left + gap / 2, Math.min(from, to), wide - gap, Math.abs(from - to));
      marks.push({ x: left + wide / 2, y: to, point, flat: false, lit: lighter(bar) });
      return bar;
    }),
  );
  const figures = hasRoomForFigures(chart, wide) ? valueTexts(chart, marks, -6) : [];
  const every = thinning(names, step);
  const texts = names.flatMap((name, n) =>
    n % every === 0 ? [label(name, room.left + step * (n + 0.5), height - 26, "middle")] : [],
  );
  const title = label(chart.x.title, room.left + room.width, height - 6, "end", "axis-title");
  marks.sort((a, b) => a.x - b.x);
  return { svg: canvas(width, height, ...axis, ...bars, ...figures, ...texts, title), marks };
}

function hasRoomForFigures(chart: Chart, wide: number): boolean {
  const [series] = chart.series;
  if (chart.series.length !== 1 || !series) return false;
  return series.points.every(({ y }) => figureText(chart, y).length * LETTER < wide + 6);
}

function valueTexts(chart: Chart, marks: readonly Mark[], off: number): SVGElement[] {
  return marks.map(({ x, y, point }) =>
    label(figureText(chart, point.y), x, point.y < 0 ? y + 14 : y + off, "middle", "bar-text"),
  );
}

export function flatBars(chart: Chart, width: number, size: Size): Painted {
  const names = chart.x.names;
  const places = chart.stacked ? 1 : Math.max(1, chart.series.length);
  const thick = size === "cell" ? 12 : places === 1 ? 20 : 13;
  const step = thick * places + (size === "cell" ? 5 : 9);
  const top = chart.y.title === "" ? 6 : 24;
  const height = top + step * names.length + 6;
  const longest = Math.max(...names.map((name) => name.length));
  const left = Math.min(longest * LETTER + 12, width * 0.42);
  const ends = chart.series.flatMap(({ points }) =>
    points.map((point) => (chart.stacked ? point.from + point.y : point.y)),
  );
  const { low, high } = domain(ends, true, 4);
  const texts = Math.max(...ends.map((value) => figureText(chart, value).length)) * LETTER + 12;
  const x = linear(low, high, left, Math.max(left + 20, width - texts));
  const marks: Mark[] = [];
  const drawn: SVGElement[] = [];
  chart.series.forEach((series, n) => {
    for (const point of series.points) {
      const y = top + step * point.x + (chart.stacked ? 0 : n * thick) + 3;
      const [from, to] = chart.stacked
        ? [x(point.from), x(point.from + point.y)]
        : [x(0), x(point.y)];
      const bar = rect(n, Math.min(from, to), y, Math.abs(to - from), thick - 2);
      drawn.push(bar);
      if (!chart.stacked) drawn.push(figure(chart, point, to, y + thick / 2 + 3));
      marks.push({ x: to, y: y + thick / 2, point, flat: true, lit: lighter(bar) });
    }
  });
  const fits = Math.floor((left - 12) / LETTER);
  const labels = names.map((name, n) => {
    const text = name.length > fits ? `${name.slice(0, Math.max(1, fits - 1))}…` : name;
    return label(text, left - 8, top + step * n + (step - 9) / 2 + 8, "end", "axis-name");
  });
  const line = svg("line", { class: "axis-zero", x1: x(0), x2: x(0), y1: top, y2: height - 4 });
  const title = chart.y.title === "" ? [] : [label(chart.y.title, left, 12, "start", "axis-title")];
  marks.sort((a, b) => a.y - b.y);
  return { svg: canvas(width, height, ...title, ...labels, ...drawn, line), marks };
}

/** The figure itself; a long one is shortened as on the axis. */
function figureText({ y }: Chart, value: number): string {
  const exact = y.exact(value);
  return exact.length > 9 ? y.format(value) : exact;
}

function figure(chart: Chart, point: Point, x: number, y: number): SVGElement {
  const text = figureText(chart, point.y);
  return label(text, point.y < 0 ? x - 6 : x + 6, y, point.y < 0 ? "end" : "start", "bar-text");
}

function rect(series: number, x: number, y: number, width: number, height: number): SVGRectElement {
  const round = Math.min(3, width / 3);
  return svg("rect", {
    class: `block s${series % 12}`,
    x: x.toFixed(1),
    y: y.toFixed(1),
    width: Math.max(0.5, width).toFixed(1),
    height: Math.max(0.5, height).toFixed(1),
    rx: round,
  });
}

function lighter(bar: SVGElement): (on: boolean) => void {
  return (on) => void bar.toggleAttribute("data-lit", on);
}
