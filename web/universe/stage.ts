/** One universe on show: the sky and the panels about it, wired to its session. */

import { explain } from "../kit/api.ts";
import { asked, confirmed } from "../kit/dialog.ts";
import { h, replace } from "../kit/dom.ts";
import { Inspector } from "./editors/inspector.ts";
import { placeOf } from "./math/orbit.ts";
import { Banners } from "./panels/banners.ts";
import { Explore } from "./panels/explore.ts";
import { History } from "./panels/history.ts";
import type { Shell } from "./panels/shell.ts";
import { Ticker } from "./panels/ticker.ts";
import { TimeBar } from "./panels/time.ts";
import { Tools } from "./panels/tools.ts";
import { Sky } from "./sky.ts";
import { nameOf, refOf } from "./state/describe.ts";
import { matches, type Filter } from "./state/search.ts";
import {
  deleteUniverse,
  forkUniverse,
  getUniverse,
  pathOf,
  renameUniverse,
} from "./state/server.ts";
import { Session, type Connection } from "./state/session.ts";
import type { Change, Command, Point } from "./state/types.ts";
import { World, type Ref } from "./state/world.ts";

export interface StageEvents {
  connection(state: Connection): void;
  /** It is no longer there. */
  gone(): void;
  /** Its name may have changed. */
  renamed(): void;
  /** Another one was made and should be opened. */
  opened(id: string): void;
}

/** A moment that is over, to look at. */
interface Past {
  revision: number;
  world: World;
  time: number;
}

/** Who touched something, by the surface they came through. */
const COLOURS: Record<string, string> = { mcp: "#aca4ff", page: "#ff9070" };

/** Groups in groups, at most; a cycle, however it came about, ends here. */
const DEEPEST = 64;

export class Stage {
  readonly session: Session;
  readonly #shell: Shell;
  readonly #events: StageEvents;
  readonly #title = h("h1", {}, "…");
  readonly #problem = h("p", { className: "error", role: "alert" });
  readonly #sky: Sky;
  readonly #inspector: Inspector;
  readonly #explore: Explore;
  readonly #history: History;
  readonly #ticker = new Ticker();
  readonly #time: TimeBar;
  readonly #banners: Banners;
  #past: Past | undefined;
  #fitted = false;
  #riding: string | undefined;

