/** Everybody in the story. */

import { h } from "../../kit/dom.ts";
import { attempt, type Desk } from "../desk.ts";
import { Keyed } from "../../kit/keyed.ts";
import type { Table } from "../state/types.ts";
import { ActorCard, type Shown } from "./actor-card.ts";
import { ask, choice, chosen, field } from "./fields.ts";

export class Actors {
  readonly element: HTMLElement;
  readonly #cards: Keyed<Shown>;
  readonly #none = h(
    "p",
    { className: "hint empty" },
    "Nobody is in the story yet. Add the characters of the players, and those the GM plays.",
  );

  constructor(desk: Desk) {
    const list = h("div", { className: "actor-list" });
    this.#cards = new Keyed<Shown>(
      list,
      ({ actor }) => actor.id,
      (shown) => new ActorCard(desk, shown),
    );
    const add = h(
      "button",
      { type: "button", className: "button small changes", onclick: () => addActor(desk) },
      "Add actor",
    );
    this.element = h(
      "section",
      { className: "panel actors", "aria-label": "Actors" },
      h("div", { className: "panel-head" }, h("h2", {}, "Actors"), add),
      this.#none,
      list,
    );
  }

  show(table: Table, past: boolean): void {
    this.#none.hidden = table.actors.length > 0;
    // Those of the players first; else in the order they came.
    const sorted = [...table.actors].sort((a, b) => rank(a.kind) - rank(b.kind));
    this.#cards.show(sorted.map((actor) => ({ actor, table, past })));
  }
}

function rank(kind: string): number {
  return kind === "PC" ? 0 : 1;
}

function addActor(desk: Desk): void {
  const name = h("input", { autocomplete: "off", autofocus: true });
  const notes = h("textarea", { rows: 3 });
  const kind = choice(
    "Kind",
    "actor-kind",
    [
      ["PC", "Player character"],
      ["NPC", "Non-player character"],
    ],
    "PC",
  );
  ask({
    title: "Add an actor",
    content: [field("Name", name), kind, field("Notes", notes)],
    yes: "Add",
    submit: () =>
      attempt(desk, () =>
        desk.server.addActor({
          name: name.value,
          kind: chosen(kind) as "PC" | "NPC",
          notes: notes.value,
        }),
      ),
  });
}
