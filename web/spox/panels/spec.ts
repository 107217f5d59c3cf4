/** One spec: what it is for, its requirements with their scenarios, or the file itself. */

import { ApiError } from "../../kit/api.ts";
import { copyButton } from "../../kit/copy.ts";
import { h, replace } from "../../kit/dom.ts";
import { Keyed } from "../../kit/keyed.ts";
import { descriptionOf, keysOf, placeIssues } from "../state/outline.ts";
import { hashOf, type Place } from "../state/place.ts";
import { Reader } from "../../kit/reader.ts";
import { getSpec } from "../state/server.ts";
import type { Spec, Touched } from "../state/types.ts";
import { count, shortTitle, tally } from "../state/words.ts";
import { line } from "../../kit/text/draw.ts";
import { entitle, type Desk, type View } from "../view.ts";
import { problemBadges } from "./badges.ts";
import { bring, keepPlace } from "./fresh.ts";
import { missing } from "./gone.ts";
import { issueList } from "./issues.ts";
import { RequirementCard, type ShownRequirement } from "./requirement.ts";
import { Source } from "./source.ts";

type SpecPlace = Extract<Place, { view: "spec" }>;

/** What is folded stays so when someone comes back to a spec. */
const folded = new Map<string, Set<string>>();

export class SpecView implements View {
  readonly element = h("div", { className: "doc spec", "aria-busy": "true" });
  readonly #desk: Desk;
  readonly #id: string;
  readonly #title = h("h1", { tabIndex: -1 });
  readonly #path = h("span", { className: "path" });
  readonly #facts = h("p", { className: "facts" });
  readonly #purpose = h("p", { className: "purpose" });
  readonly #issues = h("div", {});
  readonly #tabs: Record<"read" | "source", HTMLAnchorElement>;
  readonly #foldAll = h("button", { type: "button", className: "button small" });
  readonly #outline = h("ul", {});
  readonly #list = h("div", { className: "requirements" });
  readonly #none = h("p", { className: "notice empty", hidden: true });
  readonly #cards = new Map<string, RequirementCard>();
  readonly #keyed: Keyed<ShownRequirement>;
  readonly #source = new Source();
  readonly #reading: HTMLElement;
  readonly #reader: Reader<Spec>;
  #spec: Spec | undefined;
  #place: SpecPlace;
  /** Where the address leads; gone to once, when it is there. */
  #due = true;

