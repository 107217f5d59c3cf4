/**
 * What all parts of the scene share: the texture of places, the uniforms, quads, colours.
 *
 * Colours are handled as they are written on the wire (sRGB), from the hex text to the screen: there is no light to
 * add up physically, and what an editor shows is what the sky shows.
 */

import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  FloatType,
  GLSL3,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  NearestFilter,
  NoBlending,
  CustomBlending,
  OneFactor,
  OneMinusSrcAlphaFactor,
  RGBAFormat,
  ShaderMaterial,
  type Camera,
  type IUniform,
  type Object3D,
  type WebGLRenderer,
} from "three";
import type { Tracks } from "../math/tracks.ts";
import { ROW } from "../math/tracks.ts";
import type { Body } from "../state/types.ts";
import type { World } from "../state/world.ts";

/** A part of the scene: one kind of thing. */
export interface Layer {
  readonly object: Object3D;
  /** Made anew from what is there now. */
  rebuild(scene: Scenery): void;
  /** Draws aside what the layer shows, for a window of this many pixels of the page. */
  before?(renderer: WebGLRenderer, camera: Camera, width: number, height: number): void;
}

/** What a layer is made from. */
export interface Scenery {
  world: World;
  tracks: Tracks;
  quality: Quality;
  /** Whether a body is to be seen. What is not still has a place, for what orbits it. */
  shown: (id: string) => boolean;
}

/** The bodies to be seen, with their slots. */
export function* bodiesOf({
  world,
  tracks,
  shown,
}: Scenery): Generator<[slot: number, body: Body]> {
  for (let slot = 1; slot < tracks.ids.length; slot++) {
    const body = world.stars.get(tracks.ids[slot] ?? "");
    if (body && shown(body.id)) yield [slot, body];
  }
}

/** How much is drawn; a slow machine gets less of what is only beautiful. */
export interface Quality {
  /** Pixels of the canvas for one of the screen, at most. */
  pixels: number;
  particles: number;
  orbits: number;
  /** Points of all orbits' lines together. */
  points: number;
  puffs: number;
  /** Pixels of a nebula for one of the page. */
  clouds: number;
  /** Steps of a ray of light around a black hole. */
  steps: number;
}

/** Shared by reference: set once a frame, seen by every material. */
export interface Shared extends Record<string, IUniform> {
  places: IUniform<DataTexture | null>;
  /** Simulation time, in seconds. */
  time: IUniform<number>;
  /** World units that one pixel covers at distance one. */
  pixel: IUniform<number>;
  noise: IUniform<DataTexture | null>;
  /** Pixels of the canvas for one of the page: points are sized in the former. */
  ratio: IUniform<number>;
}

export function sharedUniforms(noise: DataTexture): Shared {
  return {
    places: { value: null },
    time: { value: 0 },
    pixel: { value: 0.001 },
    noise: { value: noise },
    ratio: { value: 1 },
  };
}

export function placesTexture(tracks: Tracks): DataTexture {
  const rows = tracks.places.length / 4 / ROW;
  const texture = new DataTexture(tracks.places, ROW, rows, RGBAFormat, FloatType);
  texture.magFilter = texture.minFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

/** In every vertex shader: where a slot is, and how a flat thing turns to the viewer. */
const PRELUDE = /* glsl */ `
  uniform highp sampler2D places;
  uniform highp sampler2D noise;
  uniform float time;
  uniform float pixel;

  vec4 placeOf(float slot) {
    int n = int(slot + 0.5);
    return texelFetch(places, ivec2(n % ${ROW}, n / ${ROW}), 0);
  }
`;

const FACING = /* glsl */ `
  /** Right, up and towards the viewer, from a point. */
  mat3 facing(vec3 centre) {
    vec3 towards = normalize(cameraPosition - centre);
    vec3 above = vec3(viewMatrix[0][1], viewMatrix[1][1], viewMatrix[2][1]);
    vec3 right = normalize(cross(above, towards));
    return mat3(right, cross(towards, right), towards);
  }
`;

interface Look {
  vertex: string;
  fragment: string;
  /** Adds to what is behind, covers it by its alpha, or both: colours are multiplied by alpha already. */
  blend?: boolean;
  depthWrite?: boolean;
  uniforms?: Record<string, IUniform>;
}

export function material(shared: Shared, look: Look): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    uniforms: { ...shared, ...look.uniforms },
    vertexShader: PRELUDE + FACING + look.vertex,
    fragmentShader: `out vec4 colour;\n${PRELUDE}${look.fragment}`,
    // Everything is drawn in the order of `renderOrder`, which only holds among transparent things.
    transparent: true,
    depthWrite: look.depthWrite ?? false,
    blending: look.blend === false ? NoBlending : CustomBlending,
    blendSrc: OneFactor,
    blendDst: OneMinusSrcAlphaFactor,
    blendSrcAlpha: OneFactor,
    blendDstAlpha: OneMinusSrcAlphaFactor,
  });
}

