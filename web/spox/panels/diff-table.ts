/** The diff of one requirement as a table: side by side, or in one column. */

import { h } from "../../kit/dom.ts";
import {
  folded,
  rowsOf,
  unified,
  type Line,
  type Piece,
  type Row,
  type Side,
} from "../state/diff.ts";
import type { DiffLine } from "../state/types.ts";
import { count } from "../state/words.ts";

export type Mode = "split" | "unified";
type Visible = Exclude<Row, { kind: "gap" }>;

export function diffTable(lines: readonly DiffLine[], mode: Mode, caption: string): HTMLElement {
  // What only came or only went has nothing to stand beside.
  const oneSided = new Set(lines.map(({ kind }) => kind)).size === 1;
  const split = mode === "split" && !oneSided;
  const body = h("tbody", {});
  body.append(...drawn(folded(rowsOf(lines)), split));
  return h(
    "table",
    { className: "diff", "data-mode": split ? "split" : "unified" },
    h("caption", { className: "visually-hidden" }, caption),
    columns(split),
    body,
  );
}

function columns(split: boolean): HTMLElement {
  const classes = split ? ["number", "text", "number", "text"] : ["number", "number", "text"];
  return h("colgroup", {}, ...classes.map((name) => h("col", { className: `diff-${name}` })));
}

function drawn(rows: readonly Row[], split: boolean): HTMLElement[] {
  const found: HTMLElement[] = [];
  let visible: Visible[] = [];
  const flush = () => {
    found.push(...(split ? visible.map(splitRow) : unified(visible).map(unifiedRow)));
    visible = [];
  };
  for (const row of rows) {
    if (row.kind !== "gap") {
      visible.push(row);
      continue;
    }
    flush();
    found.push(gapRow(row.rows, split));
  }
  flush();
  return found;
}

/** A stretch without changes, behind a button. */
function gapRow(rows: readonly Row[], split: boolean): HTMLElement {
  const words = `Show ${count(rows.length, "unchanged line")}`;
  const button = h("button", { type: "button", className: "diff-more" }, words);
  const row = h("tr", { className: "diff-gap" }, h("td", { colSpan: split ? 4 : 3 }, button));
  button.addEventListener("click", () => row.replaceWith(...drawn(rows, split)));
  return row;
}

function splitRow(row: Visible): HTMLElement {
  const kinds = row.kind === "same" ? (["same", "same"] as const) : (["removed", "added"] as const);
  return h("tr", {}, ...splitCells(row.old, kinds[0]), ...splitCells(row.new, kinds[1]));
}

function splitCells(side: Side | undefined, kind: Line["kind"]): HTMLElement[] {
  if (!side) return [h("td", { className: "diff-no none" }), h("td", { className: "none" })];
  return [number(side.number, kind), text(side.pieces, kind)];
}

function unifiedRow({ kind, old, new: new_, pieces }: Line): HTMLElement {
  return h("tr", {}, number(old, kind), number(new_, kind), text(pieces, kind));
}

function number(n: number | undefined, kind: Line["kind"]): HTMLElement {
  return h("td", { className: "diff-no", "data-kind": kind }, n);
}

const SIGNS: Record<Line["kind"], string> = { same: " ", added: "+", removed: "−" };
const TAGS = { same: "span", added: "ins", removed: "del" } as const;

function text(pieces: readonly Piece[], kind: Line["kind"]): HTMLElement {
  const parts = pieces.map((piece) =>
    piece.changed ? h("mark", {}, piece.text) : h("span", {}, piece.text),
  );
  return h(
    "td",
    { className: "diff-cell", "data-kind": kind },
    h("span", { className: "diff-sign", "aria-hidden": "true" }, SIGNS[kind]),
    h(TAGS[kind], { className: "diff-line" }, ...parts),
  );
}
