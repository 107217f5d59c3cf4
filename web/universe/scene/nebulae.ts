/**
 * Nebulae: many soft sheets cut from the clouds of the noise, which together look deep.
 *
 * They cover much of the screen many times over, and have no edges: so they are drawn with few pixels, aside, and laid behind
 * everything as one picture.
 */

import {
  BufferGeometry,
  LinearFilter,
  Mesh,
  PlaneGeometry,
  Scene,
  WebGLRenderTarget,
  type Camera,
  type WebGLRenderer,
} from "three";
import { gauss, seeded } from "../math/random.ts";
import { material, items, QUAD, rgb, type Layer, type Scenery, type Shared } from "./stuff.ts";

const VERTEX = /* glsl */ `
  in vec4 ball;
  in vec4 tint;
  in vec3 accent;
  in vec4 cut;
  out vec2 spot;
  out vec2 place;
  flat out vec4 paint;
  flat out vec3 other;

  void main() {
    mat3 frame = facing(ball.xyz);
    float distance = length(cameraPosition - ball.xyz);
    float c = cos(cut.z);
    float s = sin(cut.z);
    spot = position.xy;
    place = cut.xy + mat2(c, s, -s, c) * spot * cut.w;
    // Inside a cloud there is nothing to see of it, and every pixel would be covered many times.
    float fade = smoothstep(ball.w * 0.25, ball.w * 1.3, distance);
    paint = vec4(tint.rgb, tint.a * fade);
    other = accent;
    vec3 corner = ball.xyz + (frame[0] * spot.x + frame[1] * spot.y) * ball.w;
    gl_Position = projectionMatrix * viewMatrix * vec4(corner, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  in vec2 spot;
  in vec2 place;
  flat in vec4 paint;
  flat in vec3 other;

  void main() {
    float round = 1.0 - dot(spot, spot);
    if (round <= 0.0 || paint.a <= 0.0) discard;
    vec4 large = texture(noise, place);
    vec4 fine = texture(noise, place * 2.7 + 0.3);
    float cloud = smoothstep(0.3, 0.85, large.r * 0.7 + fine.r * 0.45 + fine.b * 0.12 - 0.08);
    float veins = pow(large.b, 3.0) * 0.6;
    float alpha = round * round * (cloud + veins * cloud) * paint.a;
    vec3 seen = mix(paint.rgb, other, smoothstep(0.35, 0.75, large.a));
    seen += vec3(1.0) * pow(cloud * round, 4.0) * 0.25;
    colour = vec4(seen * alpha, alpha * 0.12);
  }
`;

const PICTURE_VERTEX = /* glsl */ `
  out vec2 spot;

  void main() {
    spot = position.xy + 0.5;
    gl_Position = vec4(position.xy * 2.0, 0.99999, 1.0);
  }
`;

const PICTURE_FRAGMENT = /* glsl */ `
  in vec2 spot;
  uniform sampler2D picture;

  void main() {
    colour = texture(picture, spot);
  }
`;

export class Nebulae implements Layer {
  readonly object: Mesh;
  readonly #aside = new Scene();
  readonly #puffs: Mesh<BufferGeometry>;
  readonly #picture = new WebGLRenderTarget(1, 1, { depthBuffer: false, magFilter: LinearFilter });
  #detail = 1;

  constructor(shared: Shared) {
    this.#puffs = new Mesh(
      new BufferGeometry(),
      material(shared, { vertex: VERTEX, fragment: FRAGMENT }),
    );
    this.#puffs.frustumCulled = false;
    this.#aside.add(this.#puffs);
    const look = { vertex: PICTURE_VERTEX, fragment: PICTURE_FRAGMENT };
    const uniforms = { picture: { value: this.#picture.texture } };
    this.object = new Mesh(new PlaneGeometry(1, 1), material(shared, { ...look, uniforms }));
    this.object.frustumCulled = false;
    this.object.renderOrder = 1;
  }

  before(renderer: WebGLRenderer, camera: Camera, width: number, height: number): void {
    if (!this.object.visible) return;
    const [columns, rows] = [width, height].map((size) =>
      Math.max(1, Math.round(size * this.#detail)),
    );
    this.#picture.setSize(columns!, rows!);
    renderer.setRenderTarget(this.#picture);
    renderer.setClearAlpha(0);
    renderer.clear();
    renderer.render(this.#aside, camera);
    renderer.setClearAlpha(1);
    renderer.setRenderTarget(null);
  }

  rebuild({ world, quality }: Scenery): void {
    this.#detail = quality.clouds;
    const [balls, tints, accents, cuts]: number[][] = [[], [], [], []];
    for (const nebula of world.nebulae.values()) {
      if (nebula.visible === false) continue;
      const random = seeded(nebula.seed);
      const { x, y, z } = nebula.position;
      const half = nebula.dimensions ?? { x: nebula.radius, y: nebula.radius, z: nebula.radius };
      const strength = (0.25 + 0.75 * nebula.density) * (0.25 + nebula.brightness) * 0.55;
      for (let n = 0; n < quality.puffs; n++) {
        const middle = n === 0 ? 0 : 0.38;
        const size = nebula.radius * (n === 0 ? 1.15 : 0.45 + 0.5 * random());
        balls!.push(
          x + gauss(random) * half.x * middle,
          y + gauss(random) * half.y * middle,
          z + gauss(random) * half.z * middle,
          size,
        );
        const swapped = random() < 0.35;
        const [first, second] = [rgb(nebula.baseColor), rgb(nebula.accentColor)];
        tints!.push(...(swapped ? second : first), (strength * 6) / (quality.puffs + 4));
        accents!.push(...(swapped ? first : second));
        const scale = 0.16 + 0.1 * Math.min(4, Math.max(0.2, nebula.noiseScale));
        cuts!.push(random(), random(), random() * 6.28, scale * (0.7 + 0.6 * random()));
      }
    }
    const geometry = items(QUAD, {
      ball: [balls!, 4],
      tint: [tints!, 4],
      accent: [accents!, 3],
      cut: [cuts!, 4],
    });
    this.#puffs.geometry.dispose();
    this.#puffs.geometry = geometry;
    this.object.visible = balls!.length > 0;
  }
}
