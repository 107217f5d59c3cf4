/** One model: its sources with their fields, its views and queries to be run, its text. */

import { ApiError } from "../../kit/api.ts";
import { h, replace } from "../../kit/dom.ts";
import { Reader } from "../../kit/reader.ts";
import { docOf } from "../render/tag.ts";
import { ident } from "../malloy/name.ts";
import { groupOf, shapeWord, sourcesOf, type Group, type Known } from "../state/fields.ts";
import { hashOf, type Place } from "../state/place.ts";
import { getModel, type At } from "../state/server.ts";
import { toldOf, type Change, type Model } from "../state/types.ts";
import { count, tell } from "../state/words.ts";
import { breakable, concerns, crumbs, entitle, working, type Desk, type View } from "../view.ts";
import { sourceText } from "./code.ts";
import { ResultFrame } from "./result.ts";
import { missing, staleBox, toldBox } from "./told.ts";

type ModelPlace = Extract<Place, { view: "model" }>;

export class ModelView implements View {
  readonly element = h("div", { className: "doc model" }, working("Loading the model"));
  readonly #cards = new Map<string, Card>();
  readonly #reader: Reader<Model>;
  #place: ModelPlace;
  #model: Model | undefined;

  constructor(_: Desk, place: ModelPlace) {
    this.#place = place;
    entitle(place.path, place.name);
    this.#reader = new Reader(
      () => getModel(place),
      (model) => {
        this.#model = model;
        this.#draw();
      },
      (error) => this.#fail(error),
    );
    this.#reader.ask();
  }

  go(place: Place): void {
    if (place.view !== "model") return;
    const before = this.#place;
    this.#place = place;
    if (!this.#model) return;
    if ((before.text ?? false) !== (place.text ?? false)) this.#draw();
    else this.#reach();
  }

  changed(change: Change | undefined): void {
    if (concerns(change, this.#place.project, this.#place.name)) this.#reader.ask();
  }

  close(): void {
    this.#reader.close();
    for (const card of this.#cards.values()) card.close();
  }

  #fail(error: unknown): void {
    if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return;
    const { path, name, project } = this.#place;
    if (error.status === 404)
      return replace(this.element, missing(`There is no model “${path}”`, tell(error)));
    replace(
      this.element,
      h(
        "header",
        { className: "doc-head" },
        crumbs(
          [project, { view: "home", project }],
          [name, { view: "package", project, name }],
          [path, undefined],
        ),
        h("h1", { tabIndex: -1 }, path),
      ),
      toldBox(tell(error)),
    );
  }

  #draw(): void {
    const model = this.#model;
    if (!model) return;
    for (const card of this.#cards.values()) card.close();
    this.#cards.clear();
    const { text = false } = this.#place;
    const stale = toldOf(model.stale);
    const notice = stale ? staleBox(toldBox(stale, "stale")) : null;
    replace(
      this.element,
      this.#head(model),
      notice,
      text ? this.#text(model) : this.#overview(model),
    );
    this.#reach();
  }

  #head(model: Model): HTMLElement {
    const { project, name, path, text = false } = this.#place;
    const at = { project, name, path };
    const sources = model.sources?.length ?? 0;
    const queries = model.queries?.length ?? 0;
    const tab = (label: string, place: Place, here: boolean) =>
      h(
        "a",
        { className: "segment", href: hashOf(place), "aria-current": here ? "page" : null },
        label,
      );
    const about = docOfModel(model.text ?? "");
    return h(
      "header",
      { className: "doc-head" },
      crumbs(
        [project, { view: "home", project }],
        [name, { view: "package", project, name }],
        [path, undefined],
      ),
      h("h1", { tabIndex: -1 }, path),
      about !== "" && h("p", { className: "lead" }, about),
      h(
        "div",
        { className: "doc-tools" },
        h(
          "div",
          { className: "segments" },
          tab("Overview", { view: "model", ...at }, !text),
          tab("Explore", { view: "explore", ...at }, false),
          model.text !== undefined && tab("Malloy", { view: "model", ...at, text: true }, text),
        ),
        h(
          "span",
          { className: "facts" },
          `${count(sources, "source")} · ${count(queries, "named quer").replace(/quer(s?)$/, (_, s: string) => (s ? "queries" : "query"))}`,
        ),
      ),
    );
  }

  #text(model: Model): HTMLElement {
    const { project, name, path } = this.#place;
    return sourceText(model.text ?? "", (line) =>
      hashOf({ view: "model", project, name, path, line }),
    );
  }

  #overview(model: Model): HTMLElement {
    const { project, name, path } = this.#place;
    const at = { project, name, path };
    const queries = model.queries ?? [];
    const named = new Set(queries.map((query) => query.name));
    const sources = sourcesOf(model).filter((source) => !named.has(source.name));
    const listed = new Map((model.sources ?? []).map((source) => [source.name, source]));
    return h(
      "div",
      { className: "with-index" },
      index(
        at,
        sources.map((source) => source.name),
        queries.map((query) => query.name),
      ),
      h(
        "div",
        { className: "sources" },
        queries.length > 0 &&
          h(
            "section",
            { className: "source", "aria-labelledby": "queries-title" },
            h("h2", { id: "queries-title" }, "Named queries"),
            h(
              "div",
              { className: "run-cards" },
              ...queries.map((query) =>
                this.#card(at, undefined, query.name, query.annotations ?? []),
              ),
            ),
          ),
        ...sources.map((info) => {
          const annotations = (info.annotations ?? []).map(({ value }) => value);
          const group = groupOf(info);
          // Lists leave out views that do not group; a person may want to run them all the same.
          const views = group.views.length > 0 ? group.views : (listed.get(info.name)?.views ?? []);
          const notes = new Map(
            info.schema.fields.map((field) => [
              field.name,
              (field.annotations ?? []).map(({ value }) => value),
            ]),
          );
          return h(
            "section",
            { className: "source", "data-item": info.name, "aria-label": info.name },
            h(
              "div",
              { className: "source-head" },
              h("h2", {}, info.name),
              h(
                "a",
                {
                  className: "button small",
                  href: hashOf({ view: "explore", ...at, source: info.name }),
                },
                "Explore",
              ),
            ),
            docOf(annotations) !== "" && h("p", { className: "source-doc" }, docOf(annotations)),
            tags(annotations),
            fieldList(group),
            views.length > 0 && h("h3", { className: "views-title" }, "Views"),
            views.length > 0 &&
              h(
                "div",
                { className: "run-cards" },
                ...views.map((view) =>
                  this.#card(at, info.name, view.name, notes.get(view.name) ?? []),
                ),
              ),
          );
        }),
      ),
    );
  }

  #card(at: At, source: string | undefined, name: string, annotations: string[]): HTMLElement {
    const card = new Card(at, source, name, annotations);
    this.#cards.set(`${source ?? ""}/${name}`, card);
    return card.element;
  }

  /** Goes to what the address names. */
  #reach(): void {
    const { item, line } = this.#place;
    if (line !== undefined) {
      for (const old of this.element.querySelectorAll("[data-target]"))
        old.removeAttribute("data-target");
      const row = this.element.querySelector<HTMLElement>(`[data-line="${line}"]`);
      row?.setAttribute("data-target", "");
      row?.scrollIntoView({ block: "center" });
    }
    if (item === undefined) return;
    const card = this.#cards.get(item);
    if (card) return card.reach();
    const section = [...this.element.querySelectorAll<HTMLElement>("[data-item]")].find(
      (each) => each.dataset["item"] === item,
    );
    section?.scrollIntoView({ block: "start" });
  }
}

