/**
 * The commands, as far as the pages need them: enough of the real rules to tell an applied command from a refused one.
 * States are never changed in place, so that what a command did is what is no longer the same object.
 */

import type { Body, Command, Delta, Group, Happened, Member } from "../../universe/state/types.ts";
import { MAP_NAMES } from "../../universe/state/types.ts";

type Entity = Record<string, unknown> & { id: string };
type Map = Record<string, Entity>;

export interface State {
  stars: Record<string, Body & { children: string[] }>;
  rootIds: string[];
  groups: Record<string, Group>;
  rootGroupIds: string[];
  belts: Map;
  smallBodyFields: Map;
  protoplanetaryDisks: Map;
  nebulae: Map;
  time: number;
}

export interface Outcome {
  state: State;
  events: Happened[];
  hint?: string;
}

export function emptyState(): State {
  return {
    stars: {},
    rootIds: [],
    groups: {},
    rootGroupIds: [],
    belts: {},
    smallBodyFields: {},
    protoplanetaryDisks: {},
    nebulae: {},
    time: 0,
  };
}

/** What follows from a command; the same state when it is refused. */
export function reduce(state: State, command: Command): Outcome {
  const next = copy(state);
  const refused = (events: Happened, hint?: string): Outcome =>
    hint === undefined ? { state, events: [events] } : { state, events: [events], hint };
  const done = (type: string, more: object = {}): Outcome => {
    tidy(next);
    return { state: next, events: [{ type, ...more }] };
  };
  const id = String(command["id"] ?? "");
  const payload = (command["payload"] ?? {}) as Partial<Body> & Partial<Group>;
  const patch = (command["patch"] ?? {}) as object;
  const star = state.stars[id];

  switch (command.type) {
    case "tick":
      next.time += Number(command["dt"] ?? 1);
      return { state: next, events: [] };
    case "addStar": {
      if (star)
        return refused(
          { type: "addFailed", reason: "duplicateId", id },
          `\`${id}\` exists already; choose another id`,
        );
      const parentId = payload.parentId ?? null;
      if (parentId !== null && !state.stars[parentId])
        return refused({ type: "addFailed", reason: "parentNotFound", id });
      next.stars[id] = { ...body(id), ...payload, id, parentId, children: [] };
      return done("starAdded", { id });
    }
    case "updateStar":
      if (!star) return refused({ type: "starNotFound", id });
      if (payload.parentId && below(state, id).has(payload.parentId)) {
        return refused({
          type: "attachFailed",
          reason: "cycle",
          childId: id,
          parentId: payload.parentId,
        });
      }
      next.stars[id] = { ...star, ...payload, id, children: star.children };
      return done("starUpdated", { id });
    case "removeStar":
      if (!star) return refused({ type: "starNotFound", id });
      for (const gone of below(state, id)) delete next.stars[gone];
      return done("starRemoved", { id, removedIds: [...below(state, id)] });
    case "attachStar":
    case "detachStar":
      return hierarchy(state, next, command, refused, done);
    case "addGroup":
      if (state.groups[id]) return refused({ type: "addFailed", reason: "duplicateId", id });
      next.groups[id] = { name: id, children: [], parentGroupId: null, ...payload, id };
      return done("groupAdded", { id });
    case "updateGroup":
      if (!state.groups[id]) return refused({ type: "groupNotFound", id });
      next.groups[id] = { ...state.groups[id], ...payload, id };
      return done("groupUpdated", { id });
    case "removeGroup":
      if (!state.groups[id]) return refused({ type: "groupNotFound", id });
      for (const group of Object.values(next.groups)) {
        if (group.parentGroupId === id) next.groups[group.id] = { ...group, parentGroupId: null };
      }
      delete next.groups[id];
      return done("groupRemoved", { id });
    case "addToGroup": {
      const child = command["child"] as Member;
      return move(
        state,
        next,
        child,
        String(command["groupId"]),
        refused,
        done,
        "childAddedToGroup",
      );
    }
    case "removeFromGroup": {
      const childId = String(command["childId"]);
      const type = state.groups[childId] ? "group" : "system";
      return move(state, next, { id: childId, type }, null, refused, done, "childRemovedFromGroup");
    }
    case "moveToGroup": {
      const child = {
        id: String(command["childId"]),
        type: command["childType"] as Member["type"],
      };
      return move(
        state,
        next,
        child,
        command["targetGroupId"] as string | null,
        refused,
        done,
        "movedToGroup",
      );
    }
    case "setSmallBodyFields":
      next.smallBodyFields = keep(state.smallBodyFields, command["fields"] as Map);
      return done("smallBodyFieldsSet");
    case "setProtoplanetaryDisks":
      next.protoplanetaryDisks = keep(state.protoplanetaryDisks, command["disks"] as Map);
      return done("protoplanetaryDisksSet");
    case "setNebulae":
      next.nebulae = keep(state.nebulae, command["nebulae"] as Map);
      return done("nebulaeSet");
    case "addProtoplanetaryDisk": {
      const disk = command["disk"] as Entity;
      next.protoplanetaryDisks[disk.id] = disk;
      return done("protoplanetaryDiskAdded", { id: disk.id });
    }
    case "updateSmallBodyField":
    case "updateProtoplanetaryDisk":
    case "updateNebula": {
      const map = mapOf(command.type);
      const known = state[map][id];
      const name = command.type.slice(6);
      const noun = name.charAt(0).toLowerCase() + name.slice(1);
      if (!known) return refused({ type: `${noun}NotFound`, id });
      next[map][id] = { ...known, ...patch, id };
      return done(`${noun}Updated`, { id });
    }
    case "removeSmallBodyField":
    case "removeProtoplanetaryDisk":
    case "removeNebula": {
      delete next[mapOf(command.type)][id];
      return done("removed", { id });
    }
    case "updateRing": {
      const planetId = String(command["planetId"]);
      const planet = state.stars[planetId];
      if (!planet) return refused({ type: "starNotFound", id: planetId });
      const ring = planet.ring ?? {
        innerRadiusMultiplier: 1.5,
        outerRadiusMultiplier: 3,
        thickness: planet.radius * 0.1,
        opacity: 0.6,
        albedo: 0.8,
        color: planet.color,
        density: 0.6,
      };
      next.stars[planetId] = { ...planet, ring: { ...ring, ...patch } };
      return done("ringUpdated", { planetId });
    }
    case "removeRing": {
      const planetId = String(command["planetId"]);
      const planet = state.stars[planetId];
      if (!planet?.ring) return refused({ type: "ringNotFound", planetId });
      const { ring: _, ...rest } = planet;
      next.stars[planetId] = rest;
      return done("ringRemoved", { planetId });
    }
    case "replaceSnapshot": {
      const snapshot = command["snapshot"] as Partial<State>;
      const fresh = { ...emptyState(), ...snapshot, time: state.time };
      tidy(fresh);
      return { state: fresh, events: [{ type: "snapshotReplaced" }] };
    }
    default:
      return refused({ type: "unknownCommand", command });
  }
}

