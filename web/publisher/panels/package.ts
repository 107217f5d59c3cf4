/** One package: what it is, its models and notebooks, its data, what is wrong with it. */

import { ApiError } from "../../kit/api.ts";
import { h, replace } from "../../kit/dom.ts";
import { Reader } from "../../kit/reader.ts";
import { prose } from "../../kit/text/draw.ts";
import { toast } from "../../kit/toast.ts";
import { hashOf, type Place } from "../state/place.ts";
import * as server from "../state/server.ts";
import {
  toldOf,
  type Change,
  type Connection,
  type Database,
  type Listed,
  type Package,
  type Schedule,
} from "../state/types.ts";
import { bytes, clock, count, tell } from "../state/words.ts";
import { badge, concerns, crumbs, entitle, working, type Desk, type View } from "../view.ts";
import { connectionCard } from "./connections.ts";
import { missing, staleBox, toldBox } from "./told.ts";

interface Whole {
  own: Package;
  models: Listed[];
  notebooks: Listed[];
  databases: Database[];
  schedules: Schedule[];
  connections: Connection[];
}

type PackagePlace = Extract<Place, { view: "package" }>;

export class PackageView implements View {
  readonly element = h("div", { className: "doc" }, working("Loading the package"));
  readonly #place: PackagePlace;
  readonly #reader: Reader<Whole>;

  constructor(_: Desk, place: PackagePlace) {
    this.#place = place;
    const { project, name } = place;
    entitle(name, project);
    this.#reader = new Reader(
      () => readWhole(project, name),
      (whole) => replace(this.element, ...this.#draw(whole)),
      (error) => {
        const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
        if (!refused) return;
        const words = error.status === 404 ? `There is no package “${name}”` : name;
        replace(this.element, missing(words, tell(error)));
      },
    );
    this.#reader.ask();
  }

  go(): void {
    // There is one place only.
  }