/** The first `##` lines of a file that say something to people. */
function docOfModel(text: string): string {
  const line = /^## (?!!)(.*)$/m.exec(text)?.[1]?.trim() ?? "";
  // A tag is a word or has an equals sign; prose is a sentence.
  return /\s.*\s/.test(line) && !/^\w+\s*[={]/.test(line) ? line : "";
}

function index(at: At, sources: string[], queries: string[]): HTMLElement {
  const link = (name: string) => {
    const href = hashOf({ view: "model", ...at, item: name });
    return h("li", {}, h("a", { href }, name));
  };
  const button = (name: string) => {
    const href = hashOf({ view: "model", ...at, item: `/${name}` });
    return h("li", {}, h("a", { href }, name));
  };
  return h(
    "nav",
    { className: "index", "aria-label": "Sources" },
    sources.length > 0 && h("h2", {}, "Sources"),
    h("ul", {}, ...sources.map(link)),
    queries.length > 0 && h("h2", {}, "Queries"),
    h("ul", {}, ...queries.map(button)),
  );
}

export function tags(annotations: readonly string[]): HTMLElement | null {
  const lines = annotations.filter((line) => /^#[ \t]/.test(line)).map((line) => line.trim());
  if (lines.length === 0) return null;
  return h(
    "p",
    { className: "tags" },
    ...lines.map((line) => h("code", { className: "tag" }, line)),
  );
}

function fieldList(group: Group): HTMLElement {
  const part = (title: string, fields: Known[]) =>
    fields.length > 0 &&
    h(
      "div",
      { className: "field-part" },
      h("h3", {}, title, h("span", { className: "count" }, ` ${fields.length}`)),
      h("ul", { className: "field-list" }, ...fields.map(fieldItem)),
    );
  return h(
    "div",
    { className: "fields" },
    part("Dimensions", group.dimensions),
    part("Measures", group.measures),
    group.joins.length > 0 &&
      h(
        "div",
        { className: "field-part" },
        h("h3", {}, "Joins", h("span", { className: "count" }, ` ${group.joins.length}`)),
        h("ul", { className: "join-list" }, ...group.joins.map(joinItem)),
      ),
  );
}

function joinItem(join: Group): HTMLElement {
  const summary = h(
    "summary",
    {},
    h("code", {}, join.path.at(-1) ?? ""),
    h("span", { className: "type" }, join.relationship),
  );
  const details = h("details", {}, summary);
  // Joins may be many and deep: what is inside is made when it is looked at.
  details.addEventListener("toggle", () => {
    if (!details.open || details.childElementCount > 1) return;
    details.append(fieldList(join));
  });
  return h("li", {}, details);
}

function fieldItem(field: Known): HTMLElement {
  return h(
    "li",
    { "data-kind": field.kind },
    h("code", {}, field.name),
    h("span", { className: "type" }, field.type),
    field.doc !== "" && h("span", { className: "field-doc" }, field.doc),
  );
}

/** A view or named query that runs when it is opened. */
class Card {
  readonly element: HTMLElement;
  readonly #at: At;
  readonly #source: string | undefined;
  readonly #name: string;
  readonly #button: HTMLButtonElement;
  readonly #frame = new ResultFrame(() => this.#settle());
  #opened = false;
  /** Whether the reader came for this card: what it shows must not push it away. */
  #wanted = false;

  constructor(at: At, source: string | undefined, name: string, annotations: string[]) {
    this.#at = at;
    this.#source = source;
    this.#name = name;
    const shape = shapeWord(annotations);
    const doc = docOf(annotations);
    this.#button = h(
      "button",
      { className: "run-head", type: "button" },
      h("span", { className: "shape-icon", "data-shape": shape, "aria-hidden": "true" }),
      h("span", { className: "run-name" }, ...breakable(name)),
      h("span", { className: "run-word" }, "Run"),
    );
    this.#button.setAttribute("aria-expanded", "false");
    this.#button.addEventListener("click", () => (this.#opened ? this.#fold() : this.open()));
    this.element = h(
      "article",
      { className: "card run-card", "data-open": "false", "aria-label": name },
      this.#button,
      doc !== "" && h("p", { className: "run-doc" }, doc),
      tags(annotations),
      this.#frame.element,
    );
  }

  /** Opens the card and brings it to where it is read. */
  reach(): void {
    this.#wanted = true;
    this.open();
    this.element.scrollIntoView({ block: "start" });
  }

  /** Before its result was there the page may have been too short to go as far. */
  #settle(): void {
    if (this.#wanted) this.element.scrollIntoView({ block: "start" });
    this.#wanted = false;
  }

  open(): void {
    if (this.#opened) return;
    this.#set(true);
    const source = this.#source;
    const malloy = `run: ${source ? `${ident(source)} -> ` : ""}${ident(this.#name)}`;
    const question = { ...(source ? { sourceName: source } : {}), queryName: this.#name };
    void this.#frame.run({ at: this.#at, question, malloy, explore: true });
  }

  close(): void {
    this.#frame.stop();
  }

  #fold(): void {
    this.#set(false);
    this.#frame.stop();
    this.#frame.element.replaceChildren();
  }

  #set(open: boolean): void {
    this.#opened = open;
    this.element.dataset["open"] = String(open);
    this.#button.setAttribute("aria-expanded", String(open));
    const word = this.#button.querySelector(".run-word");
    if (word) word.textContent = open ? "Close" : "Run";
  }
}
