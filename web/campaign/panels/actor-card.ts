/** An actor: who plays it, its traits, what it has left. Everything on it can be clicked. */

import { h, replace } from "../../kit/dom.ts";
import { attempt, type Desk } from "../desk.ts";
import { controllerName, signed, title } from "../state/names.ts";
import { TRAITS, type Actor, type Table, type Vitals } from "../state/types.ts";
import { badge } from "./badges.ts";
import { refill } from "./fields.ts";
import { Pips } from "./pips.ts";
import { editSheet } from "./sheet-form.ts";

export const MOST_HOPE = 6;

export interface Shown {
  actor: Actor;
  table: Table;
  /** Whether this is the past, which nobody can change. */
  past: boolean;
}

export class ActorCard {
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #name = h("h3", {});
  readonly #kind = h("span", {});
  readonly #player = h("select", { className: "player changes" });
  readonly #played = h("span", { className: "hint played" });
  readonly #traits = h("div", { className: "traits" });
  readonly #defences = h("p", { className: "defences" });
  readonly #notes = h("p", { className: "notes" });
  readonly #problem = h("p", { className: "error", role: "alert" });
  readonly #pips: Record<keyof Vitals, Pips>;
  #actor: Actor;

  constructor(desk: Desk, { actor }: Shown) {
    this.#desk = desk;
    this.#actor = actor;
    this.#pips = {
      hope: this.#tracker("hope", "Hope"),
      hp: this.#tracker("hp", "HP"),
      stress: this.#tracker("stress", "Stress"),
    };
    this.#traits.append(...TRAITS.map((trait) => this.#traitButton(trait)));
    this.#player.addEventListener("change", () => {
      const { id } = this.#actor;
      void this.#try(() => desk.server.setController(id, this.#player.value));
    });
    const edit = h(
      "button",
      {
        type: "button",
        className: "button small changes",
        onclick: () => editSheet(desk, this.#actor),
      },
      "Sheet",
    );
    edit.setAttribute("aria-label", `Edit the sheet of ${actor.name}`);
    this.#player.setAttribute("aria-label", `Who plays ${actor.name}`);
    this.element = h(
      "article",
      { className: "card actor", "data-actor": actor.id },
      h("header", {}, this.#name, this.#kind, h("span", { className: "spacer" }), edit),
      h(
        "div",
        { className: "played-by" },
        h("span", { className: "hint" }, "Played by"),
        this.#player,
        this.#played,
      ),
      this.#notes,
      this.#traits,
      h(
        "div",
        { className: "trackers" },
        ...Object.values(this.#pips).map(({ element }) => element),
      ),
      this.#defences,
      this.#problem,
    );
  }

  show({ actor, table, past }: Shown): void {
    this.#actor = actor;
    const { sheet, state } = actor;
    this.#name.textContent = actor.name;
    replace(this.#kind, badge(actor.kind, actor.kind.toLowerCase()));
    this.element.dataset["kind"] = actor.kind;
    this.#notes.textContent = actor.notes;
    this.#notes.hidden = actor.notes === "";
    this.#showPlayer(actor, table);
    for (const [n, trait] of TRAITS.entries()) {
      const button = this.#traits.children[n] as HTMLButtonElement;
      const value = sheet.traits[trait] ?? 0;
      replace(button, h("span", {}, title(trait)), h("b", {}, signed(value)));
      button.disabled = past;
      button.setAttribute("aria-label", `Roll ${title(trait)} ${signed(value)} as ${actor.name}`);
    }
    this.#pips.hope.show(state.hope, MOST_HOPE, past);
    this.#pips.hp.show(state.hp, sheet.hp_max, past);
    this.#pips.stress.show(state.stress, sheet.stress_max, past);
    replace(
      this.#defences,
      fact("Evasion", sheet.evasion),
      fact("Major", sheet.major_threshold),
      fact("Severe", sheet.severe_threshold),
    );
  }

  #showPlayer(actor: Actor, table: Table): void {
    const nobody = actor.controller === null ? ([["", "Nobody yet"]] as const) : [];
    const people = table.participants.map(({ id, display_name }) => [id, display_name] as const);
    refill(this.#player, [...nobody, ["GM", "The GM"], ...people]);
    this.#player.value = actor.controller ?? "";
    this.#played.textContent = controllerName(table, actor.controller);
  }

  #tracker(key: keyof Vitals, label: string): Pips {
    const change = (value: number) =>
      this.#try(() => this.#desk.server.setVitals(this.#actor.id, { [key]: value }));
    return new Pips({ label, tone: key, change });
  }

  #traitButton(trait: (typeof TRAITS)[number]): HTMLButtonElement {
    const consider = () => this.#desk.consider(this.#actor.id, trait);
    return h("button", { type: "button", className: "trait", onclick: consider });
  }

  async #try(doing: () => Promise<unknown>): Promise<boolean> {
    const refused = await attempt(this.#desk, doing);
    this.#problem.textContent = refused ?? "";
    if (refused !== null) this.#player.value = this.#actor.controller ?? "";
    return refused === null;
  }
}

function fact(label: string, value: number): HTMLElement {
  return h("span", {}, `${label} `, h("b", {}, value));
}
