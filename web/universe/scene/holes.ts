/**
 * Black holes: rays of light are followed around them, a few dozen steps each.
 *
 * Lengths are in Schwarzschild radii, in which the shadow is 2.6 wide. A ray is bent by `1.5·h²/r⁵`, as light is around a
 * hole that does not turn; what it meets of the disk on its way is added up. The far side of the disk rises over the shadow and the
 * ring of light around it appear by themselves.
 */

import { DoubleSide, Group, Mesh, BufferGeometry, type ShaderMaterial } from "three";
import { fraction } from "../math/random.ts";
import type { BlackHole, Body } from "../state/types.ts";
import { kindOf } from "../state/world.ts";
import { JET_FRAGMENT, JET_VERTEX } from "./jets.ts";
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

/** Shadow radius, in Schwarzschild radii. */
const SHADOW = 2.6;

const VERTEX = /* glsl */ `
  in float slot;
  in vec4 shape;
  in vec3 axis;
  in vec3 inner;
  in vec3 outer;
  in vec4 light;
  in vec3 motion;
  out vec3 ray;
  flat out vec3 eye;
  flat out vec4 size;
  flat out vec3 normal3;
  flat out vec3 near;
  flat out vec3 far;
  flat out vec4 power;
  flat out vec3 turning;

  void main() {
    vec3 centre = placeOf(slot).xyz;
    mat3 frame = facing(centre);
    float distance = length(cameraPosition - centre);
    float reach = max(shape.z * 1.1, shape.x * 6.0);
    // Never smaller than a few pixels.
    float grown = max(1.0, 9.0 * pixel * distance / (reach * shape.x));
    float unit = shape.x * grown;
    size = vec4(reach, shape.y, shape.z, shape.w);
    eye = (cameraPosition - centre) / unit;
    float cover = reach * length(eye) / sqrt(max(dot(eye, eye) - reach * reach, 0.02 * reach * reach));
    vec3 corner = (frame[0] * position.x + frame[1] * position.y) * min(cover, reach * 3.0);
    ray = corner - eye;
    normal3 = axis;
    near = inner;
    far = outer;
    power = light;
    turning = motion;
    gl_Position = projectionMatrix * viewMatrix * vec4(centre + corner * unit, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  in vec3 ray;
  flat in vec3 eye;
  flat in vec4 size;
  flat in vec3 normal3;
  flat in vec3 near;
  flat in vec3 far;
  flat in vec4 power;
  flat in vec3 turning;
  uniform int steps;

  /** What the disk shines with where a ray meets it; alpha is how much of it is there. */
  vec4 disk(vec3 hit, vec3 along) {
    float away = length(hit);
    float part = (away - size.y) / (size.z - size.y);
    if (part < 0.0 || part > 1.0) return vec4(0.0);
    vec3 side = normalize(cross(normal3, vec3(0.2, 0.1, 0.97)));
    vec3 other = cross(normal3, side);
    float angle = atan(dot(hit, other), dot(hit, side)) * 0.159155;
    float turn = angle - turning.x * time * 0.35 / pow(max(away, 1.0), 1.5) * 3.0;
    float streaks = texture(noise, vec2(turn * 3.0 + part * 0.6, part * 1.4 + turning.z)).r;
    float fine = texture(noise, vec2(turn * 2.0 - part * 0.3, part * 5.0)).g;
    float dust = mix(1.0, 0.25 + 1.3 * streaks * (0.6 + 0.7 * fine), 0.35 + 0.65 * turning.y);
    float rim = smoothstep(0.0, 0.05, part) * smoothstep(1.0, 0.45, part);
    float heat = pow(1.0 - part, 1.6);
    // What comes towards the viewer is brighter.
    float beam = 1.0 + power.z * 0.62 * dot(normalize(cross(normal3, hit)), -along) * (1.0 - 0.5 * part);
    float shine = pow(max(beam, 0.05), 3.0) * (0.22 + 0.75 * heat) * power.x;
    vec3 glow = mix(far, near, heat) + vec3(1.0, 0.95, 0.85) * heat * heat * 0.35;
    float alpha = clamp(rim * dust * power.y, 0.0, 1.0);
    return vec4(glow * shine * alpha, alpha);
  }

  void main() {
    vec3 along = normalize(ray);
    float reach = size.x;
    float b = dot(eye, along);
    float c = dot(eye, eye) - reach * reach;
    float inside = b * b - c;
    if (inside < 0.0) discard;
    vec3 at = eye + along * max(0.0, -b - sqrt(inside));
    vec3 turn = cross(at, along);
    float bend = -1.5 * dot(turn, turn) * size.w;
    vec3 sum = vec3(0.0);
    float alpha = 0.0;
    float closest = reach;
    for (int n = 0; n < steps; n++) {
      float away = length(at);
      closest = min(closest, away);
      if (away < 1.0) { alpha = 1.0; break; }
      if (away > reach * 1.02 && dot(at, along) > 0.0) break;
      float step = max(0.05, away * (steps > 40 ? 0.11 : 0.22));
      vec3 next = at + along * step;
      along = normalize(along + next * bend / pow(max(length(next), 0.9), 5.0) * step);
      float before = dot(at, normal3);
      float after = dot(next, normal3);
      if (before * after < 0.0 && power.y > 0.0) {
        vec4 met = disk(mix(at, next, before / (before - after)), along);
        sum += met.rgb * (1.0 - alpha);
        alpha += met.a * (1.0 - alpha);
      }
      at = next;
    }
    float ring = exp(-pow((closest - 1.62) / 0.11, 2.0)) * power.w;
    sum += mix(near, vec3(1.0), 0.5) * ring * (1.0 - alpha * 0.6);
    // Soft where it is brightest, so that streaks are seen there too.
    sum = sum * 1.25 / (0.55 + sum);
    colour = vec4(sum, clamp(alpha + ring * 0.4, 0.0, 1.0));
  }
`;

