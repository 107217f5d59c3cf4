/**
 * The places of all bodies, each frame, without garbage.
 *
 * Bodies get slots, parents before children; slot 0 is the origin. `update` is one loop over typed arrays that
 * writes `x, y, z, θ` for each slot: the very array that the shaders read, so nothing is copied in between.
 */

import type { World } from "../state/world.ts";
import { layout } from "./layout.ts";
import { motionOf, ORIGIN } from "./orbit.ts";

/** Slots in a row of the texture that holds the places. */
export const ROW = 128;
/** Numbers of one slot's motion: centre, p, q, drift (three each), speed, phase. */
const STRIDE = 14;
const TURN = 2 * Math.PI;

export class Tracks {
  /** The ids by slot; the first is the origin, which is no body. */
  readonly ids: readonly string[];
  readonly slots: ReadonlyMap<string, number>;
  /** `x, y, z, θ` by slot, in whole rows. */
  readonly places: Float32Array;
  readonly parents: Int32Array;
  readonly #motions: Float64Array;
  /** Sums of large numbers go wrong in single precision. */
  readonly #exact: Float64Array;

  constructor(world: World) {
    this.ids = ordered(world);
    this.slots = new Map(this.ids.map((id, slot) => [id, slot]));
    const rows = Math.ceil(this.ids.length / ROW);
    this.places = new Float32Array(rows * ROW * 4);
    this.parents = new Int32Array(this.ids.length);
    this.#motions = new Float64Array(this.ids.length * STRIDE);
    this.#exact = new Float64Array(this.ids.length * 3);
    const { systems } = layout(world);
    for (let slot = 1; slot < this.ids.length; slot++) this.#fill(world, slot, systems);
  }

  #fill(world: World, slot: number, systems: Map<string, { x: number; y: number; z: number }>) {
    const id = this.ids[slot] ?? "";
    const body = world.stars.get(id);
    if (!body) return;
    const parent = body.parentId === null ? 0 : (this.slots.get(body.parentId) ?? 0);
    // A parent that comes later is part of a cycle.
    this.parents[slot] = parent < slot ? parent : 0;
    const { centre, p, q, drift, speed, phase } = motionOf(body);
    const home = parent === 0 ? (systems.get(id) ?? ORIGIN) : ORIGIN;
    this.#motions.set(
      [centre.x + home.x, centre.y + home.y, centre.z + home.z, p.x, p.y, p.z, q.x, q.y, q.z],
      slot * STRIDE,
    );
    this.#motions.set([drift.x, drift.y, drift.z, speed, phase], slot * STRIDE + 9);
  }

  /** Moves everything to `time`. */
  update(time: number): void {
    const motions = this.#motions;
    const exact = this.#exact;
    const places = this.places;
    const parents = this.parents;
    const count = parents.length;
    for (let slot = 1, m = STRIDE; slot < count; slot++, m += STRIDE) {
      const theta = (motions[m + 12]! * time + motions[m + 13]!) % TURN;
      const cos = Math.cos(theta);
      const sin = Math.sin(theta);
      const parent = parents[slot]! * 3;
      const own = slot * 3;
      const out = slot * 4;
      for (let axis = 0; axis < 3; axis++) {
        const at = m + axis;
        const sum =
          exact[parent + axis]! +
          motions[at]! +
          motions[at + 3]! * cos +
          motions[at + 6]! * sin +
          motions[at + 9]! * time;
        exact[own + axis] = sum;
        places[out + axis] = sum;
      }
      places[out + 3] = theta;
    }
  }

  /** Twelve numbers of a slot's motion: centre, p, q, drift. */
  motion(slot: number): Float64Array {
    return this.#motions.subarray(slot * STRIDE, slot * STRIDE + STRIDE);
  }

  /** Where the body was at the last update. */
  place(slot: number): [x: number, y: number, z: number] {
    const at = slot * 3;
    return [this.#exact[at] ?? 0, this.#exact[at + 1] ?? 0, this.#exact[at + 2] ?? 0];
  }
}

function ordered(world: World): string[] {
  const found = new Set<string>(["\u0000origin"]);
  const take = (id: string) => {
    if (found.has(id)) return;
    found.add(id);
    world.children(id).forEach(take);
  };
  world.roots.forEach(take);
  world.rogues.forEach(take);
  // Bodies in a cycle hang on no root.
  for (const id of world.stars.keys()) take(id);
  return [...found];
}
