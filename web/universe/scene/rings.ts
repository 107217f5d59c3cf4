/** Planets' rings: flat squares from which the bands are cut, with the planet's shadow on them. */

import { DoubleSide, Mesh, BufferGeometry } from "three";
import { fraction } from "../math/random.ts";
import { lightOf } from "./bodies.ts";
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

const VERTEX = /* glsl */ `
  in float slot;
  in float lightSlot;
  in vec3 shape;
  in vec3 normal3;
  in vec4 tint;
  in vec2 character;
  out vec3 offset;
  flat out vec3 size;
  flat out vec3 light;
  flat out vec4 paint;
  flat out vec2 nature;
  flat out float fade;

  void main() {
    vec3 centre = placeOf(slot).xyz;
    vec3 side = normalize(cross(normal3, vec3(0.31, 0.17, 0.93)));
    vec3 other = cross(normal3, side);
    offset = (side * position.x + other * position.y) * shape.z;
    size = shape;
    paint = tint;
    nature = character;
    light = lightSlot < 0.5 ? vec3(0.0) : normalize(placeOf(lightSlot).xyz - centre);
    fade = smoothstep(2.0, 6.0, shape.z / (pixel * length(cameraPosition - centre)));
    gl_Position = projectionMatrix * viewMatrix * vec4(centre + offset, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  in vec3 offset;
  flat in vec3 size;
  flat in vec3 light;
  flat in vec4 paint;
  flat in vec2 nature;
  flat in float fade;

  void main() {
    float away = length(offset);
    float part = (away - size.y) / (size.z - size.y);
    if (part < 0.0 || part > 1.0) discard;
    float fine = texture(noise, vec2(part * 1.3 + nature.x, nature.x)).g;
    float wide = texture(noise, vec2(part * 0.35 + nature.x * 3.0, 0.5)).r;
    float band = smoothstep(0.25, 0.6, wide) * (0.45 + 0.75 * fine);
    float gap = 1.0 - 0.85 * smoothstep(0.03, 0.0, abs(part - 0.62 - 0.1 * nature.x));
    float rim = smoothstep(0.0, 0.06, part) * smoothstep(1.0, 0.9, part);
    float alpha = clamp(mix(band, 1.0, nature.y * 0.35) * gap * rim * paint.a, 0.0, 1.0) * fade;
    // The planet stands between the ring and the light.
    float along = dot(offset, light);
    float across = length(offset - light * along);
    float shadow = along < 0.0 ? smoothstep(size.x * 0.92, size.x * 1.04, across) : 1.0;
    vec3 seen = mix(paint.rgb, vec3(1.0, 0.97, 0.9), 0.25 * fine) * (0.12 + 0.95 * shadow);
    colour = vec4(seen * alpha, alpha);
  }
`;

export class Rings implements Layer {
  readonly object: Mesh<BufferGeometry>;

  constructor(shared: Shared) {
    const look = material(shared, { vertex: VERTEX, fragment: FRAGMENT });
    look.side = DoubleSide;
    this.object = new Mesh(new BufferGeometry(), look);
    this.object.frustumCulled = false;
    this.object.renderOrder = 5;
  }

  rebuild(scene: Scenery): void {
    const { world, tracks } = scene;
    const [slots, lights, shapes, normals, tints, characters]: number[][] = [
      [],
      [],
      [],
      [],
      [],
      [],
    ];
    for (const [slot, body] of bodiesOf(scene)) {
      if (!body.ring || body.bodyType !== "planet") continue;
      const { innerRadiusMultiplier: inner, outerRadiusMultiplier: outer } = body.ring;
      slots!.push(slot);
      lights!.push(lightOf(world, tracks, slot));
      shapes!.push(body.radius, body.radius * inner, body.radius * Math.max(outer, inner + 0.01));
      normals!.push(...tilted(body.id));
      tints!.push(...rgb(body.ring.color), body.ring.opacity);
      characters!.push(fraction(String(body.ring.seed ?? body.id)), body.ring.density);
    }
    const geometry = items(QUAD, {
      slot: [slots!, 1],
      lightSlot: [lights!, 1],
      shape: [shapes!, 3],
      normal3: [normals!, 3],
      tint: [tints!, 4],
      character: [characters!, 2],
    });
    this.object.geometry.dispose();
    this.object.geometry = geometry;
  }
}

/** Where a planet's axis points: the wire does not say, so each has its own, for good. */
function tilted(id: string): [x: number, y: number, z: number] {
  const lean = 0.15 + 0.45 * fraction(id);
  const towards = 2 * Math.PI * fraction(`${id} axis`);
  return [Math.sin(lean) * Math.cos(towards), Math.cos(lean), Math.sin(lean) * Math.sin(towards)];
}
