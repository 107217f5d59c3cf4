/** Where panels stand: beside the sky on a wide screen, as sheets over it on a narrow one. */

import { h, replace } from "../../kit/dom.ts";

export type Tab = "explore" | "universes" | "history" | "details";

const TABS: readonly [Tab, string][] = [
  ["explore", "Explore"],
  ["universes", "Universes"],
  ["history", "History"],
  ["details", "Details"],
];

export class Shell {
  readonly #main: HTMLElement;
  /** The middle: the sky and what lies over it. */
  readonly middle = h("div", { className: "middle" });
  readonly #panels: Record<Tab, HTMLElement>;
  readonly #buttons: Record<Tab, HTMLButtonElement>;

  constructor(main: HTMLElement) {
    this.#main = main;
    const panel = (tab: Tab, label: string) =>
      h("section", {
        className: "tab-panel",
        id: `panel-${tab}`,
        role: "region",
        "aria-label": label,
      });
    this.#panels = Object.fromEntries(
      TABS.map(([tab, label]) => [tab, panel(tab, label)]),
    ) as Record<Tab, HTMLElement>;
    this.#buttons = Object.fromEntries(
      TABS.map(([tab, label]) => [tab, this.#button(tab, label)]),
    ) as Record<Tab, HTMLButtonElement>;
    const { explore, universes, history, details } = this.#panels;
    replace(
      main,
      h("nav", { className: "tabs", "aria-label": "Panels" }, ...Object.values(this.#buttons)),
      h("div", { className: "dock left" }, explore, universes, history),
      this.middle,
      h("div", { className: "dock right" }, details),
    );
    this.show("universes", false);
  }

  put(tab: Tab, element: HTMLElement | null): void {
    replace(this.#panels[tab], element);
  }

  /** Brings a panel to the front; on a narrow screen `open` says whether it covers the sky. */
  show(tab: Tab, open = true): void {
    if (tab !== "details") this.#main.dataset["panel"] = tab;
    this.#main.dataset["sheet"] = open ? tab : "";
    for (const [own, button] of Object.entries(this.#buttons)) {
      const pressed =
        own ===
        (tab === "details" ? this.#main.dataset["sheet"] || this.#main.dataset["panel"] : tab);
      button.setAttribute("aria-pressed", String(pressed));
    }
  }

  /** Whether there is something to tell details of. */
  details(there: boolean): void {
    this.#main.dataset["details"] = String(there);
    if (!there && this.#main.dataset["sheet"] === "details") this.closeSheet();
  }

  closeSheet(): void {
    this.#main.dataset["sheet"] = "";
  }

  #button(tab: Tab, label: string): HTMLButtonElement {
    const button = h(
      "button",
      { type: "button", className: `tab ${tab}`, "aria-controls": `panel-${tab}` },
      label,
    );
    button.addEventListener("click", () => {
      // On a narrow screen a second press shows the sky again.
      const again = this.#main.dataset["sheet"] === tab;
      this.show(tab, !again);
    });
    return button;
  }
}
