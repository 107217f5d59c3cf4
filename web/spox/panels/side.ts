/** The left column: how the project is, its changes with their progress, its specs; all of them filtered while typing. */

import { h } from "../../kit/dom.ts";
import { Keyed } from "../../kit/keyed.ts";
import { hashOf, type Place } from "../state/place.ts";
import type { ChangeSummary, SpecSummary, Touched } from "../state/types.ts";
import { count, deltaSigns, problems } from "../state/words.ts";
import type { Desk } from "../view.ts";
import { badge, problemBadges, ProgressBar } from "./badges.ts";
import { flash } from "./fresh.ts";
import { IndexBox } from "./index-box.ts";

/** As many names as one takes in at a glance. */
const SHORT_LIST = 2;

export class Side {
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #name = h("strong", { className: "project-name" });
  readonly #valid = h("a", { className: "pill valid", href: hashOf({ view: "overview" }) });
  readonly #index: IndexBox;
  readonly #toggle = h("button", { type: "button", className: "button small side-toggle" });
  readonly #filter = h("input", {
    type: "search",
    placeholder: "Filter specs and changes",
    autocomplete: "off",
    spellcheck: false,
    "aria-label": "Filter specs and changes",
  });
  readonly #specCount = h("span", { className: "count" });
  readonly #changeCount = h("span", { className: "count" });
  readonly #noSpecs = h("p", { className: "hint none", hidden: true });
  readonly #noChanges = h("p", { className: "hint none", hidden: true });
  readonly #specs: Keyed<SpecSummary>;
  readonly #changes: Keyed<ChangeSummary>;
  readonly #body = h("div", { className: "side-body", id: "side-body" });
  readonly #lines = new Map<string, HTMLElement>();
  #place: Place = { view: "overview" };

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#index = new IndexBox(desk);
    const specs = h("ul", { className: "side-list", id: "side-specs" });
    const changes = h("ul", { className: "side-list", id: "side-changes" });
    const keep = <T extends { element: HTMLElement }>(key: string, item: T): T => {
      this.#lines.set(key, item.element);
      return item;
    };
    this.#specs = new Keyed<SpecSummary>(
      specs,
      ({ id }) => id,
      ({ id }) => keep(`spec ${id}`, new SpecLine(id)),
    );
    this.#changes = new Keyed<ChangeSummary>(
      changes,
      ({ id }) => id,
      ({ id }) => keep(`change ${id}`, new ChangeLine(id)),
    );
    this.#body.append(
      this.#index.element,
      this.#filter,
      group("Active changes", this.#changeCount, this.#noChanges, changes),
      group("Specs", this.#specCount, this.#noSpecs, specs),
    );
    this.element = h(
      "nav",
      { className: "side", "aria-label": "Specs and changes", "data-open": "false" },
      h("div", { className: "side-head" }, this.#name, this.#valid, this.#toggle),
      this.#body,
    );
    this.#toggle.setAttribute("aria-controls", "side-body");
    this.#toggle.addEventListener("click", () => {
      this.#open(this.element.dataset["open"] !== "true");
    });
    this.#filter.addEventListener("input", () => this.show());
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.#open(false);
  }

  /** Draws the project and its lists as they are now. */
  show(): void {
    const { project, specs, changes } = this.#desk.live;
    if (!project) return;
    this.#name.textContent = project.name;
    this.#index.show();
    if (specs) this.#showSpecs(specs);
    if (changes) this.#showChanges(changes);
    if (specs && changes) this.#showProblems([...specs, ...changes]);
    this.#mark();
  }

  /** Marks what is shown, and on a phone gives the room to it. */
  at(place: Place): void {
    this.#place = place;
    this.#mark();
    this.#open(false);
    this.#reveal();
  }

  touched({ specs, changes }: Touched): void {
    for (const id of specs) this.#flash(`spec ${id}`);
    for (const id of changes) this.#flash(`change ${id}`);
  }

  #showSpecs(specs: readonly SpecSummary[]): void {
    const shown = specs.filter((spec) => this.#wants(spec.id, spec.title));
    this.#specs.show(shown);
    this.#specCount.textContent = countOf(shown.length, specs.length);
    this.#noSpecs.hidden = shown.length > 0;
    this.#noSpecs.textContent = specs.length > 0 ? "No spec matches the filter." : "No specs yet.";
  }

  #showChanges(changes: readonly ChangeSummary[]): void {
    const shown = changes.filter((change) =>
      this.#wants(change.id, change.title, ...Object.keys(change.deltas)),
    );
    this.#changes.show(shown);
    this.#changeCount.textContent = countOf(shown.length, changes.length);
    this.#noChanges.hidden = shown.length > 0;
    this.#noChanges.textContent =
      changes.length > 0 ? "No change matches the filter." : "Nothing is being changed.";
  }

  #showProblems(all: readonly { errors: number; warnings: number }[]): void {
    const errors = all.reduce((sum, each) => sum + each.errors, 0);
    const warnings = all.reduce((sum, each) => sum + each.warnings, 0);
    this.#valid.textContent = problems({ errors, warnings }) || "All valid";
    this.#valid.dataset["state"] = errors > 0 ? "ill" : warnings > 0 ? "warned" : "well";
  }

  #wants(...texts: string[]): boolean {
    const words = this.#filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = texts.join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  }

  #mark(): void {
    const { view } = this.#place;
    const key = view === "overview" ? "" : `${view} ${this.#place.id}`;
    for (const [own, line] of this.#lines) {
      const link = line.querySelector("a");
      if (own === key) link?.setAttribute("aria-current", "page");
      else link?.removeAttribute("aria-current");
    }
    if (view === "overview") this.#valid.setAttribute("aria-current", "page");
    else this.#valid.removeAttribute("aria-current");
  }

  /** Scrolls the column, and nothing else, so far that what is shown can be seen in it. */
  #reveal(): void {
    const link = this.#body.querySelector('a[aria-current="page"]');
    if (!link) return;
    const [own, all] = [link.getBoundingClientRect(), this.#body.getBoundingClientRect()];
    if (own.top < all.top) this.#body.scrollTop -= all.top - own.top;
    else if (own.bottom > all.bottom) this.#body.scrollTop += own.bottom - all.bottom;
  }

  #flash(key: string): void {
    const line = this.#lines.get(key);
    if (line) flash(line);
  }

  /** Matters on a narrow screen only, where the lists are behind a button. */
  #open(open: boolean): void {
    this.element.dataset["open"] = String(open);
    this.#toggle.setAttribute("aria-expanded", String(open));
    this.#toggle.textContent = open ? "Close" : "Browse";
  }

  /** Up and down walk through the filter and the lists; enter in the filter opens the first. */
  #key(event: KeyboardEvent): void {
    if (event.key === "Escape" && event.target === this.#filter && this.#filter.value !== "") {
      this.#filter.value = "";
      event.preventDefault();
      return this.show();
    }
    const links = [...this.element.querySelectorAll<HTMLElement>(".side-list a")];
    if (event.key === "Enter" && event.target === this.#filter) return links[0]?.click();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const stops: HTMLElement[] = [this.#filter, ...links];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    const next = stops[at + step];
    if (at < 0 || !next) return;
    event.preventDefault();
    next.focus();
  }
}

