/** The two decisions about a change: to approve it, and to archive it once it is done. Each says first what it will write. */

import { ApiError } from "../../kit/api.ts";
import { agreed } from "../../kit/dialog.ts";
import { h, replace } from "../../kit/dom.ts";
import { hashOf } from "../state/place.ts";
import { approveChange, archiveChange } from "../state/server.ts";
import type { AppliedSpec, Archived, Change, Diff, Operation } from "../state/types.ts";
import { count, deltaWords, obstacles, sentence, tell } from "../state/words.ts";
import { line } from "../../kit/text/draw.ts";

export class Decide {
  readonly element: HTMLElement;
  /** What came of the last attempt. It stays when the change is gone. */
  readonly outcome = h("div", { className: "outcome", role: "status" });
  readonly #approve = h("button", { type: "button", className: "button" }, "Approve");
  readonly #archive = h("button", { type: "button", className: "button primary" }, "Archive");
  #change: Change | undefined;
  #diff: Diff | undefined;

  constructor() {
    this.#approve.addEventListener("click", () => void this.#askApprove());
    this.#archive.addEventListener("click", () => void this.#askArchive(false));
    this.element = h("div", { className: "decide row" }, this.#approve, this.#archive);
  }

  show(change: Change, diff: Diff | undefined): void {
    this.#change = change;
    this.#diff = diff;
    this.#approve.textContent = change.approved ? "Approve again" : "Approve";
  }

  async #askApprove(): Promise<void> {
    const change = this.#change;
    if (!change) return;
    const content = h(
      "div",
      { className: "will-write" },
      h("p", {}, "This records in the change's folder that you approved it, with the time."),
      h("p", {}, "The specs stay as they are until the change is archived."),
    );
    if (!(await agreed(`Approve “${change.title}”?`, content, "Approve"))) return;
    await this.#attempt("Not approved.", async () => {
      await approveChange(change.change_id);
      replace(this.outcome);
    });
  }

  async #askArchive(force: boolean): Promise<void> {
    const change = this.#change;
    if (!change) return;
    const question = force
      ? `Archive “${change.title}” all the same?`
      : `Archive “${change.title}”?`;
    const yes = force ? "Archive all the same" : "Archive";
    if (!(await agreed(question, willWrite(change, this.#diff), yes))) return;
    await this.#attempt(
      "Not archived.",
      async () => replace(this.outcome, archived(await archiveChange(change.change_id, force))),
      force ? undefined : () => void this.#askArchive(true),
    );
  }

  async #attempt(failed: string, doing: () => Promise<void>, force?: () => void): Promise<void> {
    this.#approve.disabled = this.#archive.disabled = true;
    try {
      await doing();
    } catch (error) {
      const { said, hint } = tell(error);
      // The server says what can be passed over, such as open tasks; what is wrong has to be mended.
      const canForce =
        force && error instanceof ApiError && error.status === 409 && /\bforce\b/.test(hint);
      replace(
        this.outcome,
        h(
          "div",
          { className: "notice bad refusal" },
          h("p", {}, h("b", {}, `${failed} `), ...line(said)),
          hint !== "" && h("p", {}, ...line(hint)),
          canForce &&
            h(
              "button",
              { type: "button", className: "button small", onclick: force },
              "Archive all the same",
            ),
        ),
      );
    } finally {
      this.#approve.disabled = this.#archive.disabled = false;
    }
  }
}

/** What archiving writes, file by file. */
function willWrite(change: Change, diff: Diff | undefined): HTMLElement {
  const lines = Object.values(change.deltas).map(({ capability, items }) => {
    const counts: Partial<Record<Operation, number>> = {};
    for (const { operation } of items) counts[operation] = (counts[operation] ?? 0) + 1;
    const isNew = diff?.capabilities.some((each) => each.capability === capability && each.new);
    const does = deltaWords(counts);
    return h("li", {}, h("code", {}, capability), isNew ? `: a new spec, ${does}` : `: ${does}`);
  });
  const open = change.tasks.total - change.tasks.completed;
  return h(
    "div",
    { className: "will-write" },
    h("p", {}, "This writes, all of it or nothing:"),
    h(
      "ul",
      {},
      ...lines,
      h("li", {}, h("code", {}, change.change_id), " moves to the archive, under today's date"),
    ),
    open > 0 &&
      h(
        "p",
        { className: "warned" },
        `${count(open, "task")} of it ${open === 1 ? "is" : "are"} still open.`,
      ),
    ...(diff ? obstacles(diff) : []).map(({ error }) =>
      h("p", { className: "error" }, ...line(sentence(error))),
    ),
  );
}

/** What archiving did. */
function archived({ change_id, archived_to, specs }: Archived): HTMLElement {
  return h(
    "div",
    { className: "notice done" },
    h(
      "p",
      {},
      h("b", {}, "Archived. "),
      h("code", {}, change_id),
      " is now ",
      h("code", {}, archived_to),
    ),
    h(
      "ul",
      {},
      ...specs.map(({ capability, steps }) =>
        h(
          "li",
          {},
          h("a", { href: hashOf({ view: "spec", id: capability }) }, capability),
          ": ",
          ...line(
            steps
              .filter((step) => !step.already_done)
              .map(inWords)
              .join(", ") || "unchanged",
          ),
        ),
      ),
    ),
    ...specs
      .flatMap(({ warnings }) => warnings)
      .map((warning) => h("p", { className: "warned" }, ...line(sentence(warning)))),
  );
}

function inWords({ operation, requirement }: AppliedSpec["steps"][number]): string {
  return `${operation} ${requirement}`;
}
