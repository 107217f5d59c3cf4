/** All packages, and how to have one's own served. */

import { copyButton } from "../../kit/copy.ts";
import { h, replace } from "../../kit/dom.ts";
import { Keyed } from "../../kit/keyed.ts";
import { line, prose } from "../../kit/text/draw.ts";
import { hashOf, type Place } from "../state/place.ts";
import { getProject } from "../state/server.ts";
import { toldOf, type Change, type Package } from "../state/types.ts";
import { count } from "../state/words.ts";
import { badge, entitle, working, type Desk, type View } from "../view.ts";

const MANIFEST = `{ "name": "sales", "description": "What we sell, where and to whom" }`;

export class Home implements View {
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #sections = h("div", { className: "projects" });
  readonly #projects: Keyed<string>;
  #only: string | undefined;

  constructor(desk: Desk, place: Place) {
    this.#desk = desk;
    this.#projects = new Keyed(
      this.#sections,
      (name) => name,
      (name) => new ProjectSection(desk, name),
    );
    this.element = h(
      "div",
      { className: "doc home" },
      h(
        "header",
        { className: "doc-head" },
        h("h1", { tabIndex: -1 }, "Packages"),
        h(
          "p",
          { className: "lead" },
          "Models that say what the data means. Open one to look at it, run its views, or ask a question of your own; agents that are connected see the same.",
        ),
      ),
      this.#sections,
      ownHelp(),
    );
    this.go(place);
    this.state();
  }

  go(place: Place): void {
    this.#only = place.view === "home" ? place.project : undefined;
    entitle(this.#only ?? "");
    this.state();
  }

  changed(_: Change | undefined): void {
    // The lists are read again by themselves.
  }

  state(): void {
    const { projects } = this.#desk.live;
    if (!projects) return replace(this.#sections, working("Asking the server"));
    const names = projects
      .map(({ name }) => name)
      .filter((name) => !this.#only || name === this.#only);
    this.#sections.querySelector(":scope > .waiting")?.remove();
    this.#projects.show(names);
    const nothing = this.#sections.querySelector(":scope > .notice");
    nothing?.remove();
    if (names.length === 0) {
      const words = this.#only ? `There is no project “${this.#only}”.` : "No projects yet.";
      this.#sections.append(h("p", { className: "notice" }, words));
    }
  }

  close(): void {
    // Nothing runs.
  }
}

/** A project with its packages. */
class ProjectSection {
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #name: string;
  readonly #count = h("span", { className: "count" });
  readonly #wait = working("Loading the packages");
  readonly #list: HTMLElement;
  readonly #cards: Keyed<Package>;

  constructor(desk: Desk, name: string) {
    this.#desk = desk;
    this.#name = name;
    this.#list = h("ul", { className: "package-cards" });
    this.#cards = new Keyed(
      this.#list,
      (own) => own.name,
      (own) => new PackageCard(name, own.name),
    );
    const readme = h("div", { className: "readme" });
    this.element = h(
      "section",
      { className: "project", "aria-label": `Project ${name}` },
      h(
        "div",
        { className: "section-head" },
        h("h2", {}, h("a", { href: hashOf({ view: "home", project: name }) }, name)),
        this.#count,
        h(
          "a",
          { className: "section-link", href: hashOf({ view: "connections", project: name }) },
          "Connections",
        ),
      ),
      readme,
      this.#wait,
      this.#list,
    );
    getProject(name).then(
      (project) => {
        if (project.readme?.trim()) readme.append(prose(withoutTitle(project.readme), 3));
      },
      () => undefined,
    );
  }

  show(): void {
    const packages = this.#desk.live.packages.get(this.#name);
    this.#wait.hidden = packages !== undefined;
    if (!packages) return;
    this.#count.textContent = count(packages.length, "package");
    this.#cards.show(packages);
  }
}

/** The project's name is its title already. */
function withoutTitle(readme: string): string {
  return readme.replace(/^\s*#\s[^\n]*\n/, "");
}

class PackageCard {
  readonly element: HTMLElement;
  readonly #about = h("p", { className: "package-about" });
  readonly #badges = h("span", { className: "badges" });
  readonly #told = h("p", { className: "package-told" });

  constructor(project: string, name: string) {
    const href = hashOf({ view: "package", project, name });
    this.element = h(
      "li",
      { className: "card package-card", "data-package": name },
      h("div", { className: "package-head" }, h("h3", {}, h("a", { href }, name)), this.#badges),
      this.#about,
      this.#told,
    );
  }

  show(own: Package): void {
    const error = toldOf(own.error);
    const stale = toldOf(own.stale);
    this.#about.textContent = error ? "" : (own.description ?? "");
    const marks: HTMLElement[] = [];
    if (error) marks.push(badge("Error", "error"));
    if (stale)
      marks.push(
        badge("Stale", "warning", "The files do not compile; the last good version answers"),
      );
    if (own.loading) marks.push(badge("Loading", "info"));
    const warnings = own.warnings?.length ?? 0;
    if (warnings > 0) marks.push(badge(count(warnings, "warning"), "warning"));
    this.#badges.replaceChildren(...marks);
    replace(this.#told, ...line((error ?? stale)?.message.split("\n")[0] ?? ""));
    this.#told.hidden = !error && !stale;
    this.element.dataset["state"] = error ? "error" : stale ? "stale" : "well";
  }
}

function ownHelp(): HTMLElement {
  const command = "tandem publisher serve --server_root DIR";
  const step = (title: string, ...about: (Node | string)[]) =>
    h("li", {}, h("h3", {}, title), h("p", {}, ...about));
  const line = (text: string, what: string) =>
    h(
      "div",
      { className: "code line" },
      h("pre", {}, h("code", {}, text)),
      copyButton(() => text, what),
    );
  return h(
    "section",
    { className: "own-help", "aria-labelledby": "own-title" },
    h("h2", { id: "own-title" }, "Serve your own"),
    h(
      "ol",
      { className: "steps" },
      h(
        "li",
        {},
        h("h3", {}, "Make a folder a package"),
        h("p", {}, "A file ", h("code", {}, "publisher.json"), " beside your models and data:"),
        line(MANIFEST, "the manifest"),
      ),
      h(
        "li",
        {},
        h("h3", {}, "Serve the folder above it"),
        h("p", {}, "Every package below it appears here, and again whenever a file changes:"),
        line(command, "the command"),
      ),
      step(
        "Let an agent ask",
        "Any MCP client may run the same queries; what it asks is in the ",
        h("a", { href: hashOf({ view: "history" }) }, "history"),
        ". The ",
        h("a", { href: hashOf({ view: "api" }) }, "API"),
        " is there for programs.",
      ),
    ),
  );
}
