/** The ball that holds everything, or one thing and what belongs to it. */

import { layout } from "../math/layout.ts";
import type { Tracks } from "../math/tracks.ts";
import type { Point } from "../state/types.ts";
import type { Ref, World } from "../state/world.ts";

export interface Ball {
  centre: Point;
  radius: number;
}

/** A universe with nothing in it still has a size to look at. */
const EMPTY: Ball = { centre: { x: 0, y: 0, z: 0 }, radius: 14 };
/** The part of the bodies that a look at everything must hold; one that drifted far off does not shrink the rest. */
const MOST = 0.985;

export function extent(world: World, tracks: Tracks, ref?: Ref): Ball {
  if (ref?.map === "groups") {
    const box = layout(world).boxes.get(ref.id);
    if (box) return { centre: box.centre, radius: box.edge };
  }
  if (ref?.map === "nebulae") {
    const nebula = world.nebulae.get(ref.id);
    if (nebula) return { centre: nebula.position, radius: nebula.radius * 1.2 };
  }
  if (
    ref?.map === "smallBodyFields" ||
    ref?.map === "protoplanetaryDisks" ||
    ref?.map === "belts"
  ) {
    const host = hostOf(world, ref);
    if (host) return around(tracks, host.id, host.reach);
  }
  if (ref?.map === "stars") return ofSystem(world, tracks, ref.id);
  return ofAll(tracks);
}

function hostOf(world: World, { id }: Ref): { id: string; reach: number } | undefined {
  const field = world.smallBodyFields.get(id);
  if (field) return { id: field.hostStarId, reach: field.outerRadius };
  const disk = world.protoplanetaryDisks.get(id);
  if (disk) return { id: disk.centralStarId, reach: disk.outerRadius };
  const belt = world.belts.get(id);
  return belt && { id: belt.parentId, reach: belt.outerRadius };
}

function around(tracks: Tracks, id: string, radius: number): Ball {
  const [x, y, z] = tracks.place(tracks.slots.get(id) ?? 0);
  return { centre: { x, y, z }, radius };
}

/** A body with everything that orbits it. */
function ofSystem(world: World, tracks: Tracks, id: string): Ball {
  const own = world.stars.get(id)?.radius ?? 1;
  const [x, y, z] = tracks.place(tracks.slots.get(id) ?? 0);
  let radius = own * 4;
  for (const below of world.withDescendants(id)) {
    const slot = tracks.slots.get(below);
    if (slot === undefined || below === id) continue;
    const [bx, by, bz] = tracks.place(slot);
    radius = Math.max(radius, Math.hypot(bx - x, by - y, bz - z) * 1.05);
  }
  return { centre: { x, y, z }, radius };
}

function ofAll(tracks: Tracks): Ball {
  const count = tracks.ids.length - 1;
  if (count === 0) return EMPTY;
  const centre = middle(tracks, count);
  const reaches = Array.from({ length: count }, (_, n) => {
    const [x, y, z] = tracks.place(n + 1);
    return Math.hypot(x - centre.x, y - centre.y, z - centre.z);
  });
  reaches.sort((a, b) => a - b);
  const radius = reaches[Math.min(count - 1, Math.floor(count * MOST))] ?? 0;
  return { centre, radius: Math.max(radius * 1.05, 4) };
}

/** Half way between the outermost bodies, by axis, without the few that are far off. */
function middle(tracks: Tracks, count: number): Point {
  const half = (axis: 0 | 1 | 2) => {
    const values = Array.from({ length: count }, (_, n) => tracks.place(n + 1)[axis]).sort(
      (a, b) => a - b,
    );
    const off = Math.floor((count * (1 - MOST)) / 2);
    return ((values[off] ?? 0) + (values[count - 1 - off] ?? 0)) / 2;
  };
  return { x: half(0), y: half(1), z: half(2) };
}
