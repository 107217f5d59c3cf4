/**
 * A query on the page: it runs, it can be stopped, and its result says how it came about.
 *
 * What draws results is loaded with the first one. Every cut is said where the result is: rows beyond the limit, rows the server left out.
 */

import { isAborted } from "../../kit/api.ts";
import { h, replace } from "../../kit/dom.ts";
import type { Table } from "../render/data.ts";
import type { Shape } from "../render/plan.ts";
import type { StableResult } from "../render/stable.ts";
import { hashOf } from "../state/place.ts";
import { runQuery, type At, type Question } from "../state/server.ts";
import type { Answer } from "../state/types.ts";
import { age, count, milliseconds, tell } from "../state/words.ts";
import { codeBlock } from "./code.ts";
import { snippets } from "./snippets.ts";
import { toldBox } from "./told.ts";

/** Sooner than this nobody wants to be told that something is going on. */
const PATIENCE_MS = 250;
const MOST_ROWS = 100_000;

const WORDS: Record<string, string> = {
  table: "Table",
  bar: "Bars",
  line: "Lines",
  scatter: "Points",
  dashboard: "Dashboard",
  big_value: "Figures",
  list: "List",
  list_detail: "List",
  sparkline: "Sparkline",
  transpose: "Transposed",
};

export interface Around {
  at: At;
  question: Question;
  /** The query as text, for snippets and for the explorer. */
  malloy: string;
  /** Offers to go on in the explorer. */
  explore: boolean;
}

export class ResultFrame {
  readonly element = h("div", { className: "result" });
  readonly #done: ((answer: Answer | undefined) => void) | undefined;
  #running: AbortController | undefined;
  #around: Around | undefined;
  #tab = "result";

