/**
 * Render tags: the property language of `#` lines, as plain values.
 *
 * `# bar_chart { x=month y=[loans, fines] } -hidden label="By month"` sets, nests and removes properties. A later line has the last
 * word. Lines of other routes (`#"`, `#(malloy)`, `##!`) are no render tags. Nothing here fails: what is not understood is skipped.
 */

export class Tag {
  value: string | Tag[] | undefined;
  readonly #properties = new Map<string, Tag>();

  /** The property at this path. */
  get(...path: string[]): Tag | undefined {
    let at: Tag = this;
    for (const name of path) {
      const next = at.#properties.get(name);
      if (!next) return undefined;
      at = next;
    }
    return at;
  }

  has(...path: string[]): boolean {
    return this.get(...path) !== undefined;
  }

  /** The text of the property at this path, where it has one. */
  text(...path: string[]): string | undefined {
    const value = this.get(...path)?.value;
    return typeof value === "string" ? value : undefined;
  }

  /** Whether a property is set to anything but `false`. */
  is(...path: string[]): boolean {
    return this.has(...path) && this.text(...path) !== "false";
  }

  number(...path: string[]): number | undefined {
    const text = this.text(...path);
    const number = Number(text);
    return text === undefined || text === "" || Number.isNaN(number) ? undefined : number;
  }

  /** One text or several: `y=a` and `y=[a, b]`. */
  texts(...path: string[]): string[] {
    const value = this.get(...path)?.value;
    if (typeof value === "string") return [value];
    return (value ?? []).flatMap((each) => (typeof each.value === "string" ? [each.value] : []));
  }

  /** Names in the order in which they were last set. */
  names(): string[] {
    return [...this.#properties.keys()];
  }

  /** The property of this name, made where there is none; it counts as set last. */
  put(name: string): Tag {
    const tag = this.#properties.get(name) ?? new Tag();
    this.#properties.delete(name);
    this.#properties.set(name, tag);
    return tag;
  }

  remove(name: string): void {
    this.#properties.delete(name);
  }

  clear(): void {
    this.#properties.clear();
  }
}

/** The render tags in these annotations, those of later lines over those of earlier ones. */
export function tagOf(annotations: readonly string[], prefix: "#" | "##" = "#"): Tag {
  const tag = new Tag();
  for (const line of annotations) {
    const own = prefix === "#" ? /^#[ \t]/.test(line) : /^##[ \t]/.test(line);
    if (own) new Reading(line.slice(prefix.length)).into(tag);
  }
  return tag;
}

/** What annotations say for people: the lines `#" …` and `#(doc) …`. */
export function docOf(annotations: readonly string[]): string {
  return annotations
    .map((line) => /^##?(?:"|\(docs?\))\s*(.*?)\s*$/s.exec(line)?.[1])
    .filter((text) => text !== undefined)
    .join("\n");
}

/** Whether the compiler says that a column is worked out over a group. */
export function isCalculation(annotations: readonly string[]): boolean {
  return annotations.some((line) => /^#\(malloy\)[^"{]*\bcalculation\b/.test(withoutTexts(line)));
}

/** Quoted texts hold anything, the word `calculation` included. */
function withoutTexts(line: string): string {
  return line.replace(/"(?:\\.|[^"\\])*"/g, "_");
}

const WORD = /[^\s={}[\],"'`.#][^\s={}[\],"'`.]*/y;
const NUMBER = /-?\d+(?:\.\d+)?(?=[\s\]},]|$)/y;

class Reading {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  into(tag: Tag): void {
    while (this.#blank()) {
      const before = this.#at;
      this.#property(tag);
      // A sign that means nothing here; the rest of the line may.
      if (this.#at === before) this.#at += 1;
    }
  }

  /** `name`, `a.b.c`, `-name`, each with a value, properties, or both. */
  #property(tag: Tag): void {
    const removed = this.#take("-");
    let name = this.#word();
    if (name === undefined) return;
    let at = tag;
    while (this.#take(".")) {
      at = at.put(name);
      const next = this.#word();
      if (next === undefined) return;
      name = next;
    }
    if (removed) return at.remove(name);
    const property = at.put(name);
    this.#blank();
    if (this.#take("=")) {
      this.#blank();
      const value = this.#value();
      if (value === undefined) property.clear();
      else property.value = value;
      this.#blank();
    }
    if (this.#take("{")) this.#inside(property);
  }

  #inside(tag: Tag): void {
    while (this.#blank() && !this.#take("}")) {
      if (this.#take("...") || this.#take(",")) continue;
      const before = this.#at;
      this.#property(tag);
      if (this.#at === before) this.#at += 1;
    }
  }

  #value(): string | Tag[] | undefined {
    if (this.#take("[")) return this.#list();
    return this.#number() ?? this.#word();
  }

  #list(): Tag[] {
    const items: Tag[] = [];
    while (this.#blank() && !this.#take("]")) {
      if (this.#take(",")) continue;
      const item = new Tag();
      if (this.#take("{")) this.#inside(item);
      else {
        const value = this.#value();
        if (value === undefined) this.#at += 1;
        else item.value = value;
      }
      if (item.value !== undefined || item.names().length > 0) items.push(item);
    }
    return items;
  }

  #number(): string | undefined {
    return this.#match(NUMBER);
  }

  #word(): string | undefined {
    const quote = this.#text[this.#at];
    if (quote === '"' || quote === "'" || quote === "`") return this.#quoted(quote);
    return this.#match(WORD);
  }

  #quoted(quote: string): string {
    let text = "";
    this.#at += 1;
    while (this.#at < this.#text.length) {
      const sign = this.#text[this.#at] ?? "";
      this.#at += 1;
      if (sign === quote) break;
      if (sign === "\\") {
        text += this.#text[this.#at] ?? "";
        this.#at += 1;
      } else text += sign;
    }
    return text;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #take(sign: string): boolean {
    if (!this.#text.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    return true;
  }

  /** Steps over white space; whether anything follows. */
  #blank(): boolean {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at += 1;
    return this.#at < this.#text.length;
  }
}
