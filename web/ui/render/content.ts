/**
 * The elements that one definition gives for one object, and the places in it that are bound.
 *
 * A content is made apart from the document. It may be given variables that are there already (`trees`), and views and lists that
 * go on from the definition's last version (`live`), which join when the content is shown.
 */

import type { Variable } from "../state/variable.ts";
import { bind } from "./bind.ts";
import { parseKey } from "./keys.ts";
import type { Spec, Spot } from "./compile.ts";
import { ensureId, isMadeUp } from "./ids.ts";
import { List } from "./list.ts";
import { follow } from "./scroll.ts";
import { HtmlBinding } from "./show.ts";
import { destroyTree, type Slot, type Stage, type Tree } from "./stage.ts";
import { View } from "./view.ts";
import type { Viewdef } from "./viewdefs.ts";

/** The element that a view stands for, and what it says. */
export interface Host {
  element: Element;
  /** Bindings on that element besides the view itself; they belong to whatever element takes its place. */
  extras: Extra[];
  /** Keeps the view at its end when content comes. */
  follows: boolean;
}

export interface Extra {
  spec: Spec;
  /** Whether the path starts at the object of the view (a list's pattern) or at the one around it. */
  isOwn: boolean;
}

/** What a content may go on with. */
export interface Donors {
  trees: Map<string, Tree>;
  live: Map<string, View | List>;
}

type Part = ChildNode | { nodes(): ChildNode[] };

interface Placed {
  slot: Slot;
  /** The variable below which the slot's own is made. */
  parentOf(variable: Variable): Variable;
}

export class Content {
  readonly viewdef: Viewdef;
  readonly #stage: Stage;
  readonly #parts: Part[];
  readonly #placed: Placed[] = [];
  readonly #seen = new Map<string, number>();
  /** Views and lists that come over from the last version when this one is shown. */
  readonly #coming = new Map<Element, View | List>();
  #fragment: DocumentFragment;

