/**
 * Paths as they stand in view definitions: `contacts.0.name?access=r&priority=high`.
 *
 * Only the server walks a path. The browser needs to know what comes after the question mark, and whether the path
 * ends in a call, since that decides how it may be used.
 */

import type { Properties } from "./wire.ts";

export type Ending = "field" | "call" | "setter";

export interface Path {
  /** What goes to the server. */
  path: string;
  ending: Ending;
  /** Parameters that are properties of the variable. */
  properties: Properties;
  /** Parameters that concern the browser only. */
  flags: Set<string>;
}

const OURS = new Set(["keypress", "replace", "scrollOnOutput"]);
/** Other names of the same parameter. */
const SAME: Record<string, string> = { item: "itemWrapper" };

export function parsePath(text: string): Path {
  const at = text.indexOf("?");
  const path = (at < 0 ? text : text.slice(0, at)).trim();
  const properties: Properties = {};
  const flags = new Set<string>();
  for (const parameter of at < 0 ? [] : text.slice(at + 1).split("&")) {
    const [key, value] = split(parameter);
    if (key === "") continue;
    if (!OURS.has(key)) properties[SAME[key] ?? key] = value;
    else if (value !== "false") flags.add(key);
  }
  return { path, ending: endingOf(path), properties, flags };
}

function split(parameter: string): [key: string, value: string] {
  const at = parameter.indexOf("=");
  if (at < 0) return [parameter.trim(), "true"];
  return [parameter.slice(0, at).trim(), parameter.slice(at + 1).trim()];
}

function endingOf(path: string): Ending {
  if (path.endsWith("(_)")) return "setter";
  return path.endsWith("()") ? "call" : "field";
}

/** The properties of a variable for this path. What the author wrote wins over `usual`. */
export function propertiesOf(path: Path, usual: Properties = {}): Properties {
  return { path: path.path, ...usual, ...path.properties };
}
