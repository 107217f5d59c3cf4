/** The bodies as a table, indented as a tree. */

import { h, replace } from "../kit/dom.ts";
import { rows, withDescendants, type Star, type State } from "./model.ts";

export interface BodyActions {
  edit(star: Star): void;
  remove(star: Star, below: number): void;
}

/** A table and the function that fills it. */
export function bodiesTable(actions: BodyActions): {
  element: HTMLElement;
  show: (state: State) => void;
} {
  const body = h("tbody", {});
  const empty = h(
    "p",
    { className: "hint empty" },
    "Nothing here yet. Add a body, or let an agent do it.",
  );
  const heads = ["Name", "Kind", "Mass", "Radius", "Distance", "Speed"];
  const table = h(
    "table",
    {},
    h("caption", { className: "visually-hidden" }, "Bodies"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ...heads.map(head),
        h("th", {}, h("span", { className: "visually-hidden" }, "Actions")),
      ),
    ),
    body,
  );
  const show = (state: State) => {
    const listed = rows(state);
    replace(body, ...listed.map(({ star, depth }) => row(star, depth, state, actions)));
    table.hidden = listed.length === 0;
    empty.hidden = listed.length > 0;
  };
  return { element: h("div", { className: "bodies" }, table, empty), show };
}

function head(name: string): HTMLElement {
  return h("th", { scope: "col", className: name === "Name" ? "" : "wide" }, name);
}

function row(star: Star, depth: number, state: State, actions: BodyActions): HTMLElement {
  const swatch = h("span", { className: "swatch" });
  swatch.style.background = star.color;
  const name = h("td", { className: "name" }, swatch, h("span", {}, star.name));
  name.style.paddingInlineStart = `${0.75 + depth * 1.25}rem`;
  const below = withDescendants(state.stars, star.id).length - 1;
  return h(
    "tr",
    { "data-star": star.id },
    name,
    h("td", { className: "wide" }, star.bodyType ?? (star.parentId === null ? "star" : "body")),
    ...[star.mass, star.radius, star.orbitalDistance, star.orbitalSpeed].map(number),
    h(
      "td",
      { className: "row-actions" },
      button("Edit", star, () => actions.edit(star)),
      button("Remove", star, () => actions.remove(star, below)),
    ),
  );
}

function number(value: number): HTMLElement {
  const text = value.toLocaleString("en", { maximumFractionDigits: 3 });
  return h("td", { className: "wide number" }, text);
}

function button(label: string, star: Star, onclick: () => void): HTMLElement {
  const aria = { "aria-label": `${label} ${star.name}` };
  return h("button", { type: "button", className: "button small", onclick, ...aria }, label);
}
