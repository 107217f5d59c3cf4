/** Charts as SVG: axes, bars, lines, points. Colours are classes, so that both themes are one drawing. */

import { svg } from "../../kit/dom.ts";
import type { Chart, Point } from "../render/chart.ts";
import { tickText } from "../render/format.ts";
import { domain, extent, linear, timeTicks } from "../render/scale.ts";
import { flatBars, isFlat, uprightBars } from "./bars.ts";
import type { Size } from "./figure.ts";

/** Something that can be pointed at. */
export interface Mark {
  x: number;
  y: number;
  point: Point;
  /** Whether marks follow each other downwards. */
  flat: boolean;
  lit?: (on: boolean) => void;
}

export interface Painted {
  svg: SVGElement;
  marks: Mark[];
}

/** The room inside of the axes. */
export interface Room {
  left: number;
  top: number;
  right: number;
  bottom: number;
  width: number;
  height: number;
}

/** A letter of an axis, about; measuring each would cost a layout. */
export const LETTER = 6.5;

export function paint(chart: Chart, width: number, height: number, size: Size): Painted {
  if (size === "spark") return spark(chart, width, height);
  if (chart.kind === "bar") {
    return isFlat(chart, width) ? flatBars(chart, width, size) : uprightBars(chart, width, height);
  }
  return points(chart, width, height);
}

export function canvas(width: number, height: number, ...children: SVGElement[]): SVGElement {
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true", focusable: "false" },
    ...children,
  );
}

/** The values across, with their lines; gives the scale. */
export function valueAxis(chart: Chart, width: number, height: number, bottom: number) {
  const ends = chart.series.flatMap(({ points }) =>
    points.flatMap((point) => (chart.stacked ? [point.from, point.from + point.y] : [point.y])),
  );
  const found = domain(ends, chart.zero || isNearZero(ends), Math.max(2, Math.round(height / 55)));
  const texts = found.ticks.map((tick) => chart.y.format(tick));
  const left = Math.ceil(Math.max(...texts.map((text) => text.length)) * LETTER) + 12;
  const top = chart.y.title === "" ? 10 : 26;
  const room: Room = {
    left,
    top,
    right: 12,
    bottom,
    width: Math.max(10, width - left - 12),
    height: Math.max(10, height - top - bottom),
  };
  const y = linear(found.low, found.high, top + room.height, top);
  const lines = found.ticks.flatMap((tick, n) => [
    svg("line", {
      class: tick === 0 ? "axis-zero" : "axis-line",
      x1: left,
      x2: left + room.width,
      y1: y(tick),
      y2: y(tick),
    }),
    label(texts[n] ?? "", left - 8, y(tick) + 4, "end"),
  ]);
  const title = chart.y.title === "" ? [] : [label(chart.y.title, 0, 12, "start", "axis-title")];
  return {
    room,
    y,
    zero: y(Math.max(found.low, Math.min(0, found.high))),
    axis: [...title, ...lines],
  };
}

/** A line whose lowest value is small beside its range stands on zero; one far above it would be flattened. */
function isNearZero(values: readonly number[]): boolean {
  const [low, high] = extent(values);
  return low >= 0 ? low < (high - low) * 0.6 : high > 0 || -high < (high - low) * 0.6;
}

export function label(
  text: string,
  x: number,
  y: number,
  anchor: "start" | "middle" | "end",
  kind = "axis-text",
): SVGElement {
  return svg("text", { class: kind, x, y, "text-anchor": anchor }, text);
}

function points(chart: Chart, width: number, height: number): Painted {
  const { room, y, zero, axis } = valueAxis(chart, width, height, 44);
  const { x, marks: below } = acrossAxis(chart, room, height);
  const marks: Mark[] = [];
  const drawn: SVGElement[] = [];
  const sizes = extent(chart.series.flatMap(({ points }) => points.map(({ size }) => size)));
  chart.series.forEach((series, n) => {
    const spots = series.points.map((point) => ({ point, x: x(point.x), y: y(point.y) }));
    if (chart.kind === "line") {
      if (chart.series.length === 1 && spots.length > 1) drawn.push(area(spots, zero));
      drawn.push(
        svg("path", { class: `line s${n % 12}`, "data-dash": n >= 8 ? "" : false, d: path(spots) }),
      );
    }
    const many = chart.kind === "line" && series.points.length > Math.max(20, room.width / 14);
    for (const spot of spots) {
      const r = chart.kind === "line" ? (many ? 0 : 3) : radius(spot.point.size, sizes);
      const kind = chart.kind === "line" ? "dot" : "spot";
      const dot = svg("circle", { class: `${kind} s${n % 12}`, cx: spot.x, cy: spot.y, r });
      drawn.push(dot);
      const lit = (on: boolean) => {
        dot.setAttribute("r", String(on ? Math.max(5, r + 1) : r));
        dot.toggleAttribute("data-lit", on);
      };
      marks.push({ x: spot.x, y: spot.y, point: spot.point, flat: false, lit });
    }
  });
  marks.sort((a, b) => a.x - b.x || a.y - b.y);
  return { svg: canvas(width, height, ...axis, ...below, ...drawn), marks };
}

