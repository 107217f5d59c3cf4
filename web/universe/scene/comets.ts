/** Comets: a haze around the nucleus, a tail along the way it came, a thin one away from the star. */

import { BufferGeometry, DoubleSide, Group, Mesh, type ShaderMaterial } from "three";
import { kindOf } from "../state/world.ts";
import {
  bodiesOf,
  material,
  items,
  QUAD,
  rgb,
  type Layer,
  type Scenery,
  type Shape,
  type Shared,
} from "./stuff.ts";

const SEGMENTS = 40;

const ACTIVITY = /* glsl */ `
  /** Length and opacity of the tail: most near the star, nothing at one and a half times the reach. */
  vec2 activity(float away, float falloff) {
    if (falloff <= 0.0) return vec2(0.3, 0.0);
    if (away <= falloff) return vec2(1.0 + 0.5 * (1.0 - away / falloff), 1.0);
    float beyond = min(1.0, (away - falloff) / (falloff * 0.5));
    return vec2(1.0 - 0.7 * beyond, 1.0 - beyond);
  }
`;

/** The nucleus stands in the same place and would show through in patches. */
const BEHIND = "gl_Position.z += 0.0002 * gl_Position.w;";

const TAIL_VERTEX = /* glsl */ `
  in float slot;
  in float parentSlot;
  in vec3 p;
  in vec3 q;
  in vec4 shape;
  in vec4 tint;
  in vec2 style;
  out float part;
  out float side;
  flat out vec4 paint;
  ${ACTIVITY}

  /** The tail at a part of its length, from the nucleus. */
  vec3 trail(float part, float theta, float level, vec3 away) {
    if (style.x > 0.5) return away * shape.x * level * part;
    // Points of the orbit, a twentieth of a second apart.
    float seconds = floor(shape.x * level * 10.0) * 0.05;
    float turned = theta - style.y * seconds * part;
    return p * (cos(turned) - cos(theta)) + q * (sin(turned) - sin(theta));
  }

  void main() {
    vec4 here = placeOf(slot);
    vec3 apart = here.xyz - placeOf(parentSlot).xyz;
    vec2 alive = activity(length(apart), shape.z);
    vec3 away = normalize(apart + 1e-5);
    part = position.x;
    side = position.y;
    vec3 point = here.xyz + trail(part, here.w, alive.x, away);
    vec3 ahead = here.xyz + trail(part + 0.02, here.w, alive.x, away);
    vec3 across = normalize(cross(ahead - point + away * 1e-5, cameraPosition - point));
    float distance = length(cameraPosition - point);
    float width = max(shape.y * (0.25 + 0.75 * part) * (style.x > 0.5 ? 0.45 : 1.0), 1.2 * pixel * distance);
    paint = vec4(tint.rgb, tint.a * alive.y);
    gl_Position = projectionMatrix * viewMatrix * vec4(point + across * side * width, 1.0);
    ${BEHIND}
  }
`;

const TAIL_FRAGMENT = /* glsl */ `
  in float part;
  in float side;
  flat in vec4 paint;

  void main() {
    float strength = pow(1.0 - part, 1.7) * exp(-side * side * 3.5) * paint.a * 1.3;
    colour = vec4(paint.rgb * strength, strength * 0.2);
  }
`;

const COMA_VERTEX = /* glsl */ `
  in float slot;
  in float parentSlot;
  in vec4 shape;
  in vec4 tint;
  out vec2 spot;
  flat out vec4 paint;
  ${ACTIVITY}

  void main() {
    vec3 centre = placeOf(slot).xyz;
    vec2 alive = activity(length(centre - placeOf(parentSlot).xyz), shape.z);
    mat3 frame = facing(centre);
    float size = max(shape.w * 5.0 * alive.x, 4.5 * pixel * length(cameraPosition - centre));
    spot = position.xy;
    paint = vec4(tint.rgb, 0.35 + 0.65 * alive.y);
    vec3 corner = centre + (frame[0] * spot.x + frame[1] * spot.y) * size;
    gl_Position = projectionMatrix * viewMatrix * vec4(corner, 1.0);
    ${BEHIND}
  }
`;

