/**
 * The part of a universe that this page shows, and how commands change it.
 *
 * The server decides; `apply` only repeats what it decided, so that a command made by anyone shows at once and
 * a big universe is not fetched again for each. What it cannot repeat, it says, and the page fetches.
 */

/** A body of any kind; the wire calls them all stars. */
export interface Star {
  id: string;
  name: string;
  mass: number;
  radius: number;
  color: string;
  children: string[];
  parentId: string | null;
  orbitalDistance: number;
  orbitalSpeed: number;
  orbitalPhase: number;
  bodyType?: string;
  semiMajorAxis?: number;
  eccentricity?: number;
  orbitOffsetX?: number;
  orbitOffsetY?: number;
  orbitOffsetZ?: number;
  orbitRotX?: number;
  orbitRotY?: number;
  orbitRotZ?: number;
  isRoguePlanet?: boolean;
  roguePlanet?: RoguePath;
}

/** How an unbound planet moves. */
export interface RoguePath {
  initialPosition: Point;
  velocity: Point;
  pathCurvature?: number;
  semiMajorAxis?: number;
  eccentricity?: number;
  pathOffsetX?: number;
  pathOffsetY?: number;
  pathOffsetZ?: number;
  orbitRotX?: number;
  orbitRotY?: number;
  orbitRotZ?: number;
  pathPeriod?: number;
}

export interface Point {
  x: number;
  y: number;
  z: number;
}

export type Stars = Record<string, Star>;

export interface State {
  stars: Stars;
  rootIds: string[];
  time: number;
}

/** A universe in a list. */
export interface Listed {
  id: string;
  name: string;
}

/** A whole universe. */
export interface Universe extends Listed {
  state: State;
  /** How many changes it has seen. */
  revision: number;
}

export type Command =
  | { type: "tick"; dt?: number }
  | { type: "addStar"; id: string; payload: Partial<Star> }
  | { type: "updateStar"; id: string; payload: Partial<Star> }
  | { type: "removeStar"; id: string };

/** The state after `command`, or `null` when only the server can tell. */
export function apply(state: State, command: Command): State | null {
  switch (command.type) {
    case "tick":
      return { ...state, time: state.time + (command.dt ?? 1) };
    case "addStar":
      return add(state, command.id, command.payload);
    case "updateStar":
      return update(state, command.id, command.payload);
    case "removeStar":
      return remove(state, command.id);
    default:
      return isElsewhere(command) ? state : null;
  }
}

/** Whether a command, of a type this page does not send, leaves alone everything this page shows. */
function isElsewhere(command: { type: string }): boolean {
  return /(Group|SmallBodyFields?|ProtoplanetaryDisks?|Nebulae?|Ring)$/.test(command.type);
}

function add(state: State, id: string, payload: Partial<Star>): State | null {
  const parentId = payload.parentId ?? null;
  const parent = parentId === null ? undefined : state.stars[parentId];
  if (state.stars[id] || (parentId !== null && !parent)) return null;
  const star: Star = {
    name: id,
    mass: 1,
    radius: 1,
    color: "#FFFFFF",
    orbitalDistance: 0,
    orbitalSpeed: 0,
    ...payload,
    orbitalPhase: payload.orbitalPhase ?? 0,
    parentId,
    id,
    children: [],
  };
  const stars = { ...state.stars, [id]: star };
  if (!parent) return { ...state, stars, rootIds: [...state.rootIds, id] };
  stars[parent.id] = { ...parent, children: [...parent.children, id] };
  return { ...state, stars };
}

function update(state: State, id: string, payload: Partial<Star>): State | null {
  const star = state.stars[id];
  // Another parent moves the body in two lists; that is the server's business.
  if (!star || (payload.parentId !== undefined && payload.parentId !== star.parentId)) return null;
  const changed = { ...star, ...payload, id, children: star.children };
  return { ...state, stars: { ...state.stars, [id]: changed } };
}

function remove(state: State, id: string): State | null {
  const star = state.stars[id];
  if (!star) return null;
  const stars = { ...state.stars };
  for (const gone of withDescendants(state.stars, id)) delete stars[gone];
  const parent = star.parentId === null ? undefined : stars[star.parentId];
  if (parent) {
    stars[parent.id] = { ...parent, children: parent.children.filter((child) => child !== id) };
  }
  return { ...state, stars, rootIds: state.rootIds.filter((root) => root !== id) };
}

/** `id` and everything below it, parents first. */
export function withDescendants(stars: Stars, id: string): string[] {
  const found = new Set([id]);
  // A set that grows while it is walked; being a set, it ends even if the tree has a cycle.
  for (const next of found) stars[next]?.children.forEach((child) => found.add(child));
  return [...found];
}

/** A body with its depth in the tree. */
export interface Row {
  star: Star;
  depth: number;
}

/** All bodies as a tree read from top to bottom; those that no root leads to (rogue planets) come last. */
export function rows({ stars, rootIds }: State): Row[] {
  const listed: Row[] = [];
  const seen = new Set<string>();
  const walk = (id: string, depth: number) => {
    const star = stars[id];
    if (!star || seen.has(id)) return;
    seen.add(id);
    listed.push({ star, depth });
    star.children.forEach((child) => walk(child, depth + 1));
  };
  rootIds.forEach((id) => walk(id, 0));
  Object.keys(stars).forEach((id) => walk(id, 0));
  return listed;
}