function group(title: string, counted: HTMLElement, none: HTMLElement, list: HTMLElement) {
  const heading = h("h2", { id: `${list.id}-title` }, title);
  list.setAttribute("aria-labelledby", heading.id);
  return h(
    "section",
    { className: "side-group" },
    h("div", { className: "side-group-head" }, heading, counted),
    none,
    list,
  );
}

function countOf(shown: number, all: number): string {
  return shown === all ? String(all) : `${shown} of ${all}`;
}

class SpecLine {
  readonly element: HTMLElement;
  readonly #link: HTMLAnchorElement;
  readonly #count = h("span", { className: "count" });
  readonly #badges = h("span", { className: "badges" });

  constructor(id: string) {
    this.#link = h(
      "a",
      { href: hashOf({ view: "spec", id }) },
      idWords(id),
      this.#badges,
      this.#count,
    );
    this.element = h("li", { "data-spec": id }, this.#link);
  }

  show(spec: SpecSummary): void {
    this.#link.title = spec.title;
    const words = [spec.id, count(spec.requirement_count, "requirement"), problems(spec)];
    this.#link.setAttribute("aria-label", words.filter(Boolean).join(", "));
    this.#badges.replaceChildren(...problemBadges(spec));
    this.#count.textContent = String(spec.requirement_count);
  }
}

class ChangeLine {
  readonly element: HTMLElement;
  readonly #title = h("span", { className: "side-title" });
  readonly #badges = h("span", { className: "badges" });
  readonly #deltas = h("span", { className: "side-deltas" });
  readonly #progress = new ProgressBar();

  constructor(id: string) {
    const link = h(
      "a",
      { href: hashOf({ view: "change", id }), title: id },
      h("span", { className: "side-change-head" }, this.#title, this.#badges),
      this.#deltas,
      this.#progress.element,
    );
    this.element = h("li", { className: "side-change", "data-change": id }, link);
  }

  show(change: ChangeSummary): void {
    this.#title.textContent = change.title;
    this.#badges.replaceChildren(
      ...problemBadges(change),
      ...(change.breaking ? [badge("Breaking", "breaking")] : []),
      ...(change.approved ? [badge("Approved", "approved")] : []),
    );
    this.#deltas.textContent = deltaLine(change.deltas);
    this.#deltas.title = Object.keys(change.deltas).join(", ");
    this.#progress.show(change.task_progress);
  }
}

/** What a change touches: by name where that is short, else in numbers. */
function deltaLine(deltas: ChangeSummary["deltas"]): string {
  const all = Object.entries(deltas);
  if (all.length <= SHORT_LIST) {
    return all.map(([capability, counts]) => `${capability} ${deltaSigns(counts)}`).join(" · ");
  }
  const sum = { added: 0, modified: 0, removed: 0, renamed: 0 };
  for (const [, { added, modified, removed, renamed }] of all) {
    sum.added += added;
    sum.modified += modified;
    sum.removed += removed;
    sum.renamed += renamed;
  }
  return `${count(all.length, "spec")} ${deltaSigns(sum)}`;
}

/** An id whose folders step back behind its last part. */
function idWords(id: string): HTMLElement {
  const at = id.lastIndexOf("/") + 1;
  return h(
    "span",
    { className: "side-id" },
    at > 0 ? h("span", { className: "folder" }, id.slice(0, at)) : null,
    id.slice(at),
  );
}