function radius(size: number, [low, high]: [number, number]): number {
  return high > low ? 3 + 11 * Math.sqrt((size - low) / (high - low)) : 4.5;
}

type Spot = { x: number; y: number };

function path(spots: readonly Spot[]): string {
  return spots
    .map(({ x, y }, n) => `${n === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join("");
}

function area(spots: readonly Spot[], zero: number): SVGElement {
  const [first, last] = [spots[0], spots.at(-1)];
  const floor = `L${last?.x.toFixed(1)} ${zero.toFixed(1)}L${first?.x.toFixed(1)} ${zero.toFixed(1)}Z`;
  return svg("path", { class: "area s0", d: path(spots) + floor });
}

/** Numbers, times or names along the bottom. */
function acrossAxis(chart: Chart, room: Room, height: number) {
  const all = chart.series.flatMap(({ points }) => points.map(({ x }) => x));
  const bottom = height - 26;
  const title = label(chart.x.title, room.left + room.width, height - 6, "end", "axis-title");
  const put = (text: string, at: number) => {
    const half = (text.length * LETTER) / 2;
    const from = Math.max(half, Math.min(at, room.left + room.width + room.right - half));
    return label(text, from, bottom, "middle");
  };
  if (chart.x.kind === "band") {
    const step = room.width / Math.max(1, chart.x.names.length);
    const x = (place: number) => room.left + step * (place + 0.5);
    const every = thinning(chart.x.names, step);
    const texts = chart.x.names.flatMap((name, n) => (n % every === 0 ? [put(name, x(n))] : []));
    return { x, marks: [...texts, title] };
  }
  const count = Math.max(2, Math.floor(room.width / 90));
  if (chart.x.kind === "time") {
    const [low, high] = extent(all);
    const inset = 8;
    const x = linear(low, high, room.left + inset, room.left + room.width - inset);
    const { ticks, step } = timeTicks(low, high, count);
    const texts = ticks.map((tick, n) => put(tickText(tick, step, n === 0), x(tick)));
    return { x, marks: [...texts, title] };
  }
  const found = domain(all, false, count);
  const x = linear(found.low, found.high, room.left, room.left + room.width);
  const texts = found.ticks.map((tick) => put(chart.x.format(tick), x(tick)));
  return { x, marks: [...texts, title] };
}

/** Every how many names there is room for one. */
export function thinning(names: readonly string[], step: number): number {
  const longest = Math.max(1, ...names.map((name) => name.length)) * LETTER + 10;
  return Math.max(1, Math.ceil(longest / step));
}

/** A line without words. */
function spark(chart: Chart, width: number, height: number): Painted {
  const points = chart.series[0]?.points ?? [];
  const [low, high] = extent(points.map(({ y }) => y));
  const [from, to] = extent(points.map(({ x }) => x));
  const x = linear(from, to, 3, width - 4);
  const y = linear(chart.kind === "bar" ? Math.min(0, low) : low, high, height - 3, 3);
  const spots = points.map((point) => ({ x: x(point.x), y: y(point.y) }));
  const last = spots.at(-1);
  if (chart.kind === "bar") {
    const wide = Math.max(1, (width - 8) / Math.max(1, points.length) - 1.5);
    const bars = spots.map((spot) =>
      svg("rect", {
        class: "block s0",
        x: spot.x - wide / 2,
        y: spot.y,
        width: wide,
        height: Math.max(1, height - 3 - spot.y),
      }),
    );
    return { svg: canvas(width, height, ...bars), marks: [] };
  }
  const dot = last ? [svg("circle", { class: "dot s0", cx: last.x, cy: last.y, r: 2.5 })] : [];
  const line = svg("path", { class: "line s0", d: path(spots) });
  return { svg: canvas(width, height, area(spots, height - 1), line, ...dot), marks: [] };
}
