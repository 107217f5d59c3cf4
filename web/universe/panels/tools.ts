/** Buttons for the view itself, remembered on this machine. */

import { h } from "../../kit/dom.ts";
import type { Options } from "../scene/view.ts";

const KEY = "tandem.universe.view";

export interface ToolActions {
  fit(): void;
  options(options: Options): void;
}

export class Tools {
  readonly element: HTMLElement;
  readonly #options: Options = { orbits: true, labels: true, groups: true, ...remembered() };

  constructor(actions: ToolActions) {
    const toggle = (key: keyof Options, label: string) => {
      const button = h(
        "button",
        { type: "button", className: "button small", "aria-pressed": String(this.#options[key]) },
        label,
      );
      button.addEventListener("click", () => {
        this.#options[key] = !this.#options[key];
        button.setAttribute("aria-pressed", String(this.#options[key]));
        remember(this.#options);
        actions.options(this.#options);
      });
      return button;
    };
    this.element = h(
      "div",
      { className: "tools", role: "group", "aria-label": "View" },
      h(
        "button",
        { type: "button", className: "button small", title: "F", onclick: () => actions.fit() },
        "Fit",
      ),
      toggle("orbits", "Orbits"),
      toggle("labels", "Names"),
      toggle("groups", "Groups"),
    );
    actions.options(this.#options);
  }
}

// Storage throws where the person has forbidden it; the choice then lasts as long as the page.
function remembered(): Partial<Options> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Options>;
  } catch {
    return {};
  }
}

function remember(options: Options): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(options));
  } catch {
    // See above.
  }
}
