/** The top of a table: what is played, who you are, and how much Fear the GM holds. */

import { h, replace } from "../../kit/dom.ts";
import { attempt, type Desk } from "../desk.ts";
import { GM_MODES, sessionName } from "../state/names.ts";
import type { Table } from "../state/types.ts";
import { badge } from "./badges.ts";
import { ask, field, refill } from "./fields.ts";
import { Pips } from "./pips.ts";

export const MOST_FEAR = 12;

export class Head {
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #name = h("h1", {});
  readonly #badges = h("span", { className: "badges" });
  readonly #theme = h("button", { type: "button", className: "theme", title: "Show all of it" });
  readonly #running = h("span", { className: "pill running", "data-state": "well" });
  readonly #who = h("select", { id: "speak-as" });
  readonly #token = h("button", { type: "button", className: "button small", hidden: true });
  readonly #fear: Pips;
  readonly #problem = h("p", { className: "error", role: "alert" });

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#fear = new Pips({
      label: "Fear",
      tone: "fear",
      change: async (fear) => {
        const refused = await attempt(desk, () => desk.server.setFear(fear));
        this.#problem.textContent = refused ?? "";
        return refused === null;
      },
    });
    this.#who.addEventListener("change", () => {
      desk.seat.take(this.#who.value || undefined);
      this.#problem.textContent = "";
      desk.seated();
    });
    this.#theme.setAttribute("aria-expanded", "false");
    this.#theme.addEventListener("click", () => {
      const open = this.#theme.getAttribute("aria-expanded") === "true";
      this.#theme.setAttribute("aria-expanded", String(!open));
    });
    this.#token.addEventListener("click", () => this.#askToken());
    this.element = h(
      "section",
      { className: "head", "aria-label": "Campaign" },
      h(
        "div",
        { className: "head-title" },
        h("div", { className: "head-name" }, this.#name, this.#badges, this.#running),
        this.#theme,
      ),
      h(
        "div",
        { className: "head-side" },
        h(
          "div",
          { className: "you" },
          h("label", { htmlFor: "speak-as" }, "You are"),
          this.#who,
          this.#token,
        ),
        this.#fear.element,
        this.#problem,
      ),
    );
  }

  show(table: Table, past: boolean): void {
    const { campaign, participants, guarded, gm_fear } = table;
    this.#name.textContent = campaign.name;
    replace(
      this.#badges,
      badge(GM_MODES[campaign.gm_mode], campaign.gm_mode === "HUMAN" ? "human" : "ai"),
      guarded &&
        badge("Guarded", "guarded", "A GM holds a token: not everybody may change everything"),
    );
    this.#theme.textContent = campaign.theme_prompt;
    this.#theme.hidden = campaign.theme_prompt.trim() === "";
    this.#running.hidden = table.active_session === null;
    this.#running.textContent = `Playing “${sessionName(table, table.active_session)}”`;
    this.#fear.show(gm_fear, MOST_FEAR, past);
    const people = participants.map(
      ({ id, display_name, role }) =>
        [id, role === "GM" ? `${display_name} (GM)` : display_name] as const,
    );
    if (!past) refill(this.#who, [["", "The table itself"], ...people]);
    this.#who.value = this.#desk.seat.participant ?? "";
    this.#showToken();
  }

  #showToken(): void {
    const own = this.#desk.seat.participant;
    this.#token.hidden = own === undefined;
    if (own === undefined) return;
    const held = this.#desk.seat.hasToken(own);
    this.#token.textContent = held ? "Token held" : "Enter token";
    this.#token.dataset["held"] = String(held);
  }

  #askToken(): void {
    const own = this.#desk.seat.participant;
    if (own === undefined) return;
    const input = h("input", { type: "password", autocomplete: "off", autofocus: true });
    ask({
      title: "Token of your seat",
      content: [
        field(
          "Token",
          input,
          "From your invitation. It stays in this browser. Leave it empty to forget it.",
        ),
      ],
      yes: "Keep",
      submit: async () => {
        this.#desk.seat.hold(own, input.value.trim());
        this.#problem.textContent = "";
        this.#desk.seated();
        return null;
      },
    });
  }
}
