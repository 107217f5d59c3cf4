/** Reading specs and changes, as far as the page needs it: the usual way to write them, no more. */

import type { Change, DeltaItem, Operation, Requirement, Task } from "../../../spox/state/types.ts";

/** A requirement with the lines it is written in. */
export interface Block extends Requirement {
  lines: string[];
}

export interface ReadSpec {
  title: string;
  purpose: string;
  hasPurpose: boolean;
  hasRequirements: boolean;
  requirements: Block[];
}

export function readSpec(text: string): ReadSpec {
  const lines = text.split(/\r?\n/);
  const title = lines.find((line) => line.startsWith("# "))?.slice(2) ?? "";
  const purpose = section(lines, /^## Purpose$/i);
  const start = lines.findIndex((line) => /^## Requirements$/i.test(line.trim()));
  return {
    title,
    purpose: joined(purpose ?? []),
    hasPurpose: purpose !== undefined,
    hasRequirements: start >= 0,
    requirements: start < 0 ? [] : blocksOf(lines, start + 1),
  };
}

/** The requirements from a line on, up to the next section. */
export function blocksOf(lines: readonly string[], from: number): Block[] {
  const end = lines.findIndex((line, n) => n >= from && line.startsWith("## "));
  const last = end < 0 ? lines.length : end;
  const starts: number[] = [];
  for (let n = from; n < last; n += 1) {
    if (/^### Requirement:/.test(lines[n] ?? "")) starts.push(n);
  }
  return starts.map((start, n) => blockOf(lines, start, starts[n + 1] ?? last));
}

function blockOf(lines: readonly string[], start: number, end: number): Block {
  const own = lines.slice(start, end);
  while (own.at(-1)?.trim() === "") own.pop();
  const scenarios = own
    .map((line, n) => [line, n] as const)
    .filter(([line]) => line.startsWith("#### Scenario:"));
  const first = scenarios[0]?.[1] ?? own.length;
  return {
    name: (own[0] ?? "").replace("### Requirement:", "").trim(),
    description: joined(own.slice(1, first)),
    line: start + 1,
    lines: own,
    scenarios: scenarios.map(([line, at], n) => ({
      name: line.replace("#### Scenario:", "").trim(),
      ...clauses(own.slice(at + 1, scenarios[n + 1]?.[1] ?? own.length)),
      line: start + at + 1,
    })),
  };
}

function clauses(lines: readonly string[]): { when: string; conditions: string[]; then: string[] } {
  const conditions: string[] = [];
  const then: string[] = [];
  let into = conditions;
  for (const line of lines) {
    const found = /^\s*[-*] \*\*(WHEN|THEN|AND)\*\*\s+(.*)$/i.exec(line);
    if (!found) continue;
    if (found[1]?.toUpperCase() === "THEN") into = then;
    into.push(found[2] ?? "");
  }
  return { when: conditions.join(" AND "), conditions, then };
}

const OPERATIONS: readonly Operation[] = ["added", "modified", "removed", "renamed"];

export interface Delta extends DeltaItem {
  block: Block;
}

export function readDelta(text: string): { purpose: string; items: Delta[] } {
  const lines = text.split(/\r?\n/);
  const items = OPERATIONS.flatMap((operation) => {
    const heading = new RegExp(`^## ${operation} Requirements$`, "i");
    const at = lines.findIndex((line) => heading.test(line.trim()));
    if (at < 0) return [];
    return blocksOf(lines, at + 1).map((block): Delta => {
      const [from, to] = block.name.split(/\s*(?:→|->)\s*/);
      return {
        operation,
        name: operation === "renamed" ? (from ?? "") : block.name,
        text: block.description,
        scenarios: block.scenarios.map(({ name }) => name),
        ...(operation === "renamed" && from && to ? { from, to } : {}),
        block,
      };
    });
  });
  return { purpose: joined(section(lines, /^## Purpose$/i) ?? []), items };
}

export function readProposal(text: string, id: string): Pick<Change, "title" | "proposal"> {
  const lines = text.split(/\r?\n/);
  const heading = lines.find((line) => line.startsWith("# "))?.slice(2);
  const part = (name: RegExp) => section(lines, name)?.join("\n").trim() ?? "";
  const impact = part(/^## Impact$/i);
  return {
    title: heading?.replace(/^Change:\s*/, "") ?? id.replaceAll("-", " "),
    proposal: {
      why: part(/^## Why$/i),
      what_changes: part(/^## What Changes$/i),
      ...(impact ? { impact } : {}),
    },
  };
}

export function readTasks(content: string): Change["tasks"] {
  const items: Task[] = [];
  let group: string | undefined;
  content.split(/\r?\n/).forEach((line, n) => {
    if (line.startsWith("## ")) group = line.slice(3);
    const found = /^\s*[-*] \[([ xX])\] (?:(\d+(?:\.\d+)+)\s+)?(.*)$/.exec(line);
    if (!found) return;
    const [, mark, number, text = ""] = found;
    items.push({
      ...(number ? { number } : {}),
      text,
      done: mark !== " ",
      line: n + 1,
      ...(group ? { group } : {}),
    });
  });
  const completed = items.filter(({ done }) => done).length;
  return { content, completed, total: items.length, items };
}

function section(lines: readonly string[], heading: RegExp): string[] | undefined {
  const at = lines.findIndex((line) => heading.test(line.trim()));
  if (at < 0) return undefined;
  const end = lines.findIndex((line, n) => n > at && line.startsWith("## "));
  return lines.slice(at + 1, end < 0 ? lines.length : end);
}

function joined(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}
