/** The project at a glance: what is in it, what is wrong with it, what is being changed. */

import { copyButton } from "../../kit/copy.ts";
import { h, replace } from "../../kit/dom.ts";
import { type Place } from "../state/place.ts";
import { Reader } from "../../kit/reader.ts";
import { validateAll } from "../state/server.ts";
import type { Issue, Validation } from "../state/types.ts";
import { byWeight, count } from "../state/words.ts";
import { entitle, type Desk, type View } from "../view.ts";
import { IndexBox } from "./index-box.ts";
import { issueNote } from "./issues.ts";

/** As much as one looks through; the rest is said to be there. */
const MOST_SHOWN = 100;

/** What a first spec may look like. */
const FIRST_SPEC = `# Auth Specification

## Purpose

How people prove who they are, and how long that lasts.

## Requirements

### Requirement: Login

The system SHALL let a person in who gives the right password.

#### Scenario: Wrong password

- **WHEN** the password is wrong
- **THEN** nobody is let in
- **AND** the answer does not say which part was wrong
`;

export class Overview implements View {
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #title = h("h1", { tabIndex: -1 });
  readonly #figures = h("dl", { className: "figures" });
  readonly #empty: HTMLElement;
  readonly #verdict = h("p", { className: "verdict", role: "status" });
  readonly #issues = h("ul", { className: "issues all-issues" });
  readonly #problems: HTMLElement;
  readonly #index: IndexBox;
  readonly #reader: Reader<{ specs: Validation; changes: Validation }>;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#index = new IndexBox(desk);
    this.#empty = firstSteps();
    this.#problems = h(
      "section",
      { className: "problems", "aria-labelledby": "problems-title" },
      h("h2", { id: "problems-title" }, "Validation"),
      this.#verdict,
      this.#issues,
    );
    this.element = h(
      "div",
      { className: "doc overview" },
      h("header", { className: "doc-head" }, this.#title, this.#figures),
      this.#empty,
      this.#problems,
      h(
        "section",
        { className: "search-state", "aria-labelledby": "index-title" },
        h("h2", { id: "index-title" }, "Search"),
        this.#index.element,
      ),
    );
    this.#reader = new Reader(
      validateAll,
      ({ specs, changes }) => this.#show(specs, changes),
      () => undefined,
    );
    this.#reader.ask();
    this.state();
  }

  go(): void {
    // There is one place only.
  }

  touched(): void {
    this.#reader.ask();
  }

  state(): void {
    const { project, specs = [], changes = [] } = this.#desk.live;
    if (!project) return;
    entitle(this.#desk, "");
    this.#title.textContent = project.name;
    this.#index.show();
    const sum = (of: (spec: (typeof specs)[number]) => number) =>
      specs.reduce((all, spec) => all + of(spec), 0);
    const tasks = changes.reduce((all, change) => all + change.task_progress.total, 0);
    const done = changes.reduce((all, change) => all + change.task_progress.completed, 0);
    replace(
      this.#figures,
      figure(project.specs, "spec"),
      figure(
        sum((spec) => spec.requirement_count),
        "requirement",
      ),
      figure(
        sum((spec) => spec.scenario_count),
        "scenario",
      ),
      figure(project.changes, "active change"),
      tasks > 0 && h("div", {}, h("dt", {}, "tasks done"), h("dd", {}, `${done}/${tasks}`)),
    );
    this.#empty.hidden = project.specs > 0 || project.changes > 0;
    this.#problems.hidden = !this.#empty.hidden;
  }

  close(): void {
    this.#reader.close();
    this.#index.close();
  }

  #show(specs: Validation, changes: Validation): void {
    const found = [
      ...[...specs.errors, ...specs.warnings].map((issue) => [issue, specPlace(issue, this.#desk)]),
      ...[...changes.errors, ...changes.warnings].map((issue) => [issue, changePlace(issue)]),
    ] as [Issue, Place | undefined][];
    found.sort(([a], [b]) => byWeight(a, b));
    const errors = specs.errors.length + changes.errors.length;
    const warnings = found.length - errors;
    this.#verdict.dataset["state"] = errors > 0 ? "ill" : warnings > 0 ? "warned" : "well";
    this.#verdict.textContent = verdict(errors, warnings);
    const more = found.length - MOST_SHOWN;
    replace(
      this.#issues,
      ...found.slice(0, MOST_SHOWN).map(([issue, place]) => h("li", {}, issueNote(issue, place))),
      more > 0 && h("li", { className: "hint" }, `and ${count(more, "more issue")}`),
    );
  }
}

function verdict(errors: number, warnings: number): string {
  if (errors === 0 && warnings === 0) return "Every spec and every change is valid.";
  if (errors === 0) return `Valid, with ${count(warnings, "warning")}.`;
  const also = warnings > 0 ? ` and ${count(warnings, "warning")}` : "";
  return `${count(errors, "error")}${also}.`;
}

function figure(n: number, noun: string): HTMLElement {
  return h("div", {}, h("dt", {}, n === 1 ? noun : `${noun}s`), h("dd", {}, n));
}

/** The spec whose file this is: the longest id that the path holds. */
function specPlace({ file, line }: Issue, desk: Desk): Place | undefined {
  const ids = (desk.live.specs ?? []).map(({ id }) => id);
  const own = ids.filter((id) => file.endsWith(`/${id}/spec.md`) || file === `${id}/spec.md`);
  const id = own.sort((a, b) => b.length - a.length)[0];
  return id === undefined ? undefined : { view: "spec", id, source: true, line };
}

/** Files of all changes begin with the change's id, with or without the folder before it. */
function changePlace({ file, section }: Issue): Place | undefined {
  const id = /(?:^|_changes\/|\/changes\/)([^/]+)\//.exec(file)?.[1];
  return id === undefined ? undefined : { view: "change", id, part: section };
}

function firstSteps(): HTMLElement {
  return h(
    "section",
    { className: "first-steps", hidden: true, "aria-labelledby": "first-title" },
    h("h2", { id: "first-title" }, "No specs yet"),
    h(
      "p",
      {},
      "A spec says what one capability does now. It is a file ",
      h("code", {}, "specs/<capability>/spec.md"),
      "; save one, and it appears here at once. An agent that is connected can write it, too.",
    ),
    h(
      "div",
      { className: "code" },
      h(
        "div",
        { className: "code-head" },
        h("span", {}, "specs/auth/spec.md"),
        copyButton(() => FIRST_SPEC, "the first spec"),
      ),
      h("pre", { tabIndex: 0 }, h("code", {}, FIRST_SPEC)),
    ),
  );
}
