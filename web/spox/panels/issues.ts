/** What validation found: the code, what is wrong, and what to write instead. */

import { h } from "../../kit/dom.ts";
import { hashOf, type Place } from "../state/place.ts";
import type { Issue } from "../state/types.ts";
import { sentence } from "../state/words.ts";
import { line } from "../../kit/text/draw.ts";

const WORDS: Record<Issue["severity"], string> = {
  error: "Error",
  warning: "Warning",
  info: "Note",
};

/** One issue. `place` is where its line can be seen; `here` says that it stands right there. */
export function issueNote(issue: Issue, place?: Place | "here"): HTMLElement {
  const { severity, code, description, fix, file, line: at } = issue;
  const where = at === undefined ? file : `${file}:${at}`;
  return h(
    "div",
    { className: "issue", "data-severity": severity, "data-code": code },
    h(
      "p",
      { className: "issue-head" },
      h("span", { className: "issue-kind" }, WORDS[severity]),
      h("code", { className: "issue-code" }, code),
      place === "here" ? null : whereabouts(where, place),
    ),
    h("p", { className: "issue-text" }, ...line(sentence(description))),
    fix ? h("p", { className: "issue-fix" }, h("b", {}, "Fix: "), ...line(sentence(fix))) : null,
  );
}

function whereabouts(where: string, place: Place | undefined): HTMLElement {
  const className = "issue-where";
  if (!place) return h("span", { className }, where);
  return h("a", { className, href: hashOf(place) }, where);
}

/** A list of issues, `null` when there are none. */
export function issueList(
  issues: readonly Issue[],
  placeOf: (issue: Issue) => Place | undefined = () => undefined,
): HTMLElement | null {
  if (issues.length === 0) return null;
  const items = issues.map((issue) => h("li", {}, issueNote(issue, placeOf(issue))));
  return h("ul", { className: "issues", "aria-label": "What validation found" }, ...items);
}
