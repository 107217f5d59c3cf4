/** Bars over the sky that say what is unusual about it, and lead back. */

import { h } from "../../kit/dom.ts";

export interface BannerActions {
  present(): void;
  fork(): void;
  leave(): void;
  /** Shows everything again. */
  all(): void;
}

export class Banners {
  readonly element = h("div", { className: "banners" });
  readonly #past = h("p", { className: "banner past-banner", role: "status", hidden: true });
  readonly #riding = h("p", { className: "banner", role: "status", hidden: true });
  readonly #alone = h("p", { className: "banner", role: "status", hidden: true });
  readonly #actions: BannerActions;

  constructor(actions: BannerActions) {
    this.#actions = actions;
    this.element.append(this.#past, this.#riding, this.#alone);
  }

  past(revision: number | null): void {
    this.#past.hidden = revision === null;
    this.#past.replaceChildren(
      h("span", {}, `This is the past: revision ${revision}, to look at only.`),
      button("Back to now", () => this.#actions.present()),
      button("Fork from here", () => this.#actions.fork()),
    );
  }

  alone(name: string | null): void {
    this.#alone.hidden = name === null;
    this.#alone.replaceChildren(
      h("span", {}, `Only ${name} is shown`),
      button("Show everything", () => this.#actions.all()),
    );
  }

  riding(name: string | null): void {
    this.#riding.hidden = name === null;
    this.#riding.replaceChildren(
      h("span", {}, `Viewing from ${name}`),
      button("Leave (Esc)", () => this.#actions.leave()),
    );
  }
}

function button(label: string, onclick: () => void): HTMLElement {
  return h("button", { type: "button", className: "button small", onclick }, label);
}
