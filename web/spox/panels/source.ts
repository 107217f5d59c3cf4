/** The file itself, with line numbers, and what validation found right below the lines it is about. */

import { h } from "../../kit/dom.ts";
import { hashOf } from "../state/place.ts";
import type { Issue, Spec } from "../state/types.ts";
import { issueNote } from "./issues.ts";
import { bring, flash, keepPlace } from "./fresh.ts";

/** What stands out in a line: the words of scenarios, and code. */
const MARKED = /(\*\*(?:GIVEN|WHEN|AND|THEN|OR)\*\*|`[^`]+`)/i;

export class Source {
  readonly element = h("div", {
    className: "source",
    role: "region",
    "aria-label": "Source",
    hidden: true,
  });
  #lines: readonly string[] = [];
  #shown = "";

  /** Draws the file; `marked` says whether what is new in it is marked. */
  show(spec: Spec, marked: boolean): void {
    const now = JSON.stringify([spec.text, spec.issues]);
    if (now === this.#shown) return;
    const before = marked && this.#shown !== "" ? new Set(this.#lines) : undefined;
    this.#shown = now;
    this.#lines = spec.text.replace(/\r?\n$/, "").split(/\r?\n/);
    const rows = this.#draw(spec);
    const focused = this.#focused();
    keepPlace(
      () => this.element.querySelectorAll<HTMLElement>(".source-line"),
      () => this.element.replaceChildren(...rows),
    );
    if (focused) this.#row(focused)?.querySelector("a")?.focus({ preventScroll: true });
    if (!before) return;
    this.#lines.forEach((text, n) => {
      const row = this.#row(n + 1);
      if (row && text.trim() !== "" && !before.has(text)) flash(row);
    });
  }

  go(line: number | undefined): void {
    const marked = this.element.querySelector("[data-target]");
    marked?.removeAttribute("data-target");
    const row = line === undefined ? null : this.#row(line);
    if (!row) return;
    row.dataset["target"] = "";
    bring(row);
  }

  #draw(spec: Spec): HTMLElement[] {
    const at = new Map<number, Issue[]>();
    for (const issue of spec.issues) {
      // What is about the file as a whole stands at its beginning.
      const line = Math.min(Math.max(issue.line ?? 1, 1), Math.max(this.#lines.length, 1));
      at.set(line, [...(at.get(line) ?? []), issue]);
    }
    return this.#lines.flatMap((text, n) => {
      const issues = at.get(n + 1) ?? [];
      const row = drawLine(spec.id, text, n + 1);
      const worst = issues.some(({ severity }) => severity === "error") ? "error" : "warning";
      if (issues.length > 0) row.dataset["severity"] = worst;
      const notes = issues.map((issue) => issueNote(issue, "here"));
      return notes.length > 0 ? [row, h("div", { className: "source-issues" }, ...notes)] : [row];
    });
  }

  #row(line: number): HTMLElement | null {
    return this.element.querySelector<HTMLElement>(`.source-line[data-key="${line}"]`);
  }

  #focused(): number | undefined {
    const row = document.activeElement?.closest<HTMLElement>(".source-line");
    return row && this.element.contains(row) ? Number(row.dataset["key"]) : undefined;
  }
}

function drawLine(id: string, text: string, n: number): HTMLElement {
  const href = hashOf({ view: "spec", id, line: n });
  const number = h("a", { className: "source-number", href, "aria-label": `Line ${n}` }, n);
  const level = /^\s*(#{1,6})\s/.exec(text)?.[1]?.length;
  const parts = text.split(MARKED).map((part, at) => {
    if (at % 2 === 0) return part;
    const word = part.startsWith("`") ? "code" : part.replaceAll("*", "").toLowerCase();
    return h("span", { className: "source-word", "data-word": word }, part);
  });
  return h(
    "div",
    { className: "source-line", "data-key": n, "data-heading": level ?? null },
    number,
    h("span", { className: "source-text" }, ...parts),
  );
}