const COMA_FRAGMENT = /* glsl */ `
  in vec2 spot;
  flat in vec4 paint;

  void main() {
    float away = length(spot);
    float strength = (0.07 / (away * away + 0.07) - 0.065) * paint.a;
    if (strength <= 0.0) discard;
    colour = vec4(mix(paint.rgb, vec3(1.0), 0.4) * strength, strength * 0.3);
  }
`;

export class Comets implements Layer {
  readonly object = new Group();
  readonly #tails: Mesh<BufferGeometry, ShaderMaterial>;
  readonly #comas: Mesh<BufferGeometry>;

  constructor(shared: Shared) {
    this.#tails = new Mesh(
      new BufferGeometry(),
      material(shared, { vertex: TAIL_VERTEX, fragment: TAIL_FRAGMENT }),
    );
    this.#tails.material.side = DoubleSide;
    this.#comas = new Mesh(
      new BufferGeometry(),
      material(shared, { vertex: COMA_VERTEX, fragment: COMA_FRAGMENT }),
    );
    for (const mesh of [this.#tails, this.#comas]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 7;
    }
    this.object.add(this.#tails, this.#comas);
  }

  rebuild(scene: Scenery): void {
    const { tracks } = scene;
    const [slots, parents, ps, qs, shapes, tints, styles]: number[][] = [
      [],
      [],
      [],
      [],
      [],
      [],
      [],
    ];
    const comas = {
      slot: [] as number[],
      parentSlot: [] as number[],
      shape: [] as number[],
      tint: [] as number[],
    };
    for (const [slot, body] of bodiesOf(scene)) {
      if (kindOf(body) !== "comet") continue;
      const comet = body.comet;
      const parent = tracks.parents[slot] ?? 0;
      const shape = [
        comet?.tailLengthBase ?? 0,
        comet?.tailWidthBase ?? 0,
        comet?.activityFalloffDistance ?? 10,
        body.radius,
      ];
      const tint = [...rgb(comet?.tailColor ?? "#bfe3ff"), comet?.tailOpacityBase ?? 0.6];
      comas.slot.push(slot);
      comas.parentSlot.push(parent);
      comas.shape.push(...shape);
      comas.tint.push(...tint);
      if (!comet?.hasTail) continue;
      const motion = tracks.motion(slot);
      for (const ion of [0, 1]) {
        slots!.push(slot);
        parents!.push(parent);
        ps!.push(motion[3]!, motion[4]!, motion[5]!);
        qs!.push(motion[6]!, motion[7]!, motion[8]!);
        shapes!.push(...shape);
        tints!.push(...(ion ? [0.45, 0.7, 1, (tint[3] ?? 0.6) * 0.55] : tint));
        styles!.push(ion, motion[12]!);
      }
    }
    const tails = items(ribbon(), {
      slot: [slots!, 1],
      parentSlot: [parents!, 1],
      p: [ps!, 3],
      q: [qs!, 3],
      shape: [shapes!, 4],
      tint: [tints!, 4],
      style: [styles!, 2],
    });
    const haze = items(QUAD, {
      slot: [comas.slot, 1],
      parentSlot: [comas.parentSlot, 1],
      shape: [comas.shape, 4],
      tint: [comas.tint, 4],
    });
    this.#tails.geometry.dispose();
    this.#tails.geometry = tails;
    this.#comas.geometry.dispose();
    this.#comas.geometry = haze;
  }
}

/** A strip: how far along, and which side. */
function ribbon(): Shape {
  const [points, index]: [number[], number[]] = [[], []];
  for (let n = 0; n <= SEGMENTS; n++) {
    points.push(n / SEGMENTS, -1, 0, n / SEGMENTS, 1, 0);
    const at = n * 2;
    if (n < SEGMENTS) index.push(at, at + 1, at + 2, at + 1, at + 3, at + 2);
  }
  return { points, index };
}
