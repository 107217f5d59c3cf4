/** All campaigns, and the form for a new one. */

import { h } from "../../kit/dom.ts";
import { Keyed } from "../../kit/keyed.ts";
import { GM_MODES } from "../state/names.ts";
import { tell } from "../state/refusal.ts";
import { hashOf } from "../state/seat.ts";
import { createCampaign, listCampaigns, listFeed } from "../state/server.ts";
import type { Campaign, GmMode } from "../state/types.ts";
import { Die } from "../dice/die.ts";
import { badge } from "./badges.ts";
import { choice, chosen, field } from "./fields.ts";
import { dayOf } from "./times.ts";

/** Changes come in bursts; the list is read once for each. */
const REST_MS = 80;

export class CampaignList {
  readonly element: HTMLElement;
  readonly #problem = h("p", { className: "error", role: "alert" });
  readonly #none: HTMLElement;
  readonly #list: Keyed<Campaign>;
  readonly #source = listFeed();
  #stale = false;
  #loading = false;
  #closed = false;

  constructor(opened: (campaign: Campaign) => void, connection: (live: boolean) => void) {
    const list = h("ul", { className: "campaign-list" });
    this.#list = new Keyed<Campaign>(
      list,
      ({ id }) => id,
      ({ id }) => new Line(id),
    );
    this.#none = h(
      "p",
      { className: "notice empty", hidden: true },
      "No campaign yet. Begin one here, or ask a connected agent to: it appears at once.",
    );
    this.element = h(
      "div",
      { className: "campaigns" },
      h(
        "section",
        { "aria-label": "Campaigns" },
        hero(),
        h("h1", {}, "Campaigns"),
        h(
          "p",
          { className: "lead" },
          "Gather your players, people and AIs alike, and roll for what happens next.",
        ),
        this.#problem,
        this.#none,
        list,
      ),
      newCampaign(opened),
    );
    this.#source.addEventListener("open", () => {
      connection(true);
      this.#load();
    });
    this.#source.addEventListener("error", () => connection(false));
    this.#source.addEventListener("changed", () => this.#load());
    this.#load();
  }

  close(): void {
    this.#closed = true;
    this.#source.close();
  }

  /** Reads the list soon, and once more when it changes while it is being read, so that an old answer never stays. */
  #load(): void {
    this.#stale = true;
    if (!this.#loading) void this.#read();
  }

  async #read(): Promise<void> {
    this.#loading = true;
    while (this.#stale && !this.#closed) {
      await new Promise((done) => setTimeout(done, REST_MS));
      this.#stale = false;
      try {
        const campaigns = await listCampaigns();
        this.#problem.textContent = "";
        this.#none.hidden = campaigns.length > 0;
        this.#list.show(campaigns.reverse());
      } catch (error) {
        this.#problem.textContent = tell(error);
      }
    }
    this.#loading = false;
  }
}

/** Two dice, for their looks. */
function hero(): HTMLElement {
  const [hope, fear] = [new Die(12, "hope"), new Die(12, "fear")];
  hope.land(12);
  fear.land(7);
  hope.spin([0.5, 1, 0.3], 0.5);
  fear.spin([-0.6, 0.8, 0.2], 0.6);
  return h("div", { className: "hero-dice", "aria-hidden": "true" }, hope.element, fear.element);
}

class Line {
  readonly element: HTMLElement;
  readonly #name = h("strong", {});
  readonly #mode = h("span", {});
  readonly #theme = h("span", { className: "theme" });
  readonly #counts = h("span", { className: "hint" });

  constructor(id: string) {
    const link = h(
      "a",
      { href: hashOf(id), className: "card campaign" },
      h("span", { className: "campaign-name" }, this.#name, this.#mode),
      this.#theme,
      this.#counts,
    );
    this.element = h("li", { "data-campaign": id }, link);
  }

  show({
    name,
    gm_mode,
    theme_prompt,
    participant_count,
    actor_count,
    created_at,
  }: Campaign): void {
    this.#name.textContent = name;
    const kind = gm_mode === "HUMAN" ? "human" : "ai";
    this.#mode.replaceChildren(badge(GM_MODES[gm_mode], kind));
    this.#theme.textContent = theme_prompt;
    this.#theme.hidden = theme_prompt.trim() === "";
    const counts = [count(participant_count, "participant"), count(actor_count, "actor")];
    this.#counts.textContent = `${counts.join(", ")} · since ${dayOf(created_at)}`;
  }
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

function newCampaign(opened: (campaign: Campaign) => void): HTMLElement {
  const name = h("input", { autocomplete: "off", placeholder: "The Lost Expedition" });
  const theme = h("textarea", { rows: 4, placeholder: "A dark fantasy in a cursed forest" });
  const mode = choice(
    "Who is GM",
    "gm-mode",
    [
      ["HUMAN", "A person"],
      ["AI", "An AI"],
      ["HYBRID", "Both"],
    ],
    "HUMAN",
  );
  const problem = h("p", { className: "error", role: "alert" });
  const button = h("button", { type: "submit", className: "button primary" }, "Begin campaign");
  const form = h(
    "form",
    { className: "card new-campaign", "aria-label": "New campaign" },
    h("h2", {}, "New campaign"),
    field("Name", name),
    mode,
    field("Theme", theme, "What it is about, for the GM and for agents."),
    problem,
    button,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    button.disabled = true;
    createCampaign({ name: name.value, gm_mode: chosen(mode) as GmMode, theme_prompt: theme.value })
      .then(
        (campaign) => opened(campaign),
        (error: unknown) => {
          problem.textContent = tell(error);
        },
      )
      .finally(() => {
        button.disabled = false;
      });
  });
  return form;
}
