/** The bar on top of every page. */

import { h, svg } from "./dom.ts";
import { themeToggle } from "./theme.ts";

/** Brand on the left, what the page adds, then the theme toggle. `home` is where the brand leads. */
export function header(home: string, place: string | null, ...extra: HTMLElement[]): HTMLElement {
  return h(
    "header",
    { className: "bar" },
    h(
      "div",
      { className: "bar-inner" },
      h("a", { className: "brand", href: home }, mark(), h("span", {}, "Tandem")),
      place && h("span", { className: "place" }, place),
      h("span", { className: "spacer" }),
      ...extra,
      themeToggle(),
    ),
  );
}

/** Two wheels, one for the person and one for the agent. */
export function mark(): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 32 32", class: "mark", "aria-hidden": "true" },
    svg("circle", { class: "mark-person", cx: 11.5, cy: 16, r: 8 }),
    svg("path", { class: "mark-agent", d: "M20.5 8a8 8 0 1 1-5.66 2.34" }),
  );
}
