/** Any other dice: written as people write them. */

import { request } from "../../kit/api.ts";
import { h } from "../../kit/dom.ts";
import { attempt, type Desk } from "../desk.ts";
import { signed } from "../state/names.ts";
import { readNotation } from "../state/notation.ts";
import type { RollAnswer } from "../state/server.ts";
import type { RollPayload } from "../state/types.ts";
import { payloadOf } from "./roll-form.ts";

const QUICK = ["d4", "d6", "d8", "d10", "d12", "d20", "d100"];

export class FreeDice {
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #rolled: (seq: number | undefined, payload: RollPayload) => void;
  readonly #notation = h("input", {
    id: "notation",
    placeholder: "2d20+1d6",
    autocomplete: "off",
    spellcheck: false,
    "aria-label": "Dice",
  });
  readonly #sum = h("output", { className: "sum", htmlFor: "notation" });
  readonly #problem = h("p", { className: "error", role: "alert" });

  constructor(desk: Desk, rolled: (seq: number | undefined, payload: RollPayload) => void) {
    this.#desk = desk;
    this.#rolled = rolled;
    const quick = QUICK.map((die) =>
      h("button", { type: "button", className: "chip", onclick: () => this.#add(die) }, die),
    );
    const form = h(
      "form",
      { className: "free-dice" },
      h("h3", {}, "Other dice"),
      h(
        "div",
        { className: "row" },
        this.#notation,
        h("button", { type: "submit", className: "button" }, "Roll dice"),
      ),
      h("div", { className: "chips" }, ...quick),
      this.#sum,
      this.#problem,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#roll();
    });
    this.element = form;
  }

  #add(die: string): void {
    const typed = this.#notation.value.trim();
    this.#notation.value = typed === "" ? `1${die}` : `${typed}+1${die}`;
  }

  async #roll(): Promise<void> {
    this.#sum.textContent = "";
    const wanted = readNotation(this.#notation.value);
    if (typeof wanted === "string") {
      this.#problem.textContent = `${wanted}.`;
      this.#notation.focus();
      return;
    }
    const { dice, modifier } = wanted;
    const refused = await attempt(this.#desk, async () => {
      // Only a running session keeps rolls.
      const kept = this.#desk.table()?.active_session !== null;
      const answer = kept
        ? await this.#desk.server.roll({ kind: "DICE", dice })
        : await request<RollAnswer>("POST", "dice", { dice });
      this.#rolled(answer.roll_seq, payloadOf(answer, { roll: "DICE" }));
      this.#tellSum(answer.total, modifier);
    });
    this.#problem.textContent = refused ?? "";
  }

  /** The server rolls dice and nothing else, so a flat number is added here, for whoever wrote it. */
  #tellSum(total: number, modifier: number): void {
    this.#sum.textContent =
      modifier === 0
        ? ""
        : `${total} ${signed(modifier).replace(/^./, "$& ")} = ${total + modifier}`;
  }
}
