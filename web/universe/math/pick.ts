/** Which body is under the pointer. */

/** Half the size, in pixels, that even the smallest body can be hit at. */
const REACH_PX = 9;

export interface Aim {
  /** Projection times view, column by column as the graphics library keeps it. */
  matrix: ArrayLike<number>;
  /** The pointer and the window, in pixels. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** Pixels that one unit covers at distance one. */
  scale: number;
}

/**
 * The slot of the body at the pointer, or 0. `places` holds four numbers for each slot, `radii` one; a radius of 0 cannot be hit.
 * What the pointer is really on wins, the nearest first; otherwise the one whose edge is closest within reach.
 */
export function pick(places: ArrayLike<number>, radii: ArrayLike<number>, aim: Aim): number {
  let [found, nearest] = [0, Infinity];
  for (let slot = 1; slot < radii.length; slot++) {
    const radius = radii[slot] ?? 0;
    if (radius <= 0) continue;
    const at = slot * 4;
    const spot = project(aim, places[at] ?? 0, places[at + 1] ?? 0, places[at + 2] ?? 0);
    if (!spot) continue;
    const away = Math.hypot(spot.x - aim.x, spot.y - aim.y);
    const size = (radius * aim.scale) / spot.depth;
    if (away > Math.max(size, REACH_PX)) continue;
    const score = away <= size ? spot.depth * 1e-9 : away - size;
    if (score < nearest) [found, nearest] = [slot, score];
  }
  return found;
}

/** Where a point is on the screen; nothing for what is behind the viewer. */
export function project(
  { matrix: m, width, height }: Omit<Aim, "x" | "y" | "scale">,
  x: number,
  y: number,
  z: number,
): { x: number; y: number; depth: number } | null {
  const w = m[3]! * x + m[7]! * y + m[11]! * z + m[15]!;
  if (w <= 0) return null;
  const right = (m[0]! * x + m[4]! * y + m[8]! * z + m[12]!) / w;
  const up = (m[1]! * x + m[5]! * y + m[9]! * z + m[13]!) / w;
  return { x: ((right + 1) / 2) * width, y: ((1 - up) / 2) * height, depth: w };
}
