/** The fields of a source, to be picked from: a click groups by a dimension, adds a measure, begins with a view. */

import { h, replace } from "../../kit/dom.ts";
import type { Group, Known } from "../state/fields.ts";

export interface Picks {
  pick(field: Known): void;
  filter(field: Known): void;
  nest(field: Known): void;
}

export class FieldPanel {
  readonly element: HTMLElement;
  readonly #picks: Picks;
  readonly #list = h("div", { className: "pick-list" });
  readonly #search = h("input", {
    type: "search",
    placeholder: "Filter fields",
    "aria-label": "Filter fields",
    autocomplete: "off",
  });
  #group: Group | undefined;
  #open = new Set<string>();

  constructor(picks: Picks) {
    this.#picks = picks;
    this.#search.addEventListener("input", () => this.#draw());
    this.element = h("div", { className: "pick-panel" }, this.#search, this.#list);
  }

  show(group: Group): void {
    this.#group = group;
    this.#open = new Set();
    this.#draw();
  }

  #draw(): void {
    if (this.#group) replace(this.#list, ...this.#level(this.#group));
  }

  #wants(field: Known): boolean {
    const wanted = this.#search.value.trim().toLowerCase();
    return wanted === "" || [field.name, field.doc].join(" ").toLowerCase().includes(wanted);
  }

  #level(group: Group): HTMLElement[] {
    const part = (title: string, fields: Known[]) => {
      const seen = fields.filter((field) => this.#wants(field));
      if (seen.length === 0) return [];
      const items = seen.map((field) => this.#item(field));
      return [
        h(group.path.length === 0 ? "h2" : "h3", {}, title),
        h("ul", { className: "picks" }, ...items),
      ];
    };
    return [
      ...(group.path.length === 0 ? part("Views", group.views) : []),
      ...part("Measures", group.measures),
      ...part("Dimensions", group.dimensions),
      ...group.joins.flatMap((join) => this.#join(join)),
    ];
  }

  #join(join: Group): HTMLElement[] {
    const key = join.path.join(".");
    const searching = this.#search.value.trim() !== "";
    const inner = searching ? this.#level(join) : [];
    if (searching && inner.length === 0) return [];
    const body = h("div", { className: "pick-join" }, ...inner);
    const details = h(
      "details",
      { open: searching || this.#open.has(key) },
      h(
        "summary",
        {},
        h("span", {}, join.path.at(-1) ?? ""),
        h("span", { className: "type" }, join.relationship),
      ),
      body,
    );
    const fill = () => {
      if (body.childElementCount === 0) body.append(...this.#level(join));
    };
    if (details.open) fill();
    details.addEventListener("toggle", () => {
      if (details.open) this.#open.add(key);
      else this.#open.delete(key);
      if (details.open) fill();
    });
    return [details];
  }

  #item(field: Known): HTMLElement {
    const { kind, name, type, doc } = field;
    const words = { dimension: "Group by", measure: "Add", view: "Start with" }[kind];
    const pick = h(
      "button",
      { className: "pick", type: "button", "data-kind": kind, title: doc || null },
      h("span", { className: "pick-name" }, name),
      h("span", { className: "type" }, type.split(",")[0] ?? ""),
    );
    pick.setAttribute("aria-label", `${words} ${field.path.join(".")}`);
    pick.addEventListener("click", () => this.#picks.pick(field));
    const second = h(
      "button",
      { className: "pick-more", type: "button" },
      kind === "view" ? "Nest" : "Filter",
    );
    second.setAttribute(
      "aria-label",
      `${kind === "view" ? "Nest" : "Filter by"} ${field.path.join(".")}`,
    );
    second.addEventListener("click", () => {
      if (kind === "view") this.#picks.nest(field);
      else this.#picks.filter(field);
    });
    return h("li", {}, pick, second);
  }
}
