/** A notebook: prose and results in order. Cells run one after another as they come into sight; code is one click away. */

import { ApiError, isAborted } from "../../kit/api.ts";
import { copyButton } from "../../kit/copy.ts";
import { h, replace } from "../../kit/dom.ts";
import { Reader } from "../../kit/reader.ts";
import { prose } from "../../kit/text/draw.ts";
import { hashOf, type Place } from "../state/place.ts";
import { getNotebook, runCell, type At } from "../state/server.ts";
import { toldOf, type Cell, type Change, type Notebook } from "../state/types.ts";
import { tell } from "../state/words.ts";
import { concerns, crumbs, entitle, working, type Desk, type View } from "../view.ts";
import { codeBlock } from "./code.ts";
import { loadDrawing, ResultFrame } from "./result.ts";
import { missing, toldBox } from "./told.ts";

type NotebookPlace = Extract<Place, { view: "notebook" }>;

export class NotebookView implements View {
  readonly element = h("div", { className: "doc notebook" }, working("Loading the notebook"));
  readonly #reader: Reader<Notebook>;
  readonly #all = h("button", { className: "button small", type: "button" }, "Show all code");
  #place: NotebookPlace;
  #cells: CodeCell[] = [];
  #seen: IntersectionObserver | undefined;

  constructor(_: Desk, place: NotebookPlace) {
    this.#place = place;
    entitle(place.path, place.name);
    this.#reader = new Reader(
      () => getNotebook(place),
      (notebook) => this.#draw(notebook),
      (error) => {
        if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return;
        const words = error.status === 404 ? `There is no notebook “${place.path}”` : place.path;
        replace(this.element, missing(words, tell(error)));
      },
    );
    this.#reader.ask();
    this.#all.addEventListener("click", () => {
      const show = this.#cells.some((cell) => !cell.isOpen);
      for (const cell of this.#cells) cell.show(show);
      this.#all.textContent = show ? "Hide all code" : "Show all code";
    });
  }

  go(place: Place): void {
    if (place.view !== "notebook") return;
    this.#place = place;
    this.#reach();
  }

  changed(change: Change | undefined): void {
    if (concerns(change, this.#place.project, this.#place.name)) this.#reader.ask();
  }

  close(): void {
    this.#reader.close();
    this.#stop();
  }

  #stop(): void {
    this.#seen?.disconnect();
    for (const cell of this.#cells) cell.close();
    this.#cells = [];
  }

  #draw(notebook: Notebook): void {
    this.#stop();
    const { project, name, path } = this.#place;
    const at = { project, name, path };
    const cells = notebook.notebookCells ?? [];
    const drawn = cells.map((cell, n) => {
      if (cell.type === "markdown") {
        return h(
          "section",
          { className: "cell", "data-cell": n },
          prose(cell.text, n === 0 ? 1 : 2),
        );
      }
      const made = new CodeCell(at, cell, n);
      this.#cells.push(made);
      return made.element;
    });
    const titled = /^\s*#\s/.test(cells[0]?.text ?? "");
    replace(
      this.element,
      h(
        "header",
        { className: "doc-head" },
        h(
          "div",
          { className: "title-row" },
          crumbs(
            [project, { view: "home", project }],
            [name, { view: "package", project, name }],
            [path, undefined],
          ),
          this.#cells.length > 0 ? this.#all : null,
        ),
        titled ? null : h("h1", { tabIndex: -1 }, path),
      ),
      ...drawn,
    );
    this.#watch();
    this.#reach();
  }

  /** Runs a cell when it is about to be seen: a long notebook costs what is read of it. */
  #watch(): void {
    this.#seen = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (!entry.isIntersecting) continue;
          this.#seen?.unobserve(entry.target);
          this.#cells.find(({ element }) => element === entry.target)?.run();
        }
      },
      { rootMargin: "600px" },
    );
    for (const { element } of this.#cells) this.#seen.observe(element);
  }

  #reach(): void {
    const { cell } = this.#place;
    if (cell === undefined) return;
    const found = this.element.querySelector<HTMLElement>(`[data-cell="${cell}"]`);
    found?.scrollIntoView({ block: "start" });
    for (const old of this.element.querySelectorAll("[data-target]"))
      old.removeAttribute("data-target");
    found?.setAttribute("data-target", "");
  }
}

