/** The roll being considered: who rolls what against which difficulty, its chances, and the button. */

import { h, replace } from "../../kit/dom.ts";
import { request } from "../../kit/api.ts";
import { attempt, type Desk } from "../desk.ts";
import { signed, title } from "../state/names.ts";
import type { RollAnswer, RollRequest } from "../state/server.ts";
import {
  TRAITS,
  type Advantage,
  type RollPayload,
  type Table,
  type Trait,
} from "../state/types.ts";
import { choice, chosen, field, refill } from "./fields.ts";
import { Modifiers } from "./modifiers.ts";
import { OddsChart } from "./odds.ts";

/** The bounds of a difficulty that means something at a table; the field takes any. */
const COMMON = ["", "5", "10", "15", "20", "25", "30"];

export class RollForm {
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #rolled: (seq: number | undefined, payload: RollPayload) => void;
  readonly #actor = h("select", {});
  readonly #traits = h("div", { className: "trait-choice" });
  readonly #difficulty = h("input", {
    type: "number",
    min: "0",
    step: "1",
    inputMode: "numeric",
    placeholder: "none",
  });
  readonly #advantage: HTMLFieldSetElement;
  readonly #modifiers = new Modifiers(() => this.#consider());
  readonly #odds = new OddsChart();
  readonly #button = h("button", { type: "submit", className: "button roll" }, "Roll the dice");
  readonly #problem = h("p", { className: "error", role: "alert" });
  #trait: Trait = "AGILITY";
  /** Whether someone has chosen who rolls. */
  #chosen = false;
  #table: Table | undefined;

  constructor(desk: Desk, rolled: (seq: number | undefined, payload: RollPayload) => void) {
    this.#desk = desk;
    this.#rolled = rolled;
    this.#advantage = choice(
      "Advantage",
      "advantage",
      [
        ["DISADVANTAGE", "Dis.", "Disadvantage"],
        ["NONE", "None", "Neither"],
        ["ADVANTAGE", "Adv.", "Advantage"],
      ],
      "NONE",
      () => this.#consider(),
    );
    const difficulty = field("Difficulty", this.#difficulty);
    const form = h(
      "form",
      { className: "roll-form" },
      h("div", { className: "pair" }, field("Who rolls", this.#actor), difficulty),
      this.#traits,
      h("div", { className: "pair wide" }, this.#modifiers.element, this.#advantage),
      this.#button,
      this.#problem,
      this.#odds.element,
    );
    const list = h(
      "datalist",
      { id: "difficulties" },
      ...COMMON.map((value) => h("option", { value })),
    );
    this.#difficulty.setAttribute("list", list.id);
    form.append(list);
    this.#actor.addEventListener("change", () => {
      this.#chosen = true;
      this.#showTraits();
    });
    this.#difficulty.addEventListener("input", () => this.#consider());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#roll();
    });
    this.element = form;
  }

  show(table: Table): void {
    this.#table = table;
    const options = table.actors.map(({ id, name }) => [id, name] as const);
    refill(this.#actor, [["", "The table"], ...options]);
    // A player rolls for their own, unless they say otherwise.
    const own = table.actors.find(({ controller }) => controller === this.#desk.seat.participant);
    if (!this.#chosen && own) this.#actor.value = own.id;
    this.#showTraits();
  }

  /** Puts an actor and a trait into the form, and the hand on the button. */
  choose(actor: string, trait: Trait): void {
    this.#chosen = true;
    this.#actor.value = actor;
    this.#trait = trait;
    this.#showTraits();
    this.#button.focus({ preventScroll: true });
  }

  #showTraits(): void {
    const actor = this.#table?.actors.find(({ id }) => id === this.#actor.value);
    this.#traits.hidden = actor === undefined;
    if (actor) {
      const values = TRAITS.map((trait) => actor.sheet.traits[trait] ?? 0);
      const key = `${actor.id} ${values.join(" ")}`;
      if (this.#traits.dataset["key"] !== key) {
        this.#traits.dataset["key"] = key;
        const focused = this.#traits.contains(document.activeElement);
        const options = TRAITS.map(
          (trait, n) => [trait, `${title(trait)} ${signed(values[n] ?? 0)}`] as const,
        );
        const set = choice("Trait", "trait", options, this.#trait, (trait) => {
          this.#trait = trait as Trait;
          this.#consider();
        });
        replace(this.#traits, set);
        if (focused) set.querySelector<HTMLInputElement>("input:checked")?.focus();
      }
      const own = this.#traits.querySelector<HTMLInputElement>(`input[value="${this.#trait}"]`);
      if (own) own.checked = true;
    }
    this.#consider();
  }

  /** The number that a trait of the chosen actor adds. */
  #traitValue(): number {
    const actor = this.#table?.actors.find(({ id }) => id === this.#actor.value);
    return actor?.sheet.traits[this.#trait] ?? 0;
  }

  #read(): { modifier: number; difficulty?: number; advantage: Advantage } {
    const typed = this.#difficulty.value.trim();
    return {
      modifier: this.#traitValue() + this.#modifiers.sum,
      ...(typed === "" ? {} : { difficulty: Number(typed) }),
      advantage: (chosen(this.#advantage) || "NONE") as Advantage,
    };
  }

  #consider(): void {
    this.#odds.consider(this.#read());
  }

  async #roll(): Promise<void> {
    this.#button.disabled = true;
    const refused = await attempt(this.#desk, () => this.#send());
    this.#button.disabled = false;
    this.#button.focus({ preventScroll: true });
    this.#problem.textContent = refused ?? "";
  }

  async #send(): Promise<void> {
    const { modifier, difficulty, advantage } = this.#read();
    const common = {
      ...(difficulty === undefined ? {} : { difficulty }),
      ...(advantage === "NONE" ? {} : { advantage }),
    };
    const actor_id = this.#actor.value;
    const modifiers = this.#modifiers.values;
    const trait = this.#trait;
    const action = { actor_id, trait, modifiers };
    const said = { ...common, modifier, ...(actor_id === "" ? {} : action) };
    // Only a running session keeps rolls; without one the dice are thrown all the same.
    if (this.#table?.active_session === null) {
      const answer = await request<RollAnswer>("POST", "duality/roll", { modifier, ...common });
      return this.#rolled(undefined, payloadOf(answer, { ...said, roll: "DUALITY" }));
    }
    const asked: RollRequest =
      actor_id === ""
        ? { kind: "DUALITY", modifier, ...common }
        : { kind: "ACTION", ...action, ...common };
    const answer = await this.#desk.server.roll(asked);
    this.#rolled(answer.roll_seq, payloadOf(answer, { ...said, roll: asked.kind }));
  }
}

/** The answer to a roll in the shape in which the record keeps it. */
export function payloadOf(answer: RollAnswer, asked: Omit<RollPayload, "total">): RollPayload {
  const { total, outcome, rolls, advantage_die } = answer;
  const [hope, fear] = [answer.hope ?? answer.hope_die, answer.fear ?? answer.fear_die];
  return {
    ...asked,
    total,
    ...(outcome === undefined ? {} : { outcome }),
    ...(rolls === undefined ? {} : { dice: rolls }),
    ...(hope === undefined ? {} : { hope }),
    ...(fear === undefined ? {} : { fear }),
    ...(advantage_die === undefined ? {} : { advantage_die }),
  };
}
