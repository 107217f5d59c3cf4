/** What a change does to a spec: as a diff, and as the new text. */

import type { CapabilityDiff, DiffLine, RequirementDiff } from "../../../spox/state/types.ts";
import { readSpec, type Block, type Delta } from "./read.ts";

export function diffOf(
  capability: string,
  main: string | undefined,
  items: readonly Delta[],
): CapabilityDiff {
  const blocks = main === undefined ? [] : readSpec(main).requirements;
  let end = main?.split("\n").length ?? 6;
  const requirements = items.map((item): RequirementDiff => {
    const old = blocks.find(({ name }) => name === item.name);
    const lines = compare(
      old?.lines ?? [],
      newLines(item, old),
      old?.line ?? 1,
      old?.line ?? end + 1,
    );
    if (!old) end += item.block.lines.length + 1;
    const { operation, name, from, to } = item;
    return { operation, name, ...(from ? { from } : {}), ...(to ? { to } : {}), lines };
  });
  return { capability, new: main === undefined, requirements };
}

/** The first item that does not fit the main spec. */
export function misfit(main: string | undefined, items: readonly Delta[]): Delta | undefined {
  const names = main === undefined ? [] : readSpec(main).requirements.map(({ name }) => name);
  return items.find(({ operation, name }) => (operation === "added") === names.includes(name));
}

export function applied(
  capability: string,
  main: string | undefined,
  purpose: string,
  items: readonly Delta[],
): string {
  let text =
    main ??
    `# ${capability} Specification\n\n## Purpose\n\n${purpose || "To be written."}\n\n## Requirements\n`;
  for (const item of items) {
    const old = readSpec(text).requirements.find(({ name }) => name === item.name);
    const lines = newLines(item, old).join("\n");
    text = old
      ? text.replace(old.lines.join("\n"), () => lines)
      : `${text.trimEnd()}\n\n${lines}\n`;
  }
  return `${text.replace(/\n{3,}/g, "\n\n").trimEnd()}\n`;
}

function newLines(item: Delta, old: Block | undefined): string[] {
  if (item.operation === "removed") return [];
  if (item.operation !== "renamed") return item.block.lines;
  return [`### Requirement: ${item.to ?? ""}`, ...(old?.lines.slice(1) ?? [])];
}

/** A line diff by the longest common subsequence. */
function compare(
  a: readonly string[],
  b: readonly string[],
  oldAt: number,
  newAt: number,
): DiffLine[] {
  const length = Array.from({ length: a.length + 1 }, () =>
    new Array<number>(b.length + 1).fill(0),
  );
  const at = (i: number, j: number) => length[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row = length[i] ?? [];
    for (let j = b.length - 1; j >= 0; j -= 1) {
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const found: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      found.push({ kind: "same", old: oldAt + i, new: newAt + j, text: a[i] ?? "" });
      i += 1;
      j += 1;
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) {
      found.push({ kind: "removed", old: oldAt + i, text: a[i] ?? "" });
      i += 1;
    } else {
      found.push({ kind: "added", new: newAt + j, text: b[j] ?? "" });
      j += 1;
    }
  }
  return found;
}
