/**
 * Search while typing: a box, and below it the best matches.
 *
 * A question waits for a short rest of the keys, and an answer that is not wanted any more is not waited for. `/` comes here, up and
 * down choose, enter opens, escape leaves.
 */

import { ApiError, isAborted } from "../../kit/api.ts";
import { h, replace } from "../../kit/dom.ts";
import { searchSpecs, type Found } from "../state/server.ts";
import type { Touched } from "../state/types.ts";
import { tell } from "../state/words.ts";
import { line } from "../../kit/text/draw.ts";
import type { Desk } from "../view.ts";
import { hitOption, placeOfHit } from "./hit.ts";
import { IndexBox } from "./index-box.ts";
import { hashOf } from "../state/place.ts";

const REST_MS = 140;

export class Search {
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #input = h("input", {
    type: "search",
    id: "search",
    className: "search-input",
    placeholder: "Search requirements",
    autocomplete: "off",
    spellcheck: false,
    role: "combobox",
    "aria-label": "Search requirements",
  });
  readonly #list = h("ul", { className: "hits", id: "hits", role: "listbox" });
  readonly #note = h("div", { className: "search-note", role: "status" });
  readonly #withChanges = h("input", { type: "checkbox", id: "with-changes" });
  readonly #panel: HTMLElement;
  readonly #index: IndexBox;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #asked: AbortController | undefined;
  #shown: { query: string; found: Found } | undefined;
  #chosen = -1;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#index = new IndexBox(desk);
    this.#list.setAttribute("aria-label", "Matches");
    this.#panel = h(
      "div",
      { className: "search-panel card", hidden: true },
      this.#note,
      this.#list,
      h(
        "div",
        { className: "search-foot" },
        h(
          "label",
          { className: "check", htmlFor: "with-changes" },
          this.#withChanges,
          "Active changes too",
        ),
        h("span", { className: "keys", "aria-hidden": "true" }, "↑↓ choose · ↵ open · esc close"),
      ),
    );
    this.element = h(
      "search",
      { className: "search" },
      this.#input,
      h("kbd", { className: "slash", "aria-hidden": "true" }, "/"),
      this.#panel,
    );
    this.#input.setAttribute("aria-controls", "hits");
    this.#input.setAttribute("aria-autocomplete", "list");
    this.#input.setAttribute("aria-keyshortcuts", "/");
    this.#open(false);
    this.#listen();
  }

  /** Results follow the files: what was touched may be found, or not be found any more. */
  touched(touched: Touched | undefined): void {
    if (this.#panel.hidden || this.#query() === "") return;
    const changes = this.#withChanges.checked ? (touched?.changes.length ?? 0) : 0;
    if (!touched || touched.index || touched.specs.length + changes > 0) void this.#ask();
  }

  state(): void {
    this.#index.show();
  }

  #listen(): void {
    this.#input.addEventListener("input", () => this.#later());
    this.#input.addEventListener("focus", () => {
      if (this.#query() !== "") this.#later(0);
    });
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.#list.addEventListener("click", () => this.#open(false));
    this.#withChanges.addEventListener("change", () => void this.#ask());
    this.element.addEventListener("focusout", (event) => {
      // A press on what cannot hold the focus is still inside.
      const to = event.relatedTarget as Node | null;
      if (to && !this.element.contains(to)) this.#open(false);
    });
    document.addEventListener("pointerdown", (event) => {
      if (!this.element.contains(event.target as Node)) this.#open(false);
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target)) return;
      event.preventDefault();
      this.#input.focus();
      this.#input.select();
    });
    this.#desk.index.listen(() => {
      if (!this.#desk.index.running && !this.#panel.hidden) void this.#ask();
    });
  }

  #query(): string {
    return this.#input.value.trim();
  }

  #later(rest = REST_MS): void {
    clearTimeout(this.#rest);
    this.#asked?.abort();
    if (this.#query() === "") return this.#open(false);
    this.#rest = setTimeout(() => void this.#ask(), rest);
  }

  async #ask(): Promise<void> {
    const query = this.#query();
    if (query === "") return;
    clearTimeout(this.#rest);
    this.#asked?.abort();
    const asked = new AbortController();
    this.#asked = asked;
    this.element.setAttribute("aria-busy", "true");
    try {
      const found = await searchSpecs(query, this.#withChanges.checked, asked.signal);
      if (!asked.signal.aborted) this.#show(query, found);
    } catch (error) {
      if (!isAborted(error)) this.#refuse(error);
    }
    if (this.#asked === asked) this.element.setAttribute("aria-busy", "false");
  }

  #show(query: string, found: Found): void {
    const same = this.#shown?.query === query;
    this.#shown = { query, found };
    this.#list.replaceChildren(...found.results.map((hit, n) => hitOption(hit, n, query)));
    const none = found.results.length === 0;
    replace(
      this.#note,
      none && h("p", {}, h("b", {}, "Nothing is near to that. "), "Try other words, or fewer."),
      found.stale && this.#stale(),
      !none && h("p", { className: "visually-hidden" }, `${found.results.length} matches`),
    );
    this.#choose(same ? Math.min(this.#chosen, found.results.length - 1) : none ? -1 : 0);
    this.#open(true);
  }

  #stale(): HTMLElement {
    this.#index.show();
    return h(
      "div",
      { className: "stale" },
      h("p", {}, "Files changed since the index was built; some of this may be behind."),
      this.#index.element,
    );
  }

  #refuse(error: unknown): void {
    const { said, hint } = tell(error);
    this.#shown = undefined;
    this.#list.replaceChildren();
    this.#choose(-1);
    const none = this.#desk.live.project?.index.state !== "ready";
    const buildable = error instanceof ApiError && error.status === 409 && none;
    this.#index.show();
    replace(
      this.#note,
      h("p", { className: "refused" }, ...line(`${said} ${hint}`.trim())),
      buildable && this.#index.element,
    );
    this.#open(true);
  }

  #choose(at: number): void {
    this.#chosen = at;
    [...this.#list.children].forEach((option, n) => {
      option.setAttribute("aria-selected", String(n === at));
      if (n === at) option.scrollIntoView({ block: "nearest" });
    });
    const id = this.#list.children[at]?.id;
    if (id) this.#input.setAttribute("aria-activedescendant", id);
    else this.#input.removeAttribute("aria-activedescendant");
  }

  #key(event: KeyboardEvent): void {
    const { results } = this.#shown?.found ?? { results: [] };
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && results.length > 0) {
      event.preventDefault();
      if (this.#panel.hidden) return this.#open(true);
      return this.#choose((this.#chosen + step + results.length) % results.length);
    }
    if (event.key === "Enter") return void this.#enter(event);
    if (event.key !== "Escape") return;
    event.preventDefault();
    // An answer that is still under way must not open it again.
    clearTimeout(this.#rest);
    this.#asked?.abort();
    if (!this.#panel.hidden) return this.#open(false);
    this.#input.value = "";
    this.#input.blur();
  }

  /** Opens what is chosen; keys that are faster than the answer wait for it. */
  async #enter(event: KeyboardEvent): Promise<void> {
    event.preventDefault();
    if (this.#shown?.query !== this.#query()) await this.#ask();
    const hit = this.#shown?.found.results[Math.max(0, this.#chosen)];
    if (!hit || this.#panel.hidden) return;
    this.#open(false);
    this.#input.blur();
    location.hash = hashOf(placeOfHit(hit));
  }

  #open(open: boolean): void {
    this.#panel.hidden = !open;
    this.#input.setAttribute("aria-expanded", String(open));
  }
}

/** Whether keys that are pressed here are text. */
function isTyping(target: EventTarget | null): boolean {
  const element = target instanceof HTMLElement ? target : null;
  if (element?.closest("dialog")) return true;
  const isBox = element instanceof HTMLInputElement && element.type === "checkbox";
  return !isBox && (element?.matches("input, textarea, select") ?? false);
}
