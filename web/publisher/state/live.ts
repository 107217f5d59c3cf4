/**
 * Projects and packages, kept up to date.
 *
 * The feed says what changed; the lists that this concerns are read again, and whoever shows a document hears of it. Nothing about packages is
 * worked out here: state and errors come with the lists.
 */

import { Reader } from "../../kit/reader.ts";
import * as server from "./server.ts";
import type { Change, Package, Project } from "./types.ts";

export type Feed = "connecting" | "live" | "lost";

export interface Listener {
  feed(state: Feed): void;
  /** The lists are others now. */
  state(): void;
  /** Something happened; `undefined` means that anything may have. */
  changed(change: Change | undefined): void;
}

const RETRY_MS = 1_500;
/** A feed that breaks off is mostly back at once. */
const PATIENCE_MS = 2_000;

export class Live {
  projects: Project[] | undefined;
  readonly packages = new Map<string, Package[]>();
  readonly #listener: Listener;
  readonly #projects: Reader<Project[]>;
  readonly #readers = new Map<string, Reader<Package[]>>();
  #broken = false;
  #lost: ReturnType<typeof setTimeout> | undefined;

  constructor(listener: Listener) {
    this.#listener = listener;
    this.#projects = new Reader(
      server.listProjects,
      (projects) => this.#take(projects),
      () => listener.feed("lost"),
    );
    listener.feed("connecting");
    this.#projects.ask();
    this.#follow();
  }

  #take(projects: Project[]): void {
    this.projects = projects;
    for (const { name } of projects) this.#readerOf(name).ask();
    this.#listener.state();
  }

  #readerOf(project: string): Reader<Package[]> {
    const known = this.#readers.get(project);
    if (known) return known;
    const made = new Reader(
      () => server.listPackages(project),
      (packages) => {
        this.packages.set(project, packages);
        this.#listener.state();
      },
      () => undefined,
    );
    this.#readers.set(project, made);
    return made;
  }

  #follow(): void {
    const source = server.feed();
    source.addEventListener("open", () => {
      clearTimeout(this.#lost);
      this.#lost = undefined;
      this.#listener.feed("live");
      // What happened meanwhile was not told.
      if (this.#broken) {
        this.#broken = false;
        this.#projects.ask();
        this.#listener.changed(undefined);
      }
    });
    source.addEventListener("error", () => {
      this.#broken = true;
      // Every attempt to reconnect that fails comes here; only the first one is news.
      if (this.#lost === undefined) {
        this.#listener.feed("connecting");
        this.#lost = setTimeout(() => this.#listener.feed("lost"), PATIENCE_MS);
      }
      // The browser reconnects by itself, except after an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.#follow(), RETRY_MS);
    });
    source.addEventListener("change", (event) => this.#hear(JSON.parse(event.data) as Change));
  }

  #hear(change: Change): void {
    if (change.kind !== "query") {
      if (change.project && this.#readers.has(change.project)) {
        this.#readerOf(change.project).ask();
      } else this.#projects.ask();
    }
    this.#listener.changed(change);
  }
}
