/** One die: a lit body with numbers on it, drawn as SVG so that it is sharp at any size and follows the theme. */

import { svg } from "../../kit/dom.ts";
import { dot, facing, rotate, solid, turned, unit, type Face, type Rotation } from "./solid.ts";

export type DieTone = "hope" | "fear" | "advantage" | "disadvantage" | "plain";

const LIGHT = unit([-0.45, 0.75, 0.85]);
/** The height of a number, for the size of the faces of each body. */
const TEXT: Record<number, number> = { 4: 0.5, 6: 0.74, 8: 0.46, 10: 0.42, 12: 0.52, 20: 0.34 };

interface Drawn {
  face: Face;
  group: SVGGElement;
  outline: SVGPolygonElement;
  label: SVGGElement;
}

export class Die {
  readonly element: SVGSVGElement;
  readonly sides: number;
  readonly #faces: Drawn[];
  readonly #flat: SVGTextElement | undefined;
  #rest: Rotation;

  constructor(sides: number, tone: DieTone) {
    this.sides = sides;
    this.element = svg("svg", {
      viewBox: "-1.08 -1.08 2.16 2.16",
      class: "die",
      "data-tone": tone,
      "aria-hidden": "true",
    });
    const faces = solid(sides);
    this.#faces = (faces ?? []).map((face) => drawn(face, sides));
    this.element.append(...this.#faces.map(({ group }) => group));
    if (!faces) {
      this.#flat = svg("text", { class: "number", "font-size": 0.7 });
      this.element.append(svg("circle", { class: "coin", r: 1 }), this.#flat);
    }
    this.#rest = facing(FLAT);
    this.land(sides);
  }

  /** Shows `value`, at rest. */
  land(value: number): void {
    this.aim(value);
    this.spin([1, 0, 0], 0);
  }

  /** Chooses the face that the die will come to rest on. */
  aim(value: number): void {
    const found = this.#faces.find(({ face }) => face.value === value);
    if (found) this.#rest = lying(found.face, this.sides);
    if (!this.#flat) return;
    this.#flat.textContent = String(value);
    this.#flat.setAttribute("font-size", value > 999 ? "0.5" : "0.7");
  }

  /** Turned away from rest by `angle` about `axis`. */
  spin(axis: readonly [number, number, number], angle: number): void {
    const rotation = turned(this.#rest, axis, angle);
    for (const drawing of this.#faces) draw(drawing, rotation);
  }
}

/** How a die lies when it shows `face`. A cube seen from straight above would be a mere square. */
function lying(face: Face, sides: number): Rotation {
  if (sides !== 6) return facing(face);
  return turned(turned(facing(face), [0, 1, 0], -0.42), [1, 0, 0], 0.38);
}

const FLAT: Face = { normal: [0, 0, 1], centre: [0, 0, 1], up: [0, 1, 0], corners: [], value: 0 };

function drawn(face: Face, sides: number): Drawn {
  const outline = svg("polygon");
  // A line below tells 6 from 9, where there are both.
  const underlined = sides > 8 && (face.value === 6 || face.value === 9);
  const size = TEXT[sides] ?? 0.4;
  const text = svg("text", { class: "number", "font-size": size }, String(face.value));
  const line = svg("path", { class: "line", d: `M${-size / 4} ${size * 0.47}h${size / 2}` });
  const label = svg("g", {}, text, underlined && line);
  return { face, outline, label, group: svg("g", {}, outline, label) };
}

function draw({ face, group, outline, label }: Drawn, rotation: Rotation): void {
  const normal = rotate(rotation, face.normal);
  const seen = normal[2] > 0.02;
  group.setAttribute("visibility", seen ? "visible" : "hidden");
  if (!seen) return;
  const points = face.corners.map((corner) => {
    const [x, y] = rotate(rotation, corner);
    return `${x.toFixed(3)},${(-y).toFixed(3)}`;
  });
  outline.setAttribute("points", points.join(" "));
  const lit = Math.max(0, dot(normal, LIGHT));
  outline.style.setProperty("--lit", `${Math.round(lit * 100)}%`);
  const [right, up] = facing(face).map((axis) => rotate(rotation, axis));
  const [x, y] = rotate(rotation, face.centre);
  if (!right || !up) return;
  // The map from the face's plane to the page, whose y points down.
  const map = [right[0], -right[1], -up[0], up[1], x, -y].map((part) => part.toFixed(3));
  label.setAttribute("transform", `matrix(${map.join(" ")})`);
}
