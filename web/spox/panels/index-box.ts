/** How the search index is, and the button that builds it. */

import { h } from "../../kit/dom.ts";
import { indexWords } from "../state/words.ts";
import type { Desk } from "../view.ts";

export class IndexBox {
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #words = h("span", { className: "index-words" });
  readonly #button = h("button", { type: "button", className: "button small" });
  readonly #bar = h("span", { className: "working", role: "progressbar", hidden: true });
  readonly #problem = h("p", { className: "error", role: "alert" });
  readonly #forget: () => void;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#bar.setAttribute("aria-label", "Building the search index");
    this.#button.addEventListener("click", () => void desk.index.run());
    this.element = h(
      "div",
      { className: "index-box" },
      h("p", { className: "index-line", role: "status" }, this.#words),
      this.#button,
      this.#bar,
      this.#problem,
    );
    this.#forget = desk.index.listen(() => this.show());
    this.show();
  }

  show(): void {
    const { project } = this.#desk.live;
    const { running, problem } = this.#desk.index;
    if (!project) return;
    const building = running || project.index.state === "building";
    const state = building ? "building" : project.index.state;
    this.element.dataset["state"] = state;
    const index = { ...project.index, state };
    this.#words.textContent = indexWords({ ...project, index });
    this.#bar.hidden = !building;
    this.#button.hidden = building || state === "ready";
    this.#button.textContent = state === "stale" ? "Refresh" : "Build the index";
    this.#problem.textContent = problem;
  }

  close(): void {
    this.#forget();
  }
}
