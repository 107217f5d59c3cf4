/** Markdown as elements. All text goes in as text, so nothing in a file can become markup. */

import { h } from "../dom.ts";
import { blocks, type Block, type ListItem } from "./blocks.ts";
import { inline, type Inline } from "./inline.ts";

/** A line of Markdown. */
export function line(text: string): (Node | string)[] {
  return inline(text).map(drawInline);
}

/** A whole text. Its headings are below those of the page, so they begin at `level`. */
export function prose(text: string, level = 3): HTMLElement {
  return h("div", { className: "prose" }, ...drawBlocks(blocks(text), level));
}

function drawInline(part: Inline): Node | string {
  switch (part.kind) {
    case "text":
      return part.text;
    case "code":
      return h("code", {}, part.text);
    case "struck":
      return h("s", {}, ...part.inner.map(drawInline));
    case "link":
      return h(
        "a",
        { href: part.href, rel: "noreferrer noopener", target: "_blank" },
        ...part.inner.map(drawInline),
      );
    default:
      return h(part.kind, {}, ...part.inner.map(drawInline));
  }
}

function drawBlocks(found: readonly Block[], level: number): HTMLElement[] {
  return found.map((block) => drawBlock(block, level));
}

function drawBlock(block: Block, level: number): HTMLElement {
  switch (block.kind) {
    case "paragraph":
      return h("p", {}, ...line(block.text));
    case "heading": {
      const tag = `h${Math.min(6, level + Math.max(0, block.level - 2))}` as "h3";
      return h(tag, {}, ...line(block.text));
    }
    case "code":
      return h("pre", { tabIndex: 0 }, h("code", {}, block.text));
    case "quote":
      return h("blockquote", {}, ...drawBlocks(block.blocks, level));
    case "rule":
      return h("hr");
    case "table":
      return drawTable(block.head, block.rows);
    case "list": {
      const items = block.items.map((item) => drawItem(item, level));
      return block.ordered
        ? h("ol", { start: block.start }, ...items)
        : h("ul", { className: block.items.some(isBox) ? "boxes" : "" }, ...items);
    }
  }
}

function isBox({ done }: ListItem): boolean {
  return done !== undefined;
}

function drawItem(item: ListItem, level: number): HTMLElement {
  const [first, ...rest] = item.blocks;
  // A short item is not a paragraph of its own.
  const start = first?.kind === "paragraph" ? line(first.text) : [];
  const others = first?.kind === "paragraph" ? rest : item.blocks;
  const box =
    item.done === undefined
      ? null
      : h("span", { className: "box", "data-done": String(item.done) }, item.done ? "✓" : "");
  box?.setAttribute("role", "img");
  box?.setAttribute("aria-label", item.done ? "done" : "open");
  return h("li", {}, box, ...start, ...drawBlocks(others, level));
}

function drawTable(head: string[], rows: string[][]): HTMLElement {
  const row = (cells: string[], tag: "th" | "td") =>
    h("tr", {}, ...head.map((_, n) => h(tag, {}, ...line(cells[n] ?? ""))));
  const table = h(
    "table",
    {},
    h("thead", {}, row(head, "th")),
    h("tbody", {}, ...rows.map((cells) => row(cells, "td"))),
  );
  return h("div", { className: "table-wrap", tabIndex: 0 }, table);
}
