/** What the person has in the page and nowhere else, kept while elements move or are made anew: focus, selection, scroll, text not sent. */

import type { Stage } from "./stage.ts";
import type { ValueBinding } from "./value.ts";

interface Kept {
  scrollTop: number;
  scrollLeft: number;
  selection: [number, number] | undefined;
  isFocused: boolean;
  edit: ValueBinding | undefined;
}

/** By what an element is recognised. */
type State = Map<string, Kept>;

export function snapshot(stage: Stage, nodes: ChildNode[]): State {
  const state: State = new Map();
  for (const [name, element] of named(nodes)) {
    const binding = stage.values.get(element);
    const kept: Kept = {
      scrollTop: element.scrollTop,
      scrollLeft: element.scrollLeft,
      isFocused: element === document.activeElement,
      selection: selectionOf(element),
      edit: binding?.isEdited ? binding : undefined,
    };
    if (kept.isFocused || kept.edit || kept.scrollTop || kept.scrollLeft) state.set(name, kept);
  }
  return state;
}

export function carryOver(stage: Stage, state: State, nodes: ChildNode[]): void {
  if (state.size === 0) return;
  for (const [name, element] of named(nodes)) {
    const kept = state.get(name);
    if (!kept) continue;
    if (kept.edit && kept.edit.element !== element) stage.values.get(element)?.takeEdit(kept.edit);
    element.scrollTop = kept.scrollTop;
    element.scrollLeft = kept.scrollLeft;
    if (kept.isFocused && document.activeElement !== element) focus(element, kept.selection);
  }
}

/** Runs `change`, which moves elements, and gives the focus back to the one that had it. */
export function keepFocus(stage: Stage, change: () => void): void {
  const focused = document.activeElement;
  const selection = focused ? selectionOf(focused) : undefined;
  const outer = stage.isMoving;
  stage.isMoving = true;
  try {
    change();
    if (focused && focused !== document.activeElement && focused.isConnected) {
      focus(focused, selection);
    }
  } finally {
    stage.isMoving = outer;
  }
}

/** All elements, each with a name that its successor has, too: the author's id, what it is bound to, or its kind, counted. */
function* named(nodes: ChildNode[]): Generator<[string, Element]> {
  const seen = new Map<string, number>();
  for (const root of nodes) {
    if (!(root instanceof Element)) continue;
    for (const element of [root, ...root.querySelectorAll("*")]) {
      const name = nameOf(element);
      const count = seen.get(name) ?? 0;
      seen.set(name, count + 1);
      yield [`${name} ${count}`, element];
    }
  }
}

function nameOf(element: Element): string {
  if (element.id !== "" && !element.id.startsWith("ui-")) return `#${element.id}`;
  const bound = [...element.attributes].filter(
    ({ name }) => name.startsWith("ui-") && !name.startsWith("ui-error") && name !== "ui-viewdef",
  );
  return [element.localName, ...bound.map(({ name, value }) => `${name}=${value}`)].join(" ");
}

function selectionOf(element: Element): [number, number] | undefined {
  try {
    const { selectionStart, selectionEnd } = inner(element);
    return selectionStart === null ? undefined : [selectionStart, selectionEnd ?? selectionStart];
  } catch {
    // Kinds of inputs that have no selection say so by throwing.
    return undefined;
  }
}

function focus(element: Element, selection: [number, number] | undefined): void {
  (element as HTMLElement).focus({ preventScroll: true });
  if (selection) inner(element).setSelectionRange?.(...selection);
}

/** The field itself: Shoelace's are around one. */
function inner(element: Element): HTMLInputElement {
  const field = element.shadowRoot?.querySelector("input, textarea") ?? element;
  if (!("selectionStart" in field)) return { selectionStart: null } as unknown as HTMLInputElement;
  return field as HTMLInputElement;
}
