/**
 * Malloy back to a draft, for the part of the language that the builder writes.
 *
 * Anything else gives `undefined`: the text then rules, and the builder steps back. So a query can be written, shared and edited as
 * text and still be gone on with by clicking.
 */

import {
  emptyLevel,
  type Draft,
  type Filter,
  type Level,
  type Nest,
  type Operator,
  type Picked,
  type Truncation,
} from "./draft.ts";
import { unquoted } from "./name.ts";
import { tokens, type Token } from "./tokens.ts";

const UNITS = new Set("year quarter month week day hour minute".split(" "));

/** What is known of a field; a filter is written by its kind. */
export type Lookup = (
  path: readonly string[],
) => { kind: Filter["kind"]; measure: boolean } | undefined;

export function readDraft(
  text: string,
  lookup: (source: string) => Lookup | undefined,
): Draft | undefined {
  try {
    return new Reading(text, lookup).draft();
  } catch (error) {
    if (error instanceof Beyond) return undefined;
    throw error;
  }
}

/** The text is more than the builder can show. */
class Beyond extends Error {}

class Reading {
  readonly #tokens: Token[];
  readonly #lookupOf: (source: string) => Lookup | undefined;
  #lookup: Lookup = () => undefined;
  #at = 0;

  constructor(text: string, lookup: (source: string) => Lookup | undefined) {
    this.#tokens = tokens(text).filter(({ kind }) => kind !== "space");
    this.#lookupOf = lookup;
  }

