/** Where rogue planets come from and where they go: a line that fades to both sides. */

import { BufferGeometry, LineSegments } from "three";
import { trajectoryWindow, TRAJECTORY_SAMPLES } from "../math/orbit.ts";
import { line } from "./orbits.ts";
import { bodiesOf, material, items, rgb, type Layer, type Scenery, type Shared } from "./stuff.ts";

const VERTEX = /* glsl */ `
  in vec3 middle;
  in vec3 p;
  in vec3 q;
  in vec3 drift;
  in vec3 window;
  in vec3 tint;
  out vec4 paint;

  void main() {
    float side = position.x * 2.0 - 1.0;
    // Nothing was before the beginning.
    float moment = max(0.0, time + side * (side < 0.0 ? window.x : window.y));
    float theta = moment * window.z;
    vec3 point = middle + p * cos(theta) + q * sin(theta) + drift * moment;
    float strength = (1.0 - abs(side)) * (side < 0.0 ? 0.65 : 0.4);
    paint = vec4(mix(tint, vec3(1.0, 0.55, 0.75), 0.4), strength);
    gl_Position = projectionMatrix * viewMatrix * vec4(point, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  in vec4 paint;

  void main() {
    colour = vec4(paint.rgb * paint.a, paint.a * 0.4);
  }
`;

export class Rogues implements Layer {
  readonly object: LineSegments<BufferGeometry>;

  constructor(shared: Shared) {
    const look = material(shared, { vertex: VERTEX, fragment: FRAGMENT });
    this.object = new LineSegments(new BufferGeometry(), look);
    this.object.frustumCulled = false;
    this.object.renderOrder = 3;
  }

  rebuild(scene: Scenery): void {
    const { tracks } = scene;
    const [middles, ps, qs, drifts, windows, tints]: number[][] = [[], [], [], [], [], []];
    for (const [slot, body] of bodiesOf(scene)) {
      const path = body.isRoguePlanet ? body.roguePlanet : undefined;
      if (!path || path.showTrajectory === false) continue;
      const motion = [...tracks.motion(slot)];
      const { past, future } = trajectoryWindow(path);
      middles!.push(...motion.slice(0, 3));
      ps!.push(...motion.slice(3, 6));
      qs!.push(...motion.slice(6, 9));
      drifts!.push(...motion.slice(9, 12));
      windows!.push(past, future, motion[12] ?? 0);
      tints!.push(...rgb(body.color));
    }
    const geometry = items(line(TRAJECTORY_SAMPLES * 2), {
      middle: [middles!, 3],
      p: [ps!, 3],
      q: [qs!, 3],
      drift: [drifts!, 3],
      window: [windows!, 3],
      tint: [tints!, 3],
    });
    this.object.geometry.dispose();
    this.object.geometry = geometry;
  }
}
