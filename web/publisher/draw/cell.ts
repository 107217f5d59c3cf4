/** One value in its place: text, link, list, small chart or a table of its own. */

import { h } from "../../kit/dom.ts";
import { nested, type Column, type Row, type Value } from "../render/data.ts";
import { formatterOf, NOTHING, type Formatter } from "../render/format.ts";
import { drawInner } from "./result.ts";

const formatters = new WeakMap<Column, Formatter>();

export function textOf(column: Column, value: Value | undefined, timezone?: string): string {
  let write = formatters.get(column);
  if (!write) {
    write = formatterOf(column, timezone);
    formatters.set(column, write);
  }
  return write(value);
}

export interface Around {
  row: Row;
  columns: readonly Column[];
  timezone: string | undefined;
}

export function drawValue(column: Column, value: Value, around: Around): Node | string {
  if (value === null) return h("span", { className: "null", title: "null" }, NOTHING);
  if (column.kind === "table" || column.kind === "record") {
    if (column.plain) return plainList(column, value, around.timezone);
    return drawInner(nested(column, value, around.timezone), "cell");
  }
  const text = textOf(column, value, around.timezone);
  const href = column.tag.has("link") ? linkOf(column, value, around) : undefined;
  if (href) return outside(href, text);
  // A picture from elsewhere would tell its host who looks at what; its address is shown, and not fetched.
  if (column.tag.has("image") && isWeb(text)) return outside(text, "image ↗", text);
  if (column.kind === "boolean") return h("span", { className: "bool", "data-is": text }, text);
  return text;
}

function outside(href: string, text: string, title = href): HTMLElement {
  return h("a", { href, target: "_blank", rel: "noreferrer noopener", title }, text);
}

/** Where a linked value leads: the web only, whatever a template says. */
export function linkOf(column: Column, value: Value, around: Around): string | undefined {
  const field = column.tag.text("link", "field");
  const at = around.columns.findIndex(({ name }) => name === field);
  const key = String(at < 0 ? value : (around.row[at] ?? ""));
  const template = column.tag.text("link", "url_template");
  const href = template?.includes("$$")
    ? template.replaceAll("$$", () => encodeURIComponent(key))
    : `${template ?? ""}${template ? encodeURIComponent(key) : key}`;
  return isWeb(href) ? href : undefined;
}

function isWeb(text: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(text);
}

function plainList(column: Column, value: Value, timezone?: string): string {
  const [inner] = column.columns;
  const rows = Array.isArray(value) ? (value as Row[]) : [];
  return rows.map((row) => (inner ? textOf(inner, row[0], timezone) : "")).join(", ");
}
