/**
 * One open universe: its content, kept up to date by its live feed.
 *
 * The record is fetched, then the feed is followed from the very revision that was fetched, so nothing is missed and
 * nothing counts twice. Whatever cannot be followed (a gap, a reset) starts over with a fetch.
 */

import { ApiError, explain } from "../../kit/api.ts";
import { moment, PAUSED, skewOf, timeAt } from "./clock.ts";
import { refusal } from "./refusal.ts";
import { feed, getUniverse, sendCommand } from "./server.ts";
import type { Change, Clock, Command } from "./types.ts";
import { World, type Ref } from "./world.ts";

export type Connection = "connecting" | "live" | "lost";

/** What the page is told. */
export interface Listener {
  /** Everything was read, for the first time or again. */
  loaded(): void;
  /** Someone changed something; `own` when it was this page. */
  changed(change: Change, touched: Ref[], own: boolean): void;
  connection(state: Connection): void;
  /** It was deleted, or was never there. */
  gone(): void;
}

const RETRY_MS = 2_000;
/** Characters from which the feed may leave out what a command holds. */
const LONG = 4_000;
/** A change that was made longer ago than this was read late, and says nothing about the server's clock. */
const FRESH_MS = 60_000;
/** The sky should not jump for the few milliseconds by which one change arrives later than another. */
const JITTER_MS = 250;

export class Session {
  readonly id: string;
  world = new World();
  name = "";
  revision = 0;
  clock: Clock = PAUSED;
  readonly #listener: Listener;
  /** How far the server's wall clock is ahead of this machine's, in milliseconds. */
  #skew = 0;
  #source: EventSource | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  /** Commands of this page that the feed has not shown yet, as they were sent. */
  #sent: { type: string; text: string }[] = [];

  constructor(id: string, listener: Listener) {
    this.id = id;
    this.#listener = listener;
    listener.connection("connecting");
    void this.#start();
  }

  /** The simulation's time at this moment. */
  now(): number {
    return timeAt(this.clock, Date.now() + this.#skew);
  }

  /** Sends a command. Gives why it was not applied, or `null`. */
  async send(command: Command): Promise<string | null> {
    this.#sent.push({ type: command.type, text: JSON.stringify(command) });
    let refused: string | null;
    try {
      refused = refusal(await sendCommand(this.id, command));
    } catch (error) {
      refused = explain(error);
    }
    if (refused !== null) this.#isOwn(command);
    return refused;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#source?.close();
  }

  /** Fetches the whole and follows the feed from there. */
  async #start(): Promise<void> {
    clearTimeout(this.#retry);
    this.#source?.close();
    try {
      const universe = await getUniverse(this.id);
      if (this.#closed) return;
      this.world = new World(universe.state);
      this.name = universe.name;
      this.revision = universe.revision;
      const time = universe.state.time ?? 0;
      this.clock = universe.clock ?? { ...PAUSED, time };
      this.#skew = skewOf(this.clock, time, Date.now()) ?? this.#skew;
      this.#listener.loaded();
      this.#follow(universe.revision);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return this.#end();
      this.#startLater();
    }
  }

  #startLater(): void {
    if (this.#closed) return;
    this.#listener.connection("lost");
    this.#retry = setTimeout(() => void this.#start(), RETRY_MS);
  }

  #follow(revision: number): void {
    const source = feed(this.id, revision);
    this.#source = source;
    source.addEventListener("open", () => this.#listener.connection("live"));
    source.addEventListener("error", () => {
      // The browser reconnects by itself, except after an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) return this.#startLater();
      this.#listener.connection("connecting");
    });
    source.addEventListener("change", (event) => this.#hear(JSON.parse(event.data) as Change));
    source.addEventListener("deleted", () => this.#end());
    source.addEventListener("resync", () => void this.#start());
  }

  #hear(change: Change): void {
    // A reconnect may repeat what is known.
    if (change.revision <= this.revision) return;
    if (change.kind === "deleted") return this.#end();
    const own = change.command !== undefined && this.#isOwn(change.command);
    if (change.reset || change.revision !== this.revision + 1) {
      this.#listener.changed(change, [], own);
      return void this.#start();
    }
    const skew = moment(change.at) - Date.now();
    if (Math.abs(skew) < FRESH_MS && Math.abs(skew - this.#skew) > JITTER_MS) this.#skew = skew;
    this.revision = change.revision;
    this.name = change.name ?? this.name;
    this.clock = change.clock ?? this.clock;
    this.#listener.changed(change, this.world.apply(change.delta ?? {}), own);
  }

  /** Whether this page sent it; each is recognised once. A long one comes back by its name alone. */
  #isOwn(command: Command): boolean {
    const text = JSON.stringify(command);
    const index = this.#sent.findIndex(
      (sent) => sent.text === text || (sent.text.length > LONG && sent.type === command.type),
    );
    if (index >= 0) this.#sent.splice(index, 1);
    return index >= 0;
  }

  #end(): void {
    if (this.#closed) return;
    this.close();
    this.#listener.gone();
  }
}
