/** The form that adds a body, or changes one. */

import { h, replace } from "../kit/dom.ts";
import { freshId } from "../kit/id.ts";
import { rows, withDescendants, type Command, type Star, type State } from "./model.ts";

const KINDS = ["star", "planet", "moon", "asteroid", "comet", "blackHole"];
const NUMBERS = [
  ["mass", "Mass", 10],
  ["radius", "Radius", 1],
  ["orbitalDistance", "Distance", 0],
  ["orbitalSpeed", "Speed, °/s", 10],
  ["orbitalPhase", "Phase, °", 0],
  ["eccentricity", "Eccentricity", 0],
] as const;

/** Sends a command and gives why it was not applied, or `null`. */
type Send = (command: Command) => Promise<string | null>;

export class Editor {
  readonly element = h("form", { className: "editor", noValidate: true });
  readonly #send: Send;
  #state: State | undefined;
  /** The body being changed, as it was when the form was filled; without one the form adds. */
  #editing: Star | undefined;

  constructor(send: Send) {
    this.#send = send;
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit();
    });
    this.#draw();
  }

  /** Keeps the choice of parents up to date, and what the person has typed. */
  show(state: State): void {
    this.#state = state;
    if (this.#editing && !state.stars[this.#editing.id]) {
      this.#editing = undefined;
      this.#draw();
      this.#say("the body being edited was removed");
    } else {
      this.#drawParents();
    }
  }

  edit(star: Star): void {
    this.#editing = star;
    this.#draw();
    this.element.scrollIntoView({ block: "nearest" });
    this.#input("name").focus();
  }

  #draw(): void {
    const star = this.#editing;
    const title = star ? `Edit ${star.name}` : "Add a body";
    const numbers = NUMBERS.map(([name, label, initial]) =>
      field(name, label, {
        type: "number",
        step: "any",
        value: String(star ? (star[name] ?? 0) : initial),
      }),
    );
    replace(
      this.element,
      h("h3", {}, title),
      field("name", "Name", { value: star?.name ?? "", autocomplete: "off", placeholder: "Earth" }),
      h(
        "div",
        { className: "pair" },
        this.#kinds(star),
        field("color", "Colour", { type: "color", value: star?.color ?? "#ffd27a" }),
      ),
      h(
        "div",
        { className: "labelled" },
        h("label", { htmlFor: "body-parentId" }, "Orbits"),
        h("select", { id: "body-parentId", name: "parentId" }),
      ),
      h("div", { className: "pair" }, ...numbers),
      h("p", { className: "error", role: "alert" }),
      h(
        "div",
        { className: "row" },
        h("button", { className: "button primary" }, star ? "Save" : "Add"),
        star &&
          h(
            "button",
            { type: "button", className: "button", onclick: () => this.#cancel() },
            "Cancel",
          ),
      ),
    );
    this.#drawParents(star?.parentId ?? "");
  }

  #kinds(star: Star | undefined): HTMLElement {
    const options = KINDS.map((kind) => h("option", { value: kind }, kind));
    const select = h("select", { id: "body-bodyType", name: "bodyType" }, ...options);
    select.value = star?.bodyType ?? "star";
    // A kind this form does not offer stays as it is.
    if (star?.bodyType && select.selectedIndex < 0) {
      select.append(h("option", { value: star.bodyType, selected: true }, star.bodyType));
    }
    return h(
      "div",
      { className: "labelled" },
      h("label", { htmlFor: "body-bodyType" }, "Kind"),
      select,
    );
  }

  /** Everything that the body could orbit: not itself, nor what orbits it. */
  #drawParents(chosen = this.#input("parentId").value): void {
    const select = this.#input("parentId");
    const state = this.#state;
    const own =
      state && this.#editing ? new Set(withDescendants(state.stars, this.#editing.id)) : undefined;
    const options = state ? rows(state).filter(({ star }) => !own?.has(star.id)) : [];
    replace(
      select,
      h("option", { value: "" }, "nothing"),
      ...options.map(({ star, depth }) =>
        h("option", { value: star.id }, `${"\u2003".repeat(depth)}${star.name}`),
      ),
    );
    select.value = options.some(({ star }) => star.id === chosen) ? chosen : "";
  }

  async #submit(): Promise<void> {
    const typed = this.#typed();
    const command = typeof typed === "string" ? typed : this.#command(typed);
    if (typeof command === "string") return this.#say(command);
    this.#busy(true);
    const refused = await this.#send(command);
    this.#busy(false);
    if (refused !== null) return this.#say(refused);
    this.#cancel();
  }

  /** What the form holds, or what is wrong with it. */
  #typed(): Partial<Star> | string {
    const name = this.#input("name").value.trim();
    if (name === "") return "a body needs a name";
    const values: Partial<Star> = {
      name,
      bodyType: this.#input("bodyType").value,
      color: this.#input("color").value,
      parentId: this.#input("parentId").value || null,
    };
    for (const [key, label] of NUMBERS) {
      const value = Number(this.#input(key).value);
      if (this.#input(key).value === "" || !Number.isFinite(value))
        return `${label} must be a number`;
      values[key] = value;
    }
    return values;
  }

  /** A new body, or only what changed of an old one, so that nobody else's change is undone. */
  #command(typed: Partial<Star>): Command | string {
    const star = this.#editing;
    if (!star) return { type: "addStar", id: freshId(), payload: typed };
    const before = { eccentricity: 0, bodyType: "star", ...star } as Record<string, unknown>;
    const changed = Object.entries(typed).filter(([key, value]) => !isSame(before[key], value));
    if (changed.length === 0) return "nothing was changed";
    return { type: "updateStar", id: star.id, payload: Object.fromEntries(changed) };
  }

  #cancel(): void {
    this.#editing = undefined;
    this.#draw();
  }

  #busy(busy: boolean): void {
    this.element.querySelectorAll("button").forEach((button) => (button.disabled = busy));
  }

  #say(problem: string): void {
    const error = this.element.querySelector(".error");
    if (error) error.textContent = problem;
  }

  #input(name: string): HTMLInputElement {
    return this.element.elements.namedItem(name) as HTMLInputElement;
  }
}

/** Colours are the same in either case of their letters; the browser's field gives lower case. */
function isSame(before: unknown, now: unknown): boolean {
  return typeof before === "string" && typeof now === "string"
    ? before.toLowerCase() === now.toLowerCase() || before === now
    : before === now;
}

function field(name: string, label: string, props: Record<string, unknown>): HTMLElement {
  const id = `body-${name}`;
  return h(
    "div",
    { className: "labelled" },
    h("label", { htmlFor: id }, label),
    h("input", { id, name, ...props }),
  );
}
