/** What everything that renders shares: the variables, the definitions, who shows what. */

import type { Store } from "../state/store.ts";
import type { Variable } from "../state/variable.ts";
import type { ValueBinding } from "./value.ts";
import type { Viewdefs } from "./viewdefs.ts";

export interface Stage {
  store: Store;
  viewdefs: Viewdefs;
  /** Every view there is, shown or waiting. */
  views: Set<{ refresh(): void }>;
  /** The binding of an element's value. */
  values: WeakMap<Element, ValueBinding>;
  /** Rows are being moved: what an element says while it is taken out and put back is not the person's doing. */
  isMoving: boolean;
  /** Loads the components among these tags; `undefined` when all are there. */
  load(tags: Iterable<string>): Promise<void> | undefined;
}

/**
 * The variables of something that is rendered, apart from its elements: for each place in a definition the variable it is bound to.
 * In a list variables belong to places and elements to objects, so a tree passes from one row's elements to another's.
 */
export interface Tree {
  variable: Variable;
  /** Which definition `slots` are the places of. */
  viewdef?: object | undefined;
  slots?: Map<string, Tree>;
  rows?: Tree[];
}

/** A place in a definition. */
export interface Slot {
  readonly key: string;
  /** Gives up the variables; the elements stay as they are. */
  release(): Tree | undefined;
  /** Goes on with these variables. */
  attach(tree: Tree): void;
  /** A variable for this place, when no tree has one. */
  create(parent: Variable): Variable;
}

/** Destroys all variables of a tree. Most go with the one on top; those of a view's host are beside it. */
export function destroyTree(store: Store, { variable, slots, rows }: Tree): void {
  store.destroy(variable);
  for (const tree of slots?.values() ?? []) destroyTree(store, tree);
  for (const tree of rows ?? []) destroyTree(store, tree);
}

/** Sends what was typed into the focused field and not sent, so that an action never runs without it. */
export function flushFocused(stage: Stage): void {
  for (let at = document.activeElement; at; at = at.parentElement) stage.values.get(at)?.flush();
}

/** Runs what a person's doing means, as one batch: first what is being edited, then the thing itself. */
export function act(stage: Stage, element: Element, what: () => void): void {
  stage.store.userEvent(() => {
    flushFocused(stage);
    stage.values.get(element)?.flush();
    what();
  });
}
