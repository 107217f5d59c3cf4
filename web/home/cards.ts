/** One card per application. */

import { copyButton } from "../kit/copy.ts";
import { h } from "../kit/dom.ts";
import type { Application } from "./status.ts";

export function card(app: Application): HTMLElement {
  const well = app.health.status === "well";
  return h(
    "li",
    { className: "card application" },
    h(
      "div",
      { className: "card-head" },
      h("h3", {}, app.title),
      h("span", { className: "pill", "data-state": app.health.status }, well ? "Well" : "Ill"),
    ),
    h("p", { className: "about" }, app.about),
    app.health.status === "ill" && h("p", { className: "error" }, app.health.reason),
    links(app),
    h(
      "div",
      { className: "endpoint" },
      h("span", { className: "endpoint-label" }, "MCP"),
      h("code", { title: app.mcp.url }, new URL(app.mcp.url).pathname),
      copyButton(() => app.mcp.url, `the MCP address of ${app.title}`),
    ),
  );
}

/** The first link is where people go; the rest are for those who look for them. */
function links(app: Application): HTMLElement | null {
  if (app.links.length === 0) return null;
  const buttons = app.links.map(({ label, href }, index) =>
    h(
      "a",
      {
        className: index === 0 ? "button primary small" : "button small",
        href,
        "aria-label": `${label}: ${app.title}`,
      },
      label,
    ),
  );
  return h("p", { className: "card-links" }, ...buttons);
}