type Refused = (event: Happened, hint?: string) => Outcome;
type Done = (type: string, more?: object) => Outcome;

function hierarchy(
  state: State,
  next: State,
  command: Command,
  refused: Refused,
  done: Done,
): Outcome {
  const childId = String(command["childId"]);
  const child = state.stars[childId];
  if (command.type === "detachStar") {
    if (!child?.parentId) return refused({ type: "detachFailed", reason: "notAttached", childId });
    next.stars[childId] = { ...child, parentId: null, orbitalDistance: 0 };
    return done("starDetached", { childId });
  }
  const parentId = String(command["parentId"]);
  if (!child || !state.stars[parentId])
    return refused({ type: "attachFailed", reason: "notFound", childId, parentId });
  if (below(state, childId).has(parentId))
    return refused({ type: "attachFailed", reason: "cycle", childId, parentId });
  next.stars[childId] = { ...child, parentId };
  return done("starAttached", { childId, parentId });
}

function move(
  state: State,
  next: State,
  child: Member,
  target: string | null,
  refused: Refused,
  done: Done,
  event: string,
): Outcome {
  const there = child.type === "group" ? state.groups[child.id] : state.stars[child.id];
  if (target !== null && !state.groups[target])
    return refused({ type: "groupNotFound", id: target });
  if (!there) return refused({ type: "moveToGroupFailed", reason: "notFound", childId: child.id });
  if (target === child.id) {
    return refused(
      { type: "moveToGroupFailed", reason: "cycle", childId: child.id },
      "a group cannot be inside itself",
    );
  }
  for (const group of Object.values(next.groups)) {
    const children = group.children.filter(
      (member) => member.id !== child.id || member.type !== child.type,
    );
    if (children.length !== group.children.length) next.groups[group.id] = { ...group, children };
  }
  const group = target === null ? undefined : next.groups[target];
  if (group) next.groups[group.id] = { ...group, children: [...group.children, child] };
  const moved = child.type === "group" ? next.groups[child.id] : undefined;
  if (moved) next.groups[child.id] = { ...moved, parentGroupId: target };
  return done(event, { childId: child.id, targetGroupId: target });
}

