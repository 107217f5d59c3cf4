/** The view from above: orbits as lines, bodies as discs, at the universe's own time. */

import { replace, svg } from "../kit/dom.ts";
import { rows, type Point, type State, type Star } from "./model.ts";
import { orbitLine, positions } from "./orbit.ts";

/** Beyond this many bodies, names and lines would hide more than they show. */
const CROWD = 150;
/** How long a jump in time is drawn as movement. */
const MOVE_MS = 700;
/** Size of the names, in pixels of the screen whatever the scale. */
const LABEL_PX = 12;
const COLOUR = /^#[0-9a-f]{3,8}$/i;

interface Drawn {
  star: Star;
  disc: SVGElement;
  label: SVGElement | undefined;
  line: SVGElement | undefined;
}

export class Sky {
  readonly element = svg("svg", {
    class: "sky",
    role: "img",
    "aria-label": "The universe from above",
  });
  readonly #select: (id: string) => void;
  #state: State | undefined;
  #drawn: Drawn[] = [];
  #reach = 1;
  /** The time on show, which runs after the state's time. */
  #shown = 0;
  #frame = 0;

  constructor(select: (id: string) => void) {
    this.#select = select;
    new ResizeObserver(() => this.#scaleLabels()).observe(this.element);
  }

  show(state: State): void {
    const moved = this.#state !== undefined && this.#state.time !== state.time;
    const same = this.#state?.stars === state.stars;
    this.#state = state;
    if (!same) this.#build(state);
    if (moved && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#move(state.time);
    } else {
      cancelAnimationFrame(this.#frame);
      this.#place(state.time);
    }
  }

  #build(state: State): void {
    this.#reach = reach(state);
    const crowded = Object.keys(state.stars).length > CROWD;
    this.element.setAttribute(
      "viewBox",
      `${-this.#reach} ${-this.#reach} ${2 * this.#reach} ${2 * this.#reach}`,
    );
    this.#drawn = rows(state).map(({ star }) => this.#draw(star, crowded));
    replace(
      this.element,
      ...this.#drawn.flatMap(({ line }) => line ?? []),
      ...this.#drawn.map(({ disc }) => disc),
      ...this.#drawn.flatMap(({ label }) => label ?? []),
    );
    this.#scaleLabels();
  }

  #scaleLabels(): void {
    const pixels = Math.min(this.element.clientWidth, this.element.clientHeight) || 1;
    const size = String((LABEL_PX * 2 * this.#reach) / pixels);
    for (const { label } of this.#drawn) label?.setAttribute("font-size", size);
  }

  #draw(star: Star, crowded: boolean): Drawn {
    const unit = this.#reach / 100;
    const disc = svg(
      "circle",
      {
        class: "disc",
        r: Math.min(Math.max(star.radius, unit * 1.1), unit * 7),
        fill: COLOUR.test(star.color) ? star.color : "#ffffff",
        onclick: () => this.#select(star.id),
      },
      svg("title", {}, star.name),
    );
    if (crowded) return { star, disc, label: undefined, line: undefined };
    const label = svg("text", { class: "label" }, star.name);
    const points = orbitLine(star);
    const line =
      points.length === 0
        ? undefined
        : svg("polygon", {
            class: "orbit",
            points: points.map(({ x, z }) => `${x},${z}`).join(" "),
          });
    return { star, disc, label, line };
  }

  #move(to: number): void {
    cancelAnimationFrame(this.#frame);
    const [from, start] = [this.#shown, performance.now()];
    const step = (now: number) => {
      const part = Math.min(1, (now - start) / MOVE_MS);
      this.#place(from + (to - from) * (1 - (1 - part) ** 3));
      if (part < 1) this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }

  #place(time: number): void {
    this.#shown = time;
    if (!this.#state) return;
    const places = positions(this.#state.stars, time);
    const unit = this.#reach / 100;
    for (const { star, disc, label, line } of this.#drawn) {
      const { x, z } = places.get(star.id) ?? { x: 0, z: 0 };
      disc.setAttribute("cx", String(x));
      disc.setAttribute("cy", String(z));
      label?.setAttribute("x", String(x));
      label?.setAttribute("y", String(z - Number(disc.getAttribute("r")) - unit * 1.5));
      const parent = star.parentId === null ? undefined : places.get(star.parentId);
      if (parent) line?.setAttribute("transform", `translate(${parent.x} ${parent.z})`);
    }
  }
}

/** How far from the origin the view must see, orbits included. */
function reach(state: State): number {
  const places = positions(state.stars, state.time);
  let most = 0;
  for (const star of Object.values(state.stars)) {
    const centre: Point = places.get(star.parentId ?? "") ?? { x: 0, y: 0, z: 0 };
    const own = places.get(star.id) ?? centre;
    const points = [
      own,
      ...orbitLine(star).map(({ x, y, z }) => ({ x: x + centre.x, y, z: z + centre.z })),
    ];
    for (const { x, z } of points)
      most = Math.max(most, Math.abs(x) + star.radius, Math.abs(z) + star.radius);
  }
  return most > 0 && Number.isFinite(most) ? most * 1.15 : 10;
}
