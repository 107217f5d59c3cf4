/** The evenings that were played: one may be running, the others can be replayed and taken home as text. */

import { h } from "../../kit/dom.ts";
import { attempt, type Desk } from "../desk.ts";
import { Keyed } from "../../kit/keyed.ts";
import { sessionName } from "../state/names.ts";
import { exportPath } from "../state/server.ts";
import type { Session, Table } from "../state/types.ts";
import { dayOf } from "./times.ts";

export class Sessions {
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #name = h("input", {
    placeholder: "Name of the session",
    autocomplete: "off",
    "aria-label": "Name of the session",
  });
  readonly #start: HTMLFormElement;
  readonly #end = h("button", { type: "button", className: "button small changes" }, "End session");
  readonly #problem = h("p", { className: "error", role: "alert" });
  readonly #list: Keyed<{ session: Session; table: Table }>;
  readonly #none = h("p", { className: "hint empty" }, "None was played yet.");
  #active: string | null = null;

  constructor(desk: Desk, replay: (session: Session) => void) {
    this.#desk = desk;
    this.#start = h(
      "form",
      { className: "row changes start" },
      this.#name,
      h("button", { className: "button primary", type: "submit" }, "Start session"),
    );
    this.#start.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#begin();
    });
    this.#end.addEventListener("click", () => void this.#finish());
    const list = h("ul", { className: "session-list" });
    this.#list = new Keyed(
      list,
      ({ session }) => session.id,
      ({ session }) => new Line(session, replay),
    );
    this.element = h(
      "section",
      { className: "panel sessions", "aria-label": "Sessions" },
      h("div", { className: "panel-head" }, h("h2", {}, "Sessions"), this.#end),
      this.#start,
      this.#problem,
      this.#none,
      list,
    );
  }

  show(table: Table): void {
    this.#active = table.active_session;
    const running = this.#active !== null;
    this.#start.hidden = running;
    this.#end.hidden = !running;
    this.#none.hidden = table.sessions.length > 0;
    this.#list.show([...table.sessions].reverse().map((session) => ({ session, table })));
  }

  async #begin(): Promise<void> {
    const refused = await attempt(this.#desk, () =>
      this.#desk.server.startSession(this.#name.value),
    );
    this.#problem.textContent = refused ?? "";
    if (refused === null) this.#name.value = "";
  }

  async #finish(): Promise<void> {
    const session = this.#active;
    if (session === null) return;
    const refused = await attempt(this.#desk, () => this.#desk.server.endSession(session));
    this.#problem.textContent = refused ?? "";
  }
}

class Line {
  readonly element: HTMLElement;
  readonly #name = h("strong", {});
  readonly #when = h("span", { className: "hint" });
  readonly #replay: HTMLButtonElement;
  readonly #export: HTMLAnchorElement;
  #session: Session;

  constructor(session: Session, replay: (session: Session) => void) {
    this.#session = session;
    this.#replay = h(
      "button",
      { type: "button", className: "link", onclick: () => replay(this.#session) },
      "Replay",
    );
    this.#export = h(
      "a",
      { className: "link", href: exportPath(session.id), download: "" },
      "Export",
    );
    this.element = h(
      "li",
      { "data-session": session.id },
      h("span", { className: "what" }, this.#name, this.#when),
      this.#replay,
      this.#export,
    );
  }

  show({ session, table }: { session: Session; table: Table }): void {
    this.#session = session;
    const name = sessionName(table, session.id);
    this.#name.textContent = name;
    this.#replay.setAttribute("aria-label", `Replay ${name}`);
    this.#export.setAttribute("aria-label", `Export ${name} as Markdown`);
    this.#export.download = `${name}.md`;
    const state = { ACTIVE: "playing now", PAUSED: "paused", ENDED: "ended" }[session.status];
    this.#when.textContent = ` ${dayOf(session.started_at)} · ${state}`;
    this.element.dataset["status"] = session.status;
  }
}
