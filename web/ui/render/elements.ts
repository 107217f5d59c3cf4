/** How each kind of element shows a value, what it gives back, and when. The table of `ui-value`. */

import type { Value } from "../state/wire.ts";

export interface Kind {
  isEditable: boolean;
  show(element: Element, value: Value): void;
  /** What the element holds now; `undefined` when it has nothing to say. */
  read(element: Element): Value | undefined;
  /** The person is done with an edit. */
  commits: string[];
  /** The person is in the middle of one. */
  inputs: string[];
}

type Field = Element & Record<string, unknown>;

const NATIVE = { commits: ["change", "blur"], inputs: ["input"] };
const SHOELACE = { commits: ["sl-change", "sl-blur"], inputs: ["sl-input"] };

/** A value as people read it. */
export function textOf(value: Value): string {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function isTrue(value: Value): boolean {
  return Boolean(value);
}

/** Sets a property without touching it when it is the same: writing to a field moves its cursor. */
function set(element: Element, name: string, value: unknown): void {
  const field = element as Field;
  if (field[name] !== value) field[name] = value;
}

const text: Pick<Kind, "show" | "read"> = {
  show(element, value) {
    const wanted = textOf(value);
    const field = element as unknown as HTMLInputElement;
    if (field.value === wanted) return;
    const isFocused = document.activeElement === element && "setSelectionRange" in field;
    const [start, end] = isFocused ? selection(field) : [null, null];
    field.value = wanted;
    if (isFocused && typeof start === "number") {
      field.setSelectionRange(
        Math.min(start, wanted.length),
        Math.min(end ?? start, wanted.length),
      );
    }
  },
  read: (element) => String((element as Field)["value"] ?? ""),
};

function selection(field: HTMLInputElement): [number | null, number | null] {
  return [field.selectionStart, field.selectionEnd];
}

const number: Pick<Kind, "show" | "read"> = {
  show(element, value) {
    if (element instanceof HTMLInputElement) {
      const wanted = textOf(value);
      // "1.0" while typing is the number 1 already.
      if (wanted === "" || Number(element.value) !== Number(wanted) || element.value === "") {
        set(element, "value", wanted);
      }
    } else if (element.localName === "sl-input") set(element, "value", textOf(value));
    else set(element, "value", Number(value ?? 0) || 0);
  },
  read(element) {
    const raw = (element as Field)["value"];
    if (raw === "" || raw === undefined || raw === null) return null;
    const parsed = Number(raw);
    return Number.isFinite(parsed) ? parsed : null;
  },
};

const checked: Pick<Kind, "show" | "read"> = {
  show: (element, value) => set(element, "checked", isTrue(value)),
  read: (element) => Boolean((element as Field)["checked"]),
};

const radio: Pick<Kind, "show" | "read"> = {
  show(element, value) {
    set(element, "checked", value !== null && textOf(value) === (element as Field)["value"]);
  },
  read(element) {
    const field = element as unknown as HTMLInputElement;
    return field.checked ? field.value : undefined;
  },
};

const choice: Pick<Kind, "show" | "read"> = {
  show(element, value) {
    const values = Array.isArray(value) ? value.map(textOf) : value === null ? [] : [textOf(value)];
    if (element instanceof HTMLSelectElement) {
      if (element.multiple) {
        for (const option of element.options) option.selected = values.includes(option.value);
      } else {
        element.value = values[0] ?? "";
        // Nothing chosen is shown as nothing, also where the list has no empty line.
        if (element.value !== (values[0] ?? "")) element.selectedIndex = -1;
      }
      return;
    }
    const field = element as Field;
    const wanted =
      field["multiple"] || element.hasAttribute("multiple") ? values : (values[0] ?? "");
    if (JSON.stringify(field["value"]) !== JSON.stringify(wanted)) field["value"] = wanted;
  },
  read(element) {
    if (element instanceof HTMLSelectElement && element.multiple) {
      return [...element.selectedOptions].map((option) => option.value);
    }
    const value = (element as Field)["value"];
    return Array.isArray(value) ? value.map(String) : String(value ?? "");
  },
};

const plain: Pick<Kind, "show" | "read"> = {
  show(element, value) {
    const wanted = textOf(value);
    if (element.textContent !== wanted) element.textContent = wanted;
  },
  read: () => undefined,
};

const numberShown: Pick<Kind, "show" | "read"> = {
  show: (element, value) => set(element, "value", Number(value ?? 0) || 0),
  read: () => undefined,
};

const valueShown: Pick<Kind, "show" | "read"> = {
  show: (element, value) => set(element, "value", textOf(value)),
  read: () => undefined,
};

const never = { isEditable: false, commits: [], inputs: [] };
const TEXT: Kind = { isEditable: true, ...text, ...NATIVE };
const NUMBER: Kind = { isEditable: true, ...number, ...NATIVE };
const CHECKED: Kind = { isEditable: true, ...checked, commits: ["change"], inputs: [] };
const RADIO: Kind = { isEditable: true, ...radio, commits: ["change"], inputs: [] };
const SELECT: Kind = { isEditable: true, ...choice, commits: ["change"], inputs: ["input"] };
/** A file's name cannot be set by a page, and its content does not go this way. */
const FILE: Kind = { ...never, show: () => undefined, read: () => undefined };
const PLAIN: Kind = { ...never, ...plain, commits: ["ui-value-change"] };

const SL_TEXT: Kind = { isEditable: true, ...text, ...SHOELACE };
const SL_NUMBER: Kind = { isEditable: true, ...number, ...SHOELACE };
const SL_CHANGE = { isEditable: true, commits: ["sl-change"], inputs: ["sl-input"] };

const KINDS: Record<string, Kind> = {
  textarea: TEXT,
  select: SELECT,
  progress: { ...never, ...numberShown },
  meter: { ...never, ...numberShown },
  "sl-textarea": SL_TEXT,
  "sl-checkbox": { ...SL_CHANGE, ...checked, inputs: [] },
  "sl-switch": { ...SL_CHANGE, ...checked, inputs: [] },
  "sl-range": { ...SL_CHANGE, ...number },
  "sl-rating": { ...SL_CHANGE, ...number },
  "sl-select": { ...SL_CHANGE, ...choice },
  "sl-radio-group": { ...SL_CHANGE, ...text },
  "sl-color-picker": { ...SL_CHANGE, ...text },
  "sl-option": { ...never, ...valueShown },
  "sl-progress-bar": { ...never, ...numberShown },
  "sl-progress-ring": { ...never, ...numberShown },
  "sl-qr-code": { ...never, ...valueShown },
  "sl-copy-button": { ...never, ...valueShown },
};

export function kindOf(element: Element): Kind {
  const { localName } = element;
  if (localName === "input") return inputKind((element as HTMLInputElement).type);
  if (localName === "sl-input") {
    return element.getAttribute("type") === "number" ? SL_NUMBER : SL_TEXT;
  }
  return KINDS[localName] ?? PLAIN;
}

function inputKind(type: string): Kind {
  switch (type) {
    case "checkbox":
      return CHECKED;
    case "radio":
      return RADIO;
    case "number":
    case "range":
      return NUMBER;
    case "file":
      return FILE;
    default:
      return TEXT;
  }
}
