/**
 * `ui-value`: the value of an element, both ways where people can edit it.
 *
 * What the server says is shown, unless the person is in the middle of an edit and the server only repeats what it said before, or
 * what this element sent earlier. What it really changed is shown always.
 */

import type { Variable } from "../state/variable.ts";
import { isSame, type Value } from "../state/wire.ts";
import { Binding, markError } from "./binding.ts";
import type { Spec } from "./compile.ts";
import { kindOf, type Kind } from "./elements.ts";
import type { Stage } from "./stage.ts";

/** How long our own values are remembered, to recognise them when they come back. */
const ECHO_MS = 2_000;

export class ValueBinding extends Binding {
  readonly #kind: Kind;
  /** What the element held when it was last shown or sent. */
  #settled: Value | undefined;
  /** What the server has, as far as is known here. */
  #said: Value | undefined;
  #sent: { value: Value; at: number }[] = [];
  #epoch: number;

  constructor(stage: Stage, element: Element, spec: Spec, key: string) {
    const kind = kindOf(element);
    super(stage, element, spec, key, { access: usualAccess(kind, spec) });
    this.#kind = kind;
    this.#settled = kind.read(element);
    this.#epoch = stage.store.epoch;
    stage.values.set(element, this);
    if (this.access === "r") return;
    this.#listen();
    // Which line is chosen can only be shown when the line is there.
    if (element.localName === "select" || element.localName === "sl-select") this.#watchLines();
  }

  changed(variable: Variable): void {
    markError(this.element, variable.error);
    const { value } = variable;
    if (value === undefined || !variable.isReadable) return;
    const isNews = this.#isNews(value);
    this.#said = value;
    if (isNews || !this.#isBeingEdited()) this.#show(value);
  }

  /** Sends what is in the element, if that is not known yet. */
  flush(): void {
    const value = this.#kind.read(this.element);
    if (this.access === "r" || value === undefined || isSame(value, this.#settled)) return;
    this.#send(value);
  }

  /** Takes over a value from a script of the project, or what the script put into the element. */
  update(value: Value | undefined): void {
    if (value !== undefined) this.#show(value);
    const now = value === undefined ? this.#kind.read(this.element) : value;
    if (now !== undefined && this.access !== "r") this.#send(now);
  }

  /** Goes on with an edit that was begun in an element that this one replaces. */
  takeEdit(from: ValueBinding): boolean {
    if (!from.isEdited || !this.#kind.isEditable) return false;
    const value = from.#kind.read(from.element);
    if (value === undefined) return false;
    this.#kind.show(this.element, value);
    return true;
  }

  /** Whether the element holds something that was not sent. */
  get isEdited(): boolean {
    const now = this.#kind.read(this.element);
    return now !== undefined && this.access !== "r" && !isSame(now, this.#settled);
  }

  /** Whether the server changed its mind: not what it said before, nor what it was told from here, nor what a new server begins with. */
  #isNews(value: Value): boolean {
    const { epoch } = this.stage.store;
    const isFirst = epoch !== this.#epoch;
    this.#epoch = epoch;
    const since = performance.now() - ECHO_MS;
    this.#sent = this.#sent.filter(({ at }) => at > since);
    const isEcho = this.#sent.some((sent) => isSame(sent.value, value));
    return !isFirst && !isEcho && !isSame(value, this.#said);
  }

  #isBeingEdited(): boolean {
    return this.isEdited && this.element.matches(":focus, :focus-within");
  }

  #show(value: Value): void {
    this.#kind.show(this.element, value);
    this.#settled = this.#kind.read(this.element);
    if (!this.spec.path.flags.has("scrollOnOutput")) return;
    this.element.scrollTop = this.element.scrollHeight;
  }

  #send(value: Value): void {
    const { variable } = this;
    if (!variable) return;
    this.#settled = this.#kind.read(this.element);
    this.#said = value;
    this.#sent.push({ value, at: performance.now() });
    this.stage.store.userEvent(() => this.stage.store.write(variable, value));
  }

  #listen(): void {
    const { commits, inputs, isEditable } = this.#kind;
    const events = this.spec.path.flags.has("keypress") ? [...commits, ...inputs] : commits;
    for (const name of events) {
      this.element.addEventListener(name, (event) => {
        // Shoelace's components are made of others, whose events pass by here.
        if (this.stage.isMoving || event.target !== this.element) return;
        if ((event as InputEvent).isComposing) return;
        // Another radio of the group takes the choice away without a word.
        if ((this.element as HTMLInputElement).type === "radio") this.#settled = undefined;
        if (isEditable) this.flush();
        else this.#send(((event as CustomEvent).detail as { value?: Value } | null)?.value ?? null);
      });
    }
  }

  #watchLines(): void {
    const again = () => {
      const value = this.variable?.value;
      if (value !== undefined) this.#show(value);
    };
    const all = { childList: true, subtree: true, attributes: true, attributeFilter: ["value"] };
    new MutationObserver(again).observe(this.element, { ...all, characterData: true });
  }
}

function usualAccess(kind: Kind, { path }: Spec): string {
  if (path.ending === "setter") return "w";
  return kind.isEditable && path.ending === "field" ? "rw" : "r";
}
