/** Forms: a label for every control, and dialogs that stay open until the server has said yes. */

import { h } from "../../kit/dom.ts";

let last = 0;

/** A control with its label, and a hint below where one helps. */
export function field(label: string, control: HTMLElement, hint = ""): HTMLElement {
  control.id ||= `field-${(last += 1)}`;
  return h(
    "div",
    { className: "labelled" },
    h("label", { htmlFor: control.id }, label),
    control,
    hint && h("p", { className: "hint" }, hint),
  );
}

export function select(
  options: readonly (readonly [value: string, label: string])[],
  value = "",
): HTMLSelectElement {
  const element = h("select", {});
  element.append(...options.map(([value, label]) => h("option", { value }, label)));
  element.value = value || (options[0]?.[0] ?? "");
  return element;
}

/** Exchanges the options and keeps what is chosen, when it is still there. */
export function refill(
  element: HTMLSelectElement,
  options: readonly (readonly [value: string, label: string])[],
): void {
  const key = JSON.stringify(options);
  if (element.dataset["options"] === key) return;
  element.dataset["options"] = key;
  const chosen = element.value;
  element.replaceChildren(...options.map(([value, label]) => h("option", { value }, label)));
  element.value = options.some(([value]) => value === chosen) ? chosen : (options[0]?.[0] ?? "");
}

export function numberInput(value: number | "", min: number, max?: number): HTMLInputElement {
  const input = h("input", { type: "number", min: String(min), step: "1", inputMode: "numeric" });
  if (max !== undefined) input.max = String(max);
  input.value = String(value);
  return input;
}

/** One of a few, side by side. A short label may have a longer name for those who do not see its place. */
export function choice(
  legend: string,
  name: string,
  options: readonly (readonly [value: string, label: string, name?: string])[],
  value: string,
  changed: (value: string) => void = () => undefined,
): HTMLFieldSetElement {
  const set = h("fieldset", { className: "choices" }, h("legend", {}, legend));
  const row = h("div", { className: "choice-row" });
  for (const [own, label, long] of options) {
    const input = h("input", { type: "radio", name, value: own, checked: own === value });
    if (long) input.setAttribute("aria-label", long);
    input.addEventListener("change", () => changed(own));
    row.append(h("label", { className: "choice" }, input, h("span", {}, label)));
  }
  set.append(row);
  return set;
}

export function chosen(set: HTMLFieldSetElement): string {
  return set.querySelector<HTMLInputElement>("input:checked")?.value ?? "";
}

export interface Asking {
  title: string;
  content: HTMLElement[];
  yes: string;
  /** Does it; gives why not, or `null`. */
  submit(): Promise<string | null>;
}

/** A form in front of everything. Escape and a click outside leave it. */
export function ask({ title, content, yes, submit }: Asking): void {
  const problem = h("p", { className: "error", role: "alert" });
  const send = h("button", { className: "button primary", type: "submit" }, yes);
  const close = () => dialog.close();
  const form = h(
    "form",
    {},
    h("h2", {}, title),
    ...content,
    problem,
    h(
      "div",
      { className: "row" },
      send,
      h("button", { className: "button", type: "button", onclick: close }, "Cancel"),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send.disabled = true;
    void submit().then((refused) => {
      send.disabled = false;
      problem.textContent = refused ?? "";
      if (refused === null) dialog.close();
    });
  });
  const dialog = present(title, form);
}

/** Something to look at in front of everything. */
export function present(title: string, content: HTMLElement): HTMLDialogElement {
  const dialog = h("dialog", { className: "card dialog", "aria-label": title }, content);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
