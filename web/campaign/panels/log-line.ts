/** One line of the log. */

import { h, replace } from "../../kit/dom.ts";
import { doerOf, isByAi, isRoll, signed, toneOf, verdictOf } from "../state/names.ts";
import { sentenceOf } from "../state/sentences.ts";
import type { Entry, RollPayload, Table } from "../state/types.ts";
import { aiBadge } from "./badges.ts";
import { timeOf } from "./times.ts";

/** What can be taken back; the server says so for each, this only decides where the button is. */
export const UNDOABLE = new Set([
  "participant.joined",
  "actor.created",
  "actor.control_set",
  "actor.sheet_set",
  "actor.state_set",
  "gm.fear_set",
  "session.started",
  "session.ended",
  "note.added",
  "roll.resolved",
  "outcome.applied",
]);

export interface Shown {
  entry: Entry;
  table: Table | undefined;
  own: boolean;
  canUndo: boolean;
  /** Whether it came while the page was open. */
  fresh: boolean;
  /** Where the entry is, seen from what is looked at. */
  place: "now" | "before" | "here" | "later";
}

export interface LineActions {
  undo(entry: Entry): void;
  showRoll(entry: Entry): void;
}

export class LogLine {
  readonly element: HTMLElement;
  readonly #what = h("p", { className: "what" });
  readonly #dice = h("p", { className: "mini-dice" });
  readonly #who = h("span", {});
  readonly #undo = h("button", { type: "button", className: "link changes", hidden: true }, "Undo");
  #drawn = "";

  constructor({ entry, fresh }: Shown, actions: LineActions) {
    const { seq, type, ts } = entry;
    this.#undo.setAttribute("aria-label", `Undo entry ${seq}`);
    this.#undo.addEventListener("click", () => actions.undo(entry));
    const look = h("button", { type: "button", className: "link" }, "Show");
    look.setAttribute("aria-label", `Show roll ${seq} in the tray`);
    look.addEventListener("click", () => actions.showRoll(entry));
    this.element = h(
      "li",
      { "data-seq": seq, "data-type": type },
      this.#what,
      this.#dice,
      h(
        "p",
        { className: "meta" },
        this.#who,
        h("time", { dateTime: ts, title: ts }, timeOf(ts)),
        h("span", { className: "seq" }, `#${seq}`),
        isRoll(entry) && look,
        this.#undo,
      ),
    );
    this.element.toggleAttribute("data-fresh", fresh);
    // It comes in once, not each time its column is brought to the front.
    this.element.addEventListener("animationend", () => this.element.removeAttribute("data-fresh"));
    this.#dice.hidden = !isRoll(entry);
    if (isRoll(entry)) {
      this.element.dataset["tone"] = toneOf(entry.payload.outcome);
      this.element.dataset["verdict"] = verdictOf(entry.payload.outcome);
      replace(this.#dice, ...miniDice(entry.payload));
    }
  }

  show({ entry, table, own, canUndo, place }: Shown): void {
    this.#undo.hidden = !canUndo;
    this.element.dataset["place"] = place;
    this.element.toggleAttribute("data-undone", entry.undone === true);
    const said = sentenceOf(entry, table);
    const who = own ? "You" : doerOf(entry, table);
    const ai = isByAi(entry, table);
    const key = JSON.stringify([said, who, ai, entry.undone]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    replace(
      this.#what,
      entry.undone ? h("s", {}, said) : said,
      entry.undone && h("span", { className: "visually-hidden" }, " (taken back)"),
    );
    replace(this.#who, who, ai && aiBadge());
  }
}

/** The dice as they lay, in small. */
function miniDice(roll: RollPayload): HTMLElement[] {
  const pip = (tone: string, label: string, value: number | string) =>
    h("span", { className: "mini", "data-tone": tone, title: label }, value);
  const parts = (roll.dice ?? []).flatMap(({ sides, results }) =>
    results.slice(0, 20).map((value) => pip("plain", `d${sides}`, value)),
  );
  if (roll.hope !== undefined) parts.push(pip("hope", "Hope", roll.hope));
  if (roll.fear !== undefined) parts.push(pip("fear", "Fear", roll.fear));
  if (roll.advantage_die !== undefined) {
    const bad = roll.advantage === "DISADVANTAGE";
    const value = signed(bad ? -roll.advantage_die : roll.advantage_die);
    parts.push(pip(bad ? "disadvantage" : "advantage", bad ? "Disadvantage" : "Advantage", value));
  }
  if (roll.modifier) parts.push(pip("modifier", "Modifier", signed(roll.modifier)));
  return parts;
}
