/** One change: why, what, the tasks, the design, and what it would do to the specs. */

import { ApiError } from "../../kit/api.ts";
import { h, replace } from "../../kit/dom.ts";
import { hashOf, type Place } from "../state/place.ts";
import { Reader } from "../../kit/reader.ts";
import { getChange, getDiff } from "../state/server.ts";
import type { Change, Diff, Issue, Touched } from "../state/types.ts";
import { momentOf, tally } from "../state/words.ts";
import { prose } from "../../kit/text/draw.ts";
import { entitle, type Desk, type View } from "../view.ts";
import { badge, problemBadges, ProgressBar } from "./badges.ts";
import { Decide } from "./decide.ts";
import { Deltas } from "./deltas.ts";
import { bring, flash, keepPlace } from "./fresh.ts";
import { missing } from "./gone.ts";
import { issueList } from "./issues.ts";
import { Tasks } from "./tasks.ts";

type ChangePlace = Extract<Place, { view: "change" }>;
interface Read {
  change: Change;
  diff: Diff;
}

const PARTS = ["proposal", "tasks", "deltas", "design", "verification"] as const;
type Part = (typeof PARTS)[number];
const NAMES: Record<Part, string> = {
  proposal: "Proposal",
  tasks: "Tasks",
  deltas: "Diff",
  design: "Design",
  verification: "Verification",
};

export class ChangeView implements View {
  readonly element = h("div", { className: "doc change", "aria-busy": "true" });
  readonly #desk: Desk;
  readonly #id: string;
  readonly #title = h("h1", { tabIndex: -1 });
  readonly #badges = h("span", { className: "badges" });
  readonly #approved = h("p", { className: "hint approved-by" });
  readonly #progress = new ProgressBar();
  readonly #decide = new Decide();
  readonly #issues = h("div", {});
  readonly #proposal = h("div", { className: "proposal" });
  readonly #tasks = new Tasks();
  readonly #deltas = new Deltas();
  readonly #parts = new Map<Part, { section: HTMLElement; link: HTMLElement }>();
  readonly #texts = new Map<HTMLElement, string>();
  readonly #design = h("div", {});
  readonly #verification = h("div", {});
  readonly #reader: Reader<Read>;
  #read: Read | undefined;
  #place: ChangePlace;
  #due = true;