/** What is drawn for each item: points, and the triangles or lines between them. */
export interface Shape {
  points: readonly number[];
  index: readonly number[];
}

/** A square from -1 to 1. */
export const QUAD: Shape = {
  points: [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0],
  index: [0, 1, 2, 0, 2, 3],
};

/** Up to this many points, each item is written out. */
const WRITTEN_OUT = 60_000;

/**
 * The same shape for many items, each with its own numbers.
 *
 * Written out, the numbers of an item stand at each of its points and all is one draw, which is what a processor that plays
 * graphics card is good at: it draws instances one by one. What would grow too large is drawn as instances.
 */
export function items(
  shape: Shape,
  attributes: Record<string, [numbers: readonly number[], size: number]>,
): BufferGeometry {
  const [numbers = [], size = 1] = Object.values(attributes)[0] ?? [];
  const count = numbers.length / size;
  const points = shape.points.length / 3;
  return count * points <= WRITTEN_OUT
    ? writtenOut(shape, count, points, attributes)
    : instances(shape, count, attributes);
}

function writtenOut(
  shape: Shape,
  count: number,
  points: number,
  attributes: Record<string, [numbers: readonly number[], size: number]>,
): BufferGeometry {
  const geometry = new BufferGeometry();
  const places = new Float32Array(count * shape.points.length);
  const index = new Uint32Array(count * shape.index.length);
  for (let n = 0; n < count; n++) {
    places.set(shape.points, n * shape.points.length);
    shape.index.forEach((at, k) => (index[n * shape.index.length + k] = at + n * points));
  }
  geometry.setAttribute("position", new BufferAttribute(places, 3));
  geometry.setIndex(new BufferAttribute(index, 1));
  for (const [name, [numbers, size]] of Object.entries(attributes)) {
    const values = new Float32Array(count * points * size);
    for (let at = 0; at < values.length; at++) {
      const item = Math.floor(at / (points * size));
      values[at] = numbers[item * size + (at % size)] ?? 0;
    }
    geometry.setAttribute(name, new BufferAttribute(values, size));
  }
  return geometry;
}

function instances(
  shape: Shape,
  count: number,
  attributes: Record<string, [numbers: readonly number[], size: number]>,
): BufferGeometry {
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(shape.points), 3));
  geometry.setIndex([...shape.index]);
  geometry.instanceCount = count;
  for (const [name, [numbers, size]] of Object.entries(attributes)) {
    geometry.setAttribute(name, new InstancedBufferAttribute(new Float32Array(numbers), size));
  }
  return geometry;
}

const HEX = /^#([0-9a-f]{3}|[0-9a-f]{6})([0-9a-f]{2})?$/i;

/** Red, green, blue from 0 to 1; white for what is no colour. */
export function rgb(text: string | undefined | null): [r: number, g: number, b: number] {
  const match = HEX.exec(text ?? "");
  if (!match?.[1]) return [1, 1, 1];
  const hex = match[1].length === 3 ? match[1].replace(/./g, "$&$&") : match[1];
  const value = parseInt(hex, 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}
