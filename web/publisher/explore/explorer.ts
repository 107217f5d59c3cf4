/**
 * The explorer: a query put together by clicking or written as text, whichever is at hand, and its result.
 *
 * The text is the truth. What is clicked becomes text; text that the builder can show is read back into it. The address holds the text, so what is
 * on the screen can be sent to somebody. What is typed is compiled, not run, until the person says so.
 */

import { ApiError, isAborted } from "../../kit/api.ts";
import { copyButton } from "../../kit/copy.ts";
import { h, replace } from "../../kit/dom.ts";
import { Reader } from "../../kit/reader.ts";
import {
  emptyDraft,
  isRunnable,
  named,
  write,
  type Draft,
  type Filter,
  type Level,
} from "../malloy/draft.ts";
import { ident, path as pathText } from "../malloy/name.ts";
import { readDraft, type Lookup } from "../malloy/read.ts";
import { objects, tableOf } from "../render/data.ts";
import type { StableResult } from "../render/stable.ts";
import { flat, groupOf, sourcesOf, type Known } from "../state/fields.ts";
import type { Place } from "../state/place.ts";
import { compile, getModel, runQuery } from "../state/server.ts";
import type { Change, Compiled, Model, SourceInfo } from "../state/types.ts";
import { tell } from "../state/words.ts";
import { concerns, crumbs, entitle, working, type Desk, type View } from "../view.ts";
import { codeBlock } from "../panels/code.ts";
import { ResultFrame, segments } from "../panels/result.ts";
import { missing } from "../panels/told.ts";
import { Builder } from "./builder.ts";
import { Editor } from "./editor.ts";
import { FieldPanel } from "./fields.ts";
import { firstFilter, isWhole } from "./filter.ts";
import { Givens } from "./givens.ts";

type ExplorePlace = Extract<Place, { view: "explore" }>;

/** Long enough for a word to be finished. */
const TYPED_MS = 350;
const CLICKED_MS = 250;

const CHARTS: [tag: string, words: string][] = [
  ["", "Table"],
  ["bar_chart", "Bar chart"],
  ["bar_chart { stack }", "Stacked bars"],
  ["line_chart", "Line chart"],
  ["scatter_chart", "Scatter chart"],
  ["big_value", "Big value"],
  ["dashboard", "Dashboard"],
  ["list", "List"],
  ["transpose", "Transposed"],
];

export class Explorer implements View {
  readonly element = h("div", { className: "doc explorer" }, working("Loading the model"));
  readonly #desk: Desk;
  readonly #reader: Reader<Model>;
  readonly #editor: Editor;
  readonly #builder: Builder;
  readonly #fields: FieldPanel;
  readonly #givens: Givens;
  readonly #result: ResultFrame;
  readonly #sourceSelect = h("select", { "aria-label": "Source" });
  readonly #chartSelect = h("select", { className: "small-input", "aria-label": "Draw as" });
  readonly #run = h("button", { className: "button primary small", type: "button" }, "Run");
  readonly #auto = h("input", { type: "checkbox", checked: true, id: "auto-run" });
  readonly #byHand: HTMLElement;
  readonly #code = h("div", { className: "query-code" });
  readonly #sql = h("div", { className: "query-sql", hidden: true });
  #place: ExplorePlace;
  #model: Model | undefined;
  #sources: SourceInfo[] = [];
  #source = "";
  #lookups = new Map<string, Map<string, Known>>();
  #draft: Draft | undefined;
  #compiling: AbortController | undefined;
  #timers: { compile?: ReturnType<typeof setTimeout>; run?: ReturnType<typeof setTimeout> } = {};

