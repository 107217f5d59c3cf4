/**
 * Planets, moons, asteroids, comets' nuclei: everything solid, in two draws.
 *
 * Each is a square turned to the viewer on which a lit ball is painted. That is round at any distance, costs two triangles,
 * and what a planet looks like close by is worked out only for the pixels it covers. What is only a few pixels wide is drawn as
 * a point instead, at a fraction of the cost; each draw leaves to the other what is not its own.
 */

import { BufferAttribute, BufferGeometry, Group, Mesh, Points } from "three";
import { fraction } from "../math/random.ts";
import type { Tracks } from "../math/tracks.ts";
import { kindOf, type World } from "../state/world.ts";
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

/** Pixels of radius below which a body is a point. */
const DOT = 3;
/** Radius from which a planet is made of gas. */
const GIANT = 0.55;

const VERTEX = /* glsl */ `
  in float slot;
  in float radius;
  in float lightSlot;
  in vec3 tint;
  in vec2 character;
  out vec2 spot;
  flat out vec3 paint;
  flat out vec3 light;
  flat out vec2 nature;
  flat out float size;
  flat out mat3 frame;

  void main() {
    vec3 centre = placeOf(slot).xyz;
    float distance = length(cameraPosition - centre);
    size = radius / (pixel * distance);
    if (size < float(${DOT})) {
      gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
      return;
    }
    frame = facing(centre);
    // A ball close by hides more than its own width.
    float cover = radius * distance / sqrt(max(distance * distance - radius * radius, 0.01 * radius * radius));
    float grown = 1.0 + 1.0 / size;
    spot = position.xy * grown;
    paint = tint;
    nature = character;
    light = lightSlot < 0.5 ? vec3(0.0) : normalize(placeOf(lightSlot).xyz - centre);
    vec3 corner = centre + (frame[0] * spot.x + frame[1] * spot.y) * cover;
    gl_Position = projectionMatrix * viewMatrix * vec4(corner, 1.0);
  }
`;

const DOT_VERTEX = /* glsl */ `
  in float slot;
  in float radius;
  in vec3 tint;
  out vec3 paint;
  uniform float ratio;

  void main() {
    vec3 centre = placeOf(slot).xyz;
    float distance = length(cameraPosition - centre);
    float size = max(radius / (pixel * distance), 1.3);
    // A dot must be found, whichever side of it is lit.
    paint = tint * 0.9;
    gl_PointSize = (size * 2.0 + 0.5) * ratio;
    gl_Position = projectionMatrix * viewMatrix * vec4(centre, 1.0);
    if (size >= float(${DOT})) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  }
`;

const DOT_FRAGMENT = /* glsl */ `
  in vec3 paint;

  void main() {
    float cover = 1.0 - smoothstep(0.3, 0.52, length(gl_PointCoord - 0.5));
    colour = vec4(paint * cover, cover);
  }
`;

