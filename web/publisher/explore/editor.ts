/** The query as text: coloured, with what is wrong underlined while one types, and the names that may have been meant. */

import { h, replace } from "../../kit/dom.ts";
import { line } from "../../kit/text/draw.ts";
import { marked, pieces, type Marked } from "../malloy/marks.ts";
import { nearest } from "../malloy/near.ts";
import type { Problem } from "../state/types.ts";
import { sentence } from "../state/words.ts";

export interface Listener {
  /** The person changed the text. */
  typed(text: string): void;
  run(): void;
  /** Names that may stand in the query. */
  names(): string[];
}

export class Editor {
  readonly element: HTMLElement;
  readonly #area: HTMLTextAreaElement;
  readonly #shown = h("pre", { className: "editor-shown", "aria-hidden": "true" });
  readonly #problems = h("ul", { className: "problems", id: "problems", "aria-live": "polite" });
  readonly #listener: Listener;
  #marks: Marked[] = [];

  constructor(listener: Listener) {
    this.#listener = listener;
    this.#area = h("textarea", {
      className: "editor-area",
      spellcheck: false,
      placeholder: "run: source -> view",
      autocomplete: "off",
      rows: 1,
      "aria-label": "Malloy",
      "aria-describedby": "problems",
    });
    this.#area.setAttribute("autocapitalize", "off");
    this.#area.addEventListener("input", () => {
      this.#marks = [];
      this.#draw();
      listener.typed(this.#area.value);
    });
    this.#area.addEventListener("keydown", (event) => this.#key(event));
    this.element = h(
      "div",
      { className: "editor" },
      h("div", { className: "editor-stack" }, this.#shown, this.#area),
      this.#problems,
    );
  }

  get text(): string {
    return this.#area.value;
  }

  set text(text: string) {
    if (this.#area.value === text) return;
    this.#area.value = text;
    this.#marks = [];
    this.#draw();
  }

  /** Underlines what is wrong and says it below. */
  show(problems: readonly Problem[]): void {
    this.#marks = marked(this.text, problems);
    this.#area.setAttribute("aria-invalid", String(problems.length > 0));
    this.#draw();
    replace(this.#problems, ...problems.map((problem) => this.#problem(problem)));
  }

  #problem(problem: Problem): HTMLElement {
    const mark = this.#marks.find((each) => each.problem === problem);
    const word = mark ? this.text.slice(mark.from, mark.to) : "";
    const near =
      problem.suggestions ?? (/^\w+$/.test(word) ? nearest(word, this.#listener.names()) : []);
    const at = problem.at?.range.start;
    const place = at
      ? h(
          "button",
          { className: "link problem-at", type: "button" },
          `${at.line + 1}:${at.character + 1}`,
        )
      : null;
    place?.addEventListener("click", () => mark && this.#select(mark));
    return h(
      "li",
      { "data-severity": problem.severity ?? "error" },
      place,
      h("span", {}, ...line(sentence(problem.message))),
      problem.help !== undefined &&
        h("span", { className: "hint" }, ...line(sentence(problem.help))),
      ...(mark ? near.map((name) => this.#fix(mark, name)) : []),
    );
  }

  #fix(mark: Marked, name: string): HTMLElement {
    const button = h("button", { className: "fix", type: "button" }, name);
    button.title = `Write ${name} here`;
    button.addEventListener("click", () => {
      this.text = this.text.slice(0, mark.from) + name + this.text.slice(mark.to);
      this.#listener.typed(this.text);
      this.#area.focus();
    });
    return button;
  }

  #select({ from, to }: Marked): void {
    this.#area.focus();
    this.#area.setSelectionRange(from, to);
  }

  #draw(): void {
    const drawn = pieces(this.text, this.#marks).map(({ text, kind, wrong }) => {
      const plain = kind === "space" || kind === "name" || kind === "sign";
      if (plain && !wrong) return text;
      return h("span", { className: `t-${kind}${wrong ? " wrong" : ""}` }, text);
    });
    // A last line that is empty has no height without this.
    replace(this.#shown, ...drawn, "\n");
  }

  #key(event: KeyboardEvent): void {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.#listener.run();
    }
  }
}
