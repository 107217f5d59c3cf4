/** The felt: where dice are thrown, whoever throws them. */

import { h, replace } from "../../kit/dom.ts";
import { Die, type DieTone } from "../dice/die.ts";
import { throwDice, wantsStillness } from "../dice/throw.ts";
import { signed, toneOf, verdictOf, type Tone } from "../state/names.ts";
import type { RollPayload } from "../state/types.ts";

/** More dice than this are told in numbers only. */
const MOST = 12;

/** A roll, from the record or only from this page. */
export interface Roll {
  /** Its place in the record, when it is kept there. */
  seq?: number | undefined;
  payload: RollPayload;
  /** Who rolled, in words. */
  by: string;
  ai: boolean;
  /** The same as a sentence. */
  said: string;
}

interface Thrown {
  label: string;
  tone: DieTone;
  sides: number;
  value: number;
}

const VERDICT: Record<ReturnType<typeof verdictOf>, string> = {
  success: "Success",
  failure: "Failure",
  none: "Rolled",
};

export class Tray {
  readonly element: HTMLElement;
  readonly #by = h("p", { className: "tray-by" });
  readonly #dice = h("div", { className: "tray-dice" });
  readonly #verdict = h("p", { className: "tray-verdict" });
  readonly #told = h("p", { className: "visually-hidden", role: "status", "aria-live": "polite" });
  #landing = new AbortController();
  #roll: Roll | undefined;

  constructor() {
    this.element = h(
      "div",
      { className: "tray", "data-throws": 0 },
      this.#by,
      this.#dice,
      this.#verdict,
      this.#told,
    );
    this.#wait();
  }

  /** Throws the dice of `roll` and lets them land on what was rolled. Another roll puts them down at once. */
  async throw(roll: Roll, animated: boolean): Promise<void> {
    this.#landing.abort();
    const landing = new AbortController();
    this.#landing = landing;
    this.#roll = roll;
    const thrown = diceOf(roll.payload);
    const dice = thrown
      .slice(0, MOST)
      .map((one) => ({ ...one, die: new Die(one.sides, one.tone) }));
    replace(
      this.#by,
      roll.by,
      roll.ai && h("span", { className: "badge", "data-kind": "ai" }, "AI"),
    );
    replace(this.#dice, ...dice.map(({ label, die }) => figure(label, die)));
    this.#dice.dataset["count"] = dice.length > 6 ? "many" : dice.length > 3 ? "some" : "few";
    replace(this.#verdict);
    delete this.element.dataset["tone"];
    if (animated && !wantsStillness()) {
      this.element.dataset["rolling"] = "true";
      this.element.dataset["throws"] = String(Number(this.element.dataset["throws"]) + 1);
      await throwDice(dice, landing.signal);
      if (landing.signal.aborted) return;
    } else {
      dice.forEach(({ die, value }) => die.land(value));
    }
    delete this.element.dataset["rolling"];
    this.#rest(roll, thrown.length);
  }

  /** Whether it is this roll that lies here. */
  holds(roll: Roll): boolean {
    return this.#roll === roll;
  }

  #rest({ payload, said }: Roll, count: number): void {
    const tone: Tone = toneOf(payload.outcome);
    this.element.dataset["tone"] = tone;
    const verdict = tone === "crit" ? "Critical success" : VERDICT[verdictOf(payload.outcome)];
    const how = tone === "hope" || tone === "fear" ? ` with ${tone}` : "";
    replace(
      this.#verdict,
      h("b", { className: "total" }, payload.total),
      h("span", {}, verdict, h("em", {}, how)),
      count > MOST && h("small", {}, `${count} dice`),
    );
    this.#told.textContent = said;
  }

  #wait(): void {
    const [hope, fear] = [new Die(12, "hope"), new Die(12, "fear")];
    fear.land(7);
    replace(this.#dice, figure("Hope", hope), figure("Fear", fear));
    replace(this.#verdict, h("span", { className: "waiting" }, "The dice are waiting"));
  }
}

function figure(label: string, die: Die): HTMLElement {
  return h("figure", {}, die.element, h("figcaption", {}, label));
}

/** The dice of a roll, in the order they are read. */
function diceOf(roll: RollPayload): Thrown[] {
  const thrown: Thrown[] = (roll.dice ?? []).flatMap(({ sides, results }) =>
    results.map((value): Thrown => ({ label: `d${sides}`, tone: "plain", sides, value })),
  );
  if (roll.hope !== undefined)
    thrown.push({ label: "Hope", tone: "hope", sides: 12, value: roll.hope });
  if (roll.fear !== undefined)
    thrown.push({ label: "Fear", tone: "fear", sides: 12, value: roll.fear });
  const value = roll.advantage_die;
  if (value !== undefined) {
    const bad = roll.advantage === "DISADVANTAGE";
    const label = `${bad ? "Disadvantage" : "Advantage"} ${signed(bad ? -value : value)}`;
    thrown.push({ label, tone: bad ? "disadvantage" : "advantage", sides: 6, value });
  }
  return thrown;
}
