/** How much a machine can draw, found out by looking at how long frames take. */

import type { Quality } from "./stuff.ts";

/** From the least to the most. */
export const LEVELS: readonly Quality[] = [
  level(0.6, 4_000, 120, 6_000, 8, 0.2, 24),
  level(0.8, 12_000, 250, 14_000, 12, 0.25, 34),
  level(1, 60_000, 2_000, 200_000, 14, 0.5, 56),
  level(2, 250_000, 12_000, 1_200_000, 18, 0.75, 72),
];

function level(
  pixels: number,
  particles: number,
  orbits: number,
  points: number,
  puffs: number,
  clouds: number,
  steps: number,
): Quality {
  return { pixels, particles, orbits, points, puffs, clouds, steps };
}

const SLOW_MS = 34;
const FAST_MS = 17.5;
/** Frames to look at before less is drawn, and before more is. */
const PATIENCE = 20;
const CONFIDENCE = 240;

export class Pace {
  level: number;
  /** A level that turned out too slow is not tried again. */
  #ceiling = LEVELS.length - 1;
  #frames = 0;
  #sum = 0;

  constructor(level: number) {
    this.level = level;
  }

  get quality(): Quality {
    return LEVELS[this.level] ?? LEVELS[0]!;
  }

  /** Counts a frame that came `ms` after the one before; gives whether the level changed. */
  count(ms: number): boolean {
    // A tab that was hidden says nothing about speed.
    if (ms > 1000) return false;
    this.#frames += 1;
    this.#sum += ms;
    const mean = this.#sum / this.#frames;
    if (this.#frames >= PATIENCE && mean > SLOW_MS && this.level > 0) {
      this.#ceiling = this.level - 1;
      return this.#move(-1);
    }
    if (this.#frames < CONFIDENCE) return false;
    if (mean < FAST_MS && this.level < this.#ceiling) return this.#move(1);
    this.#frames = this.#sum = 0;
    return false;
  }

  #move(by: number): boolean {
    this.level += by;
    this.#frames = this.#sum = 0;
    return true;
  }
}