  draft(): Draft {
    const chart = this.#tag();
    this.#word("run");
    this.#sign(":");
    const source = this.#name();
    const lookup = this.#lookupOf(source);
    if (!lookup) throw new Beyond();
    this.#lookup = lookup;
    this.#sign("->");
    let view: string | undefined;
    let level = emptyLevel();
    if (this.#is("{")) level = this.#level();
    else {
      view = this.#name();
      if (this.#is("+")) {
        this.#sign("+");
        level = this.#level();
      }
    }
    if (this.#at < this.#tokens.length) throw new Beyond();
    return { source, view, chart, level };
  }

  #level(): Level {
    const level = emptyLevel();
    this.#sign("{");
    let chart = "";
    while (!this.#is("}")) {
      if (this.#peek()?.kind === "tag") {
        chart = this.#tag();
        continue;
      }
      this.#statement(level, chart);
      chart = "";
    }
    if (chart !== "") throw new Beyond();
    this.#sign("}");
    return level;
  }

  #statement(level: Level, chart: string): void {
    const word = this.#next("property").text;
    this.#sign(":");
    if (chart !== "" && word !== "nest") throw new Beyond();
    switch (word) {
      case "group_by":
        return void level.groupBy.push(...this.#list(() => this.#picked()));
      case "aggregate":
        return void level.aggregate.push(...this.#list(() => this.#picked()));
      case "where":
      case "having":
        return void level.filters.push(...this.#list(() => this.#filter(word === "having")));
      case "nest":
        return void level.nests.push(this.#nest(chart));
      case "order_by":
        return void level.orderBy.push(
          ...this.#list(() => {
            const name = this.#name();
            const down = this.#takeWord("desc");
            if (!down) this.#takeWord("asc");
            return {
              name,
              direction: down ? "desc" : "asc",
            } as const;
          }),
        );
      case "limit":
        level.limit = Number(this.#next("number").text);
        return;
      default:
        throw new Beyond();
    }
  }

  #picked(): Picked {
    const first = this.#path();
    if (!this.#takeWord("is")) return { path: first };
    if (first.length !== 1) throw new Beyond();
    const path = this.#path();
    const last = path.at(-1) ?? "";
    const [as = ""] = first;
    if (path.length > 1 && UNITS.has(last) && isTime(this.#lookup(path.slice(0, -1))?.kind)) {
      const unit = last as Truncation;
      const base = path.slice(0, -1);
      return as === `${base.at(-1)}_${unit}` ? { path: base, unit } : { path: base, unit, as };
    }
    return { path, as };
  }

  #nest(chart: string): Nest {
    const name = this.#name();
    if (!this.#takeWord("is")) return { name, chart, view: name };
    if (this.#is("{")) return { name, chart, level: this.#level() };
    return { name, chart, view: this.#name() };
  }

  #filter(having: boolean): Filter {
    if (this.#takeWord("not")) return this.#flag("false", having);
    const path = this.#path();
    const { kind, measure } = this.#known(path, having);
    const filter = { path, kind, measure };
    const operator = this.#peek();
    if (
      !operator ||
      operator.text === "," ||
      operator.text === "}" ||
      operator.kind === "property"
    ) {
      if (kind !== "boolean") throw new Beyond();
      return { ...filter, operator: "true", values: [] };
    }
    this.#at += 1;
    switch (operator.text) {
      case "is": {
        const negated = this.#takeWord("not");
        this.#word("null");
        return { ...filter, operator: negated ? "not null" : "null", values: [] };
      }
      case "~":
        return { ...filter, ...this.#like() };
      case "=":
        return { ...filter, operator: "is", values: this.#values(kind, "|") };
      case "!=":
        return { ...filter, operator: "is not", values: this.#values(kind, "&") };
      case "?": {
        if (!isTime(kind)) throw new Beyond();
        const first = this.#value(kind);
        const values = this.#takeWord("to") ? [first, this.#value(kind)] : [first];
        return { ...filter, operator: "during", values };
      }
      default:
        return { ...filter, ...this.#compared(operator.text, kind) };
    }
  }

  #compared(sign: string, kind: Filter["kind"]): Pick<Filter, "operator" | "values"> {
    const values = [this.#value(kind)];
    if (isTime(kind)) {
      if (sign === "<") return { operator: "before", values };
      if (sign === ">=") return { operator: "after", values };
      throw new Beyond();
    }
    if (!["<", "<=", ">", ">="].includes(sign)) throw new Beyond();
    return { operator: sign as Operator, values };
  }

  #flag(operator: "false", having: boolean): Filter {
    const path = this.#path();
    const { kind, measure } = this.#known(path, having);
    if (kind !== "boolean") throw new Beyond();
    return { path, kind, measure, operator, values: [] };
  }

  #like(): Pick<Filter, "operator" | "values"> {
    const value = textOf(this.#next("text").text);
    const inner = value.slice(value.startsWith("%") ? 1 : 0, value.endsWith("%") ? -1 : undefined);
    if (/[%_\\]/.test(inner) || value.length < 2) throw new Beyond();
    if (value.startsWith("%") && value.endsWith("%"))
      return { operator: "contains", values: [inner] };
    if (value.endsWith("%")) return { operator: "starts", values: [inner] };
    if (value.startsWith("%")) return { operator: "ends", values: [inner] };
    throw new Beyond();
  }

  #known(path: readonly string[], having: boolean) {
    const found = this.#lookup(path);
    if (!found || found.measure !== having) throw new Beyond();
    return found;
  }

  #values(kind: Filter["kind"], between: "|" | "&"): string[] {
    const found = [this.#value(kind)];
    while (this.#is(between)) {
      this.#sign(between);
      found.push(this.#value(kind));
    }
    return found;
  }

  #value(kind: Filter["kind"]): string {
    if (kind === "number") {
      const negative = this.#is("-");
      if (negative) this.#sign("-");
      return (negative ? "-" : "") + this.#next("number").text;
    }
    if (isTime(kind)) return this.#next("time").text.slice(1);
    return textOf(this.#next("text").text);
  }

  #list<T>(read: () => T): T[] {
    const found = [read()];
    while (this.#is(",")) {
      this.#sign(",");
      found.push(read());
    }
    // Malloy lets commas go; the builder would not know where one ends.
    const after = this.#peek();
    const ends = after?.text === "}" || after?.kind === "property" || after?.kind === "tag";
    if (!ends) throw new Beyond();
    return found;
  }

  #path(): string[] {
    const found = [this.#name()];
    while (this.#is(".")) {
      this.#sign(".");
      found.push(this.#name());
    }
    if (this.#is("(")) throw new Beyond();
    return found;
  }

  #name(): string {
    const token = this.#peek();
    const plain = token?.kind === "name" || token?.kind === "property";
    // Behind a dot the units of time are names.
    const unit = token?.kind === "keyword" && UNITS.has(token.text);
    if (!token || !(plain || unit)) throw new Beyond();
    this.#at += 1;
    return unquoted(token.text);
  }

  #tag(): string {
    if (this.#peek()?.kind !== "tag") return "";
    const { text } = this.#next("tag");
    if (!/^# \S/.test(text) || this.#peek()?.kind === "tag") throw new Beyond();
    return text.slice(2).trim();
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #is(sign: string): boolean {
    return this.#peek()?.text === sign;
  }

  #sign(sign: string): void {
    if (!this.#is(sign)) throw new Beyond();
    this.#at += 1;
  }

  #word(word: string): void {
    if (!this.#takeWord(word)) throw new Beyond();
  }

  #takeWord(word: string): boolean {
    const token = this.#peek();
    if (token?.text !== word || token.kind === "name" || token.kind === "text") return false;
    this.#at += 1;
    return true;
  }

  #next(kind: Token["kind"]): Token {
    const token = this.#peek();
    if (token?.kind !== kind) throw new Beyond();
    this.#at += 1;
    return token;
  }
}

function isTime(kind: Filter["kind"] | undefined): boolean {
  return kind === "date" || kind === "time";
}

function textOf(word: string): string {
  if (!/^'/.test(word) || word.startsWith("'''")) throw new Beyond();
  return word.slice(1, -1).replace(/\\(.)/g, "$1");
}
