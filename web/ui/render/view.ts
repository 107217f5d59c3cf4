/**
 * A view: the object of a variable, shown with the definition for its type, in place of an element.
 *
 * What is shown stays until its successor is complete: the new content is made apart, its variables are created, and it takes its place when the
 * server has answered. Another object of the same type keeps the elements; only what is in them changes.
 */

import { propertiesOf } from "../state/path.ts";
import type { Owner, Variable } from "../state/variable.ts";
import { isRef, type Properties } from "../state/wire.ts";
import { carryOver, snapshot } from "./carry.ts";
import type { Spec } from "./compile.ts";
import { Content, type Donors, type Host } from "./content.ts";
import { ensureId, isMadeUp } from "./ids.ts";
import { runScripts } from "./scripts.ts";
import { destroyTree, type Slot, type Stage, type Tree } from "./stage.ts";
import type { Viewdef } from "./viewdefs.ts";

export class View implements Slot, Owner {
  readonly structural = true;
  readonly key: string;
  readonly #stage: Stage;
  readonly #properties: Properties;
  #host: Host;
  #variable: Variable | undefined;
  #content: Content | undefined;
  #next: Content | undefined;
  /** Called when something other than the waiting element is shown. */
  onShown: (() => void) | undefined;

  constructor(stage: Stage, key: string, host: Host, spec: Spec, namespace: string) {
    this.#stage = stage;
    this.key = key;
    this.#host = host;
    this.#properties = propertiesOf(spec.path, {
      access: "r",
      ...(namespace && { namespace }),
    });
    ensureId(host.element);
    stage.views.add(this);
  }

  get variable(): Variable | undefined {
    return this.#variable;
  }

  get elementId(): string {
    return ensureId(this.#host.element);
  }

  /** What stands where the view is. */
  nodes(): ChildNode[] {
    const nodes = this.#content?.nodes() ?? [];
    return nodes.length > 0 ? nodes : [this.#host.element as unknown as ChildNode];
  }

  create(parent: Variable): Variable {
    const { elementId } = this;
    return this.#stage.store.create(parent, { ...this.#properties, elementId });
  }

  attach(tree: Tree): void {
    const { variable } = tree;
    this.#variable = variable;
    variable.owner = this;
    this.#takeId(variable);
    const wanted = this.#wanted();
    const live = this.#next ?? this.#content;
    const isFitting = !variable.isAnswered || live?.viewdef === wanted;
    if (live && isFitting) {
      const trees = tree.viewdef === live.viewdef ? tree.slots : this.#drop(tree);
      live.attach(variable, trees);
      return this.refresh();
    }
    live?.close();
    const trees = tree.viewdef === wanted ? tree.slots : this.#drop(tree);
    if (wanted) this.#render(wanted, trees && { trees, live: new Map() });
    else if (variable.isAnswered) this.#clear();
  }

  release(): Tree | undefined {
    const variable = this.#variable;
    if (!variable) return undefined;
    variable.owner = undefined;
    this.#variable = undefined;
    const live = this.#next ?? this.#content;
    return live ? { variable, viewdef: live.viewdef, slots: live.release() } : { variable };
  }

  /** The view is not coming back. */
  close(): void {
    this.#stage.views.delete(this);
    for (const content of [this.#next, this.#content]) content?.close();
  }

  /** Takes the place of `element`, from wherever it is. */
  comeTo(element: Element): void {
    const parent = element.parentNode;
    for (const node of this.nodes()) if (parent) move(parent, node, element);
    this.#host.element.id = element.id;
    element.remove();
  }

  changed(): void {
    this.refresh();
  }

  /** Shows what is to be shown now. */
  refresh(): void {
    if (!this.#variable?.isAnswered) return;
    const wanted = this.#wanted();
    if (!wanted) return this.#clear();
    const live = this.#next ?? this.#content;
    if (live?.viewdef === wanted) return;
    if (live?.viewdef.key === wanted.key) return this.#render(wanted, live.handOver());
    live?.dispose();
    this.#render(wanted);
  }

  #wanted(): Viewdef | undefined {
    const variable = this.#variable;
    if (!variable || !isRef(variable.value) || variable.type === "") return undefined;
    const namespace = variable.inherited("namespace");
    return this.#stage.viewdefs.find(
      variable.type,
      namespace,
      variable.inherited("fallbackNamespace"),
    );
  }

  #render(viewdef: Viewdef, donors?: Donors): void {
    const variable = this.#variable as Variable;
    const { store } = this.#stage;
    const next = new Content(this.#stage, viewdef, this.#host, variable, donors);
    for (const left of donors?.live.values() ?? []) {
      const tree = left.release();
      if (tree) destroyTree(store, tree);
      left.close();
    }
    this.#next = next;
    store.setProperties(variable, { viewdef: viewdef.key });
    const show = () => {
      if (this.#next === next) this.#show(next);
    };
    store.whenAnswered(next.variables(), () => {
      const loading = this.#stage.load(viewdef.tags);
      if (loading) void loading.then(show);
      else show();
    });
  }

  #show(content: Content): void {
    const before = this.nodes();
    const isSuccessor = this.#content?.viewdef.key === content.viewdef.key;
    const state = isSuccessor ? snapshot(this.#stage, before) : undefined;
    this.#next = undefined;
    this.#content = content;
    content.place(before);
    const nodes = this.nodes();
    // An empty definition has nothing that could keep the place.
    if (content.nodes().length === 0) before[0]?.before(this.#host.element);
    if (state) carryOver(this.#stage, state, nodes);
    runScripts(nodes);
    this.onShown?.();
  }

  #clear(): void {
    const before = this.nodes();
    this.#next?.dispose();
    this.#content?.dispose();
    const wasShown = this.#content !== undefined;
    this.#next = undefined;
    this.#content = undefined;
    if (!wasShown) return;
    const { element } = this.#host;
    before[0]?.before(element);
    for (const node of before) if (node !== element) node.remove();
    if (this.#variable) this.#stage.store.setProperties(this.#variable, { viewdef: "" });
  }

  /** Variables that nothing here can use. */
  #drop(tree: Tree): undefined {
    for (const slot of tree.slots?.values() ?? []) destroyTree(this.#stage.store, slot);
    return undefined;
  }

  /** An id that we made up goes with the variable, so that the debug tree still finds the element. */
  #takeId(variable: Variable): void {
    const known = variable.given["elementId"] ?? "";
    const { element } = this.#host;
    if (known === "" || !isMadeUp(known) || !isMadeUp(element.id)) return;
    element.id = known;
    const first = this.#content?.nodes().find((node) => node instanceof Element);
    if (first && isMadeUp(first.id)) first.id = known;
  }
}

/** Moves a node without the browser noticing, where it can do that: focus and players go on. */
export function move(parent: Node, node: ChildNode, before: Node | null): void {
  const mover = parent as Node & { moveBefore?(node: Node, before: Node | null): void };
  if (mover.moveBefore && node.isConnected && parent.isConnected) mover.moveBefore(node, before);
  else parent.insertBefore(node, before);
}
