/** Inputs for the `given:` values of a model. An empty one leaves the model's own default. */

import { h, replace } from "../../kit/dom.ts";
import type { Given } from "../state/types.ts";

export class Givens {
  readonly element = h("div", { className: "givens" });
  readonly #changed: () => void;
  #givens: Given[] = [];
  #texts: Record<string, string> = {};

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  show(givens: Given[], texts: Record<string, string>): void {
    this.#givens = givens;
    this.#texts = { ...texts };
    this.element.hidden = givens.length === 0;
    replace(this.element, ...givens.map((given) => this.#input(given)));
  }

  /** What was filled in, as it is written into the address. */
  get texts(): Record<string, string> {
    return Object.fromEntries(Object.entries(this.#texts).filter(([, value]) => value !== ""));
  }

  /** The same with the types that the model wants. */
  get values(): Record<string, unknown> | undefined {
    const found = Object.entries(this.texts).map(([name, text]) => {
      const given = this.#givens.find((each) => each.name === name);
      return [name, valueOf(text, given ? kindOf(given) : "string")] as const;
    });
    return found.length > 0 ? Object.fromEntries(found) : undefined;
  }

  #input(given: Given): HTMLElement {
    const kind = kindOf(given);
    const first = given.default ?? given.defaultValue;
    const set = (value: string) => {
      this.#texts[given.name] = value;
      this.#changed();
    };
    const value = this.#texts[given.name] ?? "";
    const id = `given-${given.name}`;
    const control = kind === "boolean" ? choice(id, value, set) : box(id, kind, value, first, set);
    return h(
      "div",
      { className: "given" },
      h("label", { htmlFor: id, title: given.description ?? "" }, given.label ?? given.name),
      control,
    );
  }
}

function choice(id: string, value: string, set: (value: string) => void): HTMLElement {
  const select = h("select", { id, className: "small-input" });
  for (const [key, words] of [
    ["", "default"],
    ["true", "true"],
    ["false", "false"],
  ] as const) {
    select.append(h("option", { value: key, selected: key === value }, words));
  }
  select.addEventListener("change", () => set(select.value));
  return select;
}

function box(
  id: string,
  kind: string,
  value: string,
  first: unknown,
  set: (value: string) => void,
) {
  const type = kind === "number" ? "number" : kind === "date" ? "date" : "text";
  const input = h("input", { id, type, value, className: "small-input" });
  if (type === "number") input.step = "any";
  if (first !== undefined && first !== null) {
    input.placeholder = typeof first === "object" ? JSON.stringify(first) : String(first);
  }
  input.addEventListener("change", () => set(input.value));
  return input;
}

/** The server may write a type as a word or as an object. */
export function kindOf({ type }: Given): string {
  const text = typeof type === "string" ? type : JSON.stringify(type ?? "");
  return /number|boolean|date|timestamp/.exec(text)?.[0] ?? "string";
}

export function valueOf(text: string, kind: string): unknown {
  if (kind === "number") return Number(text);
  if (kind === "boolean") return text === "true";
  return text;
}
