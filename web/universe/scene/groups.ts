/** Groups as boxes one can see through, the outline stronger than the faces. */

import { BoxGeometry, BufferGeometry, EdgesGeometry, Group, LineSegments, Mesh } from "three";
import { layout } from "../math/layout.ts";
import { fraction } from "../math/random.ts";
import {
  material,
  items,
  rgb,
  type Layer,
  type Scenery,
  type Shape,
  type Shared,
} from "./stuff.ts";

const VERTEX = /* glsl */ `
  in vec4 box;
  in vec4 tint;
  out vec4 paint;

  void main() {
    float pixels = box.w / (pixel * length(cameraPosition - box.xyz));
    paint = vec4(tint.rgb, tint.a * (1.0 - 0.75 * smoothstep(900.0, 2600.0, pixels)));
    gl_Position = projectionMatrix * viewMatrix * vec4(box.xyz + position * box.w, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  in vec4 paint;
  uniform float strength;

  void main() {
    float alpha = paint.a * strength;
    colour = vec4(paint.rgb * alpha, alpha * 0.5);
  }
`;

const PALETTE = ["#7aa2ff", "#7fe3c4", "#e6a4ff", "#ffc27a", "#ff8f9c", "#9be564"];

export class Groups implements Layer {
  readonly object = new Group();
  readonly #faces: Mesh<BufferGeometry>;
  readonly #edges: LineSegments<BufferGeometry>;

  constructor(shared: Shared) {
    const look = (strength: number) =>
      material(shared, {
        vertex: VERTEX,
        fragment: FRAGMENT,
        uniforms: { strength: { value: strength } },
      });
    this.#faces = new Mesh(new BufferGeometry(), look(0.045));
    this.#edges = new LineSegments(new BufferGeometry(), look(0.5));
    for (const part of [this.#faces, this.#edges]) {
      part.frustumCulled = false;
      part.renderOrder = 11;
      this.object.add(part);
    }
  }

  rebuild({ world }: Scenery): void {
    const [boxes, tints]: number[][] = [[], []];
    for (const [id, { centre, edge, depth }] of layout(world).boxes) {
      const colour =
        world.groups.get(id)?.color ?? PALETTE[Math.floor(fraction(id) * PALETTE.length)];
      boxes!.push(centre.x, centre.y, centre.z, edge);
      tints!.push(...rgb(colour), 1 / (1 + depth * 0.5));
    }
    const shapes: [Mesh<BufferGeometry> | LineSegments<BufferGeometry>, Shape][] = [
      [this.#faces, shapeOf(new BoxGeometry(1, 1, 1))],
      [this.#edges, shapeOf(new EdgesGeometry(new BoxGeometry(1, 1, 1)))],
    ];
    for (const [part, shape] of shapes) {
      const geometry = items(shape, { box: [boxes!, 4], tint: [tints!, 4] });
      part.geometry.dispose();
      part.geometry = geometry;
    }
  }
}

function shapeOf(geometry: BufferGeometry): Shape {
  const points = [...geometry.getAttribute("position").array];
  const index = geometry.getIndex();
  return {
    points,
    index: index ? [...index.array] : points.slice(0, points.length / 3).map((_, n) => n),
  };
}
