/** `window.uiApp`: what scripts in view definitions and in the console may use. */

import type { Stage } from "../render/stage.ts";
import type { Store } from "../state/store.ts";
import type { Variable } from "../state/variable.ts";
import type { Value } from "../state/wire.ts";

export interface UiApp {
  /** The variables: `get(id)`, `update(id, value)`. */
  getStore(): Store;
  getBinding(): BindingInfo;
  /** Sends the element's value, or `value`, which the element then shows. Gives whether the element has a value. */
  updateValue(elementId: string, value?: Value): boolean;
}

export interface BindingInfo {
  /** The variable of the element's value. */
  variableOf(element: Element | string): Variable | undefined;
  /** The element that shows a variable. */
  elementOf(variableId: number): Element | null;
}

export function apiOf(stage: Stage): UiApp {
  const find = (element: Element | string) =>
    typeof element === "string" ? document.getElementById(element) : element;
  return {
    getStore: () => stage.store,
    getBinding: () => ({
      variableOf(element) {
        const found = find(element);
        return found ? stage.values.get(found)?.variable : undefined;
      },
      elementOf(variableId) {
        const id = stage.store.get(variableId)?.properties["elementId"];
        return id ? document.getElementById(id) : null;
      },
    }),
    updateValue(elementId, value) {
      const element = find(elementId);
      const binding = element ? stage.values.get(element) : undefined;
      binding?.update(value);
      return binding !== undefined;
    },
  };
}
