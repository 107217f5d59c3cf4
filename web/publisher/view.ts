/** What the parts of the page share. */

import { h } from "../kit/dom.ts";
import type { Live } from "./state/live.ts";
import { hashOf, type Place } from "./state/place.ts";
import type { Change } from "./state/types.ts";

/** One document on show. */
export interface View {
  readonly element: HTMLElement;
  /** The same document, at another place in it. */
  go(place: Place): void;
  /** Something happened on the server; `undefined` means that anything may have. */
  changed(change: Change | undefined): void;
  /** The lists of projects and packages are others now. */
  state?(): void;
  close(): void;
}

export interface Desk {
  readonly live: Live;
  /** Puts a place into the address without leaving what is shown. */
  readonly remember: (place: Place) => void;
}

/** What the tab of the browser says. */
export function entitle(...names: string[]): void {
  document.title = [...names, "Publisher"].filter(Boolean).join(" · ");
}

/** Whether a change is about this package. */
export function concerns(change: Change | undefined, project: string, name: string): boolean {
  if (!change) return true;
  if (change.kind === "query") return false;
  return change.project === project && (change.package === undefined || change.package === name);
}

/** Where one is: each part leads to itself. */
export function crumbs(...parts: [label: string, place: Place | undefined][]): HTMLElement {
  return h(
    "nav",
    { className: "crumbs", "aria-label": "Where this is" },
    ...parts.flatMap(([label, place], n) => [
      n > 0 ? h("span", { "aria-hidden": "true" }, "/") : null,
      place ? h("a", { href: hashOf(place) }, label) : h("span", {}, label),
    ]),
  );
}

/** A name that breaks where its words do. */
export function breakable(name: string): (string | HTMLElement)[] {
  return name.split(/(?<=_)/).flatMap((part, n) => (n > 0 ? [h("wbr"), part] : [part]));
}

export function badge(text: string, kind: string, title = ""): HTMLElement {
  return h("span", { className: "badge", "data-kind": kind, title: title || null }, text);
}

/** Work of unknown length; seen only when it takes longer than a moment. */
export function working(words: string): HTMLElement {
  return h(
    "div",
    { className: "waiting", role: "status" },
    h("span", { className: "working" }),
    h("span", {}, words),
  );
}
