/** The stars behind everything, always as far away, denser along a band. */

import { BufferAttribute, BufferGeometry, Points } from "three";
import { gauss, seeded } from "../math/random.ts";
import { material, type Layer, type Shared } from "./stuff.ts";

const COUNT = 3200;
const HUES = [
  [0.62, 0.72, 1],
  [0.85, 0.9, 1],
  [1, 1, 1],
  [1, 0.93, 0.8],
  [1, 0.8, 0.62],
];

const VERTEX = /* glsl */ `
  in vec4 tint;
  out vec4 paint;
  uniform float ratio;

  void main() {
    paint = tint;
    gl_PointSize = max((1.3 + 2.2 * tint.a * tint.a) * ratio, 1.0);
    // Turned with the view, never moved: one cannot fly to them.
    vec4 place = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0);
    gl_Position = place.xyww * vec4(1.0, 1.0, 0.99999, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  in vec4 paint;

  void main() {
    float soft = 1.0 - smoothstep(0.1, 0.5, length(gl_PointCoord - 0.5));
    colour = vec4(paint.rgb * soft * (0.22 + 0.78 * paint.a), 0.0);
  }
`;

export class Backdrop implements Layer {
  readonly object: Points;

  constructor(shared: Shared) {
    const geometry = new BufferGeometry();
    const random = seeded("backdrop");
    const [places, tints]: [number[], number[]] = [[], []];
    for (let n = 0; n < COUNT; n++) {
      const band = n % 5 < 2;
      const angle = random() * 2 * Math.PI;
      const height = band ? gauss(random) * 0.13 + 0.25 * Math.sin(angle) : random() * 2 - 1;
      const flat = Math.sqrt(Math.max(0, 1 - height * height));
      places.push(flat * Math.cos(angle) * 10, height * 10, flat * Math.sin(angle) * 10);
      const hue = HUES[Math.floor(random() * HUES.length)] ?? [1, 1, 1];
      tints.push(...hue, random() ** (band ? 5 : 3));
    }
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
    geometry.setAttribute("tint", new BufferAttribute(new Float32Array(tints), 4));
    this.object = new Points(geometry, material(shared, { vertex: VERTEX, fragment: FRAGMENT }));
    this.object.frustumCulled = false;
    this.object.renderOrder = 0;
  }

  rebuild(): void {
    // The same for every universe.
  }
}
