/** What has to be done for a change, in its groups, with what is done ticked. */

import { h, replace } from "../../kit/dom.ts";
import type { Change, Issue, Task } from "../state/types.ts";
import { line } from "../../kit/text/draw.ts";
import { flash } from "./fresh.ts";
import { issueList } from "./issues.ts";

export class Tasks {
  readonly element = h("div", { className: "tasks" });
  #shown = "";
  #known = new Map<string, string>();

  show(tasks: Change["tasks"], issues: readonly Issue[]): void {
    const now = JSON.stringify([tasks.items, issues]);
    if (now === this.#shown) return;
    const isNew = this.#shown === "";
    this.#shown = now;
    const at = new Map<number, Issue[]>();
    const others: Issue[] = [];
    for (const issue of issues) {
      const task = tasks.items.find((item) => item.line === issue.line);
      if (task) at.set(task.line, [...(at.get(task.line) ?? []), issue]);
      else others.push(issue);
    }
    const known = this.#known;
    this.#known = new Map();
    const draw = (task: Task) => {
      const item = drawTask(task, at.get(task.line) ?? []);
      const key = `${task.number ?? ""} ${task.text}`;
      this.#known.set(key, String(task.done));
      if (!isNew && known.get(key) !== String(task.done)) flash(item);
      return item;
    };
    replace(
      this.element,
      issueList(others),
      ...groups(tasks.items).map(([name, items]) => drawGroup(name, items, draw)),
      tasks.items.length === 0 && h("p", { className: "hint" }, "No task yet."),
    );
  }
}

/** Tasks that follow each other under one heading. */
export function groups(items: readonly Task[]): [name: string, items: Task[]][] {
  const found: [string, Task[]][] = [];
  for (const item of items) {
    const name = item.group ?? "";
    const last = found.at(-1);
    if (last && last[0] === name) last[1].push(item);
    else found.push([name, [item]]);
  }
  return found;
}

function drawGroup(name: string, items: Task[], draw: (task: Task) => HTMLElement): HTMLElement {
  const done = items.filter((task) => task.done).length;
  return h(
    "section",
    { className: "task-group" },
    name !== "" &&
      h("h3", {}, ...line(name), h("span", { className: "count" }, `${done}/${items.length}`)),
    h("ul", {}, ...items.map(draw)),
  );
}

function drawTask(task: Task, issues: Issue[]): HTMLElement {
  const box = h("span", { className: "box", "data-done": String(task.done) }, task.done ? "✓" : "");
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", task.done ? "done" : "open");
  return h(
    "li",
    { className: "task", "data-done": String(task.done) },
    box,
    task.number ? h("span", { className: "task-number" }, task.number) : null,
    h("span", { className: "task-text" }, ...line(task.text)),
    issueList(issues),
  );
}
