/** The panel about one thing: what it is, what can be done with it, its form; or the form that adds one. */

import { confirmed } from "../../kit/dialog.ts";
import { h, replace } from "../../kit/dom.ts";
import { freshId } from "../../kit/id.ts";
import { nameOf, nounOf } from "../state/describe.ts";
import type { Body, Command, MapName } from "../state/types.ts";
import { kindOf, type Ref, type World } from "../state/world.ts";
import { addCommand, initialValues, removeCommand, updateCommand } from "./commands.ts";
import { KINDS, sectionsOf, type TABLES } from "./fields.ts";
import { Form } from "./form.ts";
import { Home, Members } from "./members.ts";

export interface InspectorActions {
  send(command: Command): Promise<string | null>;
  select(ref: Ref | null): void;
  ride(id: string): void;
  fit(ref: Ref): void;
  /** Shows one group alone. */
  solo(group: string): void;
  close(): void;
}

type Editable = keyof typeof TABLES;
const ADDABLE: readonly [Editable, string][] = [
  ["stars", "Body"],
  ["groups", "Group"],
  ["smallBodyFields", "Belt"],
  ["protoplanetaryDisks", "Disk"],
  ["nebulae", "Nebula"],
];

export class Inspector {
  readonly element = h("div", { className: "inspector" });
  readonly #actions: InspectorActions;
  #world: World | undefined;
  #ref: Ref | undefined;
  /** Something just added: the answer to the command may come before the feed tells of it. */
  #awaited: Ref | undefined;
  #form: Form | undefined;
  #follow: ((world: World) => void)[] = [];
  #locked = false;

  constructor(actions: InspectorActions) {
    this.#actions = actions;
  }