class CodeCell {
  readonly element: HTMLElement;
  readonly #at: At;
  readonly #cell: Cell;
  readonly #n: number;
  readonly #code: HTMLElement;
  readonly #toggle: HTMLButtonElement;
  readonly #out = h("div", { className: "cell-out" });
  #running: AbortController | undefined;
  #ran = false;
  isOpen = false;

  constructor(at: At, cell: Cell, n: number) {
    this.#at = at;
    this.#cell = cell;
    this.#n = n;
    this.#code = codeBlock(`Cell ${n + 1}`, cell.text.replace(/\n+$/, ""), "malloy");
    this.#toggle = h("button", { className: "link", type: "button" }, "Show code");
    this.#toggle.addEventListener("click", () => this.show(!this.isOpen));
    const address = () => new URL(hashOf({ view: "notebook", ...at, cell: n }), location.href).href;
    this.element = h(
      "section",
      { className: "cell code-cell", "data-cell": n, "aria-label": `Cell ${n + 1}` },
      h(
        "div",
        { className: "cell-tools" },
        h("span", { className: "cell-first" }, firstLine(cell.text)),
        this.#toggle,
        copyButton(address, `a link to cell ${n + 1}`, "Link"),
      ),
      this.#code,
      this.#out,
    );
    this.show(false);
  }

  show(open: boolean): void {
    this.isOpen = open;
    this.#code.hidden = !open;
    this.#toggle.textContent = open ? "Hide code" : "Show code";
    this.#toggle.setAttribute("aria-expanded", String(open));
  }

  /** Runs the cell, once. A cell that only defines has nothing to run. */
  run(): void {
    if (this.#ran) return;
    this.#ran = true;
    const { error, result } = this.#cell;
    if (toldOf(error)) return this.#told(error);
    if (result) return void this.#result(this.#cell);
    if (!/(^|\n)\s*(run|query)\s*:|->/.test(this.#cell.text)) return;
    void this.#ask();
  }

  async #ask(): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    const stop = h("button", { className: "button small", type: "button" }, "Cancel");
    stop.addEventListener("click", () => running.abort());
    const wait = working("Running");
    wait.append(stop);
    const later = setTimeout(() => replace(this.#out, wait), 250);
    try {
      const cell = await runCell(this.#at, this.#n, running.signal);
      clearTimeout(later);
      if (toldOf(cell.error)) this.#told(cell.error);
      else if (cell.result) await this.#result(cell);
      else replace(this.#out);
    } catch (error) {
      clearTimeout(later);
      if (isAborted(error)) this.#again();
      else {
        replace(this.#out, toldBox(tell(error)));
        this.show(true);
      }
    }
  }

  #again(): void {
    const again = h("button", { className: "button small", type: "button" }, "Run again");
    again.addEventListener("click", () => void this.#ask());
    replace(this.#out, h("p", { className: "hint stopped" }, "Stopped. "), again);
  }

  #told(error: unknown): void {
    const told = toldOf(error);
    if (told) replace(this.#out, toldBox(told));
    this.element.dataset["state"] = "error";
    this.show(true);
  }

  async #result(cell: Cell & { result?: string }): Promise<void> {
    const drawing = await loadDrawing();
    const frame = new ResultFrame();
    const question = { query: this.#cell.text };
    const answer = { ...cell, result: cell.result ?? "" };
    frame.show(
      answer,
      { at: this.#at, question, malloy: this.#cell.text, explore: false },
      drawing,
    );
    replace(this.#out, frame.element);
  }

  close(): void {
    this.#running?.abort();
  }
}

function firstLine(text: string): string {
  const lines = text.trim().split("\n");
  return (lines.find((line) => !line.startsWith("#")) ?? "") + (lines.length > 1 ? " …" : "");
}
