/** The routes for programs, from the server's own document, and how an agent gets in. */

import { h, replace } from "../../kit/dom.ts";
import { Reader } from "../../kit/reader.ts";
import { getOpenApi, outside, type OpenApi, type Operation } from "../state/server.ts";
import { badge, entitle, working, type Desk, type View } from "../view.ts";
import { codeBlock } from "./code.ts";

const METHODS = ["get", "post", "put", "patch", "delete"];

export class ApiView implements View {
  readonly element: HTMLElement;
  readonly #body = h("div", { className: "api" }, working("Reading the document"));
  readonly #reader: Reader<OpenApi>;

  constructor(_: Desk) {
    entitle("API");
    const file = (path: string, words: string) =>
      h("a", { href: path, className: "button small" }, words);
    this.element = h(
      "div",
      { className: "doc" },
      h(
        "header",
        { className: "doc-head" },
        h("h1", { tabIndex: -1 }, "API"),
        h(
          "p",
          { className: "lead" },
          "What this page does, programs can do: JSON over HTTP, below ",
          h("code", {}, outside("")),
          ".",
        ),
        h(
          "p",
          { className: "row" },
          file("api/v0/openapi.json", "openapi.json"),
          file("api-doc.yaml", "api-doc.yaml"),
        ),
      ),
      codeBlock("A first question", `curl -s '${outside("projects/home/packages")}'`, "plain"),
      this.#body,
    );
    this.#reader = new Reader(
      getOpenApi,
      (document) => replace(this.#body, ...draw(document)),
      () => undefined,
    );
    this.#reader.ask();
  }

  go(): void {
    // There is one place only.
  }

  changed(): void {
    // Routes do not change while a server runs.
  }

  close(): void {
    this.#reader.close();
  }
}

function draw(document: OpenApi): HTMLElement[] {
  const groups = new Map<string, HTMLElement[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = methods[method];
      if (!operation) continue;
      const tag = operation.tags?.[0] ?? "other";
      groups.set(tag, [...(groups.get(tag) ?? []), route(method, path, operation)]);
    }
  }
  const about = new Map((document.tags ?? []).map(({ name, description }) => [name, description]));
  return [...groups].map(([tag, routes]) => {
    const words = about.get(tag);
    return h(
      "section",
      { "aria-label": tag },
      h("h2", {}, tag),
      words ? h("p", { className: "hint" }, words) : null,
      h("div", { className: "routes" }, ...routes),
    );
  });
}

function route(method: string, path: string, operation: Operation): HTMLElement {
  const { summary = "", description = "", parameters = [] } = operation;
  return h(
    "details",
    { className: "route", "data-method": method },
    h(
      "summary",
      {},
      badge(method.toUpperCase(), method),
      h("code", {}, path),
      h("span", { className: "route-about" }, summary),
    ),
    description !== "" && h("p", {}, description),
    parameters.length > 0 &&
      h(
        "dl",
        { className: "settings" },
        ...parameters.map((each) =>
          h(
            "div",
            {},
            h(
              "dt",
              {},
              h("code", {}, each.name),
              ` ${each.in}${each.required ? ", required" : ""}`,
            ),
            h("dd", {}, each.description ?? ""),
          ),
        ),
      ),
  );
}
