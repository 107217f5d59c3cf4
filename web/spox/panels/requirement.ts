/** One requirement: what shall be, and its scenarios. It can be folded, linked to, and says what is wrong with it. */

import { copyButton } from "../../kit/copy.ts";
import { h, replace } from "../../kit/dom.ts";
import { clausesOf } from "../state/outline.ts";
import { hashOf } from "../state/place.ts";
import type { Issue, Requirement, Scenario } from "../state/types.ts";
import { count, tally } from "../state/words.ts";
import { line, prose } from "../../kit/text/draw.ts";
import { problemBadges } from "./badges.ts";
import { flash } from "./fresh.ts";
import { issueList } from "./issues.ts";

/** A requirement with all that is shown of it. */
export interface ShownRequirement {
  spec: string;
  key: string;
  requirement: Requirement;
  /** As it was written, with its line breaks. */
  description: string;
  issues: Issue[];
  scenarioIssues: Map<Scenario, Issue[]>;
}

let made = 0;

export class RequirementCard {
  readonly element: HTMLElement;
  readonly #toggle = h("button", { type: "button", className: "fold" });
  readonly #facts = h("span", { className: "requirement-facts" });
  readonly #body: HTMLElement;
  readonly #folds: (key: string, folded: boolean) => void;
  #shown = "";
  #key = "";

  constructor(first: ShownRequirement, folded: boolean, folds: (k: string, f: boolean) => void) {
    this.#folds = folds;
    made += 1;
    const [title, body] = [`requirement-${made}`, `requirement-${made}-body`];
    this.#body = h("div", { className: "requirement-body", id: body });
    this.#toggle.setAttribute("aria-controls", body);
    this.#toggle.addEventListener("click", () => this.fold(!this.isFolded()));
    const { spec, requirement } = first;
    const place = hashOf({ view: "spec", id: spec, requirement: requirement.name });
    const link = () => new URL(place, location.href).href;
    this.element = h(
      "article",
      { className: "requirement card", "aria-labelledby": title },
      h(
        "header",
        { className: "requirement-head" },
        h("h2", { id: title }, this.#toggle),
        this.#facts,
        copyButton(link, `a link to ${requirement.name}`, "Link"),
      ),
      this.#body,
    );
    this.fold(folded);
  }

  isFolded(): boolean {
    return this.#toggle.getAttribute("aria-expanded") === "false";
  }

  fold(folded: boolean): void {
    this.#toggle.setAttribute("aria-expanded", String(!folded));
    this.#body.hidden = folded;
    if (this.#key !== "") this.#folds(this.#key, folded);
  }

  show(shown: ShownRequirement): void {
    const { key, requirement, issues, scenarioIssues } = shown;
    const inner = requirement.scenarios.flatMap((scenario) => scenarioIssues.get(scenario) ?? []);
    // Where it stands in the file does not matter to who reads it.
    const now = JSON.stringify(
      [requirement, shown.description, [...issues, ...inner].map(({ line: _, ...issue }) => issue)],
      (name, value: unknown) => (name === "line" ? undefined : value),
    );
    const isNew = this.#shown === "";
    if (now === this.#shown) return this.#relink(shown);
    this.#shown = now;
    this.#key = key;
    this.element.dataset["key"] = key;
    this.element.dataset["requirement"] = requirement.name;
    this.#toggle.textContent = requirement.name || "(no name)";
    replace(
      this.#facts,
      ...problemBadges(tally([...issues, ...inner])),
      h("span", { className: "hint" }, count(requirement.scenarios.length, "scenario")),
    );
    const toLine = (issue: Issue) =>
      ({ view: "spec", id: shown.spec, line: issue.line, source: true }) as const;
    replace(
      this.#body,
      shown.description.trim() !== "" && prose(shown.description),
      issueList(issues, toLine),
      ...requirement.scenarios.map((scenario) =>
        drawScenario(scenario, issueList(scenarioIssues.get(scenario) ?? [], toLine)),
      ),
    );
    if (!isNew) flash(this.element);
  }

  /** Lines move when something above them changes; the links to them follow. */
  #relink({ spec, issues, requirement, scenarioIssues }: ShownRequirement): void {
    const inner = requirement.scenarios.flatMap((scenario) => scenarioIssues.get(scenario) ?? []);
    const links = this.#body.querySelectorAll<HTMLAnchorElement>(".issue-where");
    [...issues, ...inner].forEach((issue, n) => {
      const link = links[n];
      if (!link) return;
      link.textContent = issue.line === undefined ? issue.file : `${issue.file}:${issue.line}`;
      link.href = hashOf({ view: "spec", id: spec, line: issue.line, source: true });
    });
  }
}

function drawScenario(scenario: Scenario, issues: HTMLElement | null): HTMLElement {
  const clauses = clausesOf(scenario).map(({ word, text, outcome }) =>
    h(
      "div",
      { className: "clause", "data-outcome": String(outcome), "data-word": word },
      h("dt", {}, word),
      h("dd", {}, ...line(text)),
    ),
  );
  return h(
    "section",
    { className: "scenario", "data-scenario": scenario.name },
    h("h3", {}, ...line(scenario.name || "(no name)")),
    issues,
    h("dl", { className: "clauses" }, ...clauses),
  );
}
