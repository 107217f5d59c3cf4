/** Finding things: by name, by type, in an order. */

import type { Body } from "./types.ts";
import { kindOf, type Ref, type World } from "./world.ts";

export type Filter =
  | "all"
  | "star"
  | "planet"
  | "moon"
  | "asteroid"
  | "comet"
  | "lagrangePoint"
  | "trojan"
  | "blackHole"
  | "rogue"
  | "ringed"
  | "disks"
  | "fields"
  | "nebulae"
  | "groups";

export const FILTERS: readonly [Filter, string][] = [
  ["all", "Everything"],
  ["star", "Stars"],
  ["planet", "Planets"],
  ["moon", "Moons"],
  ["asteroid", "Asteroids"],
  ["comet", "Comets"],
  ["blackHole", "Black holes"],
  ["rogue", "Rogue planets"],
  ["ringed", "With rings"],
  ["lagrangePoint", "Lagrange points"],
  ["trojan", "Trojans"],
  ["fields", "Belts"],
  ["disks", "Disks"],
  ["nebulae", "Nebulae"],
  ["groups", "Groups"],
];

export type Order = "name" | "mass" | "distance";

export interface Found {
  ref: Ref;
  name: string;
  kind: string;
  color: string | undefined;
  mass: number;
  distance: number;
}

/** Whether a body is of a type that was asked for. */
export function matches(body: Body, filter: Filter): boolean {
  switch (filter) {
    case "all":
      return true;
    case "ringed":
      return body.ring !== undefined && body.ring !== null;
    case "trojan":
      return Boolean(body.lagrangeHostId);
    default:
      return kindOf(body) === filter;
  }
}

/** Everything of a type whose name or id holds `text`, in order. */
export function search(world: World, text: string, filter: Filter, order: Order): Found[] {
  const wanted = text.trim().toLowerCase();
  const found = [...candidates(world, filter)].filter(
    ({ name, ref }) =>
      wanted === "" || name.toLowerCase().includes(wanted) || ref.id.toLowerCase() === wanted,
  );
  return found.sort(compare(order));
}

function compare(order: Order): (a: Found, b: Found) => number {
  if (order === "mass") return (a, b) => b.mass - a.mass;
  if (order === "distance") return (a, b) => a.distance - b.distance;
  return (a, b) => a.name.localeCompare(b.name, "en", { numeric: true });
}

function* candidates(world: World, filter: Filter): Generator<Found> {
  for (const body of world.stars.values()) {
    if (!matches(body, filter)) continue;
    const { id, name, color, mass, orbitalDistance: distance } = body;
    yield { ref: { map: "stars", id }, name, kind: kindOf(body), color, mass, distance };
  }
  const rest = { mass: 0, distance: 0 };
  const has = (one: Filter) => filter === "all" || filter === one;
  if (has("groups")) {
    for (const { id, name, color } of world.groups.values())
      yield { ref: { map: "groups", id }, name, kind: "group", color, ...rest };
  }
  if (has("fields")) {
    for (const { id, name, regionLabel, baseColor: color } of world.smallBodyFields.values())
      yield {
        ref: { map: "smallBodyFields", id },
        name: name ?? regionLabel ?? id,
        kind: "belt",
        color,
        ...rest,
      };
    for (const { id, name, color } of world.belts.values())
      yield { ref: { map: "belts", id }, name, kind: "belt", color, ...rest };
  }
  if (has("disks")) {
    for (const { id, name, baseColor: color } of world.protoplanetaryDisks.values())
      yield {
        ref: { map: "protoplanetaryDisks", id },
        name: name ?? id,
        kind: "disk",
        color,
        ...rest,
      };
  }
  if (has("nebulae")) {
    for (const { id, name, baseColor: color } of world.nebulae.values())
      yield { ref: { map: "nebulae", id }, name, kind: "nebula", color, ...rest };
  }
}
