/** Numbers that look random and are the same on every screen: what scatters particles, from an entity's own seed. */

import type { Seed } from "../state/types.ts";

/** A source of numbers from 0 to 1. */
export type Random = () => number;

export function seeded(seed: Seed): Random {
  let state = hash(String(seed));
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Around 0, most within 1. */
export function gauss(random: Random): number {
  return random() + random() + random() + random() + random() + random() - 3;
}

export function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (let n = 0; n < text.length; n++) sum = Math.imul(sum ^ text.charCodeAt(n), 0x01000193);
  return sum >>> 0;
}

/** A number from 0 to 1 that belongs to a text. */
export function fraction(text: string): number {
  return seeded(text)();
}
