/** Which row of a list becomes which, when its array changed: pure, and as few moves as can be. */

import { isRef, type Value } from "./wire.ts";

export interface Plan {
  /** For each new row the old one it goes on with, -1 for none. */
  from: number[];
  /** New rows that stay where they are while the others move around them. */
  stay: Set<number>;
  /** Old rows that nobody goes on with. */
  gone: number[];
}

/** Keys of the elements: the object, counted where it occurs more than once; the place of what is no object. */
export function keysOf(values: readonly Value[]): string[] {
  const seen = new Map<number, number>();
  return values.map((value, index) => {
    if (!isRef(value)) return `at ${index}`;
    const count = seen.get(value.obj) ?? 0;
    seen.set(value.obj, count + 1);
    return count === 0 ? `${value.obj}` : `${value.obj} ${count}`;
  });
}

/**
 * Plans the way from `old` keys to `next` keys. With `byPlace`, rows whose object is not there any more go on, in order, with
 * the elements that are new: after a restart the same things have other ids.
 */
export function plan(old: readonly string[], next: readonly string[], byPlace = false): Plan {
  const places = new Map(old.map((key, index) => [key, index]));
  const from = next.map((key) => places.get(key) ?? -1);
  const used = new Set(from);
  let gone = old.map((_, index) => index).filter((index) => !used.has(index));
  if (byPlace) {
    const left = gone.values();
    from.forEach((source, index) => {
      if (source < 0) from[index] = left.next().value ?? -1;
    });
    gone = [...left];
  }
  return { from, stay: longestRun(from), gone };
}

/** Positions of a longest increasing run in `from`, those below zero left out. */
function longestRun(from: readonly number[]): Set<number> {
  // `tails[n]` is the position of the smallest last member of a run of length n + 1.
  const tails: number[] = [];
  const before: number[] = [];
  from.forEach((source, index) => {
    if (source < 0) return;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((from[tails[middle] ?? 0] ?? 0) < source) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = index;
  });
  const run = new Set<number>();
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) run.add(index);
  return run;
}
