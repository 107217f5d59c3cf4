/** A tracker of pips: click one to fill up to it, the last filled one to empty it; by keyboard it is a slider. */

import { h } from "../../kit/dom.ts";

export interface PipsOptions {
  label: string;
  /** What colours it: hope, fear, hp, stress. */
  tone: string;
  /** Sends the wish; gives whether it was granted. */
  change(value: number): Promise<boolean>;
}

/** Keys come in bursts; the last value of one is what is meant. */
const REST_MS = 220;
const STEPS: Record<string, (value: number, most: number) => number> = {
  ArrowRight: (value) => value + 1,
  ArrowUp: (value) => value + 1,
  ArrowLeft: (value) => value - 1,
  ArrowDown: (value) => value - 1,
  Home: () => 0,
  End: (_, most) => most,
};

export class Pips {
  readonly element: HTMLElement;
  readonly #track: HTMLElement;
  readonly #count = h("span", { className: "count" });
  readonly #options: PipsOptions;
  #value = 0;
  #most = 0;
  #wish: number | undefined;
  /** Whether the wish was granted, so that the next value from the server takes its place. */
  #granted = false;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #readOnly = false;

  constructor(options: PipsOptions) {
    this.#options = options;
    this.#track = h("span", {
      className: "pips",
      role: "slider",
      tabIndex: 0,
      "aria-label": options.label,
      "aria-valuemin": "0",
      onclick: (event: MouseEvent) => this.#click(event),
      onkeydown: (event: KeyboardEvent) => this.#key(event),
    });
    this.element = h(
      "div",
      { className: "tracker", "data-tone": options.tone },
      h("span", { className: "tracker-label", "aria-hidden": "true" }, options.label),
      this.#track,
      this.#count,
    );
  }

  show(value: number, most: number, readOnly: boolean): void {
    this.#readOnly = readOnly;
    this.#value = value;
    if (this.#granted || value === this.#wish) this.#forget();
    if (most !== this.#most) {
      this.#most = most;
      this.#track.replaceChildren(
        ...Array.from({ length: most }, (_, n) => h("i", { "data-pip": n + 1 })),
      );
    }
    this.#draw();
  }

  #draw(): void {
    const value = this.#wish ?? this.#value;
    [...this.#track.children].forEach((pip, n) => pip.toggleAttribute("data-on", n < value));
    this.#track.setAttribute("aria-valuemax", String(this.#most));
    this.#track.setAttribute("aria-valuenow", String(value));
    this.#track.setAttribute("aria-valuetext", `${value} of ${this.#most}`);
    this.#track.setAttribute("aria-readonly", String(this.#readOnly));
    this.#count.textContent = `${value}/${this.#most}`;
  }

  #click(event: MouseEvent): void {
    const pip = Number((event.target as HTMLElement).dataset["pip"] ?? 0);
    const value = this.#wish ?? this.#value;
    if (pip > 0) this.#want(pip === value ? pip - 1 : pip, 0);
  }

  #key(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#want(step(this.#wish ?? this.#value, this.#most), REST_MS);
  }

  #want(value: number, after: number): void {
    if (this.#readOnly) return;
    this.#wish = Math.min(this.#most, Math.max(0, value));
    this.#granted = false;
    this.#draw();
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => void this.#send(), after);
  }

  async #send(): Promise<void> {
    const wish = this.#wish;
    if (wish === undefined) return;
    const granted = wish !== this.#value && (await this.#options.change(wish));
    // What was wished meanwhile has a timer of its own.
    if (this.#wish !== wish) return;
    this.#granted = granted;
    if (!granted) this.#forget();
    this.#draw();
  }

  #forget(): void {
    this.#wish = undefined;
    this.#granted = false;
  }
}
