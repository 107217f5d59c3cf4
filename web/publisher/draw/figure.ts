/** A chart on the page: it fills its place, answers pointer and keys, and can be read out. */

import { h, replace } from "../../kit/dom.ts";
import type { Chart, Point } from "../render/chart.ts";
import { paint, type Mark } from "./paint.ts";

export type Size = "full" | "tile" | "cell" | "spark";

const HEIGHTS: Record<Size, number> = { full: 340, tile: 240, cell: 130, spark: 34 };
const WIDTHS: Record<Size, number> = { full: 0, tile: 0, cell: 250, spark: 120 };

export function drawChart(chart: Chart, size: Size): HTMLElement {
  return new Figure(chart, size).element;
}

class Figure {
  readonly element: HTMLElement;
  readonly #chart: Chart;
  readonly #size: Size;
  readonly #stage = h("div", { className: "chart-stage" });
  readonly #tip = h("div", { className: "chart-tip", role: "status", hidden: true });
  #marks: Mark[] = [];
  #at = -1;
  #width = 0;

  constructor(chart: Chart, size: Size) {
    this.#chart = chart;
    this.#size = size;
    this.element = h(
      "figure",
      { className: "chart", "data-size": size, "data-kind": chart.kind },
      size === "spark" || size === "cell" ? null : legend(chart),
      this.#stage,
      this.#tip,
      ...(size === "spark" ? [] : chart.notes.map((note) => h("p", { className: "cut" }, note))),
    );
    this.#stage.setAttribute("role", "img");
    this.#stage.setAttribute("aria-label", summary(chart));
    if (size === "spark") {
      this.#paint(WIDTHS.spark);
      return;
    }
    this.#stage.tabIndex = 0;
    this.#stage.setAttribute("role", "application");
    this.#stage.setAttribute("aria-roledescription", "chart");
    this.#listen();
    if (WIDTHS[size] > 0) this.#paint(WIDTHS[size]);
    else this.#follow();
  }

  /** Draws anew whenever its place has another width. */
  #follow(): void {
    const observer = new ResizeObserver(() => {
      const width = Math.floor(this.#stage.clientWidth);
      if (!this.element.isConnected && this.#width > 0) return observer.disconnect();
      if (width > 0 && Math.abs(width - this.#width) > 1) this.#paint(width);
    });
    observer.observe(this.#stage);
  }

  #paint(width: number): void {
    this.#width = width;
    const { svg, marks } = paint(this.#chart, width, HEIGHTS[this.#size], this.#size);
    this.#marks = marks;
    this.#at = -1;
    this.#tip.hidden = true;
    replace(this.#stage, svg);
  }

  #listen(): void {
    this.#stage.addEventListener("pointermove", (event) => {
      const box = this.#stage.getBoundingClientRect();
      this.#show(this.#nearest(event.clientX - box.left, event.clientY - box.top));
    });
    this.#stage.addEventListener("pointerleave", () => this.#show(-1));
    this.#stage.addEventListener("blur", () => this.#show(-1));
    this.#stage.addEventListener("keydown", (event) => {
      const last = this.#marks.length - 1;
      const to: Record<string, number> = {
        ArrowRight: Math.min(last, this.#at + 1),
        ArrowDown: Math.min(last, this.#at + 1),
        ArrowLeft: Math.max(0, this.#at - 1),
        ArrowUp: Math.max(0, this.#at - 1),
        Home: 0,
        End: last,
        Escape: -1,
      };
      const next = to[event.key];
      if (next === undefined) return;
      event.preventDefault();
      this.#show(next);
    });
  }

  /** A line or bar is hit by its place along the axis first; a point of a cloud by its distance. */
  #nearest(x: number, y: number): number {
    const cloud = this.#chart.kind === "scatter";
    let [best, found] = [Infinity, -1];
    this.#marks.forEach((mark, n) => {
      const along = mark.flat ? Math.abs(mark.y - y) : Math.abs(mark.x - x);
      const across = mark.flat ? Math.abs(mark.x - x) : Math.abs(mark.y - y);
      const far = cloud ? Math.hypot(along, across) : along * 1000 + across;
      if (far < best) [best, found] = [far, n];
    });
    return found;
  }

  #show(n: number): void {
    if (n === this.#at) return;
    this.#marks[this.#at]?.lit?.(false);
    this.#at = n;
    const mark = this.#marks[n];
    this.#tip.hidden = !mark;
    if (!mark) return;
    mark.lit?.(true);
    replace(this.#tip, ...tipLines(mark.point));
    this.#tip.className = `chart-tip s${mark.point.series % 12}`;
    this.#put(mark);
  }

  /** Beside the mark, inside of the chart. */
  #put(mark: Mark): void {
    const { offsetWidth: wide, offsetHeight: high } = this.#tip;
    const right = mark.x + 14 + wide < this.#width;
    const x = right ? mark.x + 14 : Math.max(0, mark.x - 14 - wide);
    const y = Math.max(0, Math.min(mark.y - high / 2, this.#stage.clientHeight - high));
    this.#tip.style.translate = `${Math.round(x)}px ${Math.round(y + this.#stage.offsetTop)}px`;
  }
}

function tipLines({ about }: Point): HTMLElement[] {
  const [first, ...rest] = about;
  return [
    h("strong", {}, first?.[1] ?? ""),
    h("dl", {}, ...rest.flatMap(([label, value]) => [h("dt", {}, label), h("dd", {}, value)])),
  ];
}

function legend(chart: Chart): HTMLElement | null {
  if (chart.series.length < 2) return null;
  return h(
    "ul",
    { className: "legend", "aria-label": `Colours: ${chart.legend}` },
    ...chart.series.map((series, n) =>
      h("li", { className: `s${n % 12}` }, h("span", { className: "swatch" }), series.name),
    ),
  );
}

/** The chart in a sentence, for those who hear it. */
function summary(chart: Chart): string {
  const kinds = { bar: "Bar chart", line: "Line chart", scatter: "Scatter chart" };
  const points = chart.series.reduce((sum, { points }) => sum + points.length, 0);
  const by = chart.legend ? `, one series for each ${chart.legend}` : "";
  const what = chart.y.title ? `${chart.y.title} by ${chart.x.title}` : `by ${chart.x.title}`;
  return `${kinds[chart.kind]}: ${what}${by}; ${points} points. Arrow keys walk through them.`;
}