  constructor(desk: Desk, place: SpecPlace) {
    this.#desk = desk;
    this.#id = place.id;
    this.#place = place;
    const tab = (words: string, href: string) => h("a", { className: "segment", href }, words);
    this.#tabs = {
      read: tab("Requirements", hashOf({ view: "spec", id: place.id })),
      source: tab("Source", hashOf({ view: "spec", id: place.id, source: true })),
    };
    const own = folded.get(place.id) ?? new Set<string>();
    folded.set(place.id, own);
    const keep = (key: string, isFolded: boolean) => {
      if (isFolded) own.add(key);
      else own.delete(key);
      this.#showFolds();
    };
    this.#keyed = new Keyed<ShownRequirement>(
      this.#list,
      ({ key }) => key,
      (shown) => {
        const card = new RequirementCard(shown, own.has(shown.key), keep);
        this.#cards.set(shown.key, card);
        return card;
      },
    );
    this.#foldAll.addEventListener("click", () => this.#toggleAll());
    this.#reading = h(
      "div",
      { className: "spec-columns" },
      h("div", { className: "spec-main" }, this.#none, this.#list),
      h(
        "nav",
        { className: "outline", "aria-label": "Requirements of this spec" },
        h("h2", {}, "Requirements"),
        this.#outline,
      ),
    );
    this.#reader = new Reader(
      () => getSpec(this.#id),
      (spec) => this.#show(spec),
      (error) => this.#fail(error),
    );
    this.#reader.ask();
  }

  go(place: Place): void {
    if (place.view !== "spec") return;
    this.#place = place;
    this.#due = true;
    if (this.#spec) this.#arrive();
  }

  touched(touched: Touched | undefined): void {
    if (!touched || touched.specs.includes(this.#id)) this.#reader.ask();
  }

  close(): void {
    this.#reader.close();
  }

  #show(spec: Spec): void {
    if (!this.element.contains(this.#list)) this.#furnish();
    this.#spec = spec;
    this.element.setAttribute("aria-busy", "false");
    entitle(this.#desk, shortTitle(spec.title));
    this.#title.textContent = shortTitle(spec.title);
    this.#path.textContent = spec.path;
    const scenarios = spec.requirements.reduce((sum, each) => sum + each.scenarios.length, 0);
    replace(
      this.#facts,
      `${count(spec.requirements.length, "requirement")}, ${count(scenarios, "scenario")}`,
      ...problemBadges(tally(spec.issues)),
    );
    replace(this.#purpose, ...line(spec.purpose));
    this.#purpose.hidden = spec.purpose === "";
    this.#none.hidden = spec.requirements.length > 0;
    this.#none.textContent = "No requirement yet. Write one below “## Requirements”.";
    keepPlace(
      () => this.#list.querySelectorAll<HTMLElement>(".requirement, .scenario, .issue"),
      () => this.#showRequirements(spec),
    );
    this.#arrive();
  }

  #furnish(): void {
    const path = () => this.#path.textContent ?? "";
    replace(
      this.element,
      h(
        "header",
        { className: "doc-head" },
        h("p", { className: "crumb" }, this.#path, copyButton(path, "the path")),
        this.#title,
        this.#facts,
        h(
          "div",
          { className: "doc-tools" },
          h(
            "nav",
            { className: "segments", "aria-label": "How to show it" },
            this.#tabs.read,
            this.#tabs.source,
          ),
          this.#foldAll,
        ),
      ),
      this.#purpose,
      this.#issues,
      this.#reading,
      this.#source.element,
    );
  }

  #showRequirements(spec: Spec): void {
    const placed = placeIssues(spec.requirements, spec.issues);
    const keys = keysOf(spec.requirements);
    replace(
      this.#issues,
      issueList(placed.file, ({ line: at }) => ({
        view: "spec",
        id: this.#id,
        source: true,
        line: at,
      })),
    );
    this.#keyed.show(
      spec.requirements.map((requirement, n) => ({
        spec: this.#id,
        key: keys[n] ?? requirement.name,
        requirement,
        description: descriptionOf(spec, n),
        issues: placed.requirements.get(n) ?? [],
        scenarioIssues: placed.scenarios,
      })),
    );
    for (const key of this.#cards.keys()) if (!keys.includes(key)) this.#cards.delete(key);
    replace(
      this.#outline,
      ...spec.requirements.map(({ name }) =>
        h(
          "li",
          {},
          h("a", { href: hashOf({ view: "spec", id: this.#id, requirement: name }) }, name),
        ),
      ),
    );
    this.#showFolds();
  }

  /** Shows the part that the address names, and goes to the place in it once. */
  #arrive(): void {
    const { source = false, line: at, requirement } = this.#place;
    this.#reading.hidden = source;
    this.#issues.hidden = source;
    this.#purpose.hidden = source || this.#spec?.purpose === "";
    // What nobody looks at is not drawn; what was being looked at shows what is new in it.
    if (source && this.#spec) this.#source.show(this.#spec, !this.#source.element.hidden);
    this.#source.element.hidden = !source;
    this.#foldAll.hidden = source || (this.#spec?.requirements.length ?? 0) === 0;
    current(this.#tabs.read, !source);
    current(this.#tabs.source, source);
    if (!this.#due) return;
    this.#due = false;
    if (source) return this.#source.go(at);
    if (requirement === undefined) return;
    const card = this.#cards.get(requirement);
    card?.fold(false);
    if (card) bring(card.element);
  }

  #toggleAll(): void {
    const fold = [...this.#cards.values()].some((card) => !card.isFolded());
    for (const card of this.#cards.values()) card.fold(fold);
  }

  #showFolds(): void {
    const open = [...this.#cards.values()].some((card) => !card.isFolded());
    this.#foldAll.textContent = open ? "Fold all" : "Unfold all";
  }

  #fail(error: unknown): void {
    if (!(error instanceof ApiError) || error.status === 0) return;
    this.element.setAttribute("aria-busy", "false");
    this.#spec = undefined;
    entitle(this.#desk, this.#id);
    replace(this.element, missing("spec", this.#id, error));
  }
}

function current(link: HTMLElement, is: boolean): void {
  if (is) link.setAttribute("aria-current", "page");
  else link.removeAttribute("aria-current");
}
