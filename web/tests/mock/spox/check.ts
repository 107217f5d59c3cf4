/** A few of the rules of validation, in the words of the real ones. */

import type { Change, Issue, Validation } from "../../../spox/state/types.ts";
import type { Delta, ReadSpec } from "./read.ts";

export function checkSpec(file: string, spec: ReadSpec): Issue[] {
  const issues: Issue[] = [];
  const add = (severity: Issue["severity"], code: string, line: number, said: string, fix = "") =>
    issues.push({ severity, code, file, line, description: said, ...(fix ? { fix } : {}) });
  if (!spec.hasPurpose) {
    add("error", "S02", 1, "Missing Purpose section", "add `## Purpose` and a sentence below it");
  } else if (spec.purpose.length < 50) {
    const said = `Purpose section is too short (${spec.purpose.length} chars, minimum 50 recommended)`;
    add("warning", "S03", 3, said, "say what the capability is for and for whom");
  }
  if (!spec.hasRequirements) {
    add("error", "S04", 1, "Missing Requirements section", "add `## Requirements`");
  }
  for (const { name, description, scenarios, line } of spec.requirements) {
    const own = `Requirement "${name}"`;
    if (description === "") {
      const fix = "write a sentence with SHALL below the heading";
      add("error", "S06", line, `${own} has no description text`, fix);
    } else if (!/\b(shall|must)\b/i.test(description)) {
      const said = `${own} does not use normative language (SHALL/MUST)`;
      add("warning", "S07", line, said, "say what the system SHALL do");
    }
    if (scenarios.length === 0) {
      add("warning", "S08", line, `${own} has no scenarios`, "add `#### Scenario: <name>`");
    }
    for (const scenario of scenarios) {
      const within = `Scenario "${scenario.name}" in requirement "${name}"`;
      if (scenario.when === "") {
        add(
          "error",
          "S09",
          scenario.line,
          `${within} is missing WHEN clause`,
          "add `- **WHEN** …`",
        );
      }
      if (scenario.then.length === 0) {
        add(
          "error",
          "S10",
          scenario.line,
          `${within} is missing THEN clause`,
          "add `- **THEN** …`",
        );
      }
    }
  }
  return issues;
}

export function checkChange(
  change: Pick<Change, "tasks" | "proposal">,
  deltas: Record<string, Delta[]>,
  mainOf: (capability: string) => ReadSpec | undefined,
): Issue[] {
  const issues: Issue[] = [];
  if (change.proposal.why === "") {
    issues.push({
      severity: "error",
      code: "C02",
      file: "proposal.md",
      line: 1,
      description: "Missing Why section",
      section: "proposal",
      fix: "add `## Why` and say what is wrong today",
    });
  }
  for (const { number, text, line } of change.tasks.items) {
    if (number !== undefined) continue;
    issues.push({
      severity: "warning",
      code: "C07",
      file: "tasks.md",
      line,
      description: `Task "${text.slice(0, 30)}" does not use numbered prefix (e.g., 1.1)`,
      section: "tasks",
    });
  }
  for (const [capability, items] of Object.entries(deltas)) {
    for (const { operation, name, block } of items) {
      const known = mainOf(capability)?.requirements.some((each) => each.name === name);
      if (operation === "added" || known) continue;
      issues.push({
        severity: "error",
        code: "C16",
        file: `specs/${capability}/spec.md`,
        line: block.line,
        description: `${operation.toUpperCase()} requirement "${name}" is not in the main spec`,
        section: "deltas",
        fix: "use the name that the main spec has",
      });
    }
  }
  return issues;
}

export function validation(what: string, issues: readonly Issue[]): Validation {
  const errors = issues.filter(({ severity }) => severity === "error");
  const warnings = issues.filter(({ severity }) => severity === "warning");
  const summary =
    errors.length > 0
      ? `Validation failed: ${errors.length} errors, ${warnings.length} warnings`
      : `All ${what} valid (${warnings.length} warnings)`;
  return { valid: errors.length === 0, errors, warnings, summary };
}
