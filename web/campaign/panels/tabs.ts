/** The columns of a table: side by side on a wide screen, one at a time with tabs below on a narrow one. */

import { h } from "../../kit/dom.ts";

export type Tab = "table" | "dice" | "log";

export class Tabs {
  readonly columns = h("div", { className: "columns", "data-tab": "table" });
  readonly bar = h("nav", { className: "tabs", "aria-label": "Parts of the table" });

  constructor(tabs: readonly (readonly [Tab, string, HTMLElement[]])[]) {
    for (const [tab, label, content] of tabs) {
      this.columns.append(h("div", { className: "column", id: `column-${tab}` }, ...content));
      const button = h("button", { type: "button", className: "tab", "data-tab": tab }, label);
      button.setAttribute("aria-controls", `column-${tab}`);
      button.addEventListener("click", () => this.show(tab));
      this.bar.append(button);
    }
    this.show("table");
  }

  show(tab: Tab): void {
    this.columns.dataset["tab"] = tab;
    for (const button of this.bar.children) {
      button.setAttribute("aria-pressed", String((button as HTMLElement).dataset["tab"] === tab));
    }
  }

  /** Whether a column can be seen. */
  isShown(tab: Tab): boolean {
    return this.columns.querySelector(`#column-${tab}`)?.checkVisibility() ?? false;
  }
}
