/** Who did what, through which surface, when; with undo, redo and a slider into the past. */

import { explain } from "../../kit/api.ts";
import { h, replace } from "../../kit/dom.ts";
import { actor, describe, surface } from "../state/describe.ts";
import { getHistory } from "../state/server.ts";
import type { Command, Entry } from "../state/types.ts";
import type { World } from "../state/world.ts";

/** Entries kept on the page; older ones are asked for again. */
const MOST = 400;
/** A slider fires for every pixel; the past is fetched when it rests. */
const REST_MS = 140;

export interface HistoryActions {
  send(command: Command): Promise<string | null>;
  /** Looks at a revision, or at the present. */
  look(revision: number | null): void;
  world(): World;
}

export class History {
  readonly element: HTMLElement;
  readonly #id: string;
  readonly #actions: HistoryActions;
  readonly #list = h("ol", { className: "entries" });
  readonly #more = h(
    "button",
    { type: "button", className: "button small", hidden: true },
    "Older",
  );
  readonly #problem = h("p", { className: "error", role: "alert" });
  readonly #slider = h("input", {
    id: "revision",
    type: "range",
    min: "1",
    step: "1",
    "aria-label": "Revision",
  });
  readonly #at = h("output", { className: "hint", htmlFor: "revision" });
  #entries: Entry[] = [];
  #next: number | string | undefined;
  #own = new Set<number>();
  #latest = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #past = false;

  constructor(id: string, actions: HistoryActions) {
    this.#id = id;
    this.#actions = actions;
    this.#more.addEventListener("click", () => void this.#load(this.#next));
    this.#slider.addEventListener("input", () => this.#slide());
    const button = (label: string, title: string, type: string) =>
      h(
        "button",
        {
          type: "button",
          className: "button small changes",
          title,
          onclick: () => void this.send({ type }),
        },
        label,
      );
    this.element = h(
      "div",
      { className: "panel history" },
      h(
        "div",
        { className: "panel-head" },
        h("h2", {}, "History"),
        h(
          "div",
          { className: "row" },
          button("Undo", "Ctrl+Z", "undo"),
          button("Redo", "Ctrl+Shift+Z", "redo"),
        ),
      ),
      this.#problem,
      h(
        "div",
        { className: "labelled slider" },
        h("label", { htmlFor: "revision" }, "Look at the past"),
        this.#slider,
        this.#at,
      ),
      this.#list,
      this.#more,
    );
  }

  /** Reads the newest part again. */
  async start(latest: number): Promise<void> {
    this.#entries = [];
    this.#reach(latest);
    await this.#load(undefined);
  }

  add(entry: Entry, own: boolean): void {
    if (own) this.#own.add(entry.revision);
    if (this.#entries.some(({ revision }) => revision === entry.revision)) return;
    this.#entries.unshift(entry);
    if (this.#entries.length > MOST) {
      this.#entries.length = MOST;
      this.#next = this.#entries.at(-1)?.revision;
    }
    this.#reach(entry.revision);
    this.#list.prepend(this.#item(entry));
    while (this.#list.children.length > MOST) this.#list.lastElementChild?.remove();
    this.#more.hidden = this.#next === undefined;
  }

  async send(command: Command): Promise<void> {
    this.#say((await this.#actions.send(command)) ?? "");
  }

  /** Back from the past. */
  present(): void {
    this.#past = false;
    this.#slider.value = String(this.#latest);
    this.#tell();
  }

  #reach(latest: number): void {
    this.#latest = latest;
    this.#slider.max = String(latest);
    if (!this.#past) this.#slider.value = String(latest);
    this.#tell();
  }

  #slide(): void {
    clearTimeout(this.#rest);
    const revision = Number(this.#slider.value);
    this.#past = revision < this.#latest;
    this.#tell();
    this.#rest = setTimeout(() => this.#actions.look(this.#past ? revision : null), REST_MS);
  }

  #tell(): void {
    this.#at.textContent = this.#past
      ? `revision ${this.#slider.value} of ${this.#latest}`
      : `now, revision ${this.#latest}`;
  }

  async #load(before: number | string | undefined): Promise<void> {
    try {
      const { entries, next } = await getHistory(this.#id, before);
      const known = new Set(this.#entries.map(({ revision }) => revision));
      this.#entries.push(...entries.filter(({ revision }) => !known.has(revision)));
      this.#entries.sort((a, b) => b.revision - a.revision);
      this.#next = next;
      this.#say("");
    } catch (error) {
      this.#say(explain(error));
    }
    this.#more.hidden = this.#next === undefined;
    replace(this.#list, ...this.#entries.map((entry) => this.#item(entry)));
  }

  #item(entry: Entry): HTMLElement {
    const who = actor(entry, this.#own.has(entry.revision));
    const undo = () => void this.send({ type: "undo", revision: entry.revision });
    const may = entry.kind === "command" && entry.command?.type !== "tick";
    const label = `Undo change ${entry.revision}`;
    return h(
      "li",
      { "data-via": entry.via, "data-revision": entry.revision },
      h(
        "span",
        { className: "what" },
        h("strong", {}, who),
        ` ${describe(entry, this.#actions.world())}`,
      ),
      h(
        "span",
        { className: "hint" },
        `${entry.revision} · ${surface(entry.via)} · `,
        h("time", { dateTime: entry.at, title: entry.at }, clockTime(entry.at)),
      ),
      may &&
        h(
          "button",
          { type: "button", className: "link changes", "aria-label": label, onclick: undo },
          "Undo",
        ),
    );
  }

  #say(problem: string): void {
    this.#problem.textContent = problem;
  }
}

/** Today by the hour, older by the day. */
function clockTime(at: string): string {
  const then = new Date(at);
  const today = then.toDateString() === new Date().toDateString();
  return today
    ? then.toLocaleTimeString("en", {
        hour: "2-digit",
        minute: "2-digit",
        second: "2-digit",
        hour12: false,
      })
    : then.toLocaleDateString("en", { year: "numeric", month: "short", day: "numeric" });
}
