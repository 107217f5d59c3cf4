/** The connections of a project, and what is in their databases. Secrets never come this far. */

import { h, replace } from "../../kit/dom.ts";
import { copyButton } from "../../kit/copy.ts";
import { ident, text } from "../malloy/name.ts";
import { hashOf, type Place } from "../state/place.ts";
import * as server from "../state/server.ts";
import type { Connection } from "../state/types.ts";
import { count, tell } from "../state/words.ts";
import { badge, entitle, working, type Desk, type View } from "../view.ts";
import { toldBox } from "./told.ts";

export class ConnectionsView implements View {
  readonly element: HTMLElement;
  readonly #desk: Desk;
  readonly #body = h("div", { className: "connections" });
  #project: string | undefined;
  #shown = "";

  constructor(desk: Desk, place: Place) {
    this.#desk = desk;
    this.#project = place.view === "connections" ? place.project : undefined;
    entitle("Connections");
    this.element = h(
      "div",
      { className: "doc" },
      h(
        "header",
        { className: "doc-head" },
        h("h1", { tabIndex: -1 }, "Connections"),
        h(
          "p",
          { className: "lead" },
          "Databases that models read from. Every package also has a DuckDB of its own, named ",
          h("code", {}, "duckdb"),
          ", for the data files beside its models.",
        ),
      ),
      this.#body,
    );
    this.state();
  }

  go(place: Place): void {
    this.#project = place.view === "connections" ? place.project : undefined;
    this.state();
  }

  state(): void {
    const all = this.#desk.live.projects?.map(({ name }) => name);
    if (!all) return replace(this.#body, working("Asking the server"));
    const names = all.filter((name) => !this.#project || name === this.#project);
    if (this.#shown === names.join("\n") && this.#body.childElementCount > 0) return;
    this.#shown = names.join("\n");
    replace(this.#body, ...names.map(projectSection));
  }

  changed(change: { kind: string } | undefined): void {
    if (change && change.kind !== "connections") return;
    this.#shown = "";
    this.state();
  }

  close(): void {
    // Nothing runs.
  }
}

function projectSection(project: string): HTMLElement {
  const list = h("div", { className: "connection-list" }, working("Reading the connections"));
  server.listConnections({ project }).then(
    (all) => {
      const cards = all.map((connection) => connectionCard({ project }, connection));
      const none = h("p", { className: "hint" }, "No connections besides the packages' own.");
      replace(list, ...(cards.length > 0 ? cards : [none]));
    },
    (error: unknown) => replace(list, toldBox(tell(error))),
  );
  return h(
    "section",
    { "aria-label": `Project ${project}` },
    h("h2", {}, h("a", { href: hashOf({ view: "home", project }) }, project)),
    list,
  );
}

/** What may be shown of a connection: a secret is a marker by now, and markers say nothing. */
function settings(connection: Connection): [string, string][] {
  const block = connection[`${connection.type}Connection`];
  if (typeof block !== "object" || block === null) return [];
  return Object.entries(block)
    .filter(([key, value]) => value !== null && typeof value !== "object" && !isSecret(key))
    .map(([key, value]) => [key, String(value)]);
}

function isSecret(key: string): boolean {
  return /password|secret|token|key|connectionString|pass$/i.test(key);
}

export function connectionCard(scope: server.Scope, connection: Connection): HTMLElement {
  const { name, type } = connection;
  const state = h("span", { className: "connection-state", role: "status" });
  const test = h("button", { className: "button small", type: "button" }, "Test");
  test.addEventListener("click", async () => {
    test.disabled = true;
    state.textContent = "Testing…";
    state.dataset["state"] = "";
    try {
      await server.testConnection(scope, name);
      state.textContent = "It answers.";
      state.dataset["state"] = "well";
    } catch (error) {
      state.textContent = tell(error).message;
      state.dataset["state"] = "ill";
    }
    test.disabled = false;
  });
  const dialect = connection.attributes?.["dialectName"];
  return h(
    "article",
    { className: "card connection", "aria-label": name },
    h(
      "div",
      { className: "connection-head" },
      h("h3", {}, name),
      badge(type, "info"),
      typeof dialect === "string" && dialect !== type ? badge(dialect, "plain") : null,
      test,
      state,
    ),
    h(
      "dl",
      { className: "settings" },
      ...settings(connection).map(([key, value]) =>
        h("div", {}, h("dt", {}, key), h("dd", {}, value)),
      ),
    ),
    lazily("Schemas", async () => {
      const all = await server.listSchemas(scope, name);
      const seen = all.filter(({ isHidden }) => !isHidden);
      return seen.map((schema) =>
        schemaItem(scope, connection, schema.name, schema.isDefault === true),
      );
    }),
  );
}

function schemaItem(scope: server.Scope, connection: Connection, schema: string, first: boolean) {
  return lazily(
    schema,
    async () => {
      const tables = await server.listTables(scope, connection.name, schema);
      return tables.map((table) => tableItem(scope, connection, schema, table));
    },
    first ? "default" : "",
  );
}

function tableItem(scope: server.Scope, connection: Connection, schema: string, table: string) {
  return lazily(table, async () => {
    const { columns = [] } = await server.getTable(scope, connection.name, schema, table);
    // The tables of a package's own DuckDB are its files.
    const key = connection.type === "duckdb" ? table : `${schema}.${table}`;
    const last =
      table
        .split("/")
        .at(-1)
        ?.replace(/\.\w+$/, "") ?? table;
    const line = `source: ${ident(last)} is ${ident(connection.name)}.table(${text(key)})`;
    return [
      h(
        "div",
        { className: "code line" },
        h("pre", {}, h("code", {}, line)),
        copyButton(() => line, "the source line"),
      ),
      h("p", { className: "hint" }, count(columns.length, "column")),
      h(
        "ul",
        { className: "columns" },
        ...columns.map(({ name, type }) =>
          h("li", {}, h("code", {}, name), h("span", { className: "type" }, type)),
        ),
      ),
    ];
  });
}

/** Something that is read when it is opened. */
function lazily(title: string, read: () => Promise<HTMLElement[]>, mark = ""): HTMLElement {
  const inner = h("div", { className: "lazy" });
  const details = h(
    "details",
    { className: "browse" },
    h("summary", {}, title, mark !== "" && badge(mark, "plain")),
    inner,
  );
  let asked = false;
  details.addEventListener("toggle", async () => {
    if (!details.open || asked) return;
    asked = true;
    replace(inner, working("Reading"));
    try {
      const found = await read();
      replace(
        inner,
        ...(found.length > 0 ? found : [h("p", { className: "hint" }, "Nothing here.")]),
      );
    } catch (error) {
      asked = false;
      replace(inner, toldBox(tell(error)));
    }
  });
  return details;
}
