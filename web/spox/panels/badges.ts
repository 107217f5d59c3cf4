/** Small marks: how many errors and warnings, what a change does, how far it is. */

import { h } from "../../kit/dom.ts";
import { count, percent } from "../state/words.ts";
import type { Operation, Progress } from "../state/types.ts";

export function badge(text: string, kind: string, title = ""): HTMLElement {
  return h("span", { className: "badge", "data-kind": kind, title: title || null }, text);
}

/** A number each for errors and warnings; nothing for none. */
export function problemBadges({ errors, warnings }: { errors: number; warnings: number }) {
  const found: HTMLElement[] = [];
  if (errors > 0) found.push(numbered(errors, "error"));
  if (warnings > 0) found.push(numbered(warnings, "warning"));
  return found;
}

function numbered(n: number, kind: "error" | "warning"): HTMLElement {
  const mark = badge("", kind, count(n, kind));
  mark.append(
    h("span", { "aria-hidden": "true" }, `${kind === "error" ? "✕" : "!"} ${n}`),
    h("span", { className: "visually-hidden" }, `, ${count(n, kind)}`),
  );
  return mark;
}

const OPERATIONS: Record<Operation, string> = {
  added: "Added",
  modified: "Modified",
  removed: "Removed",
  renamed: "Renamed",
};

export function operationBadge(operation: Operation): HTMLElement {
  return badge(OPERATIONS[operation], operation);
}

/** How much of a list of tasks is done. */
export class ProgressBar {
  readonly element = h("span", { className: "progress" });
  readonly #track = h("span", { className: "track", role: "progressbar" });
  readonly #fill = h("span", { className: "fill" });
  readonly #text = h("span", { className: "progress-text" });

  constructor() {
    this.#track.append(this.#fill);
    this.#track.setAttribute("aria-valuemin", "0");
    this.element.append(this.#track, this.#text);
  }

  show(progress: Progress): void {
    const { completed, total } = progress;
    this.#fill.style.inlineSize = `${percent(progress)}%`;
    this.#track.setAttribute("aria-valuemax", String(total));
    this.#track.setAttribute("aria-valuenow", String(completed));
    this.#track.setAttribute("aria-label", `${completed} of ${count(total, "task")} done`);
    this.#text.textContent = `${completed}/${total}`;
    this.element.toggleAttribute("data-done", total > 0 && completed === total);
  }
}
