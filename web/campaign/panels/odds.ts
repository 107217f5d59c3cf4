/** How the roll being considered may end, before it is rolled. */

import { h, replace } from "../../kit/dom.ts";
import { title } from "../state/names.ts";
import { tell } from "../state/refusal.ts";
import { getOdds } from "../state/server.ts";
import type { Advantage, Odds, Outcome } from "../state/types.ts";

export interface Considered {
  modifier: number;
  difficulty?: number | undefined;
  advantage: Advantage;
}

/** A slider or a held key changes the roll many times a second; the last of it is asked for. */
const REST_MS = 90;

const LABELS: Record<string, string> = {
  CRITICAL_SUCCESS: "Critical success",
  SUCCESS_WITH_HOPE: "Success with hope",
  SUCCESS_WITH_FEAR: "Success with fear",
  FAILURE_WITH_HOPE: "Failure with hope",
  FAILURE_WITH_FEAR: "Failure with fear",
};

interface Part {
  outcome: Outcome;
  label: string;
  percent: number;
}

export class OddsChart {
  readonly element: HTMLElement;
  readonly #headline = h("p", { className: "odds-headline" });
  readonly #bar = h("div", { className: "odds-bar", role: "img" });
  readonly #legend = h("dl", { className: "odds-legend" });
  readonly #problem = h("p", { className: "error", role: "alert" });
  #rest: ReturnType<typeof setTimeout> | undefined;
  #asked = "";

  constructor() {
    this.element = h(
      "section",
      { className: "odds", "aria-label": "Chances of this roll" },
      this.#headline,
      this.#bar,
      this.#legend,
      this.#problem,
    );
  }

  consider(roll: Considered): void {
    const key = JSON.stringify(roll);
    if (key === this.#asked) return;
    this.#asked = key;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => void this.#load(roll, key), REST_MS);
  }

  async #load(roll: Considered, key: string): Promise<void> {
    try {
      // Without a difficulty only hope and fear are told apart; against a difficulty that all meet, these are the same counts.
      const odds = await (roll.difficulty === undefined
        ? getOdds(100, 0, roll.advantage)
        : getOdds(roll.modifier, roll.difficulty, roll.advantage));
      if (this.#asked !== key) return;
      this.#problem.textContent = "";
      this.#draw(odds, roll.difficulty === undefined);
    } catch (error) {
      if (this.#asked !== key) return;
      this.#problem.textContent = tell(error);
      // The same question may be asked again.
      this.#asked = "";
    }
  }

  #draw(odds: Odds, open: boolean): void {
    const parts = partsOf(odds, open);
    const success = ((odds.crit_count + odds.success_count) / odds.total_outcomes) * 100;
    replace(
      this.#headline,
      ...(open
        ? ["Without a difficulty, only hope and fear are decided"]
        : [h("b", {}, percent(success)), " chance of success"]),
    );
    this.#headline.dataset["open"] = String(open);
    this.#bar.setAttribute(
      "aria-label",
      parts.map(({ label, percent: value }) => `${label} ${percent(value)}`).join(", "),
    );
    this.#bars(parts);
    replace(
      this.#legend,
      ...parts.map((part) =>
        h(
          "div",
          { "data-outcome": part.outcome },
          h("dt", {}, part.label),
          h("dd", {}, percent(part.percent)),
        ),
      ),
    );
  }

  /** The same five bars always, so that they glide. */
  #bars(parts: Part[]): void {
    if (this.#bar.children.length !== parts.length) {
      this.#bar.replaceChildren(...parts.map(() => h("i", {})));
    }
    parts.forEach((part, n) => {
      const bar = this.#bar.children[n] as HTMLElement;
      bar.dataset["outcome"] = part.outcome;
      bar.style.flexGrow = String(part.percent);
      bar.title = `${part.label} ${percent(part.percent)}`;
    });
  }
}

function partsOf({ outcome_counts, total_outcomes }: Odds, open: boolean): Part[] {
  const order = Object.keys(LABELS);
  return outcome_counts
    .filter(({ outcome }) => !open || !outcome.startsWith("FAILURE"))
    .sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome))
    .map(({ outcome, count }) => ({
      outcome,
      label: label(outcome, open),
      percent: (count / total_outcomes) * 100,
    }));
}

function label(outcome: Outcome, open: boolean): string {
  const text = LABELS[outcome] ?? title(outcome);
  return open ? text.replace("Success with", "With") : text;
}

function percent(value: number): string {
  return `${value === 0 || value >= 10 ? value.toFixed(0) : value.toFixed(1)} %`;
}
