/** What was asked, by people, programs and agents, the newest first, live. */

import { h } from "../../kit/dom.ts";
import { Keyed, type Item } from "../../kit/keyed.ts";
import { Reader } from "../../kit/reader.ts";
import { hashOf } from "../state/place.ts";
import { listHistory } from "../state/server.ts";
import { toldOf, type Asked, type Change } from "../state/types.ts";
import { clock, count, milliseconds } from "../state/words.ts";
import { badge, entitle, type Desk, type View } from "../view.ts";
import { coloured } from "./code.ts";

const MOST = 100;

export class HistoryView implements View {
  readonly element: HTMLElement;
  readonly #none = h("p", { className: "notice", role: "status" }, "Nothing has been asked yet.");
  readonly #list = h("ol", { className: "history" });
  readonly #items: Keyed<Asked>;
  readonly #reader: Reader<Asked[]>;

  constructor(_: Desk) {
    entitle("History");
    this.#items = new Keyed(
      this.#list,
      ({ id }) => String(id),
      (asked) => new Line(asked),
    );
    this.#none.hidden = true;
    this.element = h(
      "div",
      { className: "doc" },
      h(
        "header",
        { className: "doc-head" },
        h("h1", { tabIndex: -1 }, "History"),
        h(
          "p",
          { className: "lead" },
          "Every query that this server was asked, by people, by agents and by programs, as it happens.",
        ),
      ),
      this.#none,
      this.#list,
    );
    this.#reader = new Reader(
      () => listHistory(MOST),
      (all) => {
        this.#none.hidden = all.length > 0;
        this.#items.show(all);
      },
      () => undefined,
    );
    this.#reader.ask();
  }

  go(): void {
    // There is one place only.
  }

  changed(change: Change | undefined): void {
    if (!change || change.kind === "query") this.#reader.ask();
  }

  close(): void {
    this.#reader.close();
  }
}

class Line implements Item<Asked> {
  readonly element: HTMLElement;

  constructor(asked: Asked) {
    const { project, package: name, modelPath: path } = asked;
    const error = toldOf(asked.error);
    const caller = callerOf(asked.caller);
    const by = byOf(asked);
    this.element = h(
      "li",
      { className: "card asked", "data-by": by },
      h(
        "div",
        { className: "asked-head" },
        badge(BY[by], by),
        h("span", { className: "way" }, wayOf(asked.surface)),
        caller !== "" && h("span", {}, caller),
        h("time", {}, clock(asked.at)),
        h("a", { href: hashOf({ view: "model", project, name, path }) }, `${name}/${path}`),
        asked.cell !== undefined && h("span", { className: "count" }, `cell ${asked.cell + 1}`),
        error
          ? badge("Error", "error")
          : h("span", { className: "count" }, count(asked.rows ?? 0, "row")),
        asked.elapsedMs !== undefined &&
          h("span", { className: "count" }, milliseconds(asked.elapsedMs)),
        asked.cached === true && h("span", { className: "count" }, "cached"),
        h(
          "a",
          {
            className: "button small",
            href: hashOf({ view: "explore", project, name, path, query: asked.malloy }),
          },
          "Explore",
        ),
      ),
      h(
        "pre",
        { className: "asked-text", tabIndex: 0 },
        h("code", {}, ...coloured(asked.malloy.trim(), "malloy")),
      ),
      error ? h("p", { className: "asked-error" }, error.message.split("\n")[0] ?? "") : null,
    );
  }

  show(): void {
    // What was asked does not change.
  }
}

/** A name, where the caller has one that says more than nothing. */
function callerOf(caller: unknown): string {
  const from =
    typeof caller === "object" && caller !== null ? (caller as Record<string, unknown>) : {};
  const name = [caller, from["name"], from["id"], from["kind"]].find(
    (each) => typeof each === "string",
  );
  return name === undefined || /^(anonymous|local)$/i.test(name as string) ? "" : (name as string);
}

type By = "person" | "agent" | "program";

const BY: Record<By, string> = { person: "Person", agent: "Agent", program: "Program" };

function byOf({ by, surface }: Asked): By {
  if (by === "person" || by === "agent" || by === "program") return by;
  return surface === "mcp" ? "agent" : surface === "rest" ? "program" : "person";
}

/** The way in which it was asked, in words. */
function wayOf(surface: string | undefined): string {
  const words: Record<string, string> = {
    page: "on the page",
    cli: "in a terminal",
    mcp: "over MCP",
    rest: "over HTTP",
  };
  return words[surface ?? "rest"] ?? surface ?? "";
}
