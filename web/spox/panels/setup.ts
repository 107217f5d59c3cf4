/** What stands in for a project that is not set up, and for a server that never answered. */

import { copyButton } from "../../kit/copy.ts";
import { h } from "../../kit/dom.ts";
import type { Project } from "../state/types.ts";
import { sentence } from "../state/words.ts";
import { line } from "../../kit/text/draw.ts";

const COMMAND = "tandem spox init";

export function notConfigured({ name, problem }: Project): HTMLElement {
  return h(
    "section",
    { className: "setup card", "aria-labelledby": "setup-title" },
    h("h1", { id: "setup-title", tabIndex: -1 }, `${name || "This folder"} has no specs set up`),
    h("p", {}, ...line(problem ? sentence(problem.error) : "There is no configuration here.")),
    h("p", {}, ...line(sentence(problem?.hint ?? "run this in the project's folder"))),
    h(
      "div",
      { className: "code" },
      h(
        "div",
        { className: "code-head" },
        h("code", {}, COMMAND),
        copyButton(() => COMMAND, "the command"),
      ),
    ),
    h("p", { className: "hint" }, "This page goes on by itself as soon as it is done."),
  );
}

export function waiting(): HTMLElement {
  return h(
    "section",
    { className: "setup card", "aria-labelledby": "waiting-title" },
    h("h1", { id: "waiting-title", tabIndex: -1 }, "The server does not answer"),
    h("p", {}, "Is it running? This page asks again every second or two and goes on by itself."),
    h(
      "div",
      { className: "code" },
      h(
        "div",
        { className: "code-head" },
        h("code", {}, "tandem spox serve"),
        copyButton(() => "tandem spox serve", "the command"),
      ),
    ),
  );
}
