/** Words for numbers, states and refusals. */

import { ApiError, explain, type Refusal } from "../../kit/api.ts";
import type { Diff, Issue, Operation, Progress, Project, Reason } from "./types.ts";

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/** `2 errors, 1 warning`; empty when there is neither. */
export function problems({ errors, warnings }: { errors: number; warnings: number }): string {
  const parts = [errors > 0 && count(errors, "error"), warnings > 0 && count(warnings, "warning")];
  return parts.filter(Boolean).join(", ");
}

/** How much is done, never rounded up to all of it. */
export function percent({ completed, total }: Progress): number {
  return total === 0 ? 0 : Math.floor((100 * completed) / total);
}

/** The title as people say it: that it is a specification is plain. */
export function shortTitle(title: string): string {
  return title.replace(/\s+specification$/i, "") || title;
}

const SIGNS: readonly [Operation, string][] = [
  ["added", "+"],
  ["modified", "~"],
  ["renamed", "→"],
  ["removed", "−"],
];

/** `+1 ~2 −1`: what a change does, short. */
export function deltaSigns(counts: Partial<Record<Operation, number>>): string {
  const parts = SIGNS.map(([operation, sign]) => [sign, counts[operation] ?? 0] as const);
  return parts
    .filter(([, n]) => n > 0)
    .map(([sign, n]) => `${sign}${n}`)
    .join(" ");
}

/** `1 requirement added, 2 modified`, in full, for those who hear it and for confirmations. */
export function deltaWords(counts: Partial<Record<Operation, number>>): string {
  const parts = SIGNS.map(([operation]) => [operation, counts[operation] ?? 0] as const);
  return parts
    .filter(([, n]) => n > 0)
    .map(([operation, n], at) => `${at === 0 ? count(n, "requirement") : n} ${operation}`)
    .join(", ");
}

/** How the index is, in a sentence. */
export function indexWords({ index }: Project): string {
  const because = index.reason ? `: ${index.reason}` : "";
  switch (index.state) {
    case "none":
      return `No search index yet${because}`;
    case "building":
      return "The search index is being built";
    case "stale":
      return `The search index is behind the files${because}`;
    case "ready":
      return index.texts === undefined
        ? "The search index is up to date"
        : `The search index is up to date: ${count(index.texts, "text")}`;
  }
}

/** A refusal as two sentences: what is wrong, and the way out. */
export function tell(error: unknown): { said: string; hint: string } {
  const { said, hint }: Refusal = (error instanceof ApiError ? error.refusal : undefined) ?? {
    said: explain(error),
  };
  return { said: sentence(said), hint: hint ? sentence(hint) : "" };
}

/** As a sentence: the server's messages are lower case and end nowhere. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) || first === "" ? first : `${first}.`;
}

/** What stands in a change's way. Open tasks are no surprise while it is worked on: the tasks show them. */
export function obstacles({ refusal }: Diff): Reason[] {
  const all = refusal?.reasons ?? (refusal ? [refusal] : []);
  return all.filter(({ error }) => !/\bopen\b.*\btasks?\b/.test(error));
}

const RANK: Record<Issue["severity"], number> = { error: 0, warning: 1, info: 2 };

/** Errors first, then by file and line. */
export function byWeight(a: Issue, b: Issue): number {
  return (
    RANK[a.severity] - RANK[b.severity] ||
    a.file.localeCompare(b.file) ||
    (a.line ?? 0) - (b.line ?? 0)
  );
}

export function tally(issues: readonly Issue[]): { errors: number; warnings: number } {
  const of = (severity: string) => issues.filter((issue) => issue.severity === severity).length;
  return { errors: of("error"), warnings: of("warning") };
}

/** A moment for people, in their own time. */
export function momentOf(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  return date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
