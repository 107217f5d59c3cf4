/** Errors and warnings, in the same words and with the same ways out everywhere. */

import { h } from "../../kit/dom.ts";
import { line as words } from "../../kit/text/draw.ts";
import { hashOf, type Place } from "../state/place.ts";
import { type Told } from "../state/types.ts";
import { sentence } from "../state/words.ts";

export function toldBox(
  told: Told,
  kind: "error" | "warning" | "stale" = "error",
  place?: Place,
): HTMLElement {
  const [first = "", ...rest] = told.message.split("\n");
  const where = told.file ?? "";
  const line = told.line === undefined ? "" : `:${told.line}`;
  const column = told.column === undefined || line === "" ? "" : `:${told.column}`;
  const spot = where + line + column;
  const near = told.suggestions ?? [];
  return h(
    "div",
    { className: "told", "data-kind": kind, role: kind === "error" ? "alert" : "note" },
    spot !== "" &&
      (place
        ? h("a", { className: "told-where", href: hashOf(place) }, spot)
        : h("span", { className: "told-where" }, spot)),
    h("p", {}, ...words(sentence(first))),
    rest.length > 0 && h("pre", { tabIndex: 0 }, rest.join("\n").replace(/^\n+|\n+$/g, "")),
    told.shown !== undefined &&
      h("pre", { className: "told-line", tabIndex: 0 }, h("code", {}, told.shown)),
    told.hint !== undefined && h("p", { className: "told-near" }, ...words(sentence(told.hint))),
    near.length > 0 && h("p", { className: "told-near" }, "Near to it: ", near.join(", ")),
  );
}

/** The same, for what an edit broke. */
export function staleBox(inner: HTMLElement): HTMLElement {
  inner.prepend(
    h(
      "p",
      { className: "stale-words" },
      h("b", {}, "Stale. "),
      "The last version that compiled goes on answering.",
    ),
  );
  return inner;
}

/** What stands in for a document that is not there. */
export function missing(what: string, told: Told): HTMLElement {
  return h(
    "div",
    { className: "doc" },
    h(
      "div",
      { className: "notice bad missing", role: "status" },
      h("h1", { tabIndex: -1 }, what),
      toldBox(told),
      h("p", {}, h("a", { href: "#/" }, "To all packages")),
    ),
  );
}
