/** Belts and disks as particles, which the graphics card moves: the farther out, the slower. */

import { BufferAttribute, BufferGeometry, Group, Points, type ShaderMaterial } from "three";
import { gauss, seeded } from "../math/random.ts";
import type { Belt, Particles as Cloud } from "../state/types.ts";
import type { World } from "../state/world.ts";
import { material, rgb, type Layer, type Scenery, type Shared } from "./stuff.ts";

/** Degrees a second at distance one; what the generator gives to planets. */
const SPEED = 18;

const VERTEX = /* glsl */ `
  in vec4 grain;
  uniform float host;
  uniform float ratio;
  uniform float pace;
  uniform float opacity;
  uniform vec3 base;
  uniform vec3 highlight;
  out vec4 paint;

  void main() {
    float angle = grain.x + radians(pace * ${SPEED}.0 / sqrt(max(grain.y, 0.2))) * time;
    vec3 centre = placeOf(host).xyz;
    vec3 point = centre + vec3(grain.y * cos(angle), grain.z, grain.y * sin(angle));
    float distance = length(cameraPosition - point);
    float size = (0.02 + 0.05 * grain.w * grain.w) / (pixel * distance);
    gl_PointSize = max(clamp(size, 1.3, 9.0) * ratio, 1.0);
    // Smaller than a pixel is drawn as one, and fainter.
    float seen = clamp(size * 1.1, 0.36, 1.0);
    paint = vec4(mix(base, highlight, grain.w * grain.w), opacity * seen);
    gl_Position = projectionMatrix * viewMatrix * vec4(point, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  in vec4 paint;

  void main() {
    float soft = 1.0 - smoothstep(0.15, 0.5, length(gl_PointCoord - 0.5));
    colour = vec4(paint.rgb * paint.a * soft, paint.a * soft * 0.4);
  }
`;

/** One belt or disk, as far as particles go. */
export interface Swarm {
  id: string;
  host: string;
  cloud: Pick<
    Cloud,
    | "innerRadius"
    | "outerRadius"
    | "thickness"
    | "particleCount"
    | "baseColor"
    | "highlightColor"
    | "opacity"
    | "brightness"
    | "clumpiness"
    | "rotationSpeedMultiplier"
    | "seed"
  >;
}

export class Particles implements Layer {
  readonly object = new Group();
  readonly #shared: Shared;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  rebuild({ world, tracks, quality, shown }: Scenery): void {
    clear(this.object);
    const all = swarms(world).filter(({ host }) => tracks.slots.has(host) && shown(host));
    const wanted = all.reduce((sum, { cloud }) => sum + Math.max(0, cloud.particleCount), 0);
    const share = Math.min(1, quality.particles / Math.max(1, wanted));
    for (const swarm of all) {
      const count = Math.ceil(Math.max(0, swarm.cloud.particleCount) * share);
      const points = new Points(
        geometry(swarm, count),
        this.#look(swarm, tracks.slots.get(swarm.host) ?? 0),
      );
      points.frustumCulled = false;
      points.renderOrder = 6;
      this.object.add(points);
    }
  }

  #look({ cloud }: Swarm, host: number): ShaderMaterial {
    return material(this.#shared, {
      vertex: VERTEX,
      fragment: FRAGMENT,
      uniforms: {
        host: { value: host },
        pace: { value: cloud.rotationSpeedMultiplier },
        opacity: { value: Math.min(1, cloud.opacity * (0.55 + cloud.brightness)) },
        base: { value: rgb(cloud.baseColor) },
        highlight: { value: rgb(cloud.highlightColor) },
      },
    });
  }
}

export function clear(group: Group): void {
  for (const child of group.children as Points<BufferGeometry, ShaderMaterial>[]) {
    child.geometry.dispose();
    child.material.dispose();
  }
  group.clear();
}

/** Everything that is drawn as particles, whatever it is called on the wire. */
export function swarms(world: World): Swarm[] {
  const shown = <T extends { visible?: boolean }>(all: Iterable<T>) =>
    [...all].filter(({ visible }) => visible !== false);
  return [
    ...shown(world.smallBodyFields.values()).map((cloud) => ({
      id: cloud.id,
      host: cloud.hostStarId,
      cloud,
    })),
    ...shown(world.protoplanetaryDisks.values()).map((cloud) => ({
      id: cloud.id,
      host: cloud.centralStarId,
      cloud,
    })),
    ...shown(world.belts.values()).map(fromBelt),
  ];
}

function fromBelt(belt: Belt): Swarm {
  const { id, parentId: host, innerRadius, outerRadius, thickness } = belt;
  const baseColor = belt.color ?? "#8d8172";
  const rest = { opacity: 0.7, brightness: 0.6, clumpiness: 0.2, rotationSpeedMultiplier: 0.5 };
  const shape = {
    innerRadius,
    outerRadius,
    thickness,
    particleCount: Math.max(belt.asteroidCount, 400),
  };
  return {
    id,
    host,
    cloud: { ...shape, ...rest, baseColor, highlightColor: "#cfc4b4", seed: belt.seed ?? id },
  };
}

/** Angle, distance, height and sparkle of each particle. */
function geometry({ cloud, id }: Swarm, count: number): BufferGeometry {
  const random = seeded(`${cloud.seed} ${id}`);
  const grains = new Float32Array(count * 4);
  const clumps = Array.from({ length: 7 }, () => random() * 2 * Math.PI);
  const { innerRadius: inner, outerRadius: outer } = cloud;
  for (let at = 0; at < grains.length; at += 4) {
    const clump = clumps[Math.floor(random() * clumps.length)] ?? 0;
    const gathered = random() < cloud.clumpiness * 0.6;
    const angle = gathered ? clump + gauss(random) * 0.35 : random() * 2 * Math.PI;
    // Even over the area, thinner towards both edges.
    const part = Math.min(1, Math.max(0, (random() + random()) / 2));
    const distance = Math.sqrt(inner * inner + part * (outer * outer - inner * inner));
    grains.set([angle, distance, gauss(random) * cloud.thickness * 0.7, random()], at);
  }
  const made = new BufferGeometry();
  // The library wants a position; the shader works it out.
  made.setAttribute("position", new BufferAttribute(new Float32Array(count * 3), 3));
  made.setAttribute("grain", new BufferAttribute(grains, 4));
  return made;
}
