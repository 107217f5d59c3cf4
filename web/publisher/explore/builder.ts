/** The query in its parts: what is grouped by, measured, filtered, nested, ordered, limited. Every part can be changed where it stands. */

import { h, replace } from "../../kit/dom.ts";
import {
  emptyLevel,
  outputName,
  type Draft,
  type Filter,
  type Level,
  type Nest,
  type Picked,
  type Truncation,
} from "../malloy/draft.ts";
import type { Known } from "../state/fields.ts";
import { filterRow } from "./filter.ts";

const UNITS: Truncation[] = ["year", "quarter", "month", "week", "day", "hour", "minute"];

export interface Listener {
  changed(): void;
  known(path: readonly string[]): Known | undefined;
  suggest(filter: Filter): Promise<string[]>;
}

export class Builder {
  readonly element = h("div", { className: "builder" });
  readonly #listener: Listener;
  #draft: Draft | undefined;
  /** Where what is picked goes: the level itself, or one of its nests. */
  #active: Level | undefined;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  get active(): Level | undefined {
    return this.#active;
  }

  show(draft: Draft): void {
    const same = this.#draft && this.#active && isInside(draft.level, this.#active);
    this.#draft = draft;
    if (!same) this.#active = draft.level;
    this.draw();
  }

  draw(): void {
    const draft = this.#draft;
    if (!draft) return;
    const start = draft.view
      ? h(
          "div",
          { className: "part" },
          h("span", { className: "part-name" }, "Start with"),
          h(
            "span",
            { className: "chips" },
            this.#chip(draft.view, "view", () => (draft.view = undefined)),
          ),
        )
      : null;
    replace(this.element, start, this.#level(draft.level, 0));
  }

  #change(): void {
    this.draw();
    this.#listener.changed();
  }

  #level(level: Level, depth: number): HTMLElement {
    const part = (name: string, ...inner: (HTMLElement | null)[]) =>
      h(
        "div",
        { className: "part" },
        h("span", { className: "part-name" }, name),
        h("div", { className: "chips" }, ...inner),
      );
    const groups = level.groupBy.map((picked) => this.#picked(level.groupBy, picked, "dimension"));
    const measures = level.aggregate.map((picked) =>
      this.#picked(level.aggregate, picked, "measure"),
    );
    const empty = groups.length + measures.length + level.nests.length === 0 && !this.#draft?.view;
    return h(
      "div",
      { className: "level", "data-active": String(level === this.#active), "data-depth": depth },
      empty
        ? h("p", { className: "hint" }, "Pick dimensions to group by and measures to add.")
        : null,
      groups.length > 0 ? part("Group by", ...groups) : null,
      measures.length > 0 ? part("Measure", ...measures) : null,
      level.filters.length > 0
        ? h(
            "div",
            { className: "part" },
            h("span", { className: "part-name" }, "Filter"),
            h(
              "div",
              { className: "filters" },
              ...level.filters.map((filter, n) => this.#filter(level, filter, n)),
            ),
          )
        : null,
      ...level.nests.map((nest) => this.#nest(level, nest, depth)),
      h(
        "div",
        { className: "part level-tools" },
        this.#orders(level),
        this.#limit(level),
        this.#addNest(level),
      ),
    );
  }

  #picked(list: Picked[], picked: Picked, kind: string): HTMLElement {
    const chip = this.#chip(picked.path.join("."), kind, () =>
      list.splice(list.indexOf(picked), 1),
    );
    const known = this.#listener.known(picked.path);
    if (known?.values !== "date" && known?.values !== "time") return chip;
    const select = h("select", {
      className: "chip-select",
      "aria-label": `Unit of ${picked.path.join(".")}`,
    });
    const units = known.values === "date" ? UNITS.slice(0, 5) : UNITS;
    select.append(h("option", { value: "", selected: !picked.unit }, "exact"));
    for (const unit of units) {
      select.append(h("option", { value: unit, selected: picked.unit === unit }, unit));
    }
    select.addEventListener("change", () => {
      if (select.value === "") delete picked.unit;
      else picked.unit = select.value as Truncation;
      delete picked.as;
      this.#change();
    });
    chip.insertBefore(select, chip.lastElementChild);
    return chip;
  }

  #chip(text: string, kind: string, remove: () => void): HTMLElement {
    const button = h("button", { className: "chip-x", type: "button" }, "×");
    button.setAttribute("aria-label", `Remove ${text}`);
    button.addEventListener("click", () => {
      remove();
      this.#change();
    });
    return h("span", { className: "chip", "data-kind": kind }, h("span", {}, text), button);
  }

  #filter(level: Level, filter: Filter, n: number): HTMLElement {
    return filterRow(
      filter,
      (next) => {
        level.filters[n] = next;
        this.#listener.changed();
      },
      () => {
        level.filters.splice(n, 1);
        this.#change();
      },
      (of) => this.#listener.suggest(of),
    );
  }

  #nest(level: Level, nest: Nest, depth: number): HTMLElement {
    const remove = h("button", { className: "chip-x", type: "button" }, "×");
    remove.setAttribute("aria-label", `Remove the nest ${nest.name}`);
    remove.addEventListener("click", () => {
      level.nests.splice(level.nests.indexOf(nest), 1);
      this.#active = level;
      this.#change();
    });
    const title = h("span", { className: "part-name" }, "Nest");
    if ("view" in nest) {
      return h(
        "div",
        { className: "part" },
        title,
        h("span", { className: "chip", "data-kind": "view" }, nest.name, remove),
      );
    }
    const into = h("button", { className: "link", type: "button" }, "Pick into this");
    into.hidden = nest.level === this.#active;
    into.addEventListener("click", () => {
      this.#active = nest.level;
      this.draw();
    });
    return h(
      "div",
      { className: "nest" },
      h("div", { className: "part" }, title, h("b", {}, nest.name), into, remove),
      this.#level(nest.level, depth + 1),
    );
  }

  #addNest(level: Level): HTMLElement {
    const button = h("button", { className: "button small", type: "button" }, "Nest");
    button.title = "Put a table into each row";
    button.addEventListener("click", () => {
      const taken = new Set(level.nests.map(({ name }) => name));
      let n = 1;
      while (taken.has(`nest_${n}`)) n += 1;
      const inner = emptyLevel();
      level.nests.push({ name: `nest_${n}`, chart: "", level: inner });
      this.#active = inner;
      this.#change();
    });
    return button;
  }

  #orders(level: Level): HTMLElement {
    const names = [...level.groupBy, ...level.aggregate].map(outputName);
    level.orderBy = level.orderBy.filter(({ name }) => names.includes(name) || this.#draft?.view);
    const chips = level.orderBy.map((order) => {
      const turn = h(
        "button",
        { className: "chip-turn", type: "button" },
        order.direction === "asc" ? "↑" : "↓",
      );
      turn.setAttribute(
        "aria-label",
        `${order.name} is ${order.direction === "asc" ? "ascending" : "descending"}; turn around`,
      );
      turn.addEventListener("click", () => {
        order.direction = order.direction === "asc" ? "desc" : "asc";
        this.#change();
      });
      const chip = this.#chip(order.name, "order", () =>
        level.orderBy.splice(level.orderBy.indexOf(order), 1),
      );
      chip.insertBefore(turn, chip.lastElementChild);
      return chip;
    });
    const left = names.filter((name) => !level.orderBy.some((order) => order.name === name));
    const select = h("select", { className: "small-input", "aria-label": "Order by" });
    select.append(h("option", { value: "" }, "Order by…"));
    for (const name of left) select.append(h("option", { value: name }, name));
    select.disabled = left.length === 0;
    select.addEventListener("change", () => {
      const measured = level.aggregate.some((picked) => outputName(picked) === select.value);
      level.orderBy.push({ name: select.value, direction: measured ? "desc" : "asc" });
      this.#change();
    });
    return h("span", { className: "chips" }, ...chips, select);
  }

  #limit(level: Level): HTMLElement {
    const input = h("input", {
      className: "small-input limit",
      type: "number",
      min: "1",
      step: "1",
      placeholder: "no limit",
      value: level.limit === undefined ? "" : String(level.limit),
      "aria-label": "Limit",
    });
    input.addEventListener("change", () => {
      const limit = Math.floor(Number(input.value));
      level.limit = input.value !== "" && limit > 0 ? limit : undefined;
      this.#listener.changed();
    });
    return h("label", { className: "limit-label" }, "Limit ", input);
  }
}

function isInside(level: Level, wanted: Level): boolean {
  if (level === wanted) return true;
  return level.nests.some((nest) => "level" in nest && isInside(nest.level, wanted));
}
