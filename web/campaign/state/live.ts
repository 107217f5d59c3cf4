/**
 * One campaign, kept up to date.
 *
 * The record comes entry by entry from the feed; the table, which is what the entries add up to, is asked for again after
 * every entry that can have changed it, so that no rule of the game is written down here a second time.
 */

import { ApiError } from "../../kit/api.ts";
import type { Server } from "./server.ts";
import type { Entry, Table } from "./types.ts";

export type Fate = "open" | "applied" | "undone";
export type Connection = "connecting" | "live" | "lost";

export interface Listener {
  connection(state: Connection): void;
  /** The table is another now. */
  table(table: Table): void;
  /** The record was read from the start, or older parts of it came. */
  record(): void;
  /** An entry arrived. */
  entry(entry: Entry): void;
  gone(): void;
}

const RETRY_MS = 1_500;
/** Entries in one answer. */
const PAGE = 60;
/** These say something and change nothing on the table. */
const SAYINGS = new Set(["note.added", "roll.resolved"]);

export class Live {
  /** Newest first. */
  entries: Entry[] = [];
  table: Table | undefined;
  /** Whether there are older entries than those here. */
  hasOlder = false;
  readonly #server: Server;
  readonly #listener: Listener;
  #next: number | string | undefined;
  #source: EventSource | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #asking = false;
  /** How often it was begun: only the last beginning counts. */
  #run = 0;

  constructor(server: Server, listener: Listener) {
    this.#server = server;
    this.#listener = listener;
    listener.connection("connecting");
    void this.#start();
  }

  get seq(): number {
    return this.entries[0]?.seq ?? this.table?.seq ?? 0;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#source?.close();
  }

  async older(): Promise<void> {
    const before = this.entries.at(-1)?.seq;
    if (this.#next === undefined || before === undefined) return;
    const page = await this.#server.events({ before, limit: PAGE });
    this.#keep(page.events);
    this.#reachBack(page.next);
    this.#listener.record();
  }

  /** What became of a roll. Its outcome may be applied once, and again when that was taken back. */
  fateOf(seq: number): Fate {
    if (this.entries.some((entry) => entry.seq === seq && entry.undone)) return "undone";
    const applied = this.entries.some(
      ({ type, payload, undone }) =>
        type === "outcome.applied" && payload["roll_seq"] === seq && !undone,
    );
    return applied ? "applied" : "open";
  }

  /** Reads the whole and follows the feed from there. */
  async #start(): Promise<void> {
    const run = (this.#run += 1);
    clearTimeout(this.#retry);
    this.#source?.close();
    try {
      // In this order the table is never older than the record.
      const { events, next } = await this.#server.events({ limit: PAGE });
      const table = await this.#server.table();
      if (this.#closed || run !== this.#run) return;
      this.entries = [];
      this.#keep(events);
      this.#reachBack(next);
      this.table = table;
      this.#listener.table(table);
      this.#listener.record();
      this.#follow(events[0]?.seq ?? 0);
    } catch (error) {
      if (run !== this.#run) return;
      if (error instanceof ApiError && error.status === 404) return this.#end();
      this.#startLater();
    }
  }

  #startLater(): void {
    if (this.#closed) return;
    this.#listener.connection("lost");
    this.#retry = setTimeout(() => void this.#start(), RETRY_MS);
  }

  #follow(seq: number): void {
    const source = this.#server.feed(seq);
    this.#source = source;
    source.addEventListener("open", () => this.#listener.connection("live"));
    source.addEventListener("error", () => {
      // The browser reconnects by itself, except after an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) return this.#startLater();
      this.#listener.connection("connecting");
    });
    source.addEventListener("entry", (event) => this.#hear(JSON.parse(event.data) as Entry));
    source.addEventListener("resync", () => void this.#start());
  }

  #hear(entry: Entry): void {
    // A reconnect may repeat what is known.
    if (entry.seq <= this.seq) return;
    if (entry.seq !== this.seq + 1) return void this.#start();
    if (entry.type === "event.undone") this.#strike(Number(entry.payload["seq"]));
    this.entries.unshift(entry);
    this.#listener.entry(entry);
    if (SAYINGS.has(entry.type) && this.table) {
      this.table = { ...this.table, seq: entry.seq, head_hash: entry.event_hash };
      this.#listener.table(this.table);
    } else {
      void this.#refresh();
    }
  }

  #strike(seq: number): void {
    const struck = this.entries.find((entry) => entry.seq === seq);
    if (struck) struck.undone = true;
  }

  /** One question at a time; what changed while it was under way is asked for after it. */
  async #refresh(): Promise<void> {
    if (this.#asking || this.#closed) return;
    this.#asking = true;
    try {
      while (!this.#closed && this.seq > (this.table?.seq ?? 0)) {
        this.table = await this.#server.table();
        if (!this.#closed) this.#listener.table(this.table);
      }
    } catch {
      this.#startLater();
    } finally {
      this.#asking = false;
    }
  }

  #keep(events: Entry[]): void {
    const known = new Set(this.entries.map(({ seq }) => seq));
    this.entries.push(...events.filter(({ seq }) => !known.has(seq)));
    this.entries.sort((a, b) => b.seq - a.seq);
  }

  #reachBack(next: number | string | undefined): void {
    this.#next = next;
    this.hasOlder = next !== undefined && next !== null;
  }

  #end(): void {
    if (this.#closed) return;
    this.close();
    this.#listener.gone();
  }
}
