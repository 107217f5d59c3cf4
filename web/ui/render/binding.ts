/** What all bindings of single elements have in common. */

import { propertiesOf } from "../state/path.ts";
import type { Owner, Variable } from "../state/variable.ts";
import type { Failure, Properties } from "../state/wire.ts";
import type { Spec } from "./compile.ts";
import { ensureId, isMadeUp } from "./ids.ts";
import { follow } from "./scroll.ts";
import type { Slot, Stage, Tree } from "./stage.ts";

export abstract class Binding implements Slot, Owner {
  readonly structural = false;
  readonly key: string;
  readonly element: Element;
  protected readonly stage: Stage;
  protected readonly spec: Spec;
  readonly #properties: Properties;
  #variable: Variable | undefined;

  constructor(stage: Stage, element: Element, spec: Spec, key: string, usual: Properties) {
    this.stage = stage;
    this.element = element;
    this.spec = spec;
    this.#properties = propertiesOf(spec.path, usual);
    // Another access is another variable, even where the same is written.
    this.key = `${key} ${this.#properties["access"] ?? ""}`;
    if (spec.path.flags.has("scrollOnOutput")) follow(element);
  }

  protected get access(): string {
    return this.#properties["access"] || "rw";
  }

  get variable(): Variable | undefined {
    return this.#variable;
  }

  create(parent: Variable): Variable {
    const elementId = ensureId(this.element);
    return this.stage.store.create(parent, { ...this.#properties, elementId });
  }

  attach({ variable }: Tree): void {
    this.#variable = variable;
    variable.owner = this;
    const known = variable.given["elementId"] ?? "";
    // The id goes with the variable, so that the debug tree still finds the element; an author's id stays with its element.
    if (isMadeUp(this.element.id) && isMadeUp(known)) this.element.id = known;
    else this.stage.store.setProperties(variable, { elementId: ensureId(this.element) });
    if (variable.isAnswered) this.changed(variable);
  }

  release(): Tree | undefined {
    const variable = this.#variable;
    if (!variable) return undefined;
    variable.owner = undefined;
    this.#variable = undefined;
    return { variable };
  }

  abstract changed(variable: Variable): void;
}

/** Marks an element whose variable is in error, and says so to who cannot see it. */
export function markError(element: Element, error: Failure | undefined): void {
  if (!error) {
    if (!element.classList.contains("ui-error")) return;
    element.classList.remove("ui-error");
    for (const name of ["ui-error-code", "ui-error-description", "aria-invalid"]) {
      element.removeAttribute(name);
    }
    return;
  }
  element.classList.add("ui-error");
  element.setAttribute("ui-error-code", error.code);
  element.setAttribute("ui-error-description", error.description);
  element.setAttribute("aria-invalid", "true");
}