export class Holes implements Layer {
  readonly object = new Group();
  readonly #holes: Mesh<BufferGeometry, ShaderMaterial>;
  readonly #jets: Mesh<BufferGeometry>;

  constructor(shared: Shared) {
    const uniforms = { steps: { value: 60 } };
    this.#holes = new Mesh(
      new BufferGeometry(),
      material(shared, { vertex: VERTEX, fragment: FRAGMENT, uniforms }),
    );
    this.#jets = new Mesh(
      new BufferGeometry(),
      material(shared, { vertex: JET_VERTEX, fragment: JET_FRAGMENT }),
    );
    (this.#jets.material as ShaderMaterial).side = DoubleSide;
    for (const mesh of [this.#holes, this.#jets]) mesh.frustumCulled = false;
    this.#jets.renderOrder = 9;
    this.#holes.renderOrder = 10;
    this.object.add(this.#jets, this.#holes);
  }

  rebuild(scene: Scenery): void {
    this.#holes.material.uniforms["steps"]!.value = scene.quality.steps;
    const found = [...bodiesOf(scene)].filter(([, body]) => kindOf(body) === "blackHole");
    this.#build(found);
    this.#buildJets(found);
  }

  #build(found: [slot: number, body: Body][]): void {
    const [slots, shapes, axes, inners, outers, lights, motions]: number[][] = [
      [],
      [],
      [],
      [],
      [],
      [],
      [],
    ];
    for (const [slot, body] of found) {
      const hole = complete(body);
      const unit = Math.max(1e-4, hole.shadowRadius / SHADOW);
      const inner = Math.max(1.6, hole.accretionInnerRadius / unit);
      slots!.push(slot);
      shapes!.push(
        unit,
        inner,
        Math.max(inner + 0.5, hole.accretionOuterRadius / unit),
        0.4 + 0.6 * hole.lensingStrength,
      );
      axes!.push(...axisOf(hole));
      inners!.push(...rgb(hole.diskInnerColor ?? "#fff1d0"));
      outers!.push(...rgb(hole.diskOuterColor ?? "#ff7a2a"));
      const opacity = hole.hasAccretionDisk ? Math.max(0.05, hole.diskOpacity) : 0;
      lights!.push(
        0.35 + hole.diskBrightness,
        opacity,
        hole.dopplerBeamingStrength,
        hole.hasPhotonRing ? 1 : 0,
      );
      motions!.push(hole.rotationSpeedMultiplier, hole.diskClumpiness, fraction(String(hole.seed)));
    }
    const geometry = items(QUAD, {
      slot: [slots!, 1],
      shape: [shapes!, 4],
      axis: [axes!, 3],
      inner: [inners!, 3],
      outer: [outers!, 3],
      light: [lights!, 4],
      motion: [motions!, 3],
    });
    this.#holes.geometry.dispose();
    this.#holes.geometry = geometry;
  }

  #buildJets(found: [slot: number, body: Body][]): void {
    const [slots, axes, shapes, bases, tips]: number[][] = [[], [], [], [], []];
    for (const [slot, body] of found) {
      const hole = complete(body);
      if (!hole.hasRelativisticJet) continue;
      for (const side of [1, -1]) {
        slots!.push(slot);
        axes!.push(...axisOf(hole).map((part) => part * side));
        const spread = Math.tan((hole.jetOpeningAngle * Math.PI) / 360);
        shapes!.push(hole.jetLength, spread, hole.shadowRadius * 0.35, hole.jetBrightness);
        bases!.push(...rgb(hole.jetBaseColor ?? "#dfeaff"), hole.jetGradientPower ?? 2);
        tips!.push(...rgb(hole.jetTipColor ?? "#4a7bff"));
      }
    }
    const geometry = items(QUAD, {
      slot: [slots!, 1],
      axis: [axes!, 3],
      shape: [shapes!, 4],
      base: [bases!, 4],
      tip: [tips!, 3],
    });
    this.#jets.geometry.dispose();
    this.#jets.geometry = geometry;
  }
}

/** A hole of which nothing is said still has a shadow and a ring of light. */
function complete({ radius, blackHole }: Body): BlackHole {
  return {
    hasAccretionDisk: false,
    hasRelativisticJet: false,
    hasPhotonRing: true,
    spin: 0,
    shadowRadius: radius,
    accretionInnerRadius: radius * 1.5,
    accretionOuterRadius: radius * 4,
    diskBrightness: 0.7,
    diskOpacity: 0.8,
    diskClumpiness: 0.4,
    jetLength: radius * 10,
    jetOpeningAngle: 8,
    jetBrightness: 0.6,
    dopplerBeamingStrength: 0.6,
    lensingStrength: 1,
    rotationSpeedMultiplier: 1,
    seed: 1,
    ...blackHole,
  };
}

function axisOf({ diskTilt = 0, diskTiltAxisAngle = 0 }: BlackHole): [number, number, number] {
  const [sin, cos] = [Math.sin(diskTilt), Math.cos(diskTilt)];
  return [-sin * Math.sin(diskTiltAxisAngle), cos, sin * Math.cos(diskTiltAxisAngle)];
}
