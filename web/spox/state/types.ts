/** What the server says, as it says it. */

export interface Project {
  name: string;
  configured: boolean;
  /** Why there is no usable project here, and the way out. */
  problem?: Reason;
  specs: number;
  changes: number;
  index: Index;
  revision: number;
  version: string;
}

/** Why something cannot be, and the way out. */
export interface Reason {
  error: string;
  hint?: string;
}

export interface Index {
  state: "none" | "ready" | "stale" | "building";
  reason?: string;
  /** How many texts it holds. */
  texts?: number;
}

export interface SpecSummary {
  id: string;
  title: string;
  purpose: string;
  requirement_count: number;
  scenario_count: number;
  errors: number;
  warnings: number;
}

export interface Scenario {
  name: string;
  /** All conditions as one text. */
  when: string;
  conditions?: string[];
  then: string[];
  line: number;
}

export interface Requirement {
  name: string;
  description: string;
  /** Of its heading, from 1. */
  line: number;
  scenarios: Scenario[];
}

export interface Spec {
  id: string;
  title: string;
  purpose: string;
  path: string;
  requirements: Requirement[];
  issues: Issue[];
  /** The file as it is. */
  text: string;
}

export interface Issue {
  severity: "error" | "warning" | "info";
  code: string;
  file: string;
  line?: number;
  column?: number;
  description: string;
  section?: string;
  fix?: string;
}

export interface Progress {
  completed: number;
  total: number;
}

export type Operation = "added" | "modified" | "removed" | "renamed";

export interface ChangeSummary {
  id: string;
  title: string;
  task_progress: Progress;
  breaking: boolean;
  approved: boolean;
  deltas: Record<string, Record<Operation, number>>;
  errors: number;
  warnings: number;
}

export interface Task {
  number?: string;
  text: string;
  done: boolean;
  line: number;
  group?: string;
}

export interface Approval {
  by: string;
  at: string;
}

export interface DeltaItem {
  operation: Operation;
  name: string;
  text: string;
  scenarios: string[];
  from?: string;
  to?: string;
}

export interface Change {
  change_id: string;
  title: string;
  proposal: { why: string; what_changes: string; impact?: string };
  breaking: boolean;
  tasks: Progress & { content: string; items: Task[] };
  design?: string;
  verification?: string;
  approved?: Approval;
  deltas: Record<string, { capability: string; items: DeltaItem[] }>;
  issues: Issue[];
}

export interface DiffLine {
  kind: "same" | "added" | "removed";
  old?: number;
  new?: number;
  text: string;
}

export interface RequirementDiff {
  operation: Operation;
  /** Of a renamed one, the new name. */
  name: string;
  /** Of a renamed one, the old name. */
  from?: string;
  lines: DiffLine[];
}

export interface CapabilityDiff {
  capability: string;
  /** Whether the change makes this spec. */
  new: boolean;
  requirements: RequirementDiff[];
}

export interface Diff {
  change_id: string;
  capabilities: CapabilityDiff[];
  /** Why applying it would be refused; several reasons stand one by one, too. */
  refusal?: Reason & { reasons?: Reason[] };
}

export interface Validation {
  valid: boolean;
  errors: Issue[];
  warnings: Issue[];
  summary: string;
}

export interface Hit {
  spec_id: string;
  /** `null` when the spec's purpose matched. */
  requirement: string | null;
  score: number;
  snippet: string;
  line?: number;
  change_id?: string;
}

/** What became of one spec. */
export interface AppliedSpec {
  capability: string;
  fate: "created" | "updated" | "unchanged" | "retired";
  steps: { operation: Operation; requirement: string; from?: string; already_done: boolean }[];
  warnings: string[];
}

export interface Archived {
  change_id: string;
  archived_to: string;
  specs: AppliedSpec[];
}

/** What an event of the feed says was touched. */
export interface Touched {
  revision: number;
  specs: string[];
  changes: string[];
  index: boolean;
  project: boolean;
}