  changed(change: Change | undefined): void {
    if (concerns(change, this.#place.project, this.#place.name)) this.#reader.ask();
  }

  close(): void {
    this.#reader.close();
  }

  #draw({ own, models, notebooks, databases, schedules, connections }: Whole): HTMLElement[] {
    const { project, name } = this.#place;
    const error = toldOf(own.error);
    const stale = toldOf(own.stale);
    const warnings = (own.warnings ?? []).flatMap((each) => toldOf(each) ?? []);
    const parts: (HTMLElement | null)[] = [
      h(
        "header",
        { className: "doc-head" },
        crumbs([project, { view: "home", project }], [name, undefined]),
        h("div", { className: "title-row" }, h("h1", { tabIndex: -1 }, name), this.#reload()),
        own.description && !error ? h("p", { className: "lead" }, own.description) : null,
        h(
          "p",
          { className: "facts" },
          [
            own.version && `version ${own.version}`,
            count(models.filter(({ path }) => !path.endsWith(".malloynb")).length, "model"),
            count(notebooks.length, "notebook"),
            count(databases.length, "data file"),
          ]
            .filter(Boolean)
            .join(" · "),
        ),
      ),
      error ? toldBox(error, "error", this.#at(error)) : null,
      stale ? staleBox(toldBox(stale, "stale", this.#at(stale))) : null,
      ...warnings.map((warning) => toldBox(warning, "warning", this.#at(warning))),
      ...models.flatMap(({ path, error }) => {
        const told = toldOf(error);
        return told ? [toldBox(told, "error", this.#at({ file: path, ...told }))] : [];
      }),
      own.readme?.trim() ? h("section", { className: "readme card" }, prose(own.readme, 2)) : null,
      files(project, name, models, notebooks),
      databases.length > 0 ? dataSection(databases) : null,
      schedules.length > 0 ? scheduleSection(schedules) : null,
      connections.length > 0 ? connectionSection({ project, name }, connections) : null,
    ];
    return parts.filter((part) => part !== null);
  }

  #at({ file, line }: { file?: string; line?: number }): Place | undefined {
    const { project, name } = this.#place;
    if (!file?.endsWith(".malloy")) return undefined;
    return { view: "model", project, name, path: file, text: true, line };
  }

  #reload(): HTMLElement {
    const { project, name } = this.#place;
    const button = h("button", { className: "button small", type: "button" }, "Reload");
    button.title = "Read the files of this package again";
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        await server.reloadPackage(project, name);
        toast("Loaded again", "reload", name);
      } catch (error) {
        toast("Not loaded", "reload", tell(error).message.split("\n")[0]);
      }
      button.disabled = false;
      this.#reader.ask();
    });
    return button;
  }
}

async function readWhole(project: string, name: string): Promise<Whole> {
  const own = await server.getPackage(project, name);
  // A package whose manifest is broken has none of these.
  const none = () => [];
  const [models, notebooks, databases, schedules, connections] = await Promise.all([
    server.listModels(project, name).catch(none),
    server.listNotebooks(project, name).catch(none),
    server.listDatabases(project, name).catch(none),
    server.listSchedules(project, name).catch(none),
    server.listConnections({ project, name }).catch(none),
  ]);
  return { own, models, notebooks, databases, schedules, connections };
}

interface Folder {
  folders: Map<string, Folder>;
  files: { label: string; place: Place; state: string }[];
}

/** Models and notebooks as the tree of folders that they are. */
function files(project: string, name: string, models: Listed[], notebooks: Listed[]): HTMLElement {
  const books = new Set(notebooks.map(({ path }) => path));
  const all = [...notebooks, ...models.filter(({ path }) => !books.has(path))];
  const root: Folder = { folders: new Map(), files: [] };
  for (const { path, error, stale } of all) {
    const parts = path.split("/");
    let at = root;
    for (const part of parts.slice(0, -1)) {
      const next = at.folders.get(part) ?? { folders: new Map(), files: [] };
      at.folders.set(part, next);
      at = next;
    }
    const view = path.endsWith(".malloynb") ? ("notebook" as const) : ("model" as const);
    const place: Place = { view, project, name, path };
    const state = toldOf(error) ? "error" : toldOf(stale) ? "stale" : "well";
    at.files.push({ label: parts.at(-1) ?? path, place, state });
  }
  return h(
    "section",
    { className: "files", "aria-labelledby": "files-title" },
    h("h2", { id: "files-title" }, "Models and notebooks"),
    all.length > 0 ? tree(root) : h("p", { className: "hint" }, "No models yet."),
  );
}

function tree({ folders, files }: Folder): HTMLElement {
  return h(
    "ul",
    { className: "tree" },
    ...files.map(({ label, place, state }) =>
      h(
        "li",
        {},
        h(
          "a",
          { className: "file", href: hashOf(place), "data-kind": place.view },
          h("span", { className: "file-name" }, label),
          h("span", { className: "file-kind" }, place.view === "notebook" ? "Notebook" : "Model"),
          state === "error" ? badge("Error", "error") : null,
          state === "stale" ? badge("Stale", "warning") : null,
        ),
      ),
    ),
    ...[...folders].map(([name, inner]) =>
      h("li", {}, h("details", { open: true }, h("summary", {}, `${name}/`), tree(inner))),
    ),
  );
}

function dataSection(databases: Database[]): HTMLElement {
  return h(
    "section",
    { className: "data", "aria-labelledby": "data-title" },
    h("h2", { id: "data-title" }, "Data"),
    h(
      "div",
      { className: "data-list" },
      ...databases.map(({ path, size, info }) => {
        const columns = info?.columns ?? [];
        return h(
          "details",
          { className: "data-file" },
          h(
            "summary",
            {},
            h("code", {}, path),
            h(
              "span",
              { className: "data-facts" },
              [
                info?.rowCount !== undefined && count(info.rowCount, "row"),
                columns.length > 0 && count(columns.length, "column"),
                bytes(size),
              ]
                .filter(Boolean)
                .join(" · "),
            ),
          ),
          h(
            "ul",
            { className: "columns" },
            ...columns.map(({ name, type }) =>
              h("li", {}, h("code", {}, name), h("span", { className: "type" }, type)),
            ),
          ),
        );
      }),
    ),
  );
}

function connectionSection(scope: server.Scope, connections: Connection[]): HTMLElement {
  return h(
    "section",
    { className: "connection-list", "aria-labelledby": "connections-title" },
    h("h2", { id: "connections-title" }, "Connections"),
    ...connections.map((connection) => connectionCard(scope, connection)),
  );
}

function scheduleSection(schedules: Schedule[]): HTMLElement {
  const head = ["What", "When", "Action", "Connection", "Last run"];
  return h(
    "section",
    { "aria-labelledby": "schedules-title" },
    h("h2", { id: "schedules-title" }, "Schedules"),
    h(
      "div",
      { className: "grid-scroll", tabIndex: 0 },
      h(
        "table",
        { className: "grid" },
        h("thead", {}, h("tr", {}, ...head.map((word) => h("th", { scope: "col" }, word)))),
        ...schedules.map((each) => {
          const ran = each.lastRunTime ? clock(each.lastRunTime) : "never";
          const status = each.lastRunStatus === "unknown" ? "" : ` (${each.lastRunStatus ?? ""})`;
          const cells = [each.resource, each.schedule, each.action, each.connection, ran + status];
          return h("tbody", {}, h("tr", {}, ...cells.map((cell) => h("td", {}, cell))));
        }),
      ),
    ),
  );
}
