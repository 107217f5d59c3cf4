/** Words for things and for what happened to them. */

import type { Command, Entry, MapName } from "./types.ts";
import type { Ref, World } from "./world.ts";

const NOUNS: Record<string, string> = {
  star: "star",
  planet: "planet",
  moon: "moon",
  asteroid: "asteroid",
  comet: "comet",
  lagrangePoint: "Lagrange point",
  blackHole: "black hole",
  rogue: "rogue planet",
  groups: "group",
  belts: "belt",
  smallBodyFields: "belt",
  protoplanetaryDisks: "disk",
  nebulae: "nebula",
};

export function nounOf(map: MapName, kind = ""): string {
  return NOUNS[map === "stars" ? kind : map] ?? "body";
}

export function nameOf(world: World, ref: Ref): string {
  const entity = world.find(ref);
  if (entity?.name) return entity.name;
  if (ref.map === "stars" || !entity) return ref.id;
  return `${nounOf(ref.map)} ${ref.id.slice(0, 8)}`;
}

/** What a line of the history says was done; `world` gives names to ids. */
export function describe(entry: Entry, world: World): string {
  switch (entry.kind) {
    case "created":
      return "created the universe";
    case "deleted":
      return "deleted the universe";
    case "replaced":
      return "replaced the universe or its name";
    case "undone":
      return entry.of === undefined ? "took a change back" : `took back change ${entry.of}`;
    case "redone":
      return entry.of === undefined ? "brought a change back" : `brought back change ${entry.of}`;
    case "clock":
      return clock(entry.command);
    default:
      return entry.command ? done(entry.command, world) : entry.kind;
  }
}

function clock(command: Command | undefined): string {
  const words: string[] = [];
  if (command?.["playing"] === true) words.push("started the clock");
  if (command?.["playing"] === false) words.push("stopped the clock");
  if (command?.["rate"] !== undefined) words.push(`set the rate to ${command["rate"]}`);
  if (command?.["time"] !== undefined) words.push(`set the time to ${command["time"]}`);
  return words.join(", ") || "set the clock";
}

const VERBS: [pattern: RegExp, verb: string][] = [
  [/^add/, "added"],
  [/^update/, "changed"],
  [/^remove/, "removed"],
  [/^set/, "set"],
];

function done(command: Command, world: World): string {
  const text = (key: string) => (typeof command[key] === "string" ? command[key] : undefined);
  const called = (id: string | undefined, map: MapName = "stars") =>
    id === undefined ? "" : nameOf(world, { map, id });
  switch (command.type) {
    case "tick":
      return `moved the time by ${command["dt"] ?? 1} s`;
    case "attachStar":
      return `put ${called(text("childId"))} into orbit around ${called(text("parentId"))}`;
    case "detachStar":
      return `set ${called(text("childId"))} free`;
    case "addToGroup":
    case "moveToGroup":
    case "removeFromGroup":
      return "moved something between groups";
    case "updateRing":
      return `changed the ring of ${called(text("planetId"))}`;
    case "removeRing":
      return `removed the ring of ${called(text("planetId"))}`;
    case "replaceSnapshot":
      return "replaced everything";
  }
  const verb = VERBS.find(([pattern]) => pattern.test(command.type))?.[1] ?? command.type;
  const given = (command["payload"] ?? command["patch"] ?? command["disk"] ?? {}) as Record<
    string,
    unknown
  >;
  const ref = refOf(command);
  const name = typeof given["name"] === "string" ? given["name"] : ref && nameOf(world, ref);
  const changed = verb === "changed" ? Object.keys(given).join(", ") : "";
  if (name !== undefined)
    return changed && changed !== "name" ? `${verb} ${changed} of ${name}` : `${verb} ${name}`;
  return `${verb} the ${words(command.type.replace(/^(add|update|remove|set)/, ""))}`;
}

/** The entity that a command is about. */
export function refOf(command: Command): Ref | undefined {
  const id = command["id"] ?? command["planetId"] ?? command["childId"] ?? command["groupId"];
  if (typeof id !== "string") return undefined;
  if (/Disk$/.test(command.type)) return { map: "protoplanetaryDisks", id };
  if (/Field$/.test(command.type)) return { map: "smallBodyFields", id };
  if (/Nebula$/.test(command.type)) return { map: "nebulae", id };
  if (/^(add|update|remove)Group$/.test(command.type)) return { map: "groups", id };
  return { map: "stars", id };
}

/** `SmallBodyFields` as people write it. */
function words(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}

/** Who acted and where: an agent over MCP, a person in a page, a program. */
export function actor({ by, via }: Pick<Entry, "by" | "via">, own: boolean): string {
  if (own) return "You";
  const who =
    via === "mcp"
      ? "An agent"
      : via === "page"
        ? "Someone"
        : via === "cli"
          ? "Someone"
          : "A program";
  const known = by && !["someone", "local", "anonymous"].includes(by) ? by : who;
  return known;
}

export function surface(via = "unknown"): string {
  return { mcp: "MCP", rest: "REST", page: "page", cli: "terminal" }[via] ?? via;
}
