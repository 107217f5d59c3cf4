/** The place of the 3D view: loads it when the browser can draw it, says so when it cannot. */

import { h } from "../kit/dom.ts";
import { support } from "./scene/support.ts";
import type { Options, View, ViewEvents } from "./scene/view.ts";
import type { World } from "./state/world.ts";

export class Sky {
  readonly element = h("div", { className: "sky-place" });
  readonly notice = h("p", { className: "notice no-sky", role: "status", hidden: true });
  view: View | undefined;
  readonly #events: ViewEvents;
  #waiting: (() => void)[] = [];
  #closed = false;

  constructor(events: ViewEvents) {
    this.#events = events;
  }

  /** The library is large, so it comes after the panels; everything asked meanwhile is done then. */
  async start(): Promise<void> {
    const can = support();
    if (can === "none")
      return this.#say(
        "This browser cannot draw in 3D (WebGL 2 is missing or switched off). The panels work all the same.",
      );
    try {
      const { View: Drawn } = await import("./scene/view.ts");
      if (this.#closed) return;
      this.view = new Drawn(can === "software", this.#events);
      this.element.append(this.view.element);
    } catch {
      return this.#say(
        "The 3D view could not be started. The panels work all the same; reload to try again.",
      );
    }
    this.#waiting.splice(0).forEach((work) => work());
  }

  whenReady(work: () => void): void {
    if (this.view) work();
    else this.#waiting.push(work);
  }

  show(world: World, time: () => number): void {
    this.whenReady(() => this.view?.show(world, time));
  }

  select(id: string | undefined): void {
    this.whenReady(() => this.view?.select(id));
  }

  options(options: Options): void {
    this.whenReady(() => this.view?.options(options));
  }

  filter(shown: (id: string) => boolean): void {
    this.whenReady(() => this.view?.filter(shown));
  }

  close(): void {
    this.#closed = true;
    this.view?.dispose();
  }

  #say(text: string): void {
    this.notice.textContent = text;
    this.notice.hidden = false;
  }
}
