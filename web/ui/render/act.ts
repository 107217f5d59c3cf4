/** Bindings that tell the server what a person did: actions, events, keys. */

import type { Variable } from "../state/variable.ts";
import type { Value } from "../state/wire.ts";
import { Binding, markError } from "./binding.ts";
import type { Spec } from "./compile.ts";
import { kindOf } from "./elements.ts";
import { isMeant, parseKey, takesKey, type Key } from "./keys.ts";
import { act, type Stage } from "./stage.ts";

/** Events of Shoelace that say something about their own component only, and bubble nevertheless. */
const OWN_ONLY = /^sl-((after-)?(show|hide)|request-close|initial-focus)$/;

/** `ui-action`: a click calls the method. */
export class ActionBinding extends Binding {
  constructor(stage: Stage, element: Element, spec: Spec, key: string) {
    super(stage, element, spec, key, { access: "action" });
    element.addEventListener("click", (event) => {
      event.preventDefault();
      this.tell(spec.path.ending === "setter" ? valueOf(element) : null);
    });
  }

  changed({ error }: Variable): void {
    markError(this.element, error);
  }

  protected tell(value: Value): void {
    act(this.stage, this.element, () => {
      if (this.variable) this.stage.store.write(this.variable, value);
    });
  }
}

/** `ui-event-EVENT`: any event of the element. */
export class EventBinding extends Binding {
  constructor(stage: Stage, element: Element, spec: Spec, key: string) {
    super(stage, element, spec, key, { access: "action", priority: "low" });
    element.addEventListener(spec.detail, (event) => {
      // A select that closes inside of a dialog is no closing of the dialog.
      if (OWN_ONLY.test(spec.detail) && event.target !== element) return;
      act(stage, element, () => {
        if (this.variable) stage.store.write(this.variable, null);
      });
    });
  }

  changed({ error }: Variable): void {
    markError(this.element, error);
  }
}

/** `ui-event-keypress-[MOD-]KEY`: that key with exactly those modifiers. */
export class KeyBinding extends Binding {
  readonly #wanted: Key | undefined;

  constructor(stage: Stage, element: Element, spec: Spec, key: string) {
    super(stage, element, spec, key, { access: spec.path.ending === "field" ? "rw" : "action" });
    this.#wanted = parseKey(spec.detail);
    element.addEventListener("keydown", (event) => this.#pressed(event as KeyboardEvent));
  }

  changed({ error }: Variable): void {
    markError(this.element, error);
  }

  #pressed(event: KeyboardEvent): void {
    const wanted = this.#wanted;
    if (!wanted || event.isComposing || !isMeant(event, wanted)) return;
    if (!takesKey(event, wanted)) event.preventDefault();
    const value = this.spec.path.ending === "call" ? null : wanted.name;
    act(this.stage, this.element, () => {
      if (this.variable) this.stage.store.write(this.variable, value);
    });
  }
}

function valueOf(element: Element): Value {
  const kind = kindOf(element);
  if (kind.isEditable) return kind.read(element) ?? null;
  const own = element.getAttribute("value") ?? (element as { value?: unknown }).value;
  return typeof own === "string" || typeof own === "number" ? own : null;
}