  constructor(desk: Desk, place: ChangePlace) {
    this.#desk = desk;
    this.#id = place.id;
    this.#place = place;
    this.#reader = new Reader(
      async () => {
        const [change, diff] = await Promise.all([getChange(this.#id), getDiff(this.#id)]);
        return { change, diff };
      },
      (read) => this.#show(read),
      (error) => this.#fail(error),
    );
    this.#reader.ask();
  }

  go(place: Place): void {
    if (place.view !== "change") return;
    this.#place = place;
    this.#due = true;
    if (this.#read) this.#arrive();
  }

  /** A diff is as new as both its sides. */
  touched(touched: Touched | undefined): void {
    const capabilities = Object.keys(this.#read?.change.deltas ?? {});
    const concerned =
      !touched ||
      touched.changes.includes(this.#id) ||
      touched.specs.some((id) => capabilities.includes(id));
    if (concerned) this.#reader.ask();
  }

  close(): void {
    this.#reader.close();
  }

  #show(read: Read): void {
    if (!this.element.contains(this.#title)) this.#furnish();
    this.#read = read;
    this.element.setAttribute("aria-busy", "false");
    keepPlace(
      () => this.element.querySelectorAll<HTMLElement>(".delta, .task, .prose > *, section"),
      () => this.#draw(read),
    );
    this.#arrive();
  }

  #furnish(): void {
    const contents: Record<Part, HTMLElement> = {
      proposal: this.#proposal,
      tasks: this.#tasks.element,
      deltas: this.#deltas.element,
      design: this.#design,
      verification: this.#verification,
    };
    const links: HTMLElement[] = [];
    const sections = PARTS.map((part) => {
      const heading = h("h2", { id: `part-${part}` }, NAMES[part]);
      const section = h("section", { className: `part ${part}`, "data-key": part }, heading);
      section.setAttribute("aria-labelledby", heading.id);
      section.append(contents[part]);
      const href = hashOf({ view: "change", id: this.#id, part });
      const link = h("a", { className: "segment", href }, NAMES[part]);
      links.push(link);
      this.#parts.set(part, { section, link });
      return section;
    });
    replace(
      this.element,
      h(
        "header",
        { className: "doc-head" },
        h("p", { className: "crumb" }, h("span", { className: "path" }, this.#id), this.#badges),
        this.#title,
        this.#progress.element,
        this.#approved,
        h(
          "div",
          { className: "doc-tools" },
          h("nav", { className: "segments", "aria-label": "Parts of this change" }, ...links),
          this.#decide.element,
        ),
      ),
      this.#decide.outcome,
      this.#issues,
      ...sections,
    );
  }

  #draw({ change, diff }: Read): void {
    const { approved, issues } = change;
    entitle(this.#desk, change.title);
    this.#title.textContent = change.title;
    replace(
      this.#badges,
      change.breaking && badge("Breaking", "breaking", "It changes what others rely on"),
      approved && badge("Approved", "approved"),
      ...problemBadges(tally(issues)),
    );
    this.#approved.hidden = !approved;
    this.#approved.textContent = approved
      ? `Approved by ${approved.by}, ${momentOf(approved.at)}`
      : "";
    this.#progress.show(change.tasks);
    this.#decide.show(change, diff);
    const of = (part: string) => issues.filter((issue) => sectionOf(issue) === part);
    const placed = new Set<string>(PARTS);
    // Notes on a delta stand at its capability, where that is shown.
    const shown = diff.capabilities.map(({ capability }) => `specs/${capability}/spec.md`);
    const stray = (issue: Issue) =>
      sectionOf(issue) === "deltas" && !shown.some((file) => issue.file.endsWith(file));
    replace(
      this.#issues,
      issueList(issues.filter((issue) => !placed.has(sectionOf(issue)) || stray(issue))),
    );
    this.#drawProposal(change, of("proposal"));
    this.#tasks.show(change.tasks, of("tasks"));
    this.#deltas.show(diff, of("deltas"));
    this.#text(this.#design, change.design, of("design"));
    this.#text(this.#verification, change.verification, of("verification"));
    this.#reveal("design", change.design !== undefined);
    this.#reveal("verification", change.verification !== undefined);
    const { completed, total } = change.tasks;
    const tasks = this.#parts.get("tasks")?.link;
    if (tasks) tasks.textContent = `Tasks ${completed}/${total}`;
  }

  #drawProposal({ proposal }: Change, issues: Issue[]): void {
    const now = JSON.stringify([proposal, issues]);
    const before = this.#texts.get(this.#proposal);
    if (before === now) return;
    this.#texts.set(this.#proposal, now);
    const named = (name: string, text: string | undefined) =>
      text ? h("section", {}, h("h3", {}, name), prose(text, 4)) : null;
    replace(
      this.#proposal,
      issueList(issues),
      named("Why", proposal.why),
      named("What changes", proposal.what_changes),
      named("Impact", proposal.impact),
    );
    if (before !== undefined) flash(this.#proposal);
  }

  /** A free text, drawn again only when it is another. */
  #text(into: HTMLElement, text: string | undefined, issues: Issue[]): void {
    const now = JSON.stringify([text, issues]);
    const before = this.#texts.get(into);
    if (before === now) return;
    this.#texts.set(into, now);
    // Its title is the name of the part again.
    const own = text?.replace(/^\s*# .*\n/, "");
    replace(into, issueList(issues), own !== undefined && prose(own, 3));
    if (before !== undefined) flash(into);
  }

  #reveal(part: Part, there: boolean): void {
    const { section, link } = this.#parts.get(part) ?? {};
    if (section) section.hidden = !there;
    if (link) link.hidden = !there;
  }

  /** Goes to the place that the address names, once. */
  #arrive(): void {
    if (!this.#due) return;
    this.#due = false;
    const { part, requirement } = this.#place;
    if (requirement !== undefined) return this.#deltas.go(requirement);
    const named = this.#parts.get(part as Part)?.section;
    if (named) bring(named);
  }

  #fail(error: unknown): void {
    if (!(error instanceof ApiError) || error.status === 0) return;
    this.element.setAttribute("aria-busy", "false");
    this.#read = undefined;
    entitle(this.#desk, this.#id);
    // Whoever archived it wants to know what came of it, not that it is gone; which of the two is heard first is chance.
    replace(this.element, this.#decide.outcome, missing("change", this.#id, error));
  }
}

/** Where an issue belongs: as the server says, else by the file it is about. */
function sectionOf({ section, file }: Issue): string {
  if (section) return section;
  const name = file.slice(file.lastIndexOf("/") + 1).replace(/\.md$/, "");
  return name === "spec" ? "deltas" : name;
}
