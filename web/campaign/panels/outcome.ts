/** What a roll means, step by step, and the button that makes it so. */

import { h, replace } from "../../kit/dom.ts";
import { attempt, type Desk } from "../desk.ts";
import type { Fate } from "../state/live.ts";
import { actorName, signed, title, toneOf } from "../state/names.ts";
import { tell } from "../state/refusal.ts";
import { explainRoll } from "../state/server.ts";
import type { RollPayload, Step } from "../state/types.ts";
import { select } from "./fields.ts";
import type { Roll } from "./tray.ts";

const OUTCOMES: Record<string, string> = {
  hope: "The player gains a Hope.",
  fear: "The GM gains a Fear, and something gets in the way.",
  crit: "The player gains a Hope and clears a Stress.",
};

export class OutcomePanel {
  readonly element = h("div", { className: "outcome" });
  readonly #desk: Desk;
  readonly #fateOf: (seq: number) => Fate;
  readonly #steps = h("ol", { className: "steps" });
  readonly #apply = h("div", { className: "apply" });
  readonly #problem = h("p", { className: "error", role: "alert" });
  #roll: Roll | undefined;
  #drawn = "";

  constructor(desk: Desk, fateOf: (seq: number) => Fate) {
    this.#desk = desk;
    this.#fateOf = fateOf;
    this.element.hidden = true;
    this.element.append(this.#apply, this.#problem, this.#steps);
  }

  /** Explains a roll; nothing, while the dice are in the air. */
  async show(roll: Roll | undefined): Promise<void> {
    this.#roll = roll;
    this.#drawn = "";
    this.#problem.textContent = "";
    const { hope, fear } = roll?.payload ?? {};
    this.element.hidden = hope === undefined;
    replace(this.#steps);
    if (!roll || hope === undefined || fear === undefined) return;
    this.refresh();
    const { total, difficulty } = roll.payload;
    try {
      // The extra die counts as part of the modifier here.
      const modifier = total - hope - fear;
      const asked = { hope, fear, modifier, ...(difficulty === undefined ? {} : { difficulty }) };
      const steps = await explainRoll(asked);
      if (this.#roll === roll)
        replace(this.#steps, ...steps.map((step) => line(step, roll.payload)));
    } catch (error) {
      if (this.#roll === roll) this.#problem.textContent = tell(error);
    }
  }

  /** It may have been applied or taken back meanwhile, by anyone. */
  refresh(): void {
    const roll = this.#roll;
    if (!roll) return;
    const state = roll.seq === undefined ? "loose" : this.#fateOf(roll.seq);
    const key = `${state} ${JSON.stringify(this.#desk.table()?.actors.map(({ id, name }) => [id, name]))}`;
    if (this.#drawn === key) return;
    this.#drawn = key;
    const meaning = OUTCOMES[toneOf(roll.payload.outcome)] ?? "";
    if (state === "loose") {
      replace(
        this.#apply,
        h(
          "p",
          { className: "hint" },
          `${meaning} No session is running, so this roll is not kept.`,
        ),
      );
    } else if (state === "applied") {
      replace(this.#apply, h("p", { className: "done" }, "Applied to the table"));
    } else if (state === "undone") {
      replace(this.#apply, h("p", { className: "hint" }, "This roll was taken back."));
    } else {
      this.#offer(roll, meaning);
    }
  }

  #offer(roll: Roll, meaning: string): void {
    const actors = this.#desk.table()?.actors ?? [];
    const needsTarget =
      roll.payload.actor_id === undefined && toneOf(roll.payload.outcome) !== "fear";
    const target = select(actors.map(({ id, name }) => [id, name] as const));
    target.setAttribute("aria-label", "Who it is for");
    const button = h(
      "button",
      { type: "button", className: "button primary small" },
      "Apply outcome",
    );
    button.disabled = needsTarget && actors.length === 0;
    button.addEventListener("click", () => {
      button.disabled = true;
      void this.#send(roll, needsTarget ? [target.value] : undefined).then(() => {
        button.disabled = false;
      });
    });
    const forWhom =
      roll.payload.actor_id === undefined
        ? meaning
        : meaning.replace("The player", actorName(this.#desk.table(), roll.payload.actor_id));
    replace(
      this.#apply,
      h("p", {}, forWhom),
      h("div", { className: "row changes" }, needsTarget && actors.length > 0 && target, button),
    );
  }

  async #send(roll: Roll, targets: string[] | undefined): Promise<void> {
    const { seq } = roll;
    if (seq === undefined) return;
    const refused = await attempt(this.#desk, () => this.#desk.server.apply(seq, targets));
    if (this.#roll === roll) this.#problem.textContent = refused ?? "";
  }
}

/** A step of the rules in the numbers of this roll. */
function line(step: Step, roll: RollPayload): HTMLElement {
  return h(
    "li",
    { "data-step": step.code },
    h("b", {}, HEADS[step.code] ?? step.code),
    words(step, roll),
  );
}

const HEADS: Record<string, string> = {
  SUM_DICE: "Dice",
  APPLY_MODIFIER: "Modifiers",
  CHECK_CRIT: "Critical?",
  CHECK_DIFFICULTY: "Difficulty",
  SELECT_OUTCOME: "Outcome",
};

function words({ code, message, data }: Step, roll: RollPayload): string {
  const number = (key: string) => Number(data[key]);
  switch (code) {
    case "SUM_DICE":
      return `${number("hope")} Hope + ${number("fear")} Fear = ${number("base_total")}`;
    case "APPLY_MODIFIER": {
      const parts = partsOf(roll);
      const sum = `${number("base_total")} ${signed(number("modifier")).replace(/^(.)/, "$1 ")} = ${number("total")}`;
      return parts === "" ? sum : `${sum} (${parts})`;
    }
    case "CHECK_CRIT":
      return data["is_crit"] === true
        ? "the dice match: critical success"
        : `${number("hope")} and ${number("fear")} differ: no critical`;
    case "CHECK_DIFFICULTY":
      if (data["difficulty"] === undefined) return "none was set";
      if (data["critical_override"] === true) return "a critical success beats any difficulty";
      return data["meets_difficulty"] === true
        ? `${number("total")} reaches ${number("difficulty")}`
        : `${number("total")} falls short of ${number("difficulty")}`;
    case "SELECT_OUTCOME":
      return title(roll.outcome ?? String(data["outcome"]));
    default:
      return message;
  }
}

/** Where the modifier comes from, as far as the roll tells. */
function partsOf({
  trait,
  modifiers = [],
  advantage,
  advantage_die: die,
  modifier = 0,
}: RollPayload) {
  const given = modifiers.reduce((sum, { value }) => sum + value, 0);
  const bad = advantage === "DISADVANTAGE";
  return [
    trait && `${title(trait)} ${signed(modifier - given)}`,
    ...modifiers.map(({ source, value }) => `${source || "modifier"} ${signed(value)}`),
    die !== undefined && `${bad ? "disadvantage" : "advantage"} ${signed(bad ? -die : die)}`,
  ]
    .filter(Boolean)
    .join(", ");
}
