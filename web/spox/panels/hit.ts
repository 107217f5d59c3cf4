/** One match of a search: how near it is, what it says, where it is. */

import { h } from "../../kit/dom.ts";
import { hashOf, type Place } from "../state/place.ts";
import type { Hit } from "../state/types.ts";
import { pieces } from "../text/marked.ts";
import { badge } from "./badges.ts";

export function placeOfHit({ spec_id, requirement, change_id }: Hit): Place {
  const named = requirement ?? undefined;
  if (change_id) return { view: "change", id: change_id, requirement: named };
  return { view: "spec", id: spec_id, requirement: named };
}

export function hitOption(hit: Hit, at: number, query: string): HTMLElement {
  const score = Math.round(100 * Math.min(1, Math.max(0, hit.score)));
  const fill = h("span", { className: "fill" });
  fill.style.inlineSize = `${score}%`;
  const bar = h("span", { className: "score", title: `Nearness ${score} of 100` }, fill);
  bar.setAttribute("role", "img");
  bar.setAttribute("aria-label", `nearness ${score} of 100`);
  // The link is for the pointer, with all that links can do; the keyboard stays in the box.
  const link = h(
    "a",
    { className: "hit-link", href: hashOf(placeOfHit(hit)), tabIndex: -1 },
    h(
      "span",
      { className: "hit-head" },
      h("b", { className: "hit-name" }, ...marked(hit.requirement ?? "Purpose", query)),
      hit.change_id ? badge(hit.change_id, "change", "In an active change") : null,
      h("span", { className: "hit-spec" }, hit.spec_id),
      bar,
    ),
    h("span", { className: "hit-snippet" }, ...marked(hit.snippet, query)),
  );
  return h("li", { className: "hit", id: `hit-${at}`, role: "option" }, link);
}

function marked(text: string, query: string): (Node | string)[] {
  const plain = text.replaceAll("**", "").replaceAll("`", "");
  return pieces(plain, query).map(({ text: piece, hit }) => (hit ? h("mark", {}, piece) : piece));
}
