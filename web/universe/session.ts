/**
 * One open universe: its state, kept up to date by its live feed.
 *
 * The state is fetched, then the feed is followed from the very revision that was fetched, so nothing is missed and
 * nothing counts twice. Whatever cannot be followed (a command that only the server can carry out, a gap, a
 * replaced state) starts over with a fetch.
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
  /** It was deleted, or was never there. */
  gone(): void;
}

const RETRY_MS = 2_000;

export class Session {
  readonly id: string;
  readonly #listener: Listener;
  #universe: Universe | undefined;
  #source: EventSource | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  /** Commands of this page that the feed has not shown yet, as they were sent. */
  #sent: string[] = [];

  constructor(id: string, listener: Listener) {
    this.id = id;
    this.#listener = listener;
    listener.connection("connecting");
    void this.#start();
  }

  /** Sends a command. Gives why it was not applied, or `null`. */
  async send(command: Command): Promise<string | null> {
    const sent = JSON.stringify(command);
    this.#sent.push(sent);
    let refused: string | null;
    try {
      refused = refusal(await sendCommand(this.id, command));
    } catch (error) {
      refused = explain(error);
    }
    if (refused !== null) this.#isOwn(sent);
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
      this.#universe = universe;
      this.#listener.changed(universe);
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
    source.addEventListener("command", (event) => this.#hear(event));
    source.addEventListener("deleted", () => this.#end());
    source.addEventListener("replaced", () => void this.#start());
    source.addEventListener("resync", () => void this.#start());
  }

  #hear({ data, lastEventId }: MessageEvent<string>): void {
    const universe = this.#universe;
    const revision = Number(lastEventId);
    // A reconnect may repeat what is known.
    if (!universe || revision <= universe.revision) return;
    const command = JSON.parse(data) as Command;
    this.#listener.command(command, this.#isOwn(JSON.stringify(command)), universe.state);
    const follows = revision === universe.revision + 1;
    const state = follows ? apply(universe.state, command) : null;
    if (!state) return void this.#start();
    this.#universe = { ...universe, state, revision };
    this.#listener.changed(this.#universe);
  }

  /** Whether this page sent it; each is recognised once. */
  #isOwn(sent: string): boolean {
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
