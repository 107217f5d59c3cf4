/**
 * One open universe: its state, kept up to date by its live feed.
 *
 * The feed numbers each change. A number already covered by what is known is skipped, a gap means that something was
 * missed and the whole is fetched; so the order in which answers and events arrive does not matter.
 */

import { ApiError, explain } from "../kit/api.ts";
import { apply, type Command, type State, type Universe } from "./model.ts";
import { refusal } from "./refusal.ts";
import { feed, getUniverse, sendCommand } from "./server.ts";

export type Connection = "connecting" | "live" | "lost";

/** What the page is told. */
export interface Listener {
  changed(universe: Universe): void;
  connection(state: Connection): void;
  /** Someone made a command; `own` when it was this page. */
  command(command: Command, own: boolean, before: State): void;
  /** It was deleted, or the server forgot it. */
  gone(): void;
}

/** A command from the feed, with its number where the server gives one. */
interface Heard {
  command: Command;
  revision: number | undefined;
}

const RETRY_MS = 2_000;
/** Fetches in a row before the page shows what it has; the feed brings the rest. */
const FETCHES = 5;

/** Fits on nothing, so it makes a fetch that is under way be followed by another. */
const UNFIT: Heard = { command: { type: "removeStar", id: "" }, revision: Infinity };

export class Session {
  readonly id: string;
  readonly #listener: Listener;
  #universe: Universe | undefined;
  #source: EventSource | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  /** Commands of this page that the feed has not shown yet, as they were sent. */
  #sent: string[] = [];
  /** What the feed said while the whole is being fetched, to be applied on top of it; `undefined` at other times. */
  #waiting: Heard[] | undefined;

  constructor(id: string, listener: Listener) {
    this.id = id;
    this.#listener = listener;
    this.#open();
  }

  /** Sends a command. Gives why it was not applied, or `null`. */
  async send(command: Command): Promise<string | null> {
    const sent = JSON.stringify(command);
    this.#sent.push(sent);
    try {
      const reply = await sendCommand(this.id, command);
      const refused = refusal(reply.events);
      if (refused !== null || reply.applied === false) {
        this.#forget(sent);
        return refused ?? "the server refused it";
      }
      this.#adopt(reply.nextState, reply.revision);
      return null;
    } catch (error) {
      this.#forget(sent);
      return explain(error);
    }
  }

  /** Fetches the whole, and again while the feed says something that does not fit on it. */
  async refresh(): Promise<void> {
    // The fetch under way ends by looking at what it missed.
    if (this.#waiting) return void this.#waiting.push(UNFIT);
    try {
      for (let left = FETCHES; left > 0 && !this.#closed; left--) {
        this.#waiting = [];
        const universe = await getUniverse(this.id);
        const heard = this.#waiting;
        this.#universe = universe;
        if (heard.every((each) => this.#step(each))) break;
      }
      if (this.#universe && !this.#closed) this.#listener.changed(this.#universe);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return this.#end();
      this.#reopenLater();
    } finally {
      this.#waiting = undefined;
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#source?.close();
  }

  #open(): void {
    this.#listener.connection("connecting");
    const source = feed(this.id);
    this.#source = source;
    // Every opening, the first and each after a break: what happened in between is in the whole.
    source.addEventListener("open", () => {
      this.#listener.connection("live");
      void this.refresh();
    });
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) return void this.#lost();
      this.#listener.connection("connecting");
    });
    source.addEventListener("command", (event) => this.#hear(event));
    source.addEventListener("deleted", () => this.#end());
    for (const name of ["replaced", "resync"]) {
      source.addEventListener(name, () => void this.refresh());
    }
  }

  /** The browser gave up, which it does on any answer that is no stream: find out why. */
  async #lost(): Promise<void> {
    this.#listener.connection("lost");
    this.#reopenLater();
    // Says when the universe is gone, and then there is nothing to reopen.
    await this.refresh();
  }

  #reopenLater(): void {
    if (this.#closed || this.#source?.readyState !== EventSource.CLOSED) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#open(), RETRY_MS);
  }

  #hear(event: MessageEvent<string>): void {
    const command = JSON.parse(event.data) as Command;
    const own = this.#forget(JSON.stringify(command));
    const revision = event.lastEventId === "" ? undefined : Number(event.lastEventId);
    const heard = { command, revision };
    if (this.#universe) this.#listener.command(command, own, this.#universe.state);
    if (this.#waiting) return void this.#waiting.push(heard);
    if (!this.#universe) return;
    if (!this.#step(heard)) return void this.refresh();
    this.#listener.changed(this.#universe);
  }

  /** Applies one command of the feed; `false` when only the server can tell what follows from it. */
  #step({ command, revision }: Heard): boolean {
    if (!this.#universe) return false;
    const known = this.#universe.revision;
    if (revision !== undefined && known !== undefined) {
      if (revision <= known) return true;
      if (revision > known + 1) return false;
    } else if (this.#waiting) {
      // Nobody can tell whether what was fetched has it.
      return false;
    }
    const state = apply(this.#universe.state, command);
    if (!state) return false;
    this.#universe = { ...this.#universe, state, ...(revision !== undefined && { revision }) };
    return true;
  }

  /** Takes the state of an answer, unless the feed has shown it or something newer. */
  #adopt(state: State, revision: number | undefined): void {
    const known = this.#universe?.revision;
    // Without numbers only the feed is believed, while there is one.
    if (revision === undefined && this.#source?.readyState === EventSource.OPEN) return;
    if (revision !== undefined && known !== undefined && revision <= known) return;
    if (!this.#universe) return;
    this.#universe = { ...this.#universe, state, ...(revision !== undefined && { revision }) };
    this.#listener.changed(this.#universe);
  }

  #forget(sent: string): boolean {
    const index = this.#sent.indexOf(sent);
    if (index >= 0) this.#sent.splice(index, 1);
    return index >= 0;
  }

  #end(): void {
    if (this.#closed) return;
    this.close();
    this.#listener.gone();
  }
}
