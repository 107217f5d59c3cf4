/** Going through a session again, entry by entry, with the table as it was. */

import { asked } from "../../kit/dialog.ts";
import { h, replace, svg } from "../../kit/dom.ts";
import { attempt, type Desk } from "../desk.ts";
import { tell } from "../state/refusal.ts";
import { sessionName } from "../state/names.ts";
import { sentenceOf } from "../state/sentences.ts";
import type { Campaign, Entry, Session } from "../state/types.ts";

/** Long enough for dice to land and a line to be read. */
const STEP_MS = 1_900;
/** A slider fires for every pixel; the past is fetched when it rests. */
const REST_MS = 120;
const PAGE = 200;

export interface ReplayActions {
  /** Looks at the table after `entry`; `forward` when it is reached from the one before. */
  look(entry: Entry, forward: boolean): void;
  /** Back to now. */
  leave(): void;
  opened(campaign: Campaign): void;
}

export class Replay {
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #actions: ReplayActions;
  readonly #title = h("strong", {});
  readonly #said = h("output", { className: "replay-said", htmlFor: "replay-slider" });
  readonly #slider = h("input", {
    id: "replay-slider",
    type: "range",
    min: "1",
    step: "1",
    "aria-label": "Entry of the session",
  });
  readonly #play = h("button", { type: "button", className: "icon-button play" });
  readonly #problem = h("p", { className: "error", role: "alert" });
  #entries: Entry[] = [];
  #at = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(desk: Desk, actions: ReplayActions) {
    this.#desk = desk;
    this.#actions = actions;
    const step = (label: string, path: string, to: () => number) =>
      h(
        "button",
        {
          type: "button",
          className: "icon-button",
          title: label,
          "aria-label": label,
          onclick: () => this.#manually(to()),
        },
        icon(path),
      );
    const button = (text: string, does: () => void) =>
      h("button", { type: "button", className: "button small", onclick: does }, text);
    this.#play.addEventListener("click", () => this.#toggle());
    this.#slider.addEventListener("input", () => {
      const to = Number(this.#slider.value) - 1;
      this.#pause();
      clearTimeout(this.#rest);
      this.#rest = setTimeout(() => this.#go(to), REST_MS);
    });
    this.element = h(
      "section",
      { className: "replay", "aria-label": "Replay", hidden: true },
      h("div", { className: "replay-text" }, this.#title, this.#said, this.#problem),
      h(
        "div",
        { className: "replay-controls" },
        step("First entry", "M6 5v14M18 5.5v13L9 12z", () => 0),
        step("Previous entry", "M16 5.5v13L7 12z", () => this.#at - 1),
        this.#play,
        step("Next entry", "M8 5.5v13L17 12z", () => this.#at + 1),
        step("Last entry", "M18 5v14M6 5.5v13L15 12z", () => this.#entries.length - 1),
        this.#slider,
      ),
      h(
        "div",
        { className: "replay-actions" },
        button("Fork here", () => void this.#fork()),
        button("Undo entry", () => void this.#undo()),
        h(
          "button",
          { type: "button", className: "button primary small", onclick: () => this.close() },
          "Back to now",
        ),
      ),
    );
    this.#pause();
  }

  async open(session: Session): Promise<void> {
    const refused = await attempt(this.#desk, async () => {
      this.#entries = await this.#load(session.id);
    });
    this.#problem.textContent = refused ?? "";
    if (refused !== null || this.#entries.length === 0) return;
    this.#title.textContent = `Replay: ${sessionName(this.#desk.table(), session.id)}`;
    this.#slider.max = String(this.#entries.length);
    this.element.hidden = false;
    this.#go(0);
    this.#play.focus();
  }

  close(): void {
    if (this.element.hidden) return;
    this.#pause();
    clearTimeout(this.#rest);
    this.element.hidden = true;
    this.#actions.leave();
  }

  /** The table of that moment could not be had. */
  fail(error: unknown): void {
    this.#pause();
    this.#problem.textContent = tell(error);
  }

  /** All entries of the session, oldest first. */
  async #load(session: string): Promise<Entry[]> {
    const found: Entry[] = [];
    let before: number | undefined;
    for (;;) {
      const { events, next } = await this.#desk.server.events({
        session,
        limit: PAGE,
        ...(before === undefined ? {} : { before }),
      });
      found.push(...events);
      before = events.at(-1)?.seq;
      if (next === undefined || next === null || before === undefined) return found.reverse();
    }
  }

  #manually(to: number): void {
    this.#pause();
    this.#go(to);
  }

  #go(to: number): void {
    const at = Math.min(this.#entries.length - 1, Math.max(0, to));
    const forward = at === this.#at + 1;
    this.#at = at;
    const entry = this.#entries[at];
    if (!entry) return;
    this.#slider.value = String(at + 1);
    const said = sentenceOf(entry, this.#desk.table());
    this.#slider.setAttribute("aria-valuetext", `${at + 1} of ${this.#entries.length}: ${said}`);
    this.#said.textContent = `${at + 1} of ${this.#entries.length}: ${said}`;
    this.#actions.look(entry, forward);
  }

  #toggle(): void {
    if (this.#timer !== undefined) return this.#pause();
    this.#draw(true);
    if (this.#at === this.#entries.length - 1) this.#go(0);
    this.#tick();
  }

  #tick(): void {
    this.#timer = setTimeout(() => {
      this.#go(this.#at + 1);
      if (this.#at < this.#entries.length - 1) this.#tick();
      else this.#pause();
    }, STEP_MS);
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#draw(false);
  }

  #draw(playing: boolean): void {
    replace(this.#play, icon(playing ? "M8 5v14M16 5v14" : "M7 4.5v15L19.5 12z"));
    this.#play.title = playing ? "Pause" : "Play";
    this.#play.setAttribute("aria-label", this.#play.title);
  }

  async #fork(): Promise<void> {
    const entry = this.#entries[this.#at];
    this.#pause();
    if (!entry) return;
    const from = this.#desk.table()?.campaign.name ?? "Campaign";
    const name = await asked("A new campaign from here", `${from}, another way`, "Fork");
    if (name === null) return;
    const refused = await attempt(this.#desk, async () => {
      this.#actions.opened(await this.#desk.server.fork(entry.seq, name));
    });
    this.#problem.textContent = refused ?? "";
  }

  async #undo(): Promise<void> {
    const entry = this.#entries[this.#at];
    this.#pause();
    if (entry) {
      const refused = await attempt(this.#desk, () => this.#desk.server.undo(entry.seq));
      this.#problem.textContent = refused ?? `Entry ${entry.seq} is taken back, as of now.`;
    }
  }
}

function icon(path: string): SVGElement {
  const shape = svg("path", { d: path });
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, shape);
}
