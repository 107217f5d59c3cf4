/** What is in the universe: a tree of groups, systems and bodies, or a list of what was searched for. */

import { h, replace } from "../../kit/dom.ts";
import { nameOf } from "../state/describe.ts";
import { FILTERS, search, type Filter, type Found, type Order } from "../state/search.ts";
import { kindOf, type Ref, type World } from "../state/world.ts";

/** Rows drawn at once; a tree of ten thousand is read by searching. */
const MOST = 300;

export interface ExploreActions {
  select(ref: Ref): void;
  ride(id: string): void;
  add(): void;
  /** Shows only this type on the sky, or everything. */
  isolate(filter: Filter): void;
}

export class Explore {
  readonly element: HTMLElement;
  readonly #actions: ExploreActions;
  readonly #text = h("input", {
    id: "search",
    type: "search",
    placeholder: "Search",
    autocomplete: "off",
    "aria-label": "Search",
  });
  readonly #filter = h(
    "select",
    { id: "filter", "aria-label": "Type" },
    ...FILTERS.map(([value, label]) => h("option", { value }, label)),
  );
  readonly #order = h(
    "select",
    { id: "order", "aria-label": "Order" },
    ...(["name", "mass", "distance"] as const).map((value) =>
      h("option", { value }, `by ${value}`),
    ),
  );
  readonly #only = h("input", { id: "only", type: "checkbox" });
  readonly #list = h("ul", { className: "tree" });
  readonly #count = h("p", { className: "hint count", "aria-live": "polite" });
  readonly #open = new Set<string>();
  #world: World | undefined;
  #selected: Ref | null = null;
  #left = MOST;
  #due = false;

  constructor(actions: ExploreActions) {
    this.#actions = actions;
    const only = h(
      "label",
      { className: "only", htmlFor: "only" },
      this.#only,
      "only these in the sky",
    );
    this.element = h(
      "div",
      { className: "panel explore" },
      h(
        "div",
        { className: "panel-head" },
        h("h2", {}, "Explore"),
        h(
          "button",
          {
            type: "button",
            className: "button small primary changes",
            onclick: () => actions.add(),
          },
          "Add",
        ),
      ),
      this.#text,
      h("div", { className: "pair" }, this.#filter, this.#order),
      only,
      this.#count,
      this.#list,
    );
    const redraw = () => this.#draw();
    this.#text.addEventListener("input", redraw);
    this.#order.addEventListener("change", redraw);
    const filtered = () => {
      only.hidden = this.#filter.value === "all";
      actions.isolate(this.#only.checked && !only.hidden ? this.#chosen : "all");
      this.#draw();
    };
    this.#filter.addEventListener("change", filtered);
    this.#only.addEventListener("change", filtered);
    only.hidden = true;
  }

  get #chosen(): Filter {
    return this.#filter.value as Filter;
  }

  /** Drawn once for many changes. */
  show(world: World): void {
    this.#world = world;
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      this.#draw();
    });
  }

  select(ref: Ref | null): void {
    this.#selected = ref;
    if (ref?.map === "stars" && this.#world) this.#reveal(ref.id);
    this.#draw();
    this.#list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  /** Opens everything above a body. */
  #reveal(id: string): void {
    const seen = new Set<string>();
    let parent = this.#world?.stars.get(id)?.parentId;
    while (parent && !seen.has(parent)) {
      seen.add(parent);
      this.#open.add(parent);
      parent = this.#world?.stars.get(parent)?.parentId;
    }
    let group = this.#world?.groupOf(this.#world.systemOf(id));
    while (group && !seen.has(group)) {
      seen.add(group);
      this.#open.add(group);
      group = this.#world?.groupOf(group);
    }
  }

  #draw(): void {
    const world = this.#world;
    if (!world) return;
    this.#left = MOST;
    const focused = this.#list.contains(document.activeElement)
      ? (document.activeElement as HTMLElement).dataset["key"]
      : undefined;
    const asked =
      this.#text.value.trim() !== "" || this.#chosen !== "all" || this.#order.value !== "name";
    this.#order.hidden = !asked && this.#chosen === "all";
    if (asked) this.#drawFound(world);
    else this.#drawTree(world);
    if (focused !== undefined)
      this.#list.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  #drawFound(world: World): void {
    const found = search(world, this.#text.value, this.#chosen, this.#order.value as Order);
    this.#count.textContent =
      found.length === 1 ? "1 found" : `${found.length.toLocaleString("en")} found`;
    replace(
      this.#list,
      ...found.slice(0, MOST).map((one) => this.#leaf(one)),
      rest(found.length - MOST),
    );
  }

  #drawTree(world: World): void {
    const bodies = world.stars.size;
    this.#count.textContent = bodies === 1 ? "1 body" : `${bodies.toLocaleString("en")} bodies`;
    const free = world.roots.filter((id) => world.groupOf(id) === undefined);
    const rows = [
      ...world.rootGroups.map((id) => this.#group(id, new Set())),
      ...free.map((id) => this.#body(id, new Set())),
      ...world.rogues.map((id) => this.#body(id, new Set())),
      ...[...world.nebulae.keys()].map((id) => this.#place({ map: "nebulae", id }, "nebula")),
    ];
    const empty = bodies === 0 && world.groups.size === 0 && world.nebulae.size === 0;
    const left = rows.filter((row) => row === null).length;
    replace(
      this.#list,
      ...rows,
      rest(left),
      empty &&
        h(
          "li",
          { className: "hint empty" },
          "Nothing here yet. Add a body, or let an agent do it.",
        ),
    );
  }

  #group(id: string, above: Set<string>): HTMLElement | null {
    const world = this.#world;
    const group = world?.groups.get(id);
    if (!world || !group || above.has(id)) return null;
    const inside = new Set([...above, id]);
    const children = () =>
      group.children.map((member) =>
        member.type === "group" ? this.#group(member.id, inside) : this.#body(member.id, inside),
      );
    return this.#row(
      { map: "groups", id },
      group.name,
      "group",
      group.color,
      group.children.length,
      children,
    );
  }

  #body(id: string, above: Set<string>): HTMLElement | null {
    const world = this.#world;
    const body = world?.stars.get(id);
    if (!world || !body || above.has(id)) return null;
    const inside = new Set([...above, id]);
    const dust = this.#around(id);
    const below = world.children(id);
    const children = () => [
      ...dust.map(([ref, kind]) => this.#place(ref, kind)),
      ...below.map((child) => this.#body(child, inside)),
    ];
    return this.#row(
      { map: "stars", id },
      body.name,
      kindOf(body),
      body.color,
      dust.length + below.length,
      children,
    );
  }

  /** Belts and disks of a body. */
  #around(id: string): [Ref, string][] {
    const world = this.#world;
    if (!world) return [];
    const of = <T>(map: Iterable<[string, T]>, host: (entity: T) => string) =>
      [...map].filter(([, entity]) => host(entity) === id);
    return [
      ...of(world.smallBodyFields, (field) => field.hostStarId).map(([own]): [Ref, string] => [
        { map: "smallBodyFields", id: own },
        "belt",
      ]),
      ...of(world.belts, (belt) => belt.parentId).map(([own]): [Ref, string] => [
        { map: "belts", id: own },
        "belt",
      ]),
      ...of(world.protoplanetaryDisks, (disk) => disk.centralStarId).map(([own]): [Ref, string] => [
        { map: "protoplanetaryDisks", id: own },
        "disk",
      ]),
    ];
  }

  #place(ref: Ref, kind: string): HTMLElement | null {
    const entity = this.#world?.find(ref) as { baseColor?: string } | undefined;
    return this.#world
      ? this.#row(ref, nameOf(this.#world, ref), kind, entity?.baseColor, 0, () => [])
      : null;
  }

  #leaf({ ref, name, kind, color }: Found): HTMLElement | null {
    return this.#row(ref, name, kind, color, 0, () => []);
  }

  /** A row, with what is below it when it is open. */
  #row(
    ref: Ref,
    name: string,
    kind: string,
    color: string | undefined,
    below: number,
    children: () => (HTMLElement | null)[],
  ): HTMLElement | null {
    if (this.#left <= 0) return null;
    this.#left -= 1;
    const open = below > 0 && this.#open.has(ref.id);
    const key = `${ref.map}:${ref.id}`;
    const toggle = h(
      "button",
      {
        type: "button",
        className: "twist",
        "aria-label": `${open ? "Close" : "Open"} ${name}`,
        "aria-expanded": String(open),
        "data-key": `${key}:twist`,
      },
      open ? "▾" : "▸",
    );
    toggle.addEventListener("click", () => {
      if (!this.#open.delete(ref.id)) this.#open.add(ref.id);
      this.#draw();
    });
    const swatch = h("span", { className: "swatch", "data-kind": kind });
    swatch.style.setProperty("--swatch", color ?? "#8c8799");
    const pick = h(
      "button",
      { type: "button", className: "pick", title: kind, "data-key": key },
      swatch,
      h("span", { className: "name" }, name),
    );
    pick.addEventListener("click", () => this.#actions.select(ref));
    pick.addEventListener("dblclick", () => ref.map === "stars" && this.#actions.ride(ref.id));
    if (this.#selected?.map === ref.map && this.#selected.id === ref.id)
      pick.setAttribute("aria-current", "true");
    const line = h(
      "div",
      { className: "line" },
      below > 0 ? toggle : h("span", { className: "twist" }),
      pick,
      below > 0 && h("span", { className: "hint below" }, below),
    );
    return h("li", { "data-ref": key }, line, open && h("ul", {}, ...children()));
  }
}

function rest(more: number): HTMLElement | false {
  return (
    more > 0 &&
    h(
      "li",
      { className: "hint empty" },
      `and ${more.toLocaleString("en")} more; search to find them`,
    )
  );
}
