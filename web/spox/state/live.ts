/**
 * The project, kept up to date.
 *
 * The feed says what was touched; the lists that this concerns are read again, and whoever shows a document hears of it and reads that
 * document again. No rule about specs is written down here a second time: counts and issues come with the lists.
 */

import * as server from "./server.ts";
import { Reader } from "../../kit/reader.ts";
import type { ChangeSummary, Project, SpecSummary, Touched } from "./types.ts";

export type Connection = "connecting" | "live" | "lost";

export interface Listener {
  connection(state: Connection): void;
  /** The project or one of its lists is another now. */
  state(): void;
  /** These were touched; `undefined` means that anything may have been. */
  touched(touched: Touched | undefined): void;
}

const RETRY_MS = 1_500;
/** A feed that breaks off is mostly back at once. */
const PATIENCE_MS = 2_000;

export class Live {
  project: Project | undefined;
  specs: SpecSummary[] | undefined;
  changes: ChangeSummary[] | undefined;
  readonly #listener: Listener;
  readonly #project: Reader<Project>;
  readonly #specs: Reader<SpecSummary[]>;
  readonly #changes: Reader<ChangeSummary[]>;
  #source: EventSource | undefined;
  /** The newest revision that was heard of. */
  #revision: number | undefined;
  /** Whether the feed broke off since it was last greeted. */
  #broken = false;
  #lost: ReturnType<typeof setTimeout> | undefined;

  constructor(listener: Listener) {
    this.#listener = listener;
    const lost = () => listener.connection("lost");
    this.#project = new Reader(
      server.getProject,
      (project) => {
        this.project = project;
        listener.state();
        if (!this.#source) this.#follow(project.revision);
      },
      lost,
    );
    this.#specs = new Reader(
      server.listSpecs,
      (specs) => {
        this.specs = specs;
        listener.state();
      },
      () => undefined,
    );
    this.#changes = new Reader(
      server.listChanges,
      (changes) => {
        this.changes = changes;
        listener.state();
      },
      () => undefined,
    );
    listener.connection("connecting");
    this.#readAll();
  }

  /** The index was made, or something else that the feed may tell later. */
  refresh(): void {
    this.#project.ask();
  }

  #readAll(): void {
    this.#project.ask();
    this.#specs.ask();
    this.#changes.ask();
  }

  #follow(revision: number): void {
    this.#revision ??= revision;
    const source = server.feed();
    this.#source = source;
    source.addEventListener("open", () => {
      clearTimeout(this.#lost);
      this.#lost = undefined;
      this.#listener.connection("live");
    });
    source.addEventListener("error", () => {
      this.#broken = true;
      // Every attempt to reconnect that fails comes here; only the first one is news.
      if (this.#lost === undefined) {
        this.#listener.connection("connecting");
        this.#lost = setTimeout(() => this.#listener.connection("lost"), PATIENCE_MS);
      }
      // The browser reconnects by itself, except after an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) {
        setTimeout(() => this.#follow(revision), RETRY_MS);
      }
    });
    source.addEventListener("hello", (event) => {
      this.#greet((JSON.parse(event.data) as { revision: number }).revision);
    });
    source.addEventListener("changed", (event) => this.#hear(JSON.parse(event.data) as Touched));
  }

  /** A feed begins. What happened before it was not told, so a revision that is not known means reading everything. */
  #greet(revision: number): void {
    // A server that was started anew counts anew, so after a break the same number may mean something else.
    if (revision === this.#revision && !this.#broken) return;
    this.#broken = false;
    this.#revision = revision;
    this.#readAll();
    this.#listener.touched(undefined);
  }

  #hear(touched: Touched): void {
    this.#revision = touched.revision;
    this.#project.ask();
    const { specs, changes, project } = touched;
    if (project || specs.length > 0) this.#specs.ask();
    // What a change may do depends on the specs that it is written against.
    if (project || specs.length > 0 || changes.length > 0) this.#changes.ask();
    this.#listener.touched(project ? undefined : touched);
  }
}
