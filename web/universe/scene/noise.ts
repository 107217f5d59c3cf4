/** A square of clouds that repeats without a seam, made once: what gas, dust and flames are cut from. */

import { DataTexture, LinearFilter, RepeatWrapping, RGBAFormat } from "three";
import { seeded } from "../math/random.ts";

const SIZE = 256;

/** Red: large clouds. Green: fine clouds. Blue: ridges. Alpha: large clouds of another kind. */
export function noiseTexture(): DataTexture {
  const channels = [
    clouds("large", 4, 5),
    clouds("fine", 16, 4),
    clouds("ridges", 6, 4).map((value) => 1 - Math.abs(2 * value - 1)),
    clouds("other", 3, 6),
  ];
  const data = new Uint8Array(SIZE * SIZE * 4);
  channels.forEach((channel, n) =>
    channel.forEach((value, at) => (data[at * 4 + n] = value * 255)),
  );
  const texture = new DataTexture(data, SIZE, SIZE, RGBAFormat);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

/** Octaves of random lattices, each twice as fine and half as strong, stretched to fill 0 to 1. */
function clouds(seed: string, cells: number, octaves: number): Float32Array {
  const sum = new Float32Array(SIZE * SIZE);
  for (let octave = 0; octave < octaves; octave++) {
    addLattice(sum, `${seed}${octave}`, cells << octave, 0.5 ** octave);
  }
  let [low, high] = [Infinity, -Infinity];
  for (const value of sum) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return sum.map((value) => (value - low) / (high - low));
}

function addLattice(sum: Float32Array, seed: string, cells: number, strength: number): void {
  const random = seeded(seed);
  const lattice = Float32Array.from({ length: cells * cells }, random);
  const step = cells / SIZE;
  const at = (x: number, y: number) => lattice[(y % cells) * cells + (x % cells)] ?? 0;
  for (let y = 0; y < SIZE; y++) {
    const [row, v] = split(y * step);
    for (let x = 0; x < SIZE; x++) {
      const [column, u] = split(x * step);
      const top = mix(at(column, row), at(column + 1, row), u);
      const bottom = mix(at(column, row + 1), at(column + 1, row + 1), u);
      sum[y * SIZE + x]! += strength * mix(top, bottom, v);
    }
  }
}

/** The whole part, and the rest made smooth. */
function split(value: number): [whole: number, rest: number] {
  const whole = Math.floor(value);
  const rest = value - whole;
  return [whole, rest * rest * (3 - 2 * rest)];
}

function mix(a: number, b: number, part: number): number {
  return a + (b - a) * part;
}
