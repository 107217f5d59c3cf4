/** One table on show: its panels, its live record, and the past when someone looks at it. */

import { h } from "../kit/dom.ts";
import { toast } from "../kit/toast.ts";
import type { Desk } from "./desk.ts";
import { Actors } from "./panels/actors.ts";
import { FreeDice } from "./panels/free-dice.ts";
import { Head } from "./panels/head.ts";
import { Log } from "./panels/log.ts";
import { OutcomePanel } from "./panels/outcome.ts";
import { Participants } from "./panels/participants.ts";
import { Replay } from "./panels/replay.ts";
import { RollForm } from "./panels/roll-form.ts";
import { Sessions } from "./panels/sessions.ts";
import { Tabs } from "./panels/tabs.ts";
import { Tray, type Roll } from "./panels/tray.ts";
import { Live, type Connection } from "./state/live.ts";
import { doerOf, isByAi, isRoll } from "./state/names.ts";
import { rolled } from "./state/sentences.ts";
import { Seat } from "./state/seat.ts";
import { Server } from "./state/server.ts";
import type { Campaign, Entry, RollPayload, Table } from "./state/types.ts";

export interface StageActions {
  connection(state: Connection): void;
  gone(): void;
  opened(campaign: Campaign): void;
}

export class Stage {
  readonly id: string;
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #live: Live;
  readonly #head: Head;
  readonly #actors: Actors;
  readonly #participants: Participants;
  readonly #sessions: Sessions;
  readonly #log: Log;
  readonly #tray = new Tray();
  readonly #outcome: OutcomePanel;
  readonly #form: RollForm;
  readonly #replay: Replay;
  readonly #tabs: Tabs;
  /** Rolls that lie in the tray already: the answer and the feed both tell of a roll, in any order. */
  readonly #thrown = new Set<number>();
  /** The entry that is looked at, when it is not now. */
  #past: number | undefined;

  constructor(id: string, actions: StageActions) {
    this.id = id;
    const seat = new Seat(id);
    const server = new Server(id, () => seat.who());
    const desk: Desk = {
      server,
      seat,
      table: () => this.#live?.table,
      seated: () => this.#showTable(),
      consider: (actor, trait) => {
        this.#tabs.show("dice");
        this.#form.choose(actor, trait);
      },
    };
    this.#desk = desk;
    const byHand = (seq: number | undefined, payload: RollPayload) => this.#rolled(seq, payload);
    this.#head = new Head(desk);
    this.#actors = new Actors(desk);
    this.#participants = new Participants(desk);
    this.#sessions = new Sessions(desk, (session) => void this.#replay.open(session));
    this.#log = new Log(
      desk,
      () => this.#live,
      (entry) => this.#look(entry),
    );
    this.#outcome = new OutcomePanel(desk, (seq) => this.#live.fateOf(seq));
    this.#form = new RollForm(desk, byHand);
    this.#replay = new Replay(desk, {
      look: (entry, forward) => void this.#lookBack(entry, forward),
      leave: () => this.#now(),
      opened: actions.opened,
    });
    const dice = h(
      "section",
      { className: "panel dice", "aria-label": "Dice" },
      this.#tray.element,
      this.#outcome.element,
      h(
        "div",
        { className: "changes dice-forms" },
        this.#form.element,
        new FreeDice(desk, byHand).element,
      ),
    );
    this.#tabs = new Tabs([
      [
        "table",
        "Table",
        [this.#sessions.element, this.#actors.element, this.#participants.element],
      ],
      ["dice", "Dice", [dice]],
      ["log", "Log", [this.#log.element]],
    ]);
    this.element = h(
      "div",
      { className: "stage", "aria-busy": "true" },
      this.#head.element,
      this.#tabs.columns,
      this.#replay.element,
      this.#tabs.bar,
    );
    this.#live = new Live(server, {
      connection: actions.connection,
      table: () => this.#showTable(),
      record: () => {
        this.#log.show();
        this.#layLast();
      },
      entry: (entry) => this.#hear(entry),
      gone: actions.gone,
    });
  }

  close(): void {
    this.#live.close();
    this.#replay.close();
  }

  /** Draws the present, unless the past is being looked at. */
  #showTable(): void {
    const { table } = this.#live;
    if (!table) return;
    document.title = `${table.campaign.name} · Campaign table`;
    this.#desk.seat.check(table.participants);
    this.element.setAttribute("aria-busy", "false");
    this.#form.show(table);
    this.#outcome.refresh();
    this.#log.show();
    if (this.#past === undefined) this.#draw(table);
  }

  #draw(table: Table): void {
    const past = this.#past !== undefined;
    this.element.toggleAttribute("data-past", past);
    this.#head.show(table, past);
    this.#actors.show(table, past);
    this.#participants.show(table);
    this.#sessions.show(table);
  }

  #hear(entry: Entry): void {
    this.#log.hear(entry);
    this.#outcome.refresh();
    if (!isRoll(entry) || this.#thrown.has(entry.seq)) return;
    this.#thrown.add(entry.seq);
    if (this.#past !== undefined) return;
    const roll = this.#rollOf(entry);
    // On a phone the tray may be out of sight.
    if (!this.#tabs.isShown("dice")) toast(roll.said, "roll");
    void this.#throw(roll, true);
  }

  /** The answer to a roll of this page. */
  #rolled(seq: number | undefined, payload: RollPayload): void {
    // On a phone the button is a screen below.
    this.#tray.element.scrollIntoView({ block: "nearest" });
    if (seq !== undefined) {
      if (this.#thrown.has(seq)) return;
      this.#thrown.add(seq);
    }
    void this.#throw({ seq, payload, by: "You", ai: false, said: this.#said(payload) }, true);
  }

  /** Whoever comes later finds the dice as they lie. */
  #layLast(): void {
    const last = this.#live.entries.find((entry) => isRoll(entry) && !entry.undone);
    if (!last || !isRoll(last) || this.#thrown.size > 0) return;
    this.#thrown.add(last.seq);
    void this.#throw(this.#rollOf(last), false);
  }

  /** Lays a roll of the record into the tray again. */
  #look(entry: Entry): void {
    if (!isRoll(entry)) return;
    this.#tabs.show("dice");
    void this.#throw(this.#rollOf(entry), false);
  }

  async #throw(roll: Roll, animated: boolean): Promise<void> {
    void this.#outcome.show(undefined);
    await this.#tray.throw(roll, animated);
    if (this.#tray.holds(roll)) await this.#outcome.show(roll);
  }

  #rollOf(entry: Entry & { payload: RollPayload }): Roll {
    const { seq, payload } = entry;
    const table = this.#desk.table();
    const by = this.#desk.server.isOwn(entry) ? "You" : doerOf(entry, table);
    return { seq, payload, by, ai: isByAi(entry, table), said: this.#said(payload) };
  }

  #said(payload: RollPayload): string {
    return rolled(payload, this.#desk.table());
  }

  async #lookBack(entry: Entry, forward: boolean): Promise<void> {
    this.#past = entry.seq;
    this.element.toggleAttribute("data-past", true);
    this.#log.look(entry.seq);
    if (isRoll(entry)) void this.#throw(this.#rollOf(entry), forward);
    try {
      const table = await this.#desk.server.table(entry.seq);
      // Someone may have gone on, or back to now, meanwhile.
      if (this.#past === entry.seq) this.#draw(table);
    } catch (error) {
      this.#replay.fail(error);
    }
  }

  #now(): void {
    this.#past = undefined;
    this.#log.look(undefined);
    this.#showTable();
  }
}