  constructor(stage: Stage, viewdef: Viewdef, host: Host, variable: Variable, donors?: Donors) {
    this.#stage = stage;
    this.viewdef = viewdef;
    this.#fragment = document.importNode(viewdef.content, true);
    const elements = viewdef.spots.map(({ steps }) => at(this.#fragment, steps));
    this.#parts = [...this.#fragment.childNodes];
    const target = this.#dress(host);
    const given = new Map<Element, Extra[]>();
    if (target) {
      // Where the root is itself a view, the extras go on to what takes its place.
      const isView = viewdef.spots.some(
        ({ specs }, index) => elements[index] === target && specs.some(isViewSpec),
      );
      if (isView) given.set(target, host.extras);
      else for (const extra of host.extras) this.#extra(target, extra);
    }
    viewdef.spots.forEach((spot, index) => {
      const element = elements[index] as Element;
      this.#bind(spot, element, variable, given.get(element) ?? [], donors);
    });
    this.attach(variable, donors?.trees);
    if (viewdef.mistakes.length > 0) this.#report(variable);
  }

  /** What is at the top, in order. */
  nodes(): ChildNode[] {
    return this.#parts.flatMap((part) => ("nodes" in part ? part.nodes() : [part]));
  }

  /** Puts the content where `before` is, of which what goes on comes over; `before` is gone then. */
  place(before: ChildNode[]): void {
    before[0]?.before(this.#fragment);
    for (const [element, slot] of this.#coming) slot.comeTo(element);
    this.#coming.clear();
    const now = new Set(this.nodes());
    for (const node of before) if (!now.has(node)) node.remove();
  }

  /** All variables that its places are bound to. */
  variables(): Variable[] {
    return this.#placed.flatMap(({ slot }) => {
      const { variable } = slot as { variable?: Variable };
      return variable ? [variable] : [];
    });
  }

  /** Gives up all variables. */
  release(): Map<string, Tree> {
    const trees = new Map<string, Tree>();
    for (const { slot } of this.#placed) {
      const tree = slot.release();
      if (tree) trees.set(slot.key, tree);
    }
    return trees;
  }

  /** Goes on with these variables, with new ones where some are missing; those left over are destroyed. */
  attach(variable: Variable, trees: Map<string, Tree> = new Map()): void {
    for (const { slot, parentOf } of this.#placed) {
      if (this.#isComing(slot)) continue;
      const tree = trees.get(slot.key);
      trees.delete(slot.key);
      slot.attach(tree ?? { variable: slot.create(parentOf(variable)) });
    }
    for (const tree of trees.values()) destroyTree(this.#stage.store, tree);
  }

  /** Gives up everything for the next version of the same definition: views and lists stay alive and shown. */
  handOver(): Donors {
    const donors: Donors = { trees: new Map(), live: new Map() };
    for (const { slot } of this.#placed) {
      if (slot instanceof View || slot instanceof List) {
        donors.live.set(slot.key, slot);
        continue;
      }
      const tree = slot.release();
      if (tree) donors.trees.set(slot.key, tree);
    }
    return donors;
  }

  /** The elements stay as they are; nothing in them is alive any more. */
  dispose(): void {
    for (const tree of this.release().values()) destroyTree(this.#stage.store, tree);
    this.close();
    this.#placed.length = 0;
  }

  close(): void {
    for (const { slot } of this.#placed) {
      if (slot instanceof View || slot instanceof List) slot.close();
    }
  }

  /** Hands what the host's element says to the first root: id, classes, styles. Gives the root that stands for it. */
  #dress({ element, follows }: Host): Element | undefined {
    const roots = this.#parts.filter(
      (part): part is ChildNode & Element => part instanceof Element,
    );
    const [first] = roots;
    if (!first) return undefined;
    for (const root of roots.slice(1)) ensureId(root);
    // An author's id is worth more than one of ours; that of the place more than that of the definition.
    if (!isMadeUp(element.id) || isMadeUp(first.id)) first.id = ensureId(element);
    first.setAttribute("ui-viewdef", this.viewdef.key);
    const target = roots.find(({ localName }) => localName !== "script" && localName !== "style");
    if (!target) return undefined;
    if (element.classList.length > 0) target.classList.add(...element.classList);
    const style = element.getAttribute("style");
    if (style) target.setAttribute("style", joined(target.getAttribute("style"), style));
    const slot = element.getAttribute("slot");
    if (slot && !target.hasAttribute("slot")) target.setAttribute("slot", slot);
    if (follows) follow(target);
    return target;
  }

  #extra(element: Element, { spec, isOwn }: Extra): void {
    const slot = bind(this.#stage, element, spec, this.#keyOf(`host ${spec.written}`));
    this.#placed.push({ slot, parentOf: isOwn ? same : outer });
  }

  #bind(spot: Spot, element: Element, variable: Variable, given: Extra[], donors?: Donors): void {
    const view = spot.specs.find(isViewSpec);
    if (view) return this.#bindView(spot, view, element, given, donors);
    for (const spec of spot.specs) {
      if (spec.family === "list") {
        this.#bindList(spot, spec, element, donors);
        continue;
      }
      if (spec.family === "keypress" && !parseKey(spec.detail)) {
        this.#stage.store.report(variable, "bad-path", `no key is named \`${spec.detail}\``);
      }
      const slot = bind(this.#stage, element, spec, this.#keyOf(spec.written));
      this.#placed.push({ slot, parentOf: same });
      if (slot instanceof HtmlBinding) this.#replacePart(element as unknown as ChildNode, slot);
    }
  }

  #bindView(spot: Spot, spec: Spec, element: Element, given: Extra[], donors?: Donors): void {
    const own = spot.specs.filter((other) => other !== spec);
    const extras = [...given, ...own.map((other) => ({ spec: other, isOwn: false }))];
    const key = this.#keyOf(`${spot.written} ${spot.namespace}`);
    const living = donors?.live.get(key);
    if (living instanceof View) {
      donors?.live.delete(key);
      this.#join(element, living);
    } else {
      const follows = spec.path.flags.has("scrollOnOutput");
      const slot = new View(this.#stage, key, { element, extras, follows }, spec, spot.namespace);
      this.#placed.push({ slot, parentOf: same });
      this.#replacePart(element as unknown as ChildNode, slot);
    }
  }

  #bindList(spot: Spot, spec: Spec, element: Element, donors?: Donors): void {
    const pattern = spot.pattern?.outerHTML ?? "";
    const key = this.#keyOf(`${spec.written} ${spot.namespace} ${spot.itemWrapper} ${pattern}`);
    const living = donors?.live.get(key);
    if (living instanceof List) {
      donors?.live.delete(key);
      this.#join(element, living);
    } else {
      this.#placed.push({ slot: new List(this.#stage, key, element, spec, spot), parentOf: same });
    }
  }

  #join(element: Element, living: View | List): void {
    this.#coming.set(element, living);
    this.#placed.push({ slot: living, parentOf: same });
    if (living instanceof View) this.#replacePart(element as unknown as ChildNode, living);
  }

  #isComing(slot: Slot): boolean {
    for (const coming of this.#coming.values()) if (coming === slot) return true;
    return false;
  }

  #replacePart(element: ChildNode, by: { nodes(): ChildNode[] }): void {
    const index = this.#parts.indexOf(element);
    if (index >= 0) this.#parts[index] = by;
  }

  /** The same thing written twice is two places, told apart by their order. */
  #keyOf(written: string): string {
    const count = this.#seen.get(written) ?? 0;
    this.#seen.set(written, count + 1);
    return count === 0 ? written : `${written} ${count}`;
  }

  #report(variable: Variable): void {
    for (const mistake of this.viewdef.mistakes) {
      const what = `${this.viewdef.key}: ${mistake}`;
      console.warn(what);
      this.#stage.store.report(variable, "bad-path", what);
    }
    // Once for each version is enough.
    this.viewdef.mistakes.length = 0;
  }
}

const same = (variable: Variable) => variable;
const outer = (variable: Variable) => variable.parent ?? variable;

function isViewSpec({ family }: Spec): boolean {
  return family === "view";
}

function at(fragment: DocumentFragment, steps: number[]): Element {
  let node: Node = fragment;
  for (const step of steps) node = node.childNodes[step] as Node;
  return node as Element;
}

function joined(own: string | null, more: string): string {
  return own ? `${own.replace(/;?\s*$/, "")}; ${more}` : more;
}
