/** What a change would do to the main specs, requirement by requirement, as a diff. */

import { h, replace } from "../../kit/dom.ts";
import { Keyed } from "../../kit/keyed.ts";
import { keysOf } from "../state/outline.ts";
import { hashOf } from "../state/place.ts";
import type { CapabilityDiff, Diff, Issue, RequirementDiff } from "../state/types.ts";
import { obstacles, sentence } from "../state/words.ts";
import { line } from "../../kit/text/draw.ts";
import { badge, operationBadge } from "./badges.ts";
import { diffTable, type Mode } from "./diff-table.ts";
import { bring, flash } from "./fresh.ts";
import { issueList } from "./issues.ts";

/** From this width on two columns are wide enough to be read. */
const WIDE = matchMedia("(min-width: 70rem)");

interface ShownCapability {
  diff: CapabilityDiff;
  issues: Issue[];
}

export class Deltas {
  readonly element: HTMLElement;
  readonly #refusal = h("div", {});
  readonly #none = h("p", { className: "hint", hidden: true }, "It has no delta yet.");
  readonly #switch = h("div", { className: "segments", role: "group" });
  readonly #capabilities: Keyed<ShownCapability>;
  readonly #blocks = new Set<Block>();
  /** What the person wants where there is room for both. */
  #wanted: Mode = "split";

  constructor() {
    const list = h("div", { className: "capabilities" });
    this.#capabilities = new Keyed<ShownCapability>(
      list,
      ({ diff }) => diff.capability,
      ({ diff }) => new Capability(diff.capability, this.#blocks, () => this.#mode()),
    );
    this.#switch.setAttribute("aria-label", "How to show the diff");
    for (const [mode, words] of [
      ["split", "Side by side"],
      ["unified", "Unified"],
    ] as const) {
      const button = h(
        "button",
        { type: "button", className: "segment", "data-mode": mode },
        words,
      );
      button.addEventListener("click", () => {
        this.#wanted = mode;
        this.#redraw();
      });
      this.#switch.append(button);
    }
    WIDE.addEventListener("change", () => this.#redraw());
    this.element = h("div", { className: "deltas" }, this.#refusal, this.#switch, this.#none, list);
    this.#redraw();
  }

  show(diff: Diff, issues: readonly Issue[]): void {
    const { capabilities } = diff;
    const found = obstacles(diff);
    replace(
      this.#refusal,
      found.length > 0 &&
        h(
          "div",
          { className: "notice bad refusal" },
          h("p", {}, h("b", {}, "It cannot be applied as it is.")),
          ...found.map(({ error, hint }) =>
            h("p", {}, ...line(`${sentence(error)} ${sentence(hint ?? "")}`.trim())),
          ),
        ),
    );
    this.#none.hidden = capabilities.length > 0;
    this.#switch.hidden = capabilities.length === 0;
    this.#capabilities.show(
      capabilities.map((each) => ({
        diff: each,
        issues: issues.filter(({ file }) => file.endsWith(`specs/${each.capability}/spec.md`)),
      })),
    );
  }

  /** Brings a requirement into sight. */
  go(requirement: string): void {
    for (const block of this.#blocks) {
      if (block.names(requirement)) return bring(block.element);
    }
  }

  #mode(): Mode {
    return WIDE.matches ? this.#wanted : "unified";
  }

  #redraw(): void {
    for (const button of this.#switch.querySelectorAll<HTMLElement>("button")) {
      button.setAttribute("aria-pressed", String(button.dataset["mode"] === this.#wanted));
    }
    for (const block of this.#blocks) block.draw();
  }
}

class Capability {
  readonly element: HTMLElement;
  readonly #capability: string;
  readonly #facts = h("span", { className: "badges" });
  readonly #issues = h("div", {});
  readonly #requirements: Keyed<RequirementDiff & { key: string }>;

  constructor(capability: string, blocks: Set<Block>, mode: () => Mode) {
    this.#capability = capability;
    const list = h("div", { className: "delta-list" });
    this.#requirements = new Keyed<RequirementDiff & { key: string }>(
      list,
      ({ key }) => key,
      () => new Block(blocks, mode),
    );
    const href = hashOf({ view: "spec", id: capability });
    this.element = h(
      "section",
      { className: "capability card", "data-capability": capability },
      h(
        "header",
        { className: "capability-head" },
        h("h3", {}, h("a", { href }, capability)),
        this.#facts,
      ),
      this.#issues,
      list,
    );
    this.element.setAttribute("aria-label", `Deltas of ${capability}`);
  }

  show({ diff, issues }: ShownCapability): void {
    replace(this.#facts, diff.new && badge("New spec", "added", `${this.#capability} is made`));
    replace(this.#issues, issueList(issues));
    const keys = keysOf(
      diff.requirements.map((each) => ({ name: `${each.operation} ${each.name}` })),
    );
    this.#requirements.show(
      diff.requirements.map((each, n) => ({ ...each, key: keys[n] ?? each.name })),
    );
  }
}

/** One requirement of a delta. */
class Block {
  readonly element = h("article", { className: "delta" });
  readonly #mode: () => Mode;
  readonly #head = h("header", { className: "delta-head" });
  readonly #body = h("div", { className: "delta-body" });
  #diff: RequirementDiff | undefined;
  #drawn = "";

  constructor(all: Set<Block>, mode: () => Mode) {
    this.#mode = mode;
    all.add(this);
    this.element.append(this.#head, this.#body);
  }

  names(requirement: string): boolean {
    const { name, from } = this.#diff ?? {};
    return this.element.isConnected && [name, from].includes(requirement);
  }

  show(diff: RequirementDiff): void {
    const isNew = this.#diff === undefined;
    const changed = JSON.stringify(diff) !== JSON.stringify(this.#diff);
    this.#diff = diff;
    if (!changed) return;
    const renamed = diff.from !== undefined;
    replace(
      this.#head,
      operationBadge(diff.operation),
      h(
        "h4",
        {},
        ...(renamed
          ? [h("s", {}, diff.from), " ", h("span", { "aria-hidden": "true" }, "→"), " ", diff.name]
          : [diff.name]),
      ),
    );
    this.element.dataset["key"] = diff.name;
    this.draw();
    if (!isNew) flash(this.element);
  }

  /** Draws the lines, unless they are drawn so already. */
  draw(): void {
    if (!this.#diff) return;
    const { lines, operation, name } = this.#diff;
    const now = this.#mode() + JSON.stringify(lines);
    if (now === this.#drawn) return;
    this.#drawn = now;
    replace(
      this.#body,
      lines.length > 0
        ? diffTable(lines, this.#mode(), `${operation}: ${name}`)
        : h("p", { className: "hint" }, "The text stays as it is."),
    );
  }
}
