/** The list of universes and the form that makes one. */

import { explain } from "../kit/api.ts";
import { h, replace } from "../kit/dom.ts";
import type { Listed } from "./model.ts";
import { createUniverse } from "./server.ts";

export interface Sidebar {
  element: HTMLElement;
  show: (universes: Listed[], current: string) => void;
  fail: (why: string) => void;
}

/** Calls `created` with the id of a new universe. */
export function sidebar(created: (id: string) => void): Sidebar {
  const list = h("ul", { className: "universes" });
  const problem = h("p", { className: "error", role: "alert" });
  let drawn = "";
  const show = (universes: Listed[], current: string) => {
    problem.textContent = "";
    const key = JSON.stringify([universes.map(({ id, name }) => [id, name]), current]);
    if (key === drawn) return;
    drawn = key;
    replace(list, ...universes.map((universe) => item(universe, universe.id === current)));
  };
  const element = h(
    "div",
    { className: "sidebar" },
    h("h2", {}, "Universes"),
    list,
    problem,
    createForm(created),
  );
  return { element, show, fail: (why) => (problem.textContent = why) };
}

function item({ id, name }: Listed, current: boolean): HTMLElement {
  const link = h("a", { href: `#${id}` }, name);
  if (current) link.setAttribute("aria-current", "page");
  return h("li", {}, link);
}

function createForm(created: (id: string) => void): HTMLFormElement {
  const name = h("input", { id: "new-universe", placeholder: "Milky Way", autocomplete: "off" });
  const error = h("p", { className: "error", role: "alert" });
  const form = h(
    "form",
    { className: "labelled", noValidate: true },
    h("label", { htmlFor: "new-universe" }, "New universe"),
    h("div", { className: "row" }, name, h("button", { className: "button" }, "Create")),
    error,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    error.textContent = "";
    createUniverse(name.value).then(
      ({ id }) => {
        name.value = "";
        created(id);
      },
      (problem: unknown) => (error.textContent = explain(problem)),
    );
  });
  return form;
}
