/**
 * A universe's content, kept up to date by deltas.
 *
 * The server decides everything; this only holds what it told. Trees follow `parentId` and the members of groups, and are
 * worked out when asked for, so that a delta costs what it changes.
 */

import {
  MAP_NAMES,
  type Belt,
  type Body,
  type Delta,
  type Disk,
  type Field,
  type Group,
  type MapName,
  type Maps,
  type Nebula,
  type State,
} from "./types.ts";

/** An entity, by the map it is in. */
export interface Ref {
  map: MapName;
  id: string;
}

interface Tree {
  children: Map<string, string[]>;
  roots: string[];
  rogues: string[];
  groupOf: Map<string, string>;
  rootGroups: string[];
}

export class World {
  readonly stars = new Map<string, Body>();
  readonly groups = new Map<string, Group>();
  readonly belts = new Map<string, Belt>();
  readonly smallBodyFields = new Map<string, Field>();
  readonly protoplanetaryDisks = new Map<string, Disk>();
  readonly nebulae = new Map<string, Nebula>();
  #tree: Tree | undefined;

  constructor(state: State = {}) {
    this.apply(state);
  }

  /** Takes over what changed; gives the entities that did. */
  apply(delta: Delta): Ref[] {
    const touched: Ref[] = [];
    for (const map of MAP_NAMES) {
      for (const [id, entity] of Object.entries(delta[map] ?? {})) {
        const known = this.map(map) as Map<string, unknown>;
        if (entity === null) known.delete(id);
        else known.set(id, entity);
        touched.push({ map, id });
      }
    }
    if (touched.length > 0) this.#tree = undefined;
    return touched;
  }

  map<M extends MapName>(name: M): Map<string, Maps[M]> {
    return this[name] as unknown as Map<string, Maps[M]>;
  }

  find(ref: Ref): Maps[MapName] | undefined {
    return this.map(ref.map).get(ref.id);
  }

  /** The bodies that orbit `id`. */
  children(id: string): readonly string[] {
    return this.#trees().children.get(id) ?? [];
  }

  /** The bodies that orbit nothing, each the root of a system; rogue planets are none. */
  get roots(): readonly string[] {
    return this.#trees().roots;
  }

  get rogues(): readonly string[] {
    return this.#trees().rogues;
  }

  get rootGroups(): readonly string[] {
    return this.#trees().rootGroups;
  }

  /** The group that a system or a group is a member of. */
  groupOf(id: string): string | undefined {
    return this.#trees().groupOf.get(id);
  }

  /** `id` and everything that orbits it, parents first. */
  withDescendants(id: string): string[] {
    const found = new Set([id]);
    // A set that grows while it is walked; being a set, it ends even if the tree has a cycle.
    for (const next of found) this.children(next).forEach((child) => found.add(child));
    return [...found];
  }

  /** The root of the system that `id` belongs to. */
  systemOf(id: string): string {
    const seen = new Set<string>();
    let at = id;
    while (!seen.has(at)) {
      seen.add(at);
      const parent = this.stars.get(at)?.parentId;
      if (!parent || !this.stars.has(parent)) return at;
      at = parent;
    }
    return id;
  }

  #trees(): Tree {
    this.#tree ??= grow(this.stars, this.groups);
    return this.#tree;
  }
}

function grow(stars: Map<string, Body>, groups: Map<string, Group>): Tree {
  const tree: Tree = {
    children: new Map(),
    roots: [],
    rogues: [],
    groupOf: new Map(),
    rootGroups: [],
  };
  for (const { id, parentId, isRoguePlanet } of stars.values()) {
    if (parentId === null || !stars.has(parentId)) {
      (isRoguePlanet ? tree.rogues : tree.roots).push(id);
      continue;
    }
    const siblings = tree.children.get(parentId);
    if (siblings) siblings.push(id);
    else tree.children.set(parentId, [id]);
  }
  for (const group of groups.values()) {
    group.children.forEach((member) => tree.groupOf.set(member.id, group.id));
    if (group.parentGroupId === null) tree.rootGroups.push(group.id);
  }
  return tree;
}

export type Kind =
  "star" | "planet" | "moon" | "asteroid" | "comet" | "lagrangePoint" | "blackHole" | "rogue";

const KINDS = new Set([
  "star",
  "planet",
  "moon",
  "asteroid",
  "comet",
  "lagrangePoint",
  "blackHole",
]);

/** What a body is shown as. One that does not say is a star at the root and a planet below it. */
export function kindOf(body: Body): Kind {
  if (body.isRoguePlanet) return "rogue";
  if (body.bodyType !== undefined && KINDS.has(body.bodyType)) return body.bodyType as Kind;
  return body.parentId === null ? "star" : "planet";
}
