/** Stars: a seething disc and its glow, which is all the bloom there is, painted on one square each. */

import { Mesh, BufferGeometry } from "three";
import { fraction } from "../math/random.ts";
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

/** How far the glow reaches, in radii. */
const REACH = 8;

const VERTEX = /* glsl */ `
  in float slot;
  in float radius;
  in vec3 tint;
  in float seed;
  out vec2 spot;
  flat out vec3 paint;
  flat out float grain;
  flat out float size;

  void main() {
    vec3 centre = placeOf(slot).xyz;
    mat3 frame = facing(centre);
    float distance = length(cameraPosition - centre);
    float drawn = max(radius, 2.2 * pixel * distance);
    size = drawn / (pixel * distance);
    spot = position.xy * float(${REACH});
    paint = tint;
    grain = seed;
    vec3 corner = centre + (frame[0] * spot.x + frame[1] * spot.y) * drawn;
    gl_Position = projectionMatrix * viewMatrix * vec4(corner, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  in vec2 spot;
  flat in vec3 paint;
  flat in float grain;
  flat in float size;

  void main() {
    float away = length(spot);
    float edge = clamp((float(${REACH}) - away) / float(${REACH}), 0.0, 1.0);
    if (edge <= 0.0) discard;
    float disc = 1.0 - smoothstep(1.0 - 1.2 / size, 1.0 + 0.6 / size, away);
    float depth = sqrt(max(0.0, 1.0 - away * away));
    vec3 core = mix(paint, vec3(1.0), 0.1 + 0.55 * depth);
    if (disc > 0.0 && size > 8.0) {
      vec2 place = spot * 0.16 / (0.35 + depth) + grain * 7.0;
      float boil = texture(noise, place * 1.7 + time * 0.004).g + texture(noise, place - time * 0.006).b;
      core *= 0.72 + 0.3 * boil;
    }
    float near = max(away, 1.0);
    // A star far away is little more than its glow.
    float lone = 1.0 - smoothstep(3.0, 14.0, size);
    float glow = 0.5 / (near * near * near) + (0.16 + 0.3 * lone) / (near * near);
    float angle = atan(spot.y, spot.x);
    float rays = texture(noise, vec2(angle * 0.159155 * 2.0, grain + time * 0.002)).r;
    glow *= (0.65 + 0.7 * rays) * edge * edge;
    // Warm near the disc, its own colour further out.
    vec3 light = mix(paint, vec3(1.0), 0.3 / (near * near)) * glow * 1.5;
    colour = vec4(core * disc + light * (1.0 - disc * 0.8), disc);
  }
`;

export class Stars implements Layer {
  readonly object: Mesh<BufferGeometry>;

  constructor(shared: Shared) {
    this.object = new Mesh(
      new BufferGeometry(),
      material(shared, { vertex: VERTEX, fragment: FRAGMENT }),
    );
    this.object.frustumCulled = false;
    this.object.renderOrder = 8;
  }

  rebuild(scene: Scenery): void {
    const [slots, radii, tints, seeds]: number[][] = [[], [], [], []];
    for (const [slot, body] of bodiesOf(scene)) {
      if (kindOf(body) !== "star") continue;
      slots!.push(slot);
      radii!.push(body.radius);
      tints!.push(...rgb(body.color));
      seeds!.push(fraction(body.id));
    }
    const geometry = items(QUAD, {
      slot: [slots!, 1],
      radius: [radii!, 1],
      tint: [tints!, 3],
      seed: [seeds!, 1],
    });
    this.object.geometry.dispose();
    this.object.geometry = geometry;
  }
}
