/** The clock that everyone shares: play, pause, rate, a step forward or back. */

import { h, replace, svg } from "../../kit/dom.ts";
import type { Clock } from "../state/types.ts";

/** Shapes rather than signs of a font, which not every machine has. */
const PLAY = "M7 4.5v15l12-7.5Z";
const PAUSE = "M7 5h3.5v14H7ZM13.5 5H17v14h-3.5Z";
const BACK = "M19 5v14l-8-7ZM11 5v14l-8-7Z";
const FORWARD = "M5 5v14l8-7ZM13 5v14l8-7Z";
const RATES = [0.5, 1, 5, 10, 20, 50];
/** The readout is for people; the sky is drawn from the exact time. */
const READOUT_MS = 100;

export interface TimeActions {
  setClock(change: Partial<Clock>): Promise<string | null>;
  tick(dt: number): Promise<string | null>;
  now(): number;
}

export class TimeBar {
  readonly element: HTMLElement;
  readonly #actions: TimeActions;
  readonly #play = h("button", {
    type: "button",
    className: "icon-button play changes",
    id: "play",
  });
  readonly #rate = h("select", { id: "rate", className: "changes", "aria-label": "Rate" });
  readonly #time = h("output", { className: "time", "aria-label": "Time in seconds" }, "0");
  readonly #step = h("input", {
    id: "dt",
    type: "number",
    step: "any",
    value: "1",
    "aria-label": "Seconds",
  });
  readonly #problem = h("p", { className: "error", role: "alert" });
  readonly #timer: ReturnType<typeof setInterval>;
  #clock: Clock | undefined;

  constructor(actions: TimeActions) {
    this.#actions = actions;
    const button = (label: string, shape: string, onclick: () => void) =>
      h(
        "button",
        {
          type: "button",
          className: "icon-button changes",
          "aria-label": label,
          title: label,
          onclick,
        },
        icon(shape),
      );
    this.#play.addEventListener("click", () => this.toggle());
    this.#rate.addEventListener("change", () => void this.#set({ rate: Number(this.#rate.value) }));
    this.element = h(
      "div",
      { className: "timebar", role: "group", "aria-label": "Time, for everyone" },
      button("Step back", BACK, () => this.#move(-1)),
      this.#play,
      button("Step forward", FORWARD, () => this.#move(1)),
      h("span", { className: "step" }, this.#step, h("span", { "aria-hidden": "true" }, "s")),
      this.#rate,
      h("span", { className: "readout" }, this.#time, h("span", { "aria-hidden": "true" }, " s")),
      this.#problem,
    );
    this.#timer = setInterval(() => this.#read(), READOUT_MS);
  }

  show(clock: Clock): void {
    this.#clock = clock;
    replace(this.#play, icon(clock.playing ? PAUSE : PLAY));
    this.#play.setAttribute(
      "aria-label",
      clock.playing ? "Pause for everyone" : "Play for everyone",
    );
    this.#play.title = `${clock.playing ? "Pause" : "Play"} for everyone (space)`;
    const rates = [...new Set([...RATES, clock.rate])].sort((a, b) => a - b);
    this.#rate.replaceChildren(
      ...rates.map((rate) => h("option", { value: String(rate) }, `${rate}×`)),
    );
    this.#rate.value = String(clock.rate);
    this.#read();
  }

  toggle(): void {
    void this.#set({ playing: !this.#clock?.playing });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #set(change: Partial<Clock>): Promise<void> {
    this.#say(await this.#actions.setClock(change));
  }

  #move(sign: number): void {
    const dt = Number(this.#step.value);
    if (this.#step.value === "" || !Number.isFinite(dt))
      return this.#say("Seconds must be a number");
    void this.#actions.tick(dt * sign).then((refused) => this.#say(refused));
  }

  #read(): void {
    const text = this.#actions
      .now()
      .toLocaleString("en", { maximumFractionDigits: this.#clock?.playing ? 1 : 3 });
    if (this.#time.textContent !== text) this.#time.textContent = text;
  }

  #say(problem: string | null): void {
    this.#problem.textContent = problem ?? "";
  }
}

function icon(shape: string): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "icon solid", "aria-hidden": "true" },
    svg("path", { d: shape }),
  );
}
