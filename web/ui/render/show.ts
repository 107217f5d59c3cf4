/** Bindings that only show: text, attributes, classes, styles, HTML, and code that runs with the value. */

import type { Variable } from "../state/variable.ts";
import type { Value } from "../state/wire.ts";
import { Binding } from "./binding.ts";
import type { Spec } from "./compile.ts";
import { textOf } from "./elements.ts";
import type { Stage } from "./stage.ts";

type Effect = (element: Element, value: Value, detail: string) => void;

const EFFECTS: Partial<Record<Spec["family"], Effect>> = {
  text(element, value) {
    const text = textOf(value);
    if (element.textContent !== text) element.textContent = text;
  },
  attr(element, value, name) {
    if (value === null || value === false) element.removeAttribute(name);
    else element.setAttribute(name, textOf(value));
  },
  class(element, value, name) {
    element.classList.toggle(name, Boolean(value));
  },
  style(element, value, property) {
    const { style } = element as HTMLElement;
    if (value === null) style.removeProperty(property);
    else style.setProperty(property, textOf(value));
  },
};

export class ShowBinding extends Binding {
  readonly #effect: Effect | undefined;

  constructor(stage: Stage, element: Element, spec: Spec, key: string) {
    super(stage, element, spec, key, { access: "r" });
    this.#effect = EFFECTS[spec.family];
  }

  changed({ value }: Variable): void {
    if (value !== undefined) this.#effect?.(this.element, value, this.spec.detail);
  }
}

/** `ui-html`: markup as content of the element, or in place of it (`?replace`). */
export class HtmlBinding extends Binding {
  #nodes: ChildNode[];
  #shown: string | undefined;

  constructor(stage: Stage, element: Element, spec: Spec, key: string) {
    super(stage, element, spec, key, { access: "r" });
    this.#nodes = [element];
  }

  /** What stands where the element was. */
  nodes(): ChildNode[] {
    return this.#nodes;
  }

  changed({ value }: Variable): void {
    if (value === undefined) return;
    const html = textOf(value);
    if (html === this.#shown) return;
    this.#shown = html;
    if (!this.spec.path.flags.has("replace")) {
      this.element.innerHTML = html;
      this.#load(this.element);
      return;
    }
    const template = document.createElement("template");
    template.innerHTML = html;
    const next = [...document.importNode(template.content, true).childNodes];
    // Something has to keep the place.
    if (next.length === 0) next.push(document.createComment("ui-html"));
    const [first, ...others] = this.#nodes;
    first?.replaceWith(...next);
    for (const other of others) other.remove();
    this.#nodes = next;
    for (const node of next) if (node instanceof Element) this.#load(node);
  }

  #load(element: Element): void {
    const all = [element, ...element.querySelectorAll("*")];
    const tags = all.map(({ localName }) => localName).filter((name) => name.includes("-"));
    void this.stage.load(tags);
  }
}

/** `ui-code`: JavaScript of the server's, run whenever it is another. */
export class CodeBinding extends Binding {
  #ran: Value | undefined;

  constructor(stage: Stage, element: Element, spec: Spec, key: string) {
    super(stage, element, spec, key, { access: "r" });
  }

  changed(variable: Variable): void {
    const { value } = variable;
    if (typeof value !== "string" || value === "" || value === this.#ran) {
      this.#ran = value;
      return;
    }
    this.#ran = value;
    try {
      const run = new Function("element", "value", "variable", "store", value);
      run(this.element, value, variable, this.stage.store);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      console.error(`ui-code of #${this.element.id}: ${why}`);
      this.stage.store.report(variable, "code-error", why);
    }
  }
}
