/** The universes there are: open one, make one, bring one in. */

import { explain } from "../../kit/api.ts";
import { h, replace } from "../../kit/dom.ts";
import { createUniverse } from "../state/server.ts";
import type { Listed, State } from "../state/types.ts";
import { generateForm } from "./generate.ts";

export class Universes {
  readonly element: HTMLElement;
  readonly #list = h("ul", { className: "universe-list" });
  readonly #problem = h("p", { className: "error", role: "alert" });
  #drawn = "";

  /** Calls `created` with the id of a new universe. */
  constructor(created: (id: string) => void) {
    this.element = h(
      "div",
      { className: "panel" },
      h("div", { className: "panel-head" }, h("h2", {}, "Universes")),
      this.#list,
      this.#problem,
      createForm(created),
      h("details", {}, h("summary", {}, "Generate"), generateForm(created)),
      importForm(created),
    );
  }

  show(universes: Listed[], current: string): void {
    this.#problem.textContent = "";
    const key = JSON.stringify([
      universes.map(({ id, name, updatedAt }) => [id, name, updatedAt]),
      current,
    ]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    replace(this.#list, ...universes.map((universe) => item(universe, universe.id === current)));
  }

  fail(why: string): void {
    this.#problem.textContent = why;
  }
}

function item({ id, name, updatedAt }: Listed, current: boolean): HTMLElement {
  const when =
    updatedAt &&
    new Date(updatedAt).toLocaleString("en", {
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hour12: false,
    });
  const link = h(
    "a",
    { href: `#${id}` },
    h("span", { className: "name" }, name),
    when && h("span", { className: "hint", "aria-hidden": "true" }, when),
  );
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

/** A file that was exported here, or a state alone. */
function importForm(created: (id: string) => void): HTMLElement {
  const file = h("input", { id: "import", type: "file", accept: ".json,application/json" });
  const error = h("p", { className: "error", role: "alert" });
  file.addEventListener("change", () => {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    error.textContent = "";
    bringIn(chosen).then(
      (id) => created(id),
      (problem: unknown) => (error.textContent = explain(problem)),
    );
    file.value = "";
  });
  return h(
    "div",
    { className: "labelled" },
    h("label", { htmlFor: "import" }, "Import a JSON file"),
    file,
    error,
  );
}

async function bringIn(file: File): Promise<string> {
  let content: { name?: string; state?: State } & State;
  try {
    content = JSON.parse(await file.text()) as typeof content;
  } catch {
    throw new Error(`\`${file.name}\` is not JSON`);
  }
  const state = content.state ?? content;
  if (typeof state.stars !== "object")
    throw new Error(`\`${file.name}\` holds no universe: it has no \`stars\``);
  const name = typeof content.name === "string" ? content.name : file.name.replace(/\.json$/, "");
  return (await createUniverse(name, state)).id;
}
