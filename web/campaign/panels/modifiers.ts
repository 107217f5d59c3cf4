/** What adds to a roll or takes from it: a list of reasons with a number each. */

import { h, replace } from "../../kit/dom.ts";
import { signed } from "../state/names.ts";
import type { Modifier } from "../state/types.ts";

export class Modifiers {
  readonly element: HTMLElement;
  readonly #list = h("ul", { className: "chips" });
  readonly #source = h("input", {
    placeholder: "High ground",
    autocomplete: "off",
    "aria-label": "Reason of the modifier",
  });
  readonly #value = h("input", {
    type: "number",
    step: "1",
    value: "1",
    inputMode: "numeric",
    "aria-label": "Value of the modifier",
  });
  readonly #changed: () => void;
  #modifiers: Modifier[] = [];

  constructor(changed: () => void) {
    this.#changed = changed;
    const add = h(
      "button",
      { type: "button", className: "button small", onclick: () => this.#add() },
      "Add",
    );
    add.setAttribute("aria-label", "Add modifier");
    for (const input of [this.#source, this.#value]) {
      // Enter adds the modifier; it must not roll.
      input.addEventListener("keydown", (event: KeyboardEvent) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        this.#add();
      });
    }
    this.element = h(
      "fieldset",
      { className: "modifiers" },
      h("legend", {}, "Modifiers"),
      h("div", { className: "row" }, this.#source, this.#value, add),
      this.#list,
    );
  }

  get values(): Modifier[] {
    return this.#modifiers;
  }

  get sum(): number {
    return this.#modifiers.reduce((sum, { value }) => sum + value, 0);
  }

  #add(): void {
    const value = Number(this.#value.value);
    if (!Number.isInteger(value) || value === 0) return void this.#value.focus();
    this.#set([...this.#modifiers, { source: this.#source.value.trim() || "Modifier", value }]);
    this.#source.value = "";
    this.#source.focus();
  }

  #set(modifiers: Modifier[]): void {
    this.#modifiers = modifiers;
    replace(
      this.#list,
      ...modifiers.map((own) => {
        const remove = h(
          "button",
          {
            type: "button",
            onclick: () => this.#set(this.#modifiers.filter((other) => other !== own)),
          },
          "×",
        );
        remove.setAttribute("aria-label", `Remove ${own.source}`);
        return h(
          "li",
          { className: "chip" },
          `${own.source} `,
          h("b", {}, signed(own.value)),
          remove,
        );
      }),
    );
    this.#changed();
  }
}