function mapOf(type: string): "smallBodyFields" | "protoplanetaryDisks" | "nebulae" {
  if (type.endsWith("Field")) return "smallBodyFields";
  return type.endsWith("Disk") ? "protoplanetaryDisks" : "nebulae";
}

function body(id: string) {
  return {
    name: id,
    mass: 1,
    radius: 1,
    color: "#FFFFFF",
    orbitalDistance: 0,
    orbitalSpeed: 0,
    orbitalPhase: 0,
  };
}

/** A map with what it should hold, where the same stays the same object. */
function keep(before: Map, wanted: Map): Map {
  const same = (id: string, entity: Entity) =>
    JSON.stringify(before[id]) === JSON.stringify(entity);
  return Object.fromEntries(
    Object.entries(wanted).map(([id, entity]) => [
      id,
      same(id, entity) ? (before[id] ?? entity) : entity,
    ]),
  );
}

function copy(state: State): State {
  const maps = Object.fromEntries(MAP_NAMES.map((map) => [map, { ...state[map] }]));
  return { ...state, ...maps };
}

/** `id` and what orbits it. */
function below(state: State, id: string): Set<string> {
  const found = new Set([id]);
  for (const next of found) {
    for (const star of Object.values(state.stars)) if (star.parentId === next) found.add(star.id);
  }
  return found;
}

/** Lists that follow from the maps, and references to what is gone. */
function tidy(state: State): void {
  const stars = Object.values(state.stars);
  state.rootIds = stars
    .filter((star) => star.parentId === null && !star.isRoguePlanet)
    .map(({ id }) => id);
  state.rootGroupIds = Object.values(state.groups)
    .filter((group) => group.parentGroupId === null)
    .map(({ id }) => id);
  for (const group of Object.values(state.groups)) {
    const children = group.children.filter(
      (member) => (member.type === "group" ? state.groups : state.stars)[member.id],
    );
    if (children.length !== group.children.length) state.groups[group.id] = { ...group, children };
  }
  for (const [map, key] of [
    ["smallBodyFields", "hostStarId"],
    ["protoplanetaryDisks", "centralStarId"],
  ] as const) {
    for (const entity of Object.values(state[map]))
      if (!state.stars[String(entity[key])]) delete state[map][entity.id];
  }
}

/** What is no longer the same, as the feed tells it. */
export function difference(before: State, after: State): Delta | undefined {
  const delta: Record<string, Record<string, unknown>> = {};
  for (const map of MAP_NAMES) {
    const [old, now] = [before[map] as Map, after[map] as Map];
    for (const id of new Set([...Object.keys(old), ...Object.keys(now)])) {
      if (old[id] === now[id]) continue;
      (delta[map] ??= {})[id] = now[id] === undefined ? null : told(map, now[id]);
    }
  }
  return Object.keys(delta).length > 0 ? (delta as Delta) : undefined;
}

/** Bodies are told without their children: `parentId` says the same. */
function told(map: string, entity: Entity): Entity {
  if (map !== "stars") return entity;
  const { children: _, ...rest } = entity;
  return rest as Entity;
}