  constructor(desk: Desk, place: ExplorePlace) {
    this.#desk = desk;
    this.#place = place;
    entitle("Explore", place.path, place.name);
    this.#editor = new Editor({
      typed: (text) => this.#typed(text),
      run: () => this.#start(),
      names: () => [...(this.#lookups.get(this.#source)?.values() ?? [])].map(({ name }) => name),
    });
    this.#builder = new Builder({
      changed: () => this.#built(),
      known: (path) => this.#lookups.get(this.#source)?.get(path.join(".")),
      suggest: (filter) => this.#suggest(filter),
    });
    this.#fields = new FieldPanel({
      pick: (field) => this.#pick(field),
      filter: (field) => this.#filter(field),
      nest: (field) => this.#nest(field),
    });
    this.#givens = new Givens(() => {
      this.#remember();
      this.#soon();
      this.#runSoon();
    });
    this.#result = new ResultFrame(() => this.#mark());
    this.#byHand = this.#byHandNotice();
    this.#listen();
    this.#reader = new Reader(
      () => getModel(place),
      (model) => this.#take(model),
      (error) => this.#fail(error),
    );
    this.#reader.ask();
  }

  go(place: Place): void {
    if (place.view !== "explore") return;
    this.#place = place;
    if (this.#model) this.#begin();
  }

  changed(change: Change | undefined): void {
    if (concerns(change, this.#place.project, this.#place.name)) this.#reader.ask();
  }

  close(): void {
    this.#reader.close();
    this.#result.stop();
    this.#compiling?.abort();
    clearTimeout(this.#timers.compile);
    clearTimeout(this.#timers.run);
  }

  #listen(): void {
    this.#sourceSelect.addEventListener("change", () => {
      this.#source = this.#sourceSelect.value;
      this.#set(emptyDraft(this.#source), "");
    });
    for (const [tag, words] of CHARTS) this.#chartSelect.append(h("option", { value: tag }, words));
    this.#chartSelect.addEventListener("change", () => {
      if (!this.#draft) return;
      this.#draft.chart = this.#chartSelect.value;
      this.#built();
    });
    this.#run.title = "Ctrl+Enter";
    this.#run.addEventListener("click", () => {
      if (this.#result.isRunning) this.#result.stop();
      else this.#start();
    });
  }

  #fail(error: unknown): void {
    if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return;
    replace(this.element, missing(`“${this.#place.path}” cannot be explored`, tell(error)));
  }

  #take(model: Model): void {
    const first = this.#model === undefined;
    this.#model = model;
    const queries = new Set((model.queries ?? []).map(({ name }) => name));
    this.#sources = sourcesOf(model).filter(({ name }) => !queries.has(name));
    this.#lookups = new Map(
      this.#sources.map((source) => [
        source.name,
        new Map(flat(groupOf(source)).map((field) => [field.path.join("."), field])),
      ]),
    );
    replace(
      this.#sourceSelect,
      ...this.#sources.map(({ name }) => h("option", { value: name }, name)),
    );
    if (first) {
      replace(this.element, ...this.#layout());
      this.#begin();
    } else {
      this.#showSource();
      this.#soon();
    }
  }

  #layout(): HTMLElement[] {
    const { project, name, path } = this.#place;
    const side = h(
      "details",
      { className: "explore-side", open: matchMedia("(min-width: 60.01rem)").matches },
      h("summary", {}, "Fields"),
      h(
        "div",
        { className: "explore-fields" },
        h("label", {}, "Source", this.#sourceSelect),
        this.#fields.element,
      ),
    );
    const tabs = segments(
      [
        ["malloy", "Malloy"],
        ["sql", "SQL"],
      ],
      "malloy",
      (key) => {
        this.#code.hidden = key !== "malloy";
        this.#sql.hidden = key === "malloy";
      },
    );
    this.#code.append(this.#editor.element);
    const share = copyButton(() => location.href, "a link to this query", "Share");
    return [
      h(
        "header",
        { className: "doc-head" },
        crumbs(
          [project, { view: "home", project }],
          [name, { view: "package", project, name }],
          [path, { view: "model", project, name, path }],
        ),
        h("h1", { tabIndex: -1 }, "Explore"),
      ),
      h(
        "div",
        { className: "explore" },
        side,
        h(
          "div",
          { className: "explore-main" },
          this.#givens.element,
          h(
            "section",
            { className: "card query", "aria-label": "Query" },
            this.#builder.element,
            this.#byHand,
            h(
              "div",
              { className: "query-bar" },
              tabs,
              this.#chartSelect,
              h("label", { className: "auto", htmlFor: "auto-run" }, this.#auto, "Run as I build"),
              h("span", { className: "query-actions" }, share, this.#run),
            ),
            this.#code,
            this.#sql,
          ),
          h(
            "section",
            { className: "explore-result", "aria-label": "Result" },
            this.#result.element,
          ),
        ),
      ),
    ];
  }

  #byHandNotice(): HTMLElement {
    const anew = h("button", { className: "link", type: "button" }, "Start anew");
    anew.addEventListener("click", () => this.#set(emptyDraft(this.#source), ""));
    return h(
      "p",
      { className: "hint by-hand", hidden: true },
      "This query says more than can be shown as parts; it is edited as text. ",
      anew,
    );
  }

  /** Shows what the address says. */
  #begin(): void {
    const { query, source, givens } = this.#place;
    const first = this.#sources.find(({ name }) => name === source) ?? this.#best();
    this.#source = first?.name ?? "";
    this.#givens.show(this.#model?.givens ?? [], givens ?? {});
    if (query === undefined || query === "") return this.#set(emptyDraft(this.#source), "");
    this.#set(this.#read(query), query);
    this.#start();
  }

  /** The source with most to ask: where a person would begin. */
  #best(): SourceInfo | undefined {
    const weight = ({ schema }: SourceInfo) =>
      schema.fields.filter(({ kind }) => kind !== "dimension").length;
    return [...this.#sources].sort((a, b) => weight(b) - weight(a))[0];
  }

  #read(text: string): Draft | undefined {
    return readDraft(text, (source): Lookup | undefined => {
      const fields = this.#lookups.get(source);
      if (!fields) return undefined;
      return (path) => {
        const found = fields.get(path.join("."));
        return found && { kind: found.values, measure: found.kind === "measure" };
      };
    });
  }

  /** Takes over a query: its parts where it can be shown in parts, and its text. */
  #set(draft: Draft | undefined, text: string): void {
    this.#draft = draft;
    this.#editor.text = text;
    this.#show();
    this.#remember();
    this.#soon();
  }

  #show(): void {
    const draft = this.#draft;
    if (draft && draft.source !== this.#source) this.#source = draft.source;
    this.#showSource();
    this.#builder.element.hidden = !draft;
    this.#byHand.hidden = draft !== undefined;
    this.#chartSelect.disabled = !draft;
    if (draft) {
      this.#builder.show(draft);
      this.#showChart(draft.chart);
    }
  }

  /** A tag that is not among the usual ones is a choice of its own while it is there. */
  #showChart(tag: string): void {
    this.#chartSelect.querySelector("[data-own]")?.remove();
    if (!CHARTS.some(([usual]) => usual === tag)) {
      this.#chartSelect.append(h("option", { value: tag, "data-own": true }, tag));
    }
    this.#chartSelect.value = tag;
  }

  #showSource(): void {
    this.#sourceSelect.value = this.#source;
    const source = this.#sources.find(({ name }) => name === this.#source);
    if (source && this.#fields.element.dataset["source"] !== this.#source) {
      this.#fields.element.dataset["source"] = this.#source;
      this.#fields.show(groupOf(source));
    }
  }

  /** The parts changed: the text follows, and the result when that is wanted. */
  #built(): void {
    const draft = this.#draft;
    if (!draft) return;
    this.#editor.text = isRunnable(draft) ? write(whole(draft)) : "";
    this.#showChart(draft.chart);
    this.#remember();
    this.#soon();
    this.#runSoon();
  }

  #typed(text: string): void {
    this.#draft = text.trim() === "" ? emptyDraft(this.#source) : this.#read(text);
    this.#show();
    this.#remember();
    this.#soon();
  }

  #remember(): void {
    const text = this.#editor.text.trim();
    this.#place = {
      ...this.#place,
      source: text === "" ? this.#source : undefined,
      query: text === "" ? undefined : text,
      givens: this.#givens.texts,
    };
    this.#desk.remember(this.#place);
  }

  #pick(field: Known): void {
    this.#edit((draft, level) => {
      if (field.kind === "view") {
        draft.view = field.name;
        return;
      }
      const list = field.kind === "measure" ? level.aggregate : level.groupBy;
      const key = field.path.join(".");
      const there = list.findIndex((picked) => picked.path.join(".") === key);
      // A second click takes it out again.
      if (there >= 0) list.splice(there, 1);
      else {
        const timed =
          field.kind === "dimension" && (field.values === "date" || field.values === "time");
        list.push(named(level, { path: field.path, ...(timed ? { unit: "month" as const } : {}) }));
      }
    });
  }

  #filter(field: Known): void {
    this.#edit((_, level) => {
      level.filters.push(firstFilter(field.path, field.values, field.kind === "measure"));
    });
  }

  #nest(field: Known): void {
    this.#edit((_, level) => {
      if (level.nests.some(({ name }) => name === field.name)) return;
      level.nests.push({ name: field.name, chart: "", view: field.name });
    });
  }

  /** Changes the parts. A query that was written by hand makes room for a new one only when asked to. */
  #edit(change: (draft: Draft, level: Level) => void): void {
    const draft = this.#draft;
    if (!draft) return this.#byHand.scrollIntoView({ block: "center" });
    change(draft, this.#builder.active ?? draft.level);
    this.#builder.show(draft);
    this.#built();
  }

  #soon(): void {
    clearTimeout(this.#timers.compile);
    this.#compiling?.abort();
    this.#timers.compile = setTimeout(() => void this.#compile(), TYPED_MS);
  }

  #runSoon(): void {
    clearTimeout(this.#timers.run);
    if (!this.#auto.checked || !this.#draft || !isRunnable(this.#draft)) return;
    this.#timers.run = setTimeout(() => this.#start(), CLICKED_MS);
  }

  async #compile(): Promise<void> {
    const text = this.#editor.text;
    if (text.trim() === "") {
      this.#editor.show([]);
      return this.#showSql({ status: "success", problems: [] });
    }
    const compiling = new AbortController();
    this.#compiling = compiling;
    try {
      const found = await compile(this.#place, text, this.#givens.values, compiling.signal);
      if (compiling.signal.aborted || text !== this.#editor.text) return;
      this.#editor.show(found.problems.filter(({ severity }) => severity !== "debug"));
      this.#showSql(found);
    } catch (error) {
      // The result says what is wrong with the server; here it would be said twice.
      if (!isAborted(error)) this.#editor.show([]);
    }
  }

  #showSql({ sql, problems }: Compiled): void {
    const words =
      problems.length > 0 ? "There is no SQL until the query compiles." : "Nothing is asked yet.";
    replace(this.#sql, sql ? codeBlock("SQL", sql, "sql") : h("p", { className: "hint" }, words));
  }

  #start(): void {
    clearTimeout(this.#timers.run);
    const query = this.#editor.text.trim();
    if (query === "") return;
    const { project, name, path } = this.#place;
    const givens = this.#givens.values;
    const question = { query, ...(givens ? { givens } : {}) };
    void this.#result.run({ at: { project, name, path }, question, malloy: query, explore: false });
    this.#mark();
  }

  #mark(): void {
    this.#run.textContent = this.#result.isRunning ? "Cancel" : "Run";
  }

  /** The values that occur most, to choose from. */
  async #suggest(filter: Filter): Promise<string[]> {
    const query = `run: ${ident(this.#source)} -> {
  group_by: value_ is ${pathText(filter.path)}
  aggregate: count_ is count()
  order_by: count_ desc
  limit: 50
}`;
    const stop = AbortSignal.timeout(10_000);
    const answer = await runQuery(this.#place, { query, givens: this.#givens.values }, stop);
    const rows = objects(tableOf(JSON.parse(answer.result) as StableResult));
    return rows.flatMap((row) => (typeof row["value_"] === "string" ? [row["value_"]] : []));
  }
}

/** Without filters that have no value yet. */
function whole(draft: Draft): Draft {
  return { ...draft, level: wholeLevel(draft.level) };
}

function wholeLevel(level: Level): Level {
  return {
    ...level,
    filters: level.filters.filter(isWhole),
    nests: level.nests
      .filter(
        (nest) => "view" in nest || nest.level.groupBy.length + nest.level.aggregate.length > 0,
      )
      .map((nest) => ("view" in nest ? nest : { ...nest, level: wholeLevel(nest.level) })),
  };
}
