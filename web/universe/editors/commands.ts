/** From what a form holds to the one command that says it. */

import type { Command, MapName } from "../state/types.ts";
import type { Ref, World } from "../state/world.ts";
import { pathOf, sectionsOf, type TABLES } from "./fields.ts";

/** New values by path; `null` clears an optional one. */
export type Values = ReadonlyMap<string, unknown>;

/** The command for these changes of an entity, naming nothing that was not changed. */
export function updateCommand({ map, id }: Ref, entity: object, values: Values): Command {
  switch (map) {
    case "stars":
      return bodyCommand(id, entity, values);
    case "groups":
      return { type: "updateGroup", id, payload: merged(entity, values) };
    case "smallBodyFields":
      return { type: "updateSmallBodyField", id, patch: merged(entity, values) };
    case "protoplanetaryDisks":
      return { type: "updateProtoplanetaryDisk", id, patch: merged(entity, values) };
    case "nebulae":
      return { type: "updateNebula", id, patch: merged(entity, values) };
    case "belts":
      throw new Error("a belt of the old kind has no command");
  }
}

function bodyCommand(id: string, entity: object, values: Values): Command {
  const paths = [...values.keys()];
  if (paths.every((path) => path.startsWith("ring."))) {
    const patch = Object.fromEntries(paths.map((path) => [path.slice(5), values.get(path)]));
    return { type: "updateRing", planetId: id, patch };
  }
  if (paths.length === 1 && paths[0] === "parentId") {
    const parentId = values.get("parentId");
    return parentId === null
      ? { type: "detachStar", childId: id }
      : { type: "attachStar", childId: id, parentId };
  }
  return { type: "updateStar", id, payload: merged(entity, values) };
}

/** The changed keys; an object inside is sent whole, as the server replaces it whole. */
function merged(entity: object, values: Values): Record<string, unknown> {
  const payload: Record<string, unknown> = {};
  for (const [path, value] of values) {
    const [key = "", inner] = path.split(".");
    if (inner === undefined) {
      payload[key] = value;
      continue;
    }
    payload[key] ??= { ...((entity as Record<string, unknown>)[key] as object | undefined) };
    (payload[key] as Record<string, unknown>)[inner] = value;
  }
  return payload;
}

/** The command that adds one. Belts and nebulae have none of their own: the whole map is sent with one more in it. */
export function addCommand(
  map: keyof typeof TABLES,
  kind: string,
  id: string,
  values: Values,
  world: World,
): Command {
  const given = merged({}, new Map([...values].filter(([, value]) => value !== null)));
  const entity = { ...given, id };
  switch (map) {
    case "stars":
      return {
        type: "addStar",
        id,
        payload: { ...given, parentId: given["parentId"] ?? null, ...typed(kind) },
      };
    case "groups":
      return { type: "addGroup", id, payload: { ...given, children: [], parentGroupId: null } };
    case "protoplanetaryDisks": {
      const systemId = world.systemOf(String(given["centralStarId"]));
      return { type: "addProtoplanetaryDisk", disk: { ...entity, systemId } };
    }
    case "smallBodyFields": {
      const systemId = world.systemOf(String(given["hostStarId"]));
      const fields = {
        ...Object.fromEntries(world.smallBodyFields),
        [id]: { ...entity, systemId },
      };
      return { type: "setSmallBodyFields", fields };
    }
    case "nebulae":
      return {
        type: "setNebulae",
        nebulae: { ...Object.fromEntries(world.nebulae), [id]: entity },
      };
  }
}

function typed(kind: string): object {
  return kind === "rogue" ? { bodyType: "planet", isRoguePlanet: true } : { bodyType: kind };
}

export function removeCommand({ map, id }: Ref): Command {
  const types: Record<MapName, string> = {
    stars: "removeStar",
    groups: "removeGroup",
    smallBodyFields: "removeSmallBodyField",
    protoplanetaryDisks: "removeProtoplanetaryDisk",
    nebulae: "removeNebula",
    belts: "removeBelt",
  };
  return { type: types[map], id };
}

/** What a new one starts with, by path. A ring is not there until someone adds it. */
export function initialValues(map: keyof typeof TABLES, kind: string): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const section of sectionsOf(map, kind)) {
    if (section.key === "ring") continue;
    for (const field of section.fields) {
      if (field.initial !== undefined) values.set(pathOf(section, field), field.initial);
    }
  }
  return values;
}
