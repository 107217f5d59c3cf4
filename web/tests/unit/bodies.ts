/** Bodies for tests, with only what a test is about said. */

import type { Body, Group } from "../../universe/state/types.ts";
import { World } from "../../universe/state/world.ts";

export function body(id: string, more: Partial<Body> = {}): Body {
  return {
    id,
    name: id,
    mass: 1,
    radius: 1,
    color: "#fff",
    parentId: null,
    orbitalDistance: 0,
    orbitalSpeed: 0,
    orbitalPhase: 0,
    ...more,
  };
}

export function group(
  id: string,
  children: Group["children"] = [],
  more: Partial<Group> = {},
): Group {
  return { id, name: id, children, parentGroupId: null, ...more };
}

export function world(bodies: Body[], groups: Group[] = []): World {
  return new World({
    stars: Object.fromEntries(bodies.map((one) => [one.id, one])),
    groups: Object.fromEntries(groups.map((one) => [one.id, one])),
  });
}
