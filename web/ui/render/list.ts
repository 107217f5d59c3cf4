/**
 * `ui-viewlist`: a view for each element of an array.
 *
 * Variables belong to places (`0`, `1`, …), elements to objects. When the array changes, each object's elements go to its new place and
 * go on with the variables of that place, which hold what the object holds: nothing is asked again, nothing is drawn again, and focus,
 * text half typed and what is folded stay with the row they belong to.
 */

import { keysOf, plan } from "../state/match.ts";
import { parsePath, propertiesOf } from "../state/path.ts";
import type { Owner, Variable } from "../state/variable.ts";
import type { Properties } from "../state/wire.ts";
import { specsOf, type Spec, type Spot } from "./compile.ts";
import type { Extra, Host } from "./content.ts";
import { keepFocus } from "./carry.ts";
import { ensureId } from "./ids.ts";
import { follow } from "./scroll.ts";
import { destroyTree, type Slot, type Stage, type Tree } from "./stage.ts";
import { move, View } from "./view.ts";

interface Row {
  key: string;
  view: View;
}

const ITEM: Spec = { family: "view", detail: "", path: parsePath(""), written: "" };

export class List implements Slot, Owner {
  readonly structural = true;
  readonly key: string;
  readonly #stage: Stage;
  #element: Element;
  readonly #pattern: Element | null;
  /** Bindings on the pattern; they start at the item. */
  readonly #extras: Extra[];
  readonly #properties: Properties;
  #variable: Variable | undefined;
  #rows: Row[] = [];
  /** Variables of places, when they came without rows that are bound to them. */
  #loose: Tree[] | undefined;
  #epoch: number;

  constructor(stage: Stage, key: string, element: Element, spec: Spec, spot: Spot) {
    this.#stage = stage;
    this.key = key;
    this.#element = element;
    this.#pattern = spot.pattern;
    this.#epoch = stage.store.epoch;
    const { namespace } = spot;
    const { itemWrapper } = spot;
    this.#properties = propertiesOf(spec.path, {
      access: "r",
      ...(namespace && { namespace }),
      ...(itemWrapper && { itemWrapper }),
    });
    this.#extras = (spot.pattern ? specsOf(spot.pattern) : [])
      .filter(({ family }) => family !== "view" && family !== "list")
      .map((own) => ({ spec: own, isOwn: true }));
    if (spec.path.flags.has("scrollOnOutput")) follow(element);
  }

  get variable(): Variable | undefined {
    return this.#variable;
  }

  create(parent: Variable): Variable {
    const elementId = ensureId(this.#element);
    return this.#stage.store.create(parent, { ...this.#properties, elementId });
  }

  attach(tree: Tree): void {
    this.#variable = tree.variable;
    tree.variable.owner = this;
    this.#loose = tree.rows ?? [];
    this.#refresh();
  }

  release(): Tree | undefined {
    const variable = this.#variable;
    if (!variable) return undefined;
    variable.owner = undefined;
    this.#variable = undefined;
    const rows = this.#loose ?? this.#rows.map(({ view }) => view.release() as Tree);
    this.#loose = undefined;
    return { variable, rows };
  }

  close(): void {
    for (const { view } of this.#rows) view.close();
  }

  /** Goes on in `element`, which is this list's in another version of the definition. */
  comeTo(element: Element): void {
    for (const node of this.#rows.flatMap(({ view }) => view.nodes())) move(element, node, null);
    this.#element = element;
  }

  changed(): void {
    this.#refresh();
  }

  #refresh(): void {
    const variable = this.#variable;
    if (!variable?.isAnswered) return;
    const { epoch } = this.#stage.store;
    // An empty table is no array on the wire, but an empty list all the same.
    const keys = keysOf(Array.isArray(variable.value) ? variable.value : []);
    const old = this.#rows;
    const steps = plan(
      old.map(({ key }) => key),
      keys,
      epoch !== this.#epoch,
    );
    this.#epoch = epoch;
    const isLoose = this.#loose !== undefined;
    const trees = this.#treesToGive(steps.from);
    keepFocus(this.#stage, () => {
      for (const index of steps.gone) this.#remove(old[index] as Row);
      this.#rows = keys.map((key, index) => {
        const source = steps.from[index] ?? -1;
        const view = old[source]?.view ?? this.#add();
        if (isLoose || source !== index) {
          view.attach(trees.get(index) ?? { variable: this.#createItem(variable, index, view) });
          trees.delete(index);
        }
        return { key, view };
      });
      for (const tree of trees.values()) destroyTree(this.#stage.store, tree);
      this.#arrange(steps.stay);
    });
  }

  /** Takes the variables away from rows that do not stay in their place. */
  #treesToGive(from: number[]): Map<number, Tree> {
    const trees = new Map<number, Tree>();
    if (this.#loose) {
      this.#loose.forEach((tree, index) => trees.set(index, tree));
      this.#loose = undefined;
      return trees;
    }
    this.#rows.forEach(({ view }, index) => {
      if (from[index] === index) return;
      const tree = view.release();
      if (tree) trees.set(index, tree);
    });
    return trees;
  }

  #createItem(variable: Variable, index: number, { elementId }: View): Variable {
    const path = String(index);
    const namespace = this.#pattern?.getAttribute("ui-namespace");
    const own = { path, access: "r", fallbackNamespace: "list-item", elementId };
    return this.#stage.store.create(variable, { ...own, ...(namespace && { namespace }) });
  }

  #add(): View {
    const element = this.#pattern
      ? document.importNode(this.#pattern, false)
      : document.createElement("div");
    this.#element.append(element);
    const host: Host = { element, extras: this.#extras, follows: false };
    return new View(this.#stage, "item", host, ITEM, "");
  }

  #remove({ view }: Row): void {
    for (const node of view.nodes()) node.remove();
    view.close();
  }

  /** Moves what is not where it belongs. */
  #arrange(stay: Set<number>): void {
    let before: ChildNode | null = null;
    for (let index = this.#rows.length - 1; index >= 0; index -= 1) {
      const nodes: ChildNode[] = (this.#rows[index] as Row).view.nodes();
      if (!stay.has(index)) {
        for (const node of nodes) {
          if (node.nextSibling !== before || nodes.length > 1) move(this.#element, node, before);
        }
      }
      before = nodes[0] ?? before;
    }
  }
}
