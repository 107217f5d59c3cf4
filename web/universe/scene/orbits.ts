/** Orbits as lines, brightest just behind the body, so that one sees which way it goes. */

import { BufferGeometry, LineSegments } from "three";
import { kindOf } from "../state/world.ts";
import {
  bodiesOf,
  material,
  items,
  rgb,
  type Layer,
  type Scenery,
  type Shape,
  type Shared,
} from "./stuff.ts";

/** Segments of a line, at least and at most. */
const COARSEST = 36;
const FINEST = 200;

const VERTEX = /* glsl */ `
  in float slot;
  in float parentSlot;
  in vec3 middle;
  in vec3 p;
  in vec3 q;
  in float reach;
  in vec4 tint;
  out vec4 paint;

  void main() {
    float part = position.x;
    vec3 centre = placeOf(parentSlot).xyz + middle;
    float pixels = reach / (pixel * length(cameraPosition - centre));
    float strength = smoothstep(6.0, 28.0, pixels);
    // What is too small to see is not worth working out.
    if (strength <= 0.0) {
      gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
      return;
    }
    float turned = placeOf(slot).w - part * 6.2831853 * tint.w;
    vec3 point = centre + p * cos(turned) + q * sin(turned);
    float trail = 0.16 + 0.5 * pow(1.0 - part, 3.0);
    paint = vec4(tint.rgb, trail * strength);
    gl_Position = projectionMatrix * viewMatrix * vec4(point, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  in vec4 paint;

  void main() {
    colour = vec4(paint.rgb * paint.a, paint.a * 0.5);
  }
`;

export class Orbits implements Layer {
  readonly object: LineSegments<BufferGeometry>;

  constructor(shared: Shared) {
    const look = material(shared, { vertex: VERTEX, fragment: FRAGMENT });
    this.object = new LineSegments(new BufferGeometry(), look);
    this.object.frustumCulled = false;
    this.object.renderOrder = 3;
  }

  rebuild(scene: Scenery): void {
    const { tracks, quality } = scene;
    const found: { slot: number; reach: number; color: string }[] = [];
    for (const [slot, body] of bodiesOf(scene)) {
      if (body.isRoguePlanet || kindOf(body) === "lagrangePoint") continue;
      const motion = tracks.motion(slot);
      const reach = Math.hypot(motion[3]!, motion[4]!, motion[5]!);
      if (reach > 0) found.push({ slot, reach, color: body.color });
    }
    // The widest are what a small machine still shows.
    found.sort((a, b) => b.reach - a.reach).splice(quality.orbits);
    const [slots, parents, middles, ps, qs, reaches, tints]: number[][] = [
      [],
      [],
      [],
      [],
      [],
      [],
      [],
    ];
    for (const { slot, reach, color } of found) {
      const motion = tracks.motion(slot);
      slots!.push(slot);
      parents!.push(tracks.parents[slot] ?? 0);
      middles!.push(motion[0]!, motion[1]!, motion[2]!);
      ps!.push(motion[3]!, motion[4]!, motion[5]!);
      qs!.push(motion[6]!, motion[7]!, motion[8]!);
      reaches!.push(reach);
      const [r, g, b] = rgb(color);
      tints!.push(0.35 + 0.65 * r, 0.4 + 0.6 * g, 0.5 + 0.5 * b, motion[12]! < 0 ? -1 : 1);
    }
    const segments = Math.round(quality.points / Math.max(1, found.length));
    const geometry = items(line(Math.min(FINEST, Math.max(COARSEST, segments))), {
      slot: [slots!, 1],
      parentSlot: [parents!, 1],
      middle: [middles!, 3],
      p: [ps!, 3],
      q: [qs!, 3],
      reach: [reaches!, 1],
      tint: [tints!, 4],
    });
    this.object.geometry.dispose();
    this.object.geometry = geometry;
  }
}

/** A line whose points know how far along it they are, from 0 to 1. */
export function line(segments: number): Shape {
  const [points, index]: [number[], number[]] = [[], []];
  for (let n = 0; n <= segments; n++) {
    points.push(n / segments, 0, 0);
    if (n < segments) index.push(n, n + 1);
  }
  return { points, index };
}
