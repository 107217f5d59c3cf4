/** A spec as people read it: clauses in order, the text as it was written, issues where they belong. */

import type { Issue, Requirement, Scenario, Spec } from "./types.ts";

export interface Clause {
  word: "WHEN" | "AND" | "THEN";
  text: string;
  /** Whether it is part of what follows, not of what is given. */
  outcome: boolean;
}

export function clausesOf({ when, conditions = [], then }: Scenario): Clause[] {
  // `when` is all conditions in one text; the list, where there is one, keeps them apart.
  const joined = conditions.length > 1 && conditions.join(" AND ") === when;
  const given = joined ? conditions : [when, ...conditions.filter((each) => each !== when)];
  const clauses = (texts: readonly string[], first: "WHEN" | "THEN"): Clause[] =>
    texts
      .filter((text) => text !== "")
      .map((text, n) => ({ word: n === 0 ? first : "AND", text, outcome: first === "THEN" }));
  return [...clauses(given, "WHEN"), ...clauses(then, "THEN")];
}

/**
 * The description with its line breaks, lists and code.
 *
 * The server joins its lines into one; the file has them as they were written. Only when both say the same is the file's text taken.
 */
export function descriptionOf(spec: Pick<Spec, "text" | "requirements">, at: number): string {
  const requirement = spec.requirements[at];
  if (!requirement) return "";
  const lines = spec.text.split(/\r?\n/);
  const ends = [requirement.scenarios[0]?.line, spec.requirements[at + 1]?.line];
  const end = Math.min(...ends.filter((line) => line !== undefined), lines.length + 1);
  const written = lines.slice(requirement.line, end - 1);
  const joined = written
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
  return joined === requirement.description ? written.join("\n") : requirement.description;
}

/** Issues by what they are about: the file as a whole, a requirement, a scenario of it. */
export interface Placed {
  file: Issue[];
  requirements: Map<number, Issue[]>;
  scenarios: Map<Scenario, Issue[]>;
}

export function placeIssues(
  requirements: readonly Requirement[],
  issues: readonly Issue[],
): Placed {
  const placed: Placed = { file: [], requirements: new Map(), scenarios: new Map() };
  for (const issue of issues) {
    const at = issue.line === undefined ? -1 : lastBefore(requirements, issue.line);
    const requirement = requirements[at];
    if (!requirement || issue.line === undefined) {
      placed.file.push(issue);
      continue;
    }
    const scenario = requirement.scenarios[lastBefore(requirement.scenarios, issue.line)];
    if (scenario) push(placed.scenarios, scenario, issue);
    else push(placed.requirements, at, issue);
  }
  return placed;
}

/** All issues inside the requirement at this place, its scenarios' too. */
export function issuesWithin(placed: Placed, requirement: Requirement, at: number): Issue[] {
  const inner = requirement.scenarios.flatMap((scenario) => placed.scenarios.get(scenario) ?? []);
  return [...(placed.requirements.get(at) ?? []), ...inner];
}

/** Names with a number where two are the same, so that each has a key of its own. */
export function keysOf(named: readonly { name: string }[]): string[] {
  const seen = new Map<string, number>();
  return named.map(({ name }) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} (${times})`;
  });
}

/** The last of these that begins at the line or before it. */
function lastBefore(parts: readonly { line: number }[], line: number): number {
  return parts.findLastIndex((part) => part.line <= line);
}

function push<K>(map: Map<K, Issue[]>, key: K, issue: Issue): void {
  map.set(key, [...(map.get(key) ?? []), issue]);
}
