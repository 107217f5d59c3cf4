/** Where groups stand, and the systems in them. */

import type { Point } from "../state/types.ts";
import type { World } from "../state/world.ts";

/** Root groups without a place of their own stand in rows. */
const PER_ROW = 5;
const SPACING = 20;

export interface Box {
  centre: Point;
  edge: number;
  depth: number;
}

export interface Layout {
  boxes: Map<string, Box>;
  /** The origin of each system that a group holds. */
  systems: Map<string, Point>;
}

const known = new WeakMap<World, { groups: unknown[]; layout: Layout }>();

/** The layout of all groups. Asked for often, so it is kept for as long as no group changes. */
export function layout(world: World): Layout {
  const groups = [...world.groups.values()];
  const last = known.get(world);
  if (last?.groups.length === groups.length && last.groups.every((group, n) => group === groups[n]))
    return last.layout;
  const fresh = arrange(world);
  known.set(world, { groups, layout: fresh });
  return fresh;
}

function arrange(world: World): Layout {
  const result: Layout = { boxes: new Map(), systems: new Map() };
  world.rootGroups.forEach((id, n) => {
    const place = world.groups.get(id)?.position ?? {
      x: (n % PER_ROW) * SPACING,
      y: 0,
      z: Math.floor(n / PER_ROW) * SPACING,
    };
    put(world, id, place, 0, result);
  });
  return result;
}

function put(world: World, id: string, centre: Point, depth: number, result: Layout): void {
  const group = world.groups.get(id);
  // A group inside itself, however that came about, is shown once.
  if (!group || result.boxes.has(id)) return;
  const edge = edgeOf(group.children.length);
  result.boxes.set(id, { centre, edge, depth });
  group.children.forEach((member, n) => {
    const at = cell(n, group.children.length, edge, centre);
    if (member.type === "system") result.systems.set(member.id, at);
    else put(world, member.id, at, depth + 1, result);
  });
}

export function edgeOf(members: number): number {
  return 8 + 2 * Math.sqrt(members);
}

/** The place of the n-th member, on a square grid inside the box. */
function cell(n: number, members: number, edge: number, centre: Point): Point {
  const columns = Math.ceil(Math.sqrt(members));
  const size = (0.7 * edge) / columns;
  return {
    x: centre.x - 0.35 * edge + (n % columns) * size,
    y: centre.y,
    z: centre.z - 0.35 * edge + Math.floor(n / columns) * size,
  };
}