const FRAGMENT = /* glsl */ `
  in vec2 spot;
  flat in vec3 paint;
  flat in vec3 light;
  flat in vec2 nature;
  flat in float size;
  flat in mat3 frame;

  float scatter(vec3 p) {
    // Differently by axis, or a planet is its own mirror image.
    p = fract(p * vec3(0.3183099, 0.3678794, 0.4142136) + vec3(0.1, 0.23, 0.37));
    p *= 17.0;
    return fract(p.x * p.y * p.z * (p.x + p.y + p.z));
  }

  float lumps(vec3 x) {
    vec3 i = floor(x);
    vec3 f = fract(x);
    f = f * f * (3.0 - 2.0 * f);
    return mix(
      mix(mix(scatter(i), scatter(i + vec3(1, 0, 0)), f.x), mix(scatter(i + vec3(0, 1, 0)), scatter(i + vec3(1, 1, 0)), f.x), f.y),
      mix(mix(scatter(i + vec3(0, 0, 1)), scatter(i + vec3(1, 0, 1)), f.x), mix(scatter(i + vec3(0, 1, 1)), scatter(i + vec3(1, 1, 1)), f.x), f.y),
      f.z);
  }

  float terrain(vec3 p) {
    return 0.55 * lumps(p) + 0.28 * lumps(p * 2.1 + 7.0) + 0.17 * lumps(p * 4.3 + 3.0);
  }

  /** Bands of weather, or land and lowland; too small to tell is plain. */
  vec3 surface(vec3 normal) {
    if (size < 5.0) return paint;
    float seed = nature.x;
    float spin = time * 0.12 + seed * 6.28;
    vec3 n = vec3(normal.x * cos(spin) + normal.z * sin(spin), normal.y, normal.z * cos(spin) - normal.x * sin(spin));
    vec3 deep = paint * paint * 0.9 + paint * 0.1;
    vec3 bright = mix(paint, vec3(1.0, 0.98, 0.94), 0.35);
    if (nature.y > 0.5) {
      float swirl = terrain(n * vec3(2.0, 5.0, 2.0) + seed * 40.0) - 0.5;
      float band = sin((n.y + swirl * 0.22) * (9.0 + 7.0 * seed) + seed * 20.0);
      return mix(mix(deep, paint, smoothstep(-0.9, 0.1, band)), bright, smoothstep(0.2, 1.0, band) * 0.8);
    }
    float land = terrain(n * (2.4 + seed) + seed * 60.0);
    vec3 ground = mix(deep * 0.75, paint, smoothstep(0.38, 0.52, land));
    ground = mix(ground, bright, smoothstep(0.58, 0.75, land) * 0.7);
    float cap = smoothstep(0.80, 0.9, abs(n.y) + (land - 0.5) * 0.25) * step(0.45, seed);
    return mix(ground, vec3(0.93, 0.96, 1.0), cap);
  }

  void main() {
    float away = length(spot);
    float cover = 1.0 - smoothstep(1.0 - 1.0 / size, 1.0 + 0.5 / size, away);
    if (cover <= 0.0) discard;
    float depth = sqrt(max(0.0, 1.0 - away * away));
    vec3 normal = normalize(frame[0] * spot.x + frame[1] * spot.y + frame[2] * depth);
    bool dark = dot(light, light) < 0.5;
    float day = dark ? 0.25 + 0.45 * depth : smoothstep(-0.12, 0.9, dot(normal, light));
    // A small one must be found, whichever side of it is lit.
    float shade = mix(mix(0.75, 1.0, day), 0.045 + day, smoothstep(2.5, 9.0, size));
    vec3 seen = surface(normal) * shade;
    float rim = pow(1.0 - depth, 3.0) * smoothstep(6.0, 20.0, size);
    seen += mix(paint, vec3(0.7, 0.85, 1.0), 0.5) * rim * (0.1 + day) * 0.55;
    colour = vec4(seen * cover, cover);
  }
`;

export class Bodies implements Layer {
  readonly object = new Group();
  readonly #balls: Mesh<BufferGeometry>;
  readonly #dots: Points<BufferGeometry>;

  constructor(shared: Shared) {
    const ball = material(shared, { vertex: VERTEX, fragment: FRAGMENT, depthWrite: true });
    const dot = material(shared, { vertex: DOT_VERTEX, fragment: DOT_FRAGMENT });
    this.#balls = new Mesh(new BufferGeometry(), ball);
    this.#dots = new Points(new BufferGeometry(), dot);
    for (const part of [this.#balls, this.#dots]) {
      part.frustumCulled = false;
      part.renderOrder = 4;
      this.object.add(part);
    }
  }

  rebuild(scene: Scenery): void {
    const { world, tracks } = scene;
    const [slots, radii, lights, tints, characters]: number[][] = [[], [], [], [], []];
    for (const [slot, body] of bodiesOf(scene)) {
      const kind = kindOf(body);
      if (kind === "star" || kind === "blackHole" || kind === "lagrangePoint") continue;
      slots!.push(slot);
      radii!.push(body.radius);
      lights!.push(lightOf(world, tracks, slot));
      tints!.push(...rgb(body.roguePlanet?.colorOverride ?? body.color));
      const gas = kind === "planet" && body.radius >= GIANT ? 1 : 0;
      characters!.push(fraction(body.id), gas);
    }
    const both: Record<string, [numbers: number[], size: number]> = {
      slot: [slots!, 1],
      radius: [radii!, 1],
      tint: [tints!, 3],
    };
    const balls = items(QUAD, { ...both, lightSlot: [lights!, 1], character: [characters!, 2] });
    const dots = new BufferGeometry();
    dots.setAttribute("position", new BufferAttribute(new Float32Array(tints!.length), 3));
    for (const [name, [numbers, size]] of Object.entries(both)) {
      dots.setAttribute(name, new BufferAttribute(new Float32Array(numbers), size));
    }
    this.#balls.geometry.dispose();
    this.#balls.geometry = balls;
    this.#dots.geometry.dispose();
    this.#dots.geometry = dots;
  }
}

/** The slot of the nearest thing above that shines, or 0. */
export function lightOf(world: World, tracks: Tracks, slot: number): number {
  let at = tracks.parents[slot] ?? 0;
  while (at > 0) {
    const body = world.stars.get(tracks.ids[at] ?? "");
    if (body && ["star", "blackHole"].includes(kindOf(body))) return at;
    at = tracks.parents[at] ?? 0;
  }
  return 0;
}
