/** What happened, newest first: the record as sentences, whoever caused them. */

import { h, replace } from "../../kit/dom.ts";
import { attempt, type Desk } from "../desk.ts";
import { Keyed } from "../../kit/keyed.ts";
import type { Live } from "../state/live.ts";
import { isRoll } from "../state/names.ts";
import { sentenceOf } from "../state/sentences.ts";
import type { Entry } from "../state/types.ts";
import { LogLine, UNDOABLE, type Shown } from "./log-line.ts";
import { Seal } from "./seal.ts";

export class Log {
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #live: () => Live | undefined;
  readonly #lines: Keyed<Shown>;
  readonly #note = h("input", {
    placeholder: "Write a note for everybody",
    autocomplete: "off",
    "aria-label": "Note",
  });
  readonly #problem = h("p", { className: "error", role: "alert" });
  readonly #older = h(
    "button",
    { type: "button", className: "button small", hidden: true },
    "Older",
  );
  readonly #heard = h("p", { className: "visually-hidden", role: "status" });
  readonly #seal: Seal;
  #past: number | undefined;
  /** The entry that came last, for a moment. */
  #fresh: number | undefined;

  constructor(desk: Desk, live: () => Live | undefined, showRoll: (entry: Entry) => void) {
    this.#desk = desk;
    this.#live = live;
    this.#seal = new Seal(desk);
    const list = h("ol", {
      className: "entries",
      role: "log",
      "aria-label": "What happened",
      "aria-live": "off",
    });
    const actions = {
      undo: (entry: Entry) => void this.undo(entry.seq),
      showRoll,
    };
    this.#lines = new Keyed<Shown>(
      list,
      ({ entry }) => String(entry.seq),
      (shown) => new LogLine(shown, actions),
    );
    this.#older.addEventListener("click", () => void this.#loadOlder());
    this.element = h(
      "section",
      { className: "panel log", "aria-label": "Log" },
      h("div", { className: "panel-head" }, h("h2", {}, "The story so far"), this.#seal.element),
      this.#noteForm(),
      this.#problem,
      list,
      this.#older,
      this.#heard,
    );
  }

  /** Shows what came, and says what someone else did to those who do not see it. The tray tells of rolls itself. */
  hear(entry: Entry): void {
    this.#fresh = entry.seq;
    this.show();
    if (isRoll(entry) || this.#desk.server.isOwn(entry)) return;
    this.#heard.textContent = sentenceOf(entry, this.#desk.table());
  }

  /** Marks what is before and after an entry that is looked at; `undefined` is now. */
  look(past: number | undefined): void {
    this.#past = past;
    this.show();
  }

  show(): void {
    const past = this.#past;
    const live = this.#live();
    if (!live) return;
    const latest = live.entries.find(({ type, undone }) => UNDOABLE.has(type) && !undone)?.seq;
    const table = this.#desk.table();
    this.#lines.show(
      live.entries.map((entry) => ({
        entry,
        table,
        own: this.#desk.server.isOwn(entry),
        fresh: entry.seq === this.#fresh,
        canUndo: entry.seq === latest && past === undefined,
        place: past === undefined ? "now" : placeOf(entry.seq, past),
      })),
    );
    this.#older.hidden = !live.hasOlder;
    this.#seal.reach(live.seq);
  }

  async undo(seq: number): Promise<void> {
    this.#say(await attempt(this.#desk, () => this.#desk.server.undo(seq)));
  }

  #noteForm(): HTMLElement {
    const form = h(
      "form",
      { className: "row changes note" },
      this.#note,
      h("button", { type: "submit", className: "button" }, "Add note"),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.#note.value.trim();
      if (text === "") return this.#note.focus();
      void attempt(this.#desk, () => this.#desk.server.note(text)).then((refused) => {
        this.#say(refused);
        // What was typed is kept when it could not be sent.
        if (refused === null && this.#note.value.trim() === text) this.#note.value = "";
      });
    });
    return form;
  }

  async #loadOlder(): Promise<void> {
    this.#older.disabled = true;
    this.#say(await attempt(this.#desk, async () => this.#live()?.older()));
    this.#older.disabled = false;
  }

  #say(problem: string | null): void {
    replace(this.#problem, problem ?? "");
  }
}

function placeOf(seq: number, past: number): Shown["place"] {
  if (seq === past) return "here";
  return seq < past ? "before" : "later";
}
