/** The seal on the record: every entry is chained to the one before it, and anyone may walk the chain. */

import { h, replace, svg } from "../../kit/dom.ts";
import { attempt, type Desk } from "../desk.ts";
import type { Verdict } from "../state/types.ts";

export class Seal {
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #button = h("button", { type: "button", className: "seal", title: "Verify the record" });
  readonly #told = h("span", { className: "seal-words", role: "status" });
  #seq = 0;

  constructor(desk: Desk) {
    this.#desk = desk;
    replace(this.#button, wax(), h("span", {}, "Verify"));
    this.#button.setAttribute("aria-label", "Verify the record");
    this.#button.addEventListener("click", () => void this.#verify());
    this.element = h("div", { className: "seal-box" }, this.#told, this.#button);
  }

  /** The record has grown; what was verified was a shorter one. */
  reach(seq: number): void {
    if (this.#seq !== 0 && seq > this.#seq) this.#show(undefined);
  }

  async #verify(): Promise<void> {
    this.#button.disabled = true;
    const refused = await attempt(this.#desk, async () => {
      this.#show(await this.#desk.server.verify());
    });
    this.#button.disabled = false;
    if (refused !== null) this.#told.textContent = refused;
  }

  #show(verdict: Verdict | undefined): void {
    this.#seq = verdict?.valid ? verdict.events : 0;
    this.#button.dataset["valid"] = verdict === undefined ? "" : String(verdict.valid);
    if (verdict === undefined) return replace(this.#told);
    if (!verdict.valid) {
      return replace(this.#told, `Broken at entry ${verdict.seq}: ${verdict.why}`);
    }
    replace(
      this.#told,
      `${verdict.events} entries unbroken `,
      h("code", { title: verdict.head_hash }, verdict.head_hash.slice(0, 8)),
    );
  }
}

function wax(): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    svg("path", {
      d: "M12 2.6l2.3 1.9 2.9-.6 1.1 2.8 2.8 1.1-.6 2.9L22.4 12l-1.9 2.3.6 2.9-2.8 1.1-1.1 2.8-2.9-.6L12 22.4l-2.3-1.9-2.9.6-1.1-2.8-2.8-1.1.6-2.9L1.6 12l1.9-2.3-.6-2.9 2.8-1.1 1.1-2.8 2.9.6z",
    }),
    svg("path", { class: "tick", d: "M8 12.2l2.8 2.8L16 9.4" }),
    svg("path", { class: "cross", d: "M8.8 8.8l6.4 6.4M15.2 8.8l-6.4 6.4" }),
  );
}
