/** One control for each kind of field: an element, and its value both ways. */

import { h, replace } from "../../kit/dom.ts";
import type { Point } from "../state/types.ts";
import type { World } from "../state/world.ts";
import type { FieldSpec } from "./fields.ts";

/** Beyond this many bodies a list of them is filled when it is opened. */
const MANY = 1500;

export interface Control {
  element: HTMLElement;
  /** The value, `null` for nothing. Throws words when what was typed is none. */
  read(): unknown;
  write(value: unknown): void;
  /** Keeps a choice of bodies up to date. */
  refresh(world: World, but: ReadonlySet<string>): void;
}

export function control(field: FieldSpec, id: string): Control {
  switch (field.kind) {
    case "flag":
      return flag(field, id);
    case "point":
      return point(field, id);
    case "choice":
      return choice(field, id);
    case "body":
    case "parent":
      return bodies(field, id);
    case "number":
      return number(field, id);
    case "colour":
      return colour(field, id);
    case "text":
    case "seed":
      return text(field, id);
  }
}

const still = { refresh: () => undefined };

function labelled(field: FieldSpec, id: string, ...inputs: HTMLElement[]): HTMLElement {
  return h(
    "div",
    { className: `labelled ${field.kind}`, "data-field": id },
    h("label", { htmlFor: id }, field.label),
    ...inputs,
  );
}

function text(field: FieldSpec, id: string): Control {
  const input = h("input", { id, name: id, autocomplete: "off", spellcheck: false });
  return {
    ...still,
    element: labelled(field, id, input),
    read: () => {
      const typed = input.value.trim();
      if (typed === "" && !field.optional) throw new Error(`${field.label} must not be empty`);
      if (typed === "") return null;
      return field.kind === "seed" && String(Number(typed)) === typed ? Number(typed) : typed;
    },
    write: (value) => (input.value = String(value ?? "")),
  };
}

function number(field: FieldSpec, id: string): Control {
  const limits = { min: field.min, max: field.max };
  const input = h("input", {
    id,
    name: id,
    type: "number",
    step: "any",
    inputMode: "decimal",
    placeholder: field.optional && Number.isFinite(field.initial) ? String(field.initial) : "",
    ...limits,
  });
  return {
    ...still,
    element: labelled(field, id, input),
    read: () => {
      const typed = numberOf(input, field);
      if (typed === null && !field.optional) throw new Error(`${field.label} must be a number`);
      return typed;
    },
    write: (value) => {
      const absent = value === undefined || value === null || Number.isNaN(value);
      input.value = absent ? "" : String(value);
    },
  };
}

/** Also with limits: the browser's own check would only show a bubble. */
function numberOf(input: HTMLInputElement, { label, min, max }: FieldSpec): number | null {
  if (input.validity.badInput) throw new Error(`${label} must be a number`);
  if (input.value === "") return null;
  const value = Number(input.value);
  if (!Number.isFinite(value)) throw new Error(`${label} must be a number`);
  if (min !== undefined && value < min) throw new Error(`${label} must be ${min} or more`);
  if (max !== undefined && value > max) throw new Error(`${label} must be ${max} or less`);
  return value;
}

function colour(field: FieldSpec, id: string): Control {
  const input = h("input", { id, name: id, type: "color" });
  return {
    ...still,
    element: labelled(field, id, input),
    read: () => input.value,
    write: (value) =>
      (input.value = String(value ?? field.initial ?? "#ffffff")
        .toLowerCase()
        .slice(0, 7)),
  };
}

function flag(field: FieldSpec, id: string): Control {
  const input = h("input", { id, name: id, type: "checkbox" });
  const label = h("label", { htmlFor: id }, input, field.label);
  return {
    ...still,
    element: h("div", { className: "labelled flag", "data-field": id }, label),
    read: () => input.checked,
    write: (value) => (input.checked = Boolean(value ?? field.initial)),
  };
}

function choice(field: FieldSpec, id: string): Control {
  const options = field.options?.map((option) => h("option", { value: option }, option)) ?? [];
  const select = h("select", { id, name: id }, ...options);
  return {
    ...still,
    element: labelled(field, id, select),
    read: () => select.value,
    write: (value) => {
      const wanted = String(value ?? field.initial ?? "");
      // A value this table does not know stays as it is.
      if (!field.options?.includes(wanted)) select.append(h("option", { value: wanted }, wanted));
      select.value = wanted;
    },
  };
}

function point(field: FieldSpec, id: string): Control {
  const axes = (["x", "y", "z"] as const).map((axis, n) => {
    const input = h("input", {
      type: "number",
      step: "any",
      id: n === 0 ? id : `${id}-${axis}`,
      placeholder: axis,
    });
    input.setAttribute("aria-label", `${field.label} ${axis}`);
    return [axis, input] as const;
  });
  return {
    ...still,
    element: labelled(
      field,
      id,
      h("div", { className: "triple" }, ...axes.map(([, input]) => input)),
    ),
    read: () => {
      const values = axes.map(([axis, input]) => [
        axis,
        numberOf(input, { ...field, label: `${field.label} ${axis}` }),
      ]);
      const given = values.filter(([, value]) => value !== null).length;
      if (given === 0 && field.optional) return null;
      if (given < 3) throw new Error(`${field.label} needs x, y and z`);
      return Object.fromEntries(values) as Point;
    },
    write: (value) => {
      axes.forEach(
        ([axis, input]) => (input.value = String((value as Point | undefined)?.[axis] ?? "")),
      );
    },
  };
}

function bodies(field: FieldSpec, id: string): Control {
  const select = h("select", { id, name: id });
  let [wanted, fill] = ["", () => {}];
  const none = field.kind === "parent" ? "nothing" : "choose one";
  select.addEventListener("focus", () => fill());
  select.addEventListener("change", () => (wanted = select.value));
  const offer = (names: Iterable<[id: string, name: string]>) => {
    const options = [...names].map(([value, name]) => h("option", { value }, name));
    replace(select, h("option", { value: "" }, none), ...options);
    // What it refers to may be gone; that is for the server to say.
    if (wanted !== "" && !options.some(({ value }) => value === wanted)) {
      select.append(h("option", { value: wanted }, wanted));
    }
    select.value = wanted;
  };
  return {
    element: labelled(field, id, select),
    read: () => {
      if (wanted === "" && field.kind === "body") throw new Error(`${field.label} must be chosen`);
      return wanted === "" ? null : wanted;
    },
    write: (value) => {
      wanted = String(value ?? "");
      if (![...select.options].some((option) => option.value === wanted)) {
        select.append(h("option", { value: wanted }, wanted || none));
      }
      select.value = wanted;
    },
    refresh: (world, but) => {
      const all = () =>
        [...world.stars.values()]
          .filter((body) => !but.has(body.id))
          .map((body): [string, string] => [body.id, body.name]);
      if (world.stars.size <= MANY) {
        fill = () => undefined;
        return offer(all());
      }
      fill = () => offer(all());
      const name = world.stars.get(wanted)?.name;
      offer(name === undefined ? [] : [[wanted, name]]);
    },
  };
}
