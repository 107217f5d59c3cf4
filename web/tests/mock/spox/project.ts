/**
 * A project folder, as the real application reads one: the tests write its files, and neither they nor the page can tell which of the
 * two answers.
 */

import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type {
  Approval,
  Archived,
  Change,
  ChangeSummary,
  Diff,
  Hit,
  Index,
  Issue,
  Operation,
  Project as ProjectState,
  Spec,
  SpecSummary,
  Touched,
} from "../../../spox/state/types.ts";
import { Refused } from "../campaign/refused.ts";
import { applied, diffOf, misfit } from "./apply.ts";
import { checkChange, checkSpec } from "./check.ts";
import { readDelta, readProposal, readSpec, readTasks, type Delta } from "./read.ts";

const SPECS = "specs";
const CHANGES = "specs/_changes";
const ARCHIVE = "specs/_archive";
const INDEX = ".spox/search_index.bin";
/** How near a text must be to be found. */
const NEAR = 0.28;
const BUILDING_MS = 400;

export class Project {
  readonly folder: string;
  revision = 1;
  #building = false;
  #seen: Map<string, string>;

  constructor(folder: string) {
    this.folder = folder;
    this.#seen = this.#stamps();
  }

  /** What changed since it was last asked, or nothing. */
  sweep(): Touched | undefined {
    const now = this.#stamps();
    const paths = new Set([...this.#seen.keys(), ...now.keys()]);
    const changed = [...paths].filter((path) => this.#seen.get(path) !== now.get(path));
    this.#seen = now;
    if (changed.length === 0) return undefined;
    this.revision += 1;
    const specs = new Set<string>();
    const changes = new Set<string>();
    let [index, project] = [false, false];
    for (const path of changed) {
      const change = /^specs\/_changes\/([^/]+)\//.exec(path)?.[1];
      const spec = /^specs\/((?!_).*)\/spec\.md$/.exec(path)?.[1];
      if (change) changes.add(change);
      else if (spec) specs.add(spec);
      else if (path === INDEX) index = true;
      else if (path === ".spox/config.toml") project = true;
    }
    if (specs.size > 0) index = true;
    return { revision: this.revision, specs: [...specs], changes: [...changes], index, project };
  }

  state(): ProjectState {
    const configured = this.#has(".spox/config.toml");
    const problem = {
      error: "config not found: .spox/config.toml",
      hint: "run `tandem spox init` in the project's folder",
    };
    return {
      name: basename(this.folder),
      configured,
      ...(configured ? {} : { problem }),
      specs: this.#specIds().length,
      changes: this.#changeIds().length,
      index: this.#index(),
      revision: this.revision,
      version: "0.1.0",
    };
  }

  specs(): SpecSummary[] {
    return this.#specIds().map((id) => {
      const { title, purpose, requirements, issues } = this.spec(id);
      return {
        id,
        title,
        purpose,
        requirement_count: requirements.length,
        scenario_count: requirements.reduce((sum, each) => sum + each.scenarios.length, 0),
        ...counted(issues),
      };
    });
  }

  spec(id: string): Spec {
    const path = `${SPECS}/${id}/spec.md`;
    if (!this.#specIds().includes(id)) throw new Refused("NotFound", `Spec not found: ${id}`);
    const text = this.#read(path);
    const read = readSpec(text);
    return {
      id,
      title: read.title || id,
      purpose: read.purpose,
      path,
      requirements: read.requirements.map(({ lines: _, ...requirement }) => requirement),
      issues: checkSpec(path, read),
      text,
    };
  }

  changes(): ChangeSummary[] {
    return this.#changeIds().map((id) => {
      const { title, tasks, breaking, approved, issues } = this.change(id);
      const deltas = Object.entries(this.#deltas(id)).map(([capability, { items }]) => {
        const none: Record<Operation, number> = { added: 0, modified: 0, removed: 0, renamed: 0 };
        for (const { operation } of items) none[operation] += 1;
        return [capability, none] as const;
      });
      return {
        id,
        title,
        task_progress: { completed: tasks.completed, total: tasks.total },
        breaking,
        approved: approved !== undefined,
        deltas: Object.fromEntries(deltas),
        ...counted(issues),
      };
    });
  }

  change(id: string): Change {
    if (!this.#changeIds().includes(id)) throw new Refused("NotFound", `Change '${id}' not found`);
    const at = (name: string) => `${CHANGES}/${id}/${name}`;
    const text = (name: string) => (this.#has(at(name)) ? this.#read(at(name)) : undefined);
    const proposal = readProposal(text("proposal.md") ?? "", id);
    const tasks = readTasks(text("tasks.md") ?? "");
    const [design, verification] = [text("design.md"), text("verification.md")];
    const approval = text("approval.json");
    const deltas = this.#deltas(id);
    const read = Object.fromEntries(
      Object.entries(deltas).map(([name, { items }]) => [name, items]),
    );
    return {
      change_id: id,
      ...proposal,
      breaking: proposal.proposal.what_changes.includes("**BREAKING**"),
      tasks,
      ...(design === undefined ? {} : { design }),
      ...(verification === undefined ? {} : { verification }),
      ...(approval === undefined ? {} : { approved: JSON.parse(approval) as Approval }),
      deltas: Object.fromEntries(
        Object.entries(read).map(([capability, items]) => [
          capability,
          { capability, items: items.map(({ block: _, ...item }) => item) },
        ]),
      ),
      issues: checkChange({ ...proposal, tasks }, read, (capability) => {
        const main = this.#main(capability);
        return main === undefined ? undefined : readSpec(main);
      }),
    };
  }

  diff(id: string): Diff {
    const capabilities = Object.entries(this.#deltas(id));
    const wrong = capabilities
      .map(([name, { items }]) => [name, misfit(this.#main(name), items)] as const)
      .find(([, item]) => item !== undefined);
    const [name, item] = wrong ?? [];
    return {
      change_id: id,
      capabilities: capabilities.map(([each, { items }]) => diffOf(each, this.#main(each), items)),
      ...(item
        ? {
            refusal: {
              error: `${item.operation} requirement \`${item.name}\` does not fit the spec \`${name ?? ""}\``,
              hint: "use a name that the spec has, or add what is new",
            },
          }
        : {}),
    };
  }

  approve(id: string): Approval {
    this.change(id);
    const approved = { by: "Mira", at: new Date().toISOString() };
    this.#write(`${CHANGES}/${id}/approval.json`, JSON.stringify(approved));
    return approved;
  }

  archive(id: string, force: boolean): Archived {
    const { tasks } = this.change(id);
    const { refusal } = this.diff(id);
    if (refusal) throw new Refused("FailedPrecondition", refusal.error, refusal.hint);
    const open = tasks.total - tasks.completed;
    if (open > 0 && !force) {
      const said = `change \`${id}\` has ${open} open of ${tasks.total} tasks`;
      throw new Refused("FailedPrecondition", said, "tick them off in tasks.md, or force it");
    }
    const specs = Object.entries(this.#deltas(id)).map(([capability, { purpose, items }]) => {
      const text = applied(capability, this.#main(capability), purpose, items);
      this.#write(`${SPECS}/${capability}/spec.md`, text);
      const steps = items.map(({ operation, name }) => ({
        operation,
        requirement: name,
        already_done: false,
      }));
      return { capability, fate: "updated" as const, steps, warnings: [] };
    });
    const archived_to = `${ARCHIVE}/${new Date().toISOString().slice(0, 10)}-${id}`;
    mkdirSync(join(this.folder, ARCHIVE), { recursive: true });
    renameSync(join(this.folder, CHANGES, id), join(this.folder, archived_to));
    return { change_id: id, archived_to, specs };
  }

  issues(): { specs: Issue[]; changes: Issue[] } {
    return {
      specs: this.#specIds().flatMap((id) => this.spec(id).issues),
      changes: this.#changeIds().flatMap((id) =>
        this.change(id).issues.map((issue) => ({ ...issue, file: `${id}/${issue.file}` })),
      ),
    };
  }

  async buildIndex(): Promise<number> {
    this.#building = true;
    await new Promise((done) => setTimeout(done, BUILDING_MS));
    this.#building = false;
    this.#write(INDEX, this.#fingerprint());
    return this.#specIds().length;
  }

  search(query: string, most: number, withChanges: boolean): { results: Hit[]; stale?: true } {
    const { state } = this.#index();
    if (state === "none" || state === "building") {
      const said = "Search index not available. Run 'spox index' first to build the search index.";
      throw new Refused("FailedPrecondition", said);
    }
    const results = [...this.#texts(withChanges)]
      .map(({ text, ...hit }) => ({ ...hit, score: nearness(query, text) }))
      .filter(({ score }) => score >= NEAR)
      .sort((a, b) => b.score - a.score)
      .slice(0, most);
    return { results, ...(state === "stale" ? { stale: true } : {}) };
  }

  *#texts(withChanges: boolean): Generator<Omit<Hit, "score"> & { text: string }> {
    for (const spec_id of this.#specIds()) {
      const { title, purpose, requirements } = this.spec(spec_id);
      yield { spec_id, requirement: null, snippet: purpose, text: `${title} ${purpose}`, line: 1 };
      for (const { name, description, scenarios, line } of requirements) {
        const told = scenarios.map((each) => [each.name, each.when, ...each.then].join(" "));
        const text = [spec_id, name, name, description, ...told].join(" ");
        yield { spec_id, requirement: name, snippet: description, text, line };
      }
    }
    for (const change_id of withChanges ? this.#changeIds() : []) {
      for (const [spec_id, { items }] of Object.entries(this.#deltas(change_id))) {
        for (const { name, text } of items) {
          yield { spec_id, requirement: name, snippet: text, text: `${name} ${text}`, change_id };
        }
      }
    }
  }

  #index(): Index {
    if (this.#building) return { state: "building" };
    if (!this.#has(INDEX)) return { state: "none" };
    const texts = [...this.#texts(true)].length;
    return { state: this.#read(INDEX) === this.#fingerprint() ? "ready" : "stale", texts };
  }

  #fingerprint(): string {
    return JSON.stringify(this.#specIds().map((id) => this.#read(`${SPECS}/${id}/spec.md`)));
  }

  #deltas(id: string): Record<string, { purpose: string; items: Delta[] }> {
    const found = this.#files(`${CHANGES}/${id}/specs`).filter((path) => path.endsWith("/spec.md"));
    const read = found.map((path) => {
      const capability = path.slice(`${CHANGES}/${id}/specs/`.length, -"/spec.md".length);
      return [capability, readDelta(this.#read(path))] as const;
    });
    return Object.fromEntries(read.filter(([, { items }]) => items.length > 0));
  }

  #main(capability: string): string | undefined {
    const path = `${SPECS}/${capability}/spec.md`;
    return this.#has(path) ? this.#read(path) : undefined;
  }

  #specIds(): string[] {
    return this.#files(SPECS)
      .map((path) => /^specs\/((?!_).+)\/spec\.md$/.exec(path)?.[1])
      .filter((id) => id !== undefined)
      .sort();
  }

  #changeIds(): string[] {
    const ids = this.#files(CHANGES).map((path) => path.split("/")[2] ?? "");
    return [...new Set(ids)].sort();
  }

  #stamps(): Map<string, string> {
    const paths = [".spox/config.toml", INDEX].filter((path) => this.#has(path));
    const all = [...paths, ...this.#files(SPECS)];
    return new Map(all.map((path) => [path, this.#read(path)]));
  }

  #files(under: string): string[] {
    try {
      const all = readdirSync(join(this.folder, under), { recursive: true, encoding: "utf8" });
      const paths = all.map((path) => `${under}/${path.replaceAll("\\", "/")}`);
      return paths.filter((path) => statSync(join(this.folder, path)).isFile()).sort();
    } catch {
      // Not there, or gone while it was looked at.
      return [];
    }
  }

  #has(path: string): boolean {
    return statSync(join(this.folder, path), { throwIfNoEntry: false })?.isFile() ?? false;
  }

  #read(path: string): string {
    try {
      return readFileSync(join(this.folder, path), "utf8");
    } catch {
      return "";
    }
  }

  #write(path: string, text: string): void {
    const full = join(this.folder, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  }
}

function counted(issues: readonly Issue[]): { errors: number; warnings: number } {
  const of = (severity: string) => issues.filter((issue) => issue.severity === severity).length;
  return { errors: of("error"), warnings: of("warning") };
}

/** The part of the query's words that a text has. */
function nearness(query: string, text: string): number {
  const words = query
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word.length > 2);
  const all = text.toLowerCase();
  const found = words.filter((word) => all.includes(word.replace(/(ing|ed|s)$/, ""))).length;
  return words.length === 0 ? 0 : (found / words.length) * Math.min(0.98, 0.7 + words.length / 20);
}
