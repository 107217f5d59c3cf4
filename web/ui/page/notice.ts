/** What the page itself has to say: that it waits, that the connection is gone, that something failed. */

import { h, replace } from "../../kit/dom.ts";
import type { Trouble } from "../state/socket.ts";
import type { Failure } from "../state/wire.ts";

const STAY_MS = 8_000;
/** A connection that comes back sooner than this was never missed. */
const QUIET_MS = 400;

export class Notice {
  readonly #banner = h("div", { className: "ui-notice", role: "status", "aria-live": "polite" });
  readonly #failures = h("div", { className: "ui-failures", role: "alert" });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #shown: Trouble | undefined;

  constructor() {
    this.#banner.hidden = true;
    document.body.append(this.#banner, this.#failures);
  }

  live(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#shown = undefined;
    this.#banner.hidden = true;
  }

  trouble(kind: Trouble, session: string): void {
    // "lost" is said after each attempt; what was found out meanwhile says more.
    if (kind === "lost" && this.#shown) return;
    if (kind === "lost") {
      this.#timer ??= setTimeout(() => this.#show("lost", session), QUIET_MS);
      return;
    }
    this.#show(kind, session);
  }

  /** The person did something that cannot be done now. */
  insist(): void {
    if (this.#timer === undefined) return;
    this.#banner.hidden = false;
    this.#banner.classList.remove("ui-notice-again");
    void this.#banner.offsetWidth;
    this.#banner.classList.add("ui-notice-again");
  }

  failure({ code, description }: Failure): void {
    const close = h("button", { type: "button", "aria-label": "Dismiss" }, "×");
    const item = h("p", {}, h("b", {}, code), h("span", {}, description), close);
    close.addEventListener("click", () => item.remove());
    this.#failures.append(item);
    while (this.#failures.children.length > 3) this.#failures.firstElementChild?.remove();
    setTimeout(() => item.remove(), STAY_MS);
  }

  #show(kind: Trouble, session: string): void {
    this.#shown = kind;
    this.#banner.hidden = false;
    this.#banner.dataset["kind"] = kind;
    const reload = h("button", { type: "button", onclick: () => location.reload() }, "Reload");
    if (kind === "gone") {
      replace(this.#banner, `Session ${session} is gone. What you see is as it was.`, reload);
    } else if (kind === "refused") {
      replace(this.#banner, "The server refuses this page; it may want its token again.", reload);
    } else {
      replace(this.#banner, "Connection lost. Trying to get it back…");
    }
  }
}

/** What stands in the app's place until there is something to show. */
export class Waiting {
  readonly #element: HTMLElement;
  readonly #words = h("p", {});

  constructor(parent: Element) {
    this.#element = h(
      "div",
      { className: "ui-waiting", role: "status" },
      h("div", { className: "ui-spinner", "aria-hidden": "true" }),
      this.#words,
    );
    parent.append(this.#element);
  }

  say(words: string): void {
    this.#words.textContent = words;
  }

  fail(what: string): void {
    this.#element.dataset["state"] = "failed";
    this.#words.textContent = what;
  }

  remove(): void {
    this.#element.remove();
  }

  get isShown(): boolean {
    return this.#element.isConnected;
  }
}
