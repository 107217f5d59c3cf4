/**
 * A form made from tables.
 *
 * What others change meanwhile is written into the fields that the person has not touched; a touched field keeps what was
 * typed and is marked, with what it is now. Only touched fields that differ are sent.
 */

import { h } from "../../kit/dom.ts";
import type { World } from "../state/world.ts";
import { control, type Control } from "./controls.ts";
import type { Values } from "./commands.ts";
import { isSame, pathOf, valueAt, type FieldSpec, type Section } from "./fields.ts";

interface Part {
  path: string;
  field: FieldSpec;
  control: Control;
  touched: boolean;
}

let forms = 0;

export class Form {
  readonly element = h("form", { className: "entity", noValidate: true });
  readonly #problem = h("p", { className: "error", role: "alert" });
  readonly #save: HTMLButtonElement;
  readonly #parts: Part[] = [];
  /** The entity as the server has it; none while one is being added. */
  #entity: object | undefined;
  #busy = false;

  /** `send` gives why it was refused, or `null`. `extra` stands between the fields and the buttons. */
  constructor(
    sections: readonly Section[],
    label: string,
    send: (values: Values) => Promise<string | null>,
    ...extra: HTMLElement[]
  ) {
    const prefix = `form${(forms += 1)}`;
    this.#save = h("button", { className: "button primary" }, label);
    const revert = h(
      "button",
      { type: "button", className: "button", onclick: () => this.revert() },
      "Revert",
    );
    this.element.append(
      ...sections.map((section) => this.#section(section, prefix)),
      ...extra,
      h(
        "div",
        { className: "form-foot" },
        this.#problem,
        h("div", { className: "row" }, this.#save, revert),
      ),
    );
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.#busy) void this.#submit(send);
    });
  }

  /** What a new one starts with. */
  start(values: Values): void {
    for (const part of this.#parts) part.control.write(values.get(part.path));
  }

  /** Shows an entity, or what became of it. */
  show(entity: object): void {
    const before = this.#entity;
    this.#entity = entity;
    for (const part of this.#parts) {
      const now = valueAt(entity, part.path);
      const changed = before !== undefined && !isSame(valueAt(before, part.path), now);
      if (!part.touched) {
        part.control.write(now ?? (part.field.optional ? undefined : part.field.initial));
        if (changed) glow(part.control.element);
      } else if (changed) {
        this.#mark(part, now);
      }
    }
  }

  refresh(world: World, but: ReadonlySet<string>): void {
    this.#parts.forEach((part) => part.control.refresh(world, but));
  }

  get touched(): boolean {
    return this.#parts.some((part) => part.touched);
  }

  revert(): void {
    this.#say("");
    for (const part of this.#parts) {
      if (!part.touched) continue;
      this.#untouch(part);
      part.control.write(
        valueAt(this.#entity, part.path) ??
          (part.field.optional && this.#entity ? undefined : part.field.initial),
      );
    }
  }

  lock(locked: boolean): void {
    this.element.querySelectorAll("fieldset").forEach((set) => (set.disabled = locked));
    this.#save.disabled = locked;
  }

  #section(section: Section, prefix: string): HTMLElement {
    const fields = section.fields.map((field) => {
      const path = pathOf(section, field);
      const part: Part = {
        path,
        field,
        control: control(field, `${prefix}-${path}`),
        touched: false,
      };
      const touch = () => {
        part.touched = true;
        part.control.element.classList.add("touched");
      };
      part.control.element.addEventListener("input", touch);
      part.control.element.addEventListener("change", touch);
      this.#parts.push(part);
      return part.control.element;
    });
    const inner = h("fieldset", { className: "fields" }, ...fields);
    inner.setAttribute("aria-label", section.title);
    return h("details", { open: section.open ?? false }, h("summary", {}, section.title), inner);
  }

  async #submit(send: (values: Values) => Promise<string | null>): Promise<void> {
    let values: Map<string, unknown>;
    try {
      values = this.#changed();
    } catch (problem) {
      return this.#say((problem as Error).message);
    }
    if (values.size === 0) return this.#say("nothing was changed");
    this.#busy = this.#save.disabled = true;
    const refused = await send(values);
    this.#busy = this.#save.disabled = false;
    this.#say(refused ?? "");
    if (refused === null) this.#parts.forEach((part) => this.#untouch(part));
  }

  /** What differs from what the server has; everything, when it has none. */
  #changed(): Map<string, unknown> {
    const values = new Map<string, unknown>();
    for (const { path, control: own, touched } of this.#parts) {
      if (this.#entity && !touched) continue;
      const value = own.read();
      if (!this.#entity || !isSame(valueAt(this.#entity, path), value)) values.set(path, value);
    }
    return values;
  }

  #mark(part: Part, now: unknown): void {
    const { element } = part.control;
    element.querySelector(".meanwhile")?.remove();
    const take = () => {
      this.#untouch(part);
      part.control.write(now);
    };
    element.append(
      h(
        "p",
        { className: "meanwhile", role: "status" },
        `meanwhile changed to ${shown(now)} `,
        h("button", { type: "button", className: "link", onclick: take }, "Take it"),
      ),
    );
  }

  #untouch(part: Part): void {
    part.touched = false;
    part.control.element.classList.remove("touched");
    part.control.element.querySelector(".meanwhile")?.remove();
  }

  #say(problem: string): void {
    this.#problem.textContent = problem;
  }
}

function glow(element: HTMLElement): void {
  element.classList.remove("fresh");
  requestAnimationFrame(() => element.classList.add("fresh"));
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