  constructor(shell: Shell, id: string, events: StageEvents) {
    this.#shell = shell;
    this.#events = events;
    const send = (command: Command) => this.session.send(command);
    const ride = (body: string) => this.ride(body);
    this.#sky = new Sky({ select: (ref) => this.select(ref), ride });
    this.#inspector = new Inspector({
      send,
      ride,
      select: (ref) => this.select(ref),
      fit: (ref) => this.#sky.view?.fit(ref),
      solo: (group) => this.#solo(group),
      close: () => this.select(null),
    });
    this.#explore = new Explore({
      ride,
      select: (ref) => this.select(ref),
      add: () => this.#add(),
      isolate: (filter) => this.#isolate(filter),
    });
    this.#history = new History(id, {
      send,
      look: (revision) => void this.#look(revision),
      world: () => this.session.world,
    });
    this.#time = new TimeBar({
      setClock: (change) => this.session.send({ type: "setClock", ...change }),
      tick: (dt) => this.session.send({ type: "tick", dt }),
      now: () => this.now(),
    });
    this.#banners = new Banners({
      present: () => void this.#look(null),
      fork: () => void this.#fork(this.#past?.revision),
      leave: () => this.leave(),
      all: () => this.#solo(null),
    });
    const tools = new Tools({
      fit: () => this.#sky.view?.fit(),
      options: (options) => this.#sky.options(options),
    });
    shell.put("explore", this.#explore.element);
    shell.put("history", this.#history.element);
    shell.put("details", this.#inspector.element);
    replace(
      shell.middle,
      this.#sky.element,
      h("div", { className: "over top" }, this.#head(id), this.#banners.element, this.#sky.notice),
      tools.element,
      this.#ticker.element,
      this.#time.element,
    );
    this.session = new Session(id, {
      loaded: () => this.#loaded(),
      changed: (change, touched, own) => this.#changed(change, touched, own),
      connection: events.connection,
      gone: events.gone,
    });
    void this.#sky.start();
  }

  /** The world on show: the present, or a moment of the past. */
  get world(): World {
    return this.#past?.world ?? this.session.world;
  }

  now(): number {
    return this.#past?.time ?? this.session.now();
  }

  /** Where a body is drawn; without a sky, where it would be. */
  positionOf(id: string): Point | null {
    return this.#sky.view
      ? this.#sky.view.positionOf(id)
      : (placeOf(this.world, id, this.now()) ?? null);
  }

  get view() {
    return this.#sky.view;
  }

  select(ref: Ref | null): void {
    this.#sky.select(ref?.map === "stars" ? ref.id : undefined);
    this.#explore.select(ref);
    this.#shell.details(ref !== null);
    if (ref === null) {
      this.#inspector.clear();
      return;
    }
    this.#inspector.update(this.world);
    this.#inspector.edit(ref);
  }

  ride(id: string): void {
    if (!this.#sky.view?.ride(id)) return;
    this.#riding = id;
    this.#banners.riding(nameOf(this.world, { map: "stars", id }));
    this.#shell.closeSheet();
  }

  leave(): void {
    this.#riding = undefined;
    this.#sky.view?.leave();
    this.#banners.riding(null);
  }

  /** What the escape key leaves first. */
  escape(): void {
    if (this.#riding !== undefined) return this.leave();
    this.select(null);
  }

  fit(): void {
    this.#sky.view?.fit();
  }

  toggleClock(): void {
    if (!this.#past) this.#time.toggle();
  }

  undo(again: boolean): void {
    if (!this.#past) void this.#history.send({ type: again ? "redo" : "undo" });
  }

  close(): void {
    this.session.close();
    this.#time.close();
    this.#sky.close();
    for (const tab of ["explore", "history", "details"] as const) this.#shell.put(tab, null);
    this.#shell.details(false);
  }

  #head(id: string): HTMLElement {
    const small = (label: string, onclick: () => void, more = "") =>
      h("button", { type: "button", className: `button small ${more}`, onclick }, label);
    const menu = h(
      "details",
      { className: "menu" },
      h("summary", { className: "button small" }, "Universe"),
      h(
        "div",
        { className: "card" },
        small("Rename", () => void this.#rename()),
        small("Fork", () => void this.#fork()),
        h(
          "a",
          { className: "button small", href: pathOf(id), download: "universe.json" },
          "Export JSON",
        ),
        small("Delete", () => void this.#remove(), "danger"),
      ),
    );
    menu.addEventListener("click", (event) => {
      if ((event.target as HTMLElement).matches(".button:not(summary)")) menu.open = false;
    });
    return h("div", { className: "stage-head" }, this.#title, menu, this.#problem);
  }

  #loaded(): void {
    const { session } = this;
    this.#title.textContent = session.name;
    this.#events.renamed();
    this.#time.show(session.clock);
    void this.#history.start(session.revision);
    this.#refresh();
    if (this.#fitted) return;
    this.#fitted = true;
    this.#sky.whenReady(() => this.#sky.view?.fit());
  }

  #changed(change: Change, touched: Ref[], own: boolean): void {
    const { session } = this;
    this.#ticker.add(change, own, session.world);
    this.#history.add(change, own);
    if (change.name !== undefined) {
      this.#title.textContent = session.name;
      this.#events.renamed();
    }
    if (change.clock) this.#time.show(session.clock);
    if (this.#past) return;
    if (touched.length > 0) this.#refresh();
    if (!own) this.#flash(change, touched);
  }

  /** Draws the eye to what someone else touched. */
  #flash(change: Change, touched: Ref[]): void {
    const named = change.command && refOf(change.command);
    const refs = named?.map === "stars" ? [named] : touched.filter(({ map }) => map === "stars");
    refs
      .slice(0, 12)
      .forEach(({ id }) => this.#sky.view?.flash(id, COLOURS[change.via ?? ""] ?? "#7fe3c4"));
  }

  #refresh(): void {
    this.#sky.show(this.world, () => this.now());
    this.#explore.show(this.world);
    this.#inspector.update(this.world);
  }

  /** Shows a moment of the past, or the present again. */
  async #look(revision: number | null): Promise<void> {
    if (revision === null) {
      this.#past = undefined;
      this.#history.present();
    } else {
      try {
        const { state } = await getUniverse(this.session.id, revision);
        this.#past = { revision, world: new World(state), time: state.time ?? 0 };
        this.#say("");
      } catch (error) {
        return this.#say(explain(error));
      }
    }
    const locked = this.#past !== undefined;
    this.#banners.past(this.#past ? this.#past.revision : null);
    this.#inspector.lock(locked);
    document.body.classList.toggle("past", locked);
    this.#refresh();
  }

  #add(): void {
    this.#inspector.update(this.world);
    this.#inspector.add();
    this.#shell.details(true);
    this.#shell.show("details");
  }

  #isolate(filter: Filter): void {
    const shown = (id: string) => {
      const body = this.world.stars.get(id);
      return body !== undefined && matches(body, filter);
    };
    this.#sky.filter(filter === "all" ? () => true : shown);
  }

  /** Shows one group alone, or everything. */
  #solo(group: string | null): void {
    const inside = (id: string): boolean => {
      let at = this.world.groupOf(this.world.systemOf(id));
      for (let depth = 0; at !== undefined && depth < DEEPEST; depth++) {
        if (at === group) return true;
        at = this.world.groupOf(at);
      }
      return false;
    };
    this.#sky.filter(group === null ? () => true : inside);
    this.#banners.alone(group && nameOf(this.world, { map: "groups", id: group }));
  }

  async #rename(): Promise<void> {
    const name = await asked("Rename the universe", this.session.name, "Rename");
    if (name === null) return;
    await this.#try(renameUniverse(this.session.id, name));
  }

  async #fork(revision?: number): Promise<void> {
    const made = await this.#try(forkUniverse(this.session.id, revision));
    if (made) this.#events.opened(made.id);
  }

  async #remove(): Promise<void> {
    const detail = "All its bodies go with it, for everyone.";
    if (!(await confirmed(`Delete ${this.session.name}?`, detail, "Delete"))) return;
    await deleteUniverse(this.session.id).then(
      () => this.#events.gone(),
      (error: unknown) => this.#say(explain(error)),
    );
  }

  async #try<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      const done = await work;
      this.#say("");
      return done;
    } catch (error) {
      this.#say(explain(error));
      return undefined;
    }
  }

  #say(problem: string): void {
    this.#problem.textContent = problem;
  }
}
