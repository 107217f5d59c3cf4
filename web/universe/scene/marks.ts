/** Signs on the sky, as large on the screen at any distance: Lagrange points, the selection, flashes where someone acted. */

import { Group, Mesh, BufferGeometry, type ShaderMaterial } from "three";
import { kindOf } from "../state/world.ts";
import {
  bodiesOf,
  material,
  items,
  QUAD,
  rgb,
  type Layer,
  type Scenery,
  type Shared,
} from "./stuff.ts";

const FLASH_SECONDS = 2.2;
const MOST_FLASHES = 24;

const VERTEX = /* glsl */ `
  in float slot;
  in vec4 tint;
  in vec4 style;
  out vec2 spot;
  flat out vec4 paint;
  flat out vec2 look;
  uniform float wall;

  void main() {
    vec3 centre = placeOf(slot).xyz;
    mat3 frame = facing(centre);
    float distance = length(cameraPosition - centre);
    // Style: kind, radius of the body, pixels at least, and wall time it began or, for a Lagrange point, its orbit.
    float age = clamp((wall - style.w) / ${FLASH_SECONDS}, 0.0, 1.0);
    float near = style.x > 0.5 ? 1.0 : smoothstep(45.0, 130.0, style.w / (pixel * distance));
    float grow = style.x > 1.5 ? 1.0 + 2.2 * sqrt(age) : 1.0;
    float size = max(style.y * 1.7, style.z * pixel * distance) * grow;
    spot = position.xy * (1.0 + 3.0 * pixel * distance / size);
    look = vec2(style.x, size / (pixel * distance));
    paint = vec4(tint.rgb, tint.a * near * (style.x > 1.5 ? pow(1.0 - age, 1.5) : 1.0));
    vec3 corner = centre + (frame[0] * spot.x + frame[1] * spot.y) * size;
    gl_Position = projectionMatrix * viewMatrix * vec4(corner, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  in vec2 spot;
  flat in vec4 paint;
  flat in vec2 look;

  void main() {
    float away = look.x < 0.5 ? abs(spot.x) + abs(spot.y) : length(spot);
    float line = 1.0 - smoothstep(0.6, 1.6, abs(away - 1.0) * look.y);
    if (look.x > 0.5 && look.x < 1.5) {
      // Four arcs around what is selected.
      line *= step(0.35, abs(sin(atan(spot.y, spot.x) * 2.0)));
      // Close by one sees what it is.
      line *= 1.0 - smoothstep(70.0, 140.0, look.y);
    }
    if (look.x < 0.5) line += 1.0 - smoothstep(0.15, 0.3, away);
    float alpha = clamp(line, 0.0, 1.0) * paint.a;
    if (alpha <= 0.0) discard;
    colour = vec4(paint.rgb * alpha, alpha * 0.6);
  }
`;

interface Flash {
  id: string;
  colour: string;
  since: number;
}

export class Marks implements Layer {
  readonly object = new Group();
  readonly #mesh: Mesh<BufferGeometry, ShaderMaterial>;
  #flashes: Flash[] = [];
  #selected = "";
  #last: Scenery | undefined;

  constructor(shared: Shared) {
    const uniforms = { wall: { value: 0 } };
    const look = material(shared, { vertex: VERTEX, fragment: FRAGMENT, uniforms });
    look.depthTest = false;
    this.#mesh = new Mesh(new BufferGeometry(), look);
    this.#mesh.frustumCulled = false;
    this.#mesh.renderOrder = 12;
    this.object.add(this.#mesh);
  }

  select(id: string): void {
    this.#selected = id;
    if (this.#last) this.rebuild(this.#last);
  }

  /** Draws the eye to a body, in the colour of who touched it. */
  flash(id: string, colour: string): void {
    this.#flashes.push({ id, colour, since: seconds() });
    this.#flashes.splice(0, this.#flashes.length - MOST_FLASHES);
    if (this.#last) this.rebuild(this.#last);
  }

  /** Gives whether something still moves. */
  tick(): boolean {
    this.#mesh.material.uniforms["wall"]!.value = seconds();
    const before = this.#flashes.length;
    this.#flashes = this.#flashes.filter(({ since }) => seconds() - since < FLASH_SECONDS);
    if (this.#flashes.length !== before && this.#last) this.rebuild(this.#last);
    return before > 0;
  }

  rebuild(scene: Scenery): void {
    this.#last = scene;
    const { world, tracks } = scene;
    const [slots, tints, styles]: number[][] = [[], [], []];
    const put = (id: string, tint: number[], style: number[]) => {
      const slot = tracks.slots.get(id);
      if (slot === undefined) return;
      slots!.push(slot);
      tints!.push(...tint);
      styles!.push(...style);
    };
    for (const [, body] of bodiesOf(scene)) {
      if (kindOf(body) !== "lagrangePoint") continue;
      const tint = body.lagrangePoint?.stable ? [0.5, 0.95, 0.75, 0.75] : [1, 0.8, 0.5, 0.6];
      put(body.id, tint, [0, 0, 5, body.semiMajorAxis ?? body.orbitalDistance]);
    }
    put(this.#selected, [1, 1, 1, 0.95], [1, world.stars.get(this.#selected)?.radius ?? 0, 13, 0]);
    for (const { id, colour, since } of this.#flashes) {
      put(id, [...rgb(colour), 1], [2, world.stars.get(id)?.radius ?? 0, 16, since]);
    }
    const geometry = items(QUAD, { slot: [slots!, 1], tint: [tints!, 4], style: [styles!, 4] });
    this.#mesh.geometry.dispose();
    this.#mesh.geometry = geometry;
  }
}

/** Wall time, small enough for a graphics card's numbers. */
function seconds(): number {
  return performance.now() / 1000;
}
