/** The gas of protoplanetary disks: a glowing sheet with bands, gaps and spiral arms under its particles. */

import { DoubleSide, Group, Mesh, PlaneGeometry, type ShaderMaterial } from "three";
import type { Disk } from "../state/types.ts";
import { clear } from "./particles.ts";
import { material, rgb, type Layer, type Scenery, type Shared } from "./stuff.ts";

const VERTEX = /* glsl */ `
  uniform float host;
  uniform vec2 reach;
  out vec2 spot;

  void main() {
    spot = position.xy * 2.0 * reach.y;
    vec3 point = placeOf(host).xyz + vec3(spot.x, 0.0, spot.y);
    gl_Position = projectionMatrix * viewMatrix * vec4(point, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  in vec2 spot;
  uniform vec2 reach;
  uniform float pace;
  uniform vec4 base;
  uniform vec3 highlight;
  uniform vec4 bands;
  uniform vec4 texture4;
  uniform vec3 heat;

  void main() {
    float away = length(spot);
    float part = (away - reach.x) / (reach.y - reach.x);
    if (part < 0.0 || part > 1.0) discard;
    float angle = atan(spot.y, spot.x) - radians(pace * 18.0 / sqrt(max(reach.y, 0.2))) * time;
    float turn = angle * 0.159155;
    float cloud = texture(noise, vec2(turn * 3.0, away / reach.y * texture4.x * 0.5)).r;
    float wisps = texture(noise, vec2(turn * 2.0 + part * 0.8, part * texture4.x)).g;
    float band = 0.5 + 0.5 * sin(part * bands.y * 6.2831 + cloud * 2.0);
    band = pow(band, 0.5 + 2.5 * bands.z);
    float arms = 0.5 + 0.5 * cos(bands.w * (angle - 5.0 * log(away + 0.2)));
    float dust = mix(1.0, band, bands.x) * mix(1.0, 0.35 + 1.1 * mix(cloud, wisps, 0.5), texture4.y);
    dust *= mix(1.0, 0.3 + 1.2 * arms, texture4.z);
    float soft = 0.04 + 0.4 * texture4.w;
    float rim = smoothstep(0.0, soft * 0.5, part) * smoothstep(1.0, 1.0 - soft, part);
    float warm = pow(1.0 - part, heat.y);
    vec3 seen = mix(base.rgb, highlight, warm) + highlight * warm * warm * heat.x;
    float alpha = clamp(dust * rim * base.a, 0.0, 1.0);
    colour = vec4(seen * alpha * heat.z, alpha * 0.55);
  }
`;

export class Disks implements Layer {
  readonly object = new Group();
  readonly #shared: Shared;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  rebuild({ world, tracks, shown }: Scenery): void {
    clear(this.object);
    for (const disk of world.protoplanetaryDisks.values()) {
      const host = tracks.slots.get(disk.centralStarId);
      if (host === undefined || disk.visible === false || !shown(disk.centralStarId)) continue;
      const mesh = new Mesh(new PlaneGeometry(1, 1), this.#look(disk, host));
      mesh.frustumCulled = false;
      mesh.renderOrder = 2;
      this.object.add(mesh);
    }
  }

  #look(disk: Disk, host: number): ShaderMaterial {
    const look = material(this.#shared, {
      vertex: VERTEX,
      fragment: FRAGMENT,
      uniforms: {
        host: { value: host },
        reach: { value: [disk.innerRadius, Math.max(disk.outerRadius, disk.innerRadius + 0.01)] },
        pace: { value: disk.rotationSpeedMultiplier },
        base: { value: [...rgb(disk.baseColor), Math.min(1, disk.opacity * 1.1)] },
        highlight: { value: rgb(disk.highlightColor) },
        bands: {
          value: [
            disk.bandStrength ?? 0.5,
            disk.bandFrequency ?? 5,
            disk.gapSharpness ?? 0.5,
            Math.round(disk.spiralArmCount ?? 2),
          ],
        },
        texture4: {
          value: [
            disk.noiseScale ?? 1.5,
            disk.noiseStrength ?? 0.4,
            disk.spiralStrength ?? 0.1,
            disk.edgeSoftness ?? 0.4,
          ],
        },
        heat: {
          value: [
            disk.innerGlowStrength ?? 0.6,
            disk.temperatureGradient ?? 1.5,
            0.5 + disk.brightness,
          ],
        },
      },
    });
    look.side = DoubleSide;
    return look;
  }
}
