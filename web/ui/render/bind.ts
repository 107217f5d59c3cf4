/** From what is written to what does it: the binding of each family. */

import { ActionBinding, EventBinding, KeyBinding } from "./act.ts";
import type { Binding } from "./binding.ts";
import type { Family, Spec } from "./compile.ts";
import { CodeBinding, HtmlBinding, ShowBinding } from "./show.ts";
import type { Stage } from "./stage.ts";
import { ValueBinding } from "./value.ts";

type Made = new (stage: Stage, element: Element, spec: Spec, key: string) => Binding;

const BINDINGS: Record<Exclude<Family, "view" | "list">, Made> = {
  value: ValueBinding,
  text: ShowBinding,
  attr: ShowBinding,
  class: ShowBinding,
  style: ShowBinding,
  html: HtmlBinding,
  code: CodeBinding,
  action: ActionBinding,
  event: EventBinding,
  keypress: KeyBinding,
};

export function bind(stage: Stage, element: Element, spec: Spec, key: string): Binding {
  const Made = BINDINGS[spec.family as keyof typeof BINDINGS];
  return new Made(stage, element, spec, key);
}