  /** What is shown, or what became of it. Unsaved input stays. */
  update(world: World): void {
    this.#world = world;
    if (this.#ref && !world.find(this.#ref)) return this.#gone();
    this.#follow.forEach((follow) => follow(world));
    if (this.#awaited && world.find(this.#awaited)) this.edit(this.#awaited);
  }

  lock(locked: boolean): void {
    this.#locked = locked;
    this.element.classList.toggle("locked", locked);
    this.#form?.lock(locked);
    this.element
      .querySelectorAll<HTMLButtonElement>(".changes")
      .forEach((button) => (button.disabled = locked));
  }

  get ref(): Ref | undefined {
    return this.#ref;
  }

  clear(): void {
    this.#ref = this.#form = this.#awaited = undefined;
    this.#follow = [];
    replace(this.element);
  }

  edit(ref: Ref): void {
    const entity = this.#world?.find(ref);
    this.#awaited = entity ? undefined : ref;
    if (!this.#world || !entity) return;
    if (this.#ref?.map === ref.map && this.#ref.id === ref.id) return;
    this.#ref = ref;
    this.#follow = [];
    const { map } = ref;
    const kind = map === "stars" ? kindOf(entity as Body) : "";
    const title = h("h2", {}, nameOf(this.#world, ref));
    const problem = h("p", { className: "error", role: "alert" });
    this.#follow.push((world) => (title.textContent = nameOf(world, ref)));
    this.#form = map === "belts" ? undefined : this.#formFor(ref, map, kind);
    replace(
      this.element,
      h(
        "div",
        { className: "panel-head" },
        h("div", {}, title, h("p", { className: "hint" }, nounOf(map, kind))),
        this.#closeButton(),
      ),
      this.#buttons(ref, problem),
      problem,
      ...this.#besides(ref),
      this.#form?.element,
    );
    this.#follow.forEach((follow) => follow(this.#world as World));
    this.lock(this.#locked);
  }

  add(map: Editable = "stars", kind = "planet", parentId?: string): void {
    this.#ref = this.#awaited = undefined;
    this.#follow = [];
    const world = () => this.#world as World;
    const id = freshId();
    const form = new Form(
      sectionsOf(map, kind).filter(({ key }) => key !== "ring"),
      "Add",
      async (values) => {
        const refused = await this.#actions.send(addCommand(map, kind, id, values, world()));
        if (refused === null) this.#actions.select({ map, id });
        return refused;
      },
    );
    const values = initialValues(map, kind);
    const host = parentId ?? this.#world?.roots[0] ?? "";
    for (const key of ["hostStarId", "centralStarId"]) if (values.has(key)) values.set(key, host);
    if (map === "stars" && parentId !== undefined) {
      values.set("parentId", parentId);
      values.set("orbitalDistance", 5);
    }
    this.#form = form;
    this.#follow.push((now) => form.refresh(now, new Set()));
    replace(
      this.element,
      h("div", { className: "panel-head" }, h("h2", {}, "Add"), this.#closeButton()),
      this.#addChoice(map, kind, parentId),
      form.element,
    );
    this.#follow.forEach((follow) => follow(world()));
    form.start(values);
    this.lock(this.#locked);
    this.element.querySelector<HTMLInputElement>("form input")?.focus({ preventScroll: true });
  }

  #addChoice(map: Editable, kind: string, parentId?: string): HTMLElement {
    const what = h(
      "select",
      { id: "add-what" },
      ...ADDABLE.map(([value, label]) => h("option", { value }, label)),
    );
    what.value = map;
    what.addEventListener("change", () => this.add(what.value as Editable, "planet", parentId));
    const kinds = h(
      "select",
      { id: "add-kind" },
      ...KINDS.map(([value, label]) => h("option", { value }, label)),
    );
    kinds.value = kind;
    kinds.addEventListener("change", () => this.add(map, kinds.value, parentId));
    return h(
      "div",
      { className: "pair add-choice" },
      h("div", { className: "labelled" }, h("label", { htmlFor: "add-what" }, "What"), what),
      map === "stars" &&
        h("div", { className: "labelled" }, h("label", { htmlFor: "add-kind" }, "Kind"), kinds),
    );
  }

  #formFor(ref: Ref, map: Editable, kind: string): Form {
    const sections = sectionsOf(map, kind).filter(
      ({ key }) => key !== "ring" || hasRing(this.#world, ref),
    );
    const form = new Form(sections, "Save", (values) => {
      const entity = this.#world?.find(ref);
      if (!entity) return Promise.resolve("it is gone; someone removed it meanwhile");
      return this.#actions.send(updateCommand(ref, entity, values));
    });
    this.#follow.push((world) => {
      const entity = world.find(ref);
      if (!entity) return;
      form.refresh(world, map === "stars" ? new Set(world.withDescendants(ref.id)) : new Set());
      form.show(entity);
    });
    return form;
  }

  /** What is said about it besides its own fields: its group, its members, its ring. */
  #besides(ref: Ref): (HTMLElement | null)[] {
    const send = (command: Command) => this.#actions.send(command);
    if (ref.map === "groups") {
      const [members, home] = [new Members(send), new Home(send)];
      this.#follow.push((world) => {
        const group = world.groups.get(ref.id);
        if (group) members.show(group, world);
        home.show(ref.id, "group", world);
      });
      return [home.element, members.element];
    }
    if (ref.map !== "stars") return [];
    const home = new Home(send);
    let ringed = hasRing(this.#world, ref);
    this.#follow.push((world: World) => {
      const body = world.stars.get(ref.id);
      if (body?.parentId === null && !body.isRoguePlanet) home.show(ref.id, "system", world);
      else home.element.hidden = true;
      // A ring brings its own fields, and takes them with it.
      if (hasRing(world, ref) === ringed || this.#form?.touched) return;
      ringed = !ringed;
      this.#ref = undefined;
      this.edit(ref);
    });
    return [home.element];
  }

  #buttons(ref: Ref, problem: HTMLElement): HTMLElement {
    const { send, ride, fit } = this.#actions;
    const say = async (command: Command) => (problem.textContent = (await send(command)) ?? "");
    const body = ref.map === "stars" ? this.#world?.stars.get(ref.id) : undefined;
    const small = (label: string, onclick: () => void, more = "") =>
      h("button", { type: "button", className: `button small ${more}`, onclick }, label);
    return h(
      "div",
      { className: "actions" },
      small("Look at it", () => fit(ref)),
      body && small("Ride along", () => ride(ref.id)),
      ref.map === "groups" && small("Show it alone", () => this.#actions.solo(ref.id)),
      body && small("Add a satellite", () => this.add("stars", childKind(body), ref.id), "changes"),
      body &&
        kindOf(body) === "planet" &&
        (body.ring
          ? small(
              "Remove the ring",
              () => void say({ type: "removeRing", planetId: ref.id }),
              "changes",
            )
          : small(
              "Add a ring",
              () => void say({ type: "updateRing", planetId: ref.id, patch: {} }),
              "changes",
            )),
      ref.map !== "belts" &&
        small("Remove", () => void this.#remove(ref, problem), "danger changes"),
    );
  }

  async #remove(ref: Ref, problem: HTMLElement): Promise<void> {
    const world = this.#world;
    if (!world) return;
    const below = ref.map === "stars" ? world.withDescendants(ref.id).length - 1 : 0;
    const detail =
      below > 0 ? `What orbits it goes too: ${below} more. It can be undone.` : "It can be undone.";
    if (!(await confirmed(`Remove ${nameOf(world, ref)}?`, detail, "Remove"))) return;
    problem.textContent = (await this.#actions.send(removeCommand(ref))) ?? "";
  }

  #gone(): void {
    const touched = this.#form?.touched;
    this.clear();
    replace(
      this.element,
      h("div", { className: "panel-head" }, h("h2", {}, "Removed"), this.#closeButton()),
      h(
        "p",
        { className: "notice", role: "status" },
        touched
          ? "What you were editing was removed. Undo in the history brings it back."
          : "It is no longer there.",
      ),
    );
  }

  #closeButton(): HTMLElement {
    const onclick = () => this.#actions.close();
    return h(
      "button",
      {
        type: "button",
        className: "icon-button close",
        "aria-label": "Close the details",
        onclick,
      },
      "×",
    );
  }
}

function hasRing(world: World | undefined, { map, id }: { map: MapName; id: string }): boolean {
  return map === "stars" && Boolean(world?.stars.get(id)?.ring);
}

/** What one usually puts around such a body. */
function childKind(body: Body): string {
  return ["planet", "rogue", "moon"].includes(kindOf(body)) ? "moon" : "planet";
}