  constructor(done?: (answer: Answer | undefined) => void) {
    this.#done = done;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Runs a query; one that runs already is stopped. */
  async run(around: Around): Promise<void> {
    this.stop();
    this.#around = around;
    const running = new AbortController();
    this.#running = running;
    const finish = this.#wait();
    try {
      // Both at once: the code that draws is mostly there before the rows are.
      const [answer, drawing] = await Promise.all([
        runQuery(around.at, around.question, running.signal),
        loadDrawing(),
      ]);
      if (this.#running !== running) return;
      finish();
      this.#running = undefined;
      this.show(answer, around, drawing);
      this.#done?.(answer);
    } catch (error) {
      if (this.#running !== running) return;
      finish();
      this.#running = undefined;
      this.#fail(error);
      this.#done?.(undefined);
    }
  }

  /** Ends a query that runs; the server ends it too when nobody listens any more. */
  stop(): void {
    this.#running?.abort();
  }

  #fail(error: unknown): void {
    if (isAborted(error)) {
      const again = h("button", { className: "button small", type: "button" }, "Run again");
      again.addEventListener("click", () => this.#around && void this.run(this.#around));
      replace(this.element, h("p", { className: "hint stopped" }, "Stopped. "), again);
    } else replace(this.element, toldBox(tell(error)));
  }

  /** Says that it works, how long already, and how to end it; gives what ends the saying. */
  #wait(): () => void {
    const started = performance.now();
    const time = h("span", { className: "waiting-time" });
    const stop = h("button", { className: "button small", type: "button" }, "Cancel");
    stop.addEventListener("click", () => this.stop());
    const box = h(
      "div",
      { className: "waiting", role: "status" },
      h("span", { className: "working" }),
      h("span", {}, "Running"),
      time,
      stop,
    );
    this.element.setAttribute("aria-busy", "true");
    const later = setTimeout(() => {
      // The last result stays in sight below, dimmed, so that the page does not jump.
      this.element.querySelector(":scope > .waiting")?.remove();
      this.element.prepend(box);
    }, PATIENCE_MS);
    const tick = setInterval(() => {
      const seconds = Math.floor((performance.now() - started) / 1000);
      time.textContent = seconds > 0 ? `${seconds} s` : "";
    }, 500);
    return () => {
      clearTimeout(later);
      clearInterval(tick);
      box.remove();
      this.element.removeAttribute("aria-busy");
    };
  }

  /** Shows an answer. */
  show(answer: Answer, around: Around, drawing: Drawing): void {
    this.#around = around;
    const result = JSON.parse(answer.result) as StableResult;
    const table = drawing.tableOf(result);
    const plan = drawing.planOf(table.tag, table.columns).shape;
    const body = h("div", { className: "result-body" });
    const shapes = [...new Set<Shape>([plan, ...drawing.choices(table)])];
    const sql = answer.sql ?? result.sql ?? "";
    const draw = () => {
      if (this.#tab === "sql") replace(body, codeBlock("SQL", sql, "sql"));
      else if (this.#tab === "use") replace(body, ...snippets(around));
      else replace(body, drawing.drawResult(table, shape));
    };
    let shape: Shape = plan;
    if (this.#tab === "result" || (this.#tab === "sql" && sql === "")) this.#tab = "result";
    const tabs = segments(
      [
        ...shapes.map((each) => [`shape ${each}`, WORDS[each] ?? each] as const),
        ...(sql === "" ? [] : [["sql", "SQL"] as const]),
        ["use", "Use"] as const,
      ],
      this.#tab === "result" ? `shape ${shape}` : this.#tab,
      (chosen) => {
        this.#tab = chosen.startsWith("shape ") ? "result" : chosen;
        if (chosen.startsWith("shape ")) shape = chosen.slice(6) as Shape;
        draw();
      },
    );
    draw();
    replace(
      this.element,
      h(
        "div",
        { className: "result-head" },
        tabs,
        this.#facts(answer, table, around),
        h("span", { className: "result-tools" }, ...this.#tools(table, around, drawing)),
      ),
      ...this.#cuts(answer, table, around),
      body,
    );
  }

  #facts(answer: Answer, table: Table, around: Around): HTMLElement {
    const cached = answer.cachedAgeMs !== undefined;
    const time = cached ? undefined : answer.executionTimeMs;
    return h(
      "span",
      { className: "result-facts", role: "status" },
      h("span", {}, count(table.rows.length, "row")),
      time !== undefined && h("span", {}, milliseconds(time)),
      cached &&
        h(
          "span",
          { className: "cached", title: "Kept from an earlier run of the same query" },
          `cached, ${age(answer.cachedAgeMs ?? 0)}`,
        ),
      cached && this.#fresh(around),
    );
  }

  /** Runs the same once more, past what was kept. */
  #fresh(around: Around): HTMLElement {
    const button = h("button", { className: "link fresh", type: "button" }, "Run fresh");
    button.title = "Ask the database again";
    button.addEventListener("click", () => void this.#again(around));
    return button;
  }

  async #again(around: Around): Promise<void> {
    await this.run({ ...around, question: { ...around.question, fresh: true } });
    // Later runs of the same take what is kept again.
    this.#around = around;
  }

  /** What is not in the result, said above it. */
  #cuts(answer: Answer, table: Table, around: Around): HTMLElement[] {
    const cuts: HTMLElement[] = [];
    if (answer.limitHit) {
      const limit = answer.queryRowLimit ?? table.rows.length;
      const words = { query: "the query's own limit", request: "what was asked for" };
      const source = answer.queryRowLimitSource;
      const own = source === "query" || source === "request" ? words[source] : "the server's limit";
      const more = h("button", { className: "link", type: "button" }, "Ask for more");
      more.addEventListener("click", () => {
        const rowLimit = Math.min(MOST_ROWS, limit * 10);
        void this.run({ ...around, question: { ...around.question, rowLimit } });
      });
      cuts.push(
        h(
          "p",
          { className: "cut" },
          `Only the first ${count(limit, "row")} are here: that is ${own}. `,
          limit < MOST_ROWS ? more : null,
        ),
      );
    }
    for (const key of ["warning", "notice"]) {
      const words = answer[key];
      if (typeof words === "string" && words !== "") cuts.push(h("p", { className: "cut" }, words));
    }
    return cuts;
  }

  #tools(table: Table, around: Around, drawing: Drawing): HTMLElement[] {
    const name = around.question.queryName ?? "result";
    const save = (label: string, kind: string, text: () => string) => {
      const button = h("button", { className: "button small", type: "button" }, label);
      button.title = `Save the rows as ${label}`;
      button.addEventListener("click", () =>
        download(`${name}.${label.toLowerCase()}`, kind, text()),
      );
      return button;
    };
    const tools: HTMLElement[] = [
      save("CSV", "text/csv", () => drawing.csv(table)),
      save("JSON", "application/json", () => JSON.stringify(drawing.objects(table), null, 2)),
    ];
    if (around.explore) {
      const href = hashOf({ view: "explore", ...around.at, query: around.malloy });
      tools.push(h("a", { className: "button small", href }, "Explore"));
    }
    return tools;
  }
}

function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A row of choices, one of which is taken. */
export function segments(
  choices: readonly (readonly [key: string, label: string])[],
  taken: string,
  choose: (key: string) => void,
): HTMLElement {
  const buttons = choices.map(([key, label]) => {
    const button = h("button", { className: "segment", type: "button", "data-key": key }, label);
    button.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      choose(key);
    });
    button.setAttribute("aria-pressed", String(key === taken));
    return button;
  });
  return h("div", { className: "segments" }, ...buttons);
}

export type Drawing = typeof import("../draw/index.ts");

/** What draws results: loaded when the first one is wanted, kept for the others. */
export function loadDrawing(): Promise<Drawing> {
  return import("../draw/index.ts");
}
