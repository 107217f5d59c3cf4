/** View definitions by key (`TYPE.NAMESPACE`), as the server sent them, ready to be made into elements. */

import { compile, type Compiled } from "./compile.ts";

export interface Viewdef extends Compiled {
  readonly key: string;
  readonly html: string;
}

export class Viewdefs {
  readonly #known = new Map<string, Viewdef>();

  /** Takes new or changed definitions and gives them. */
  take(text: string): Viewdef[] {
    const all = JSON.parse(text) as Record<string, string>;
    const changed = Object.entries(all).filter(
      ([key, html]) => this.#known.get(key)?.html !== html,
    );
    return changed.map(([key, html]) => {
      const viewdef: Viewdef = { key, html, ...compile(templateOf(html)) };
      this.#known.set(key, viewdef);
      return viewdef;
    });
  }

  /** The definition for an object of this type: that of the namespace, of the fallback, or the default one. */
  find(type: string, namespace: string, fallback: string): Viewdef | undefined {
    for (const name of [namespace, fallback, "DEFAULT"]) {
      const found = name && this.#known.get(`${type}.${name}`);
      if (found) return found;
    }
    return undefined;
  }
}

/** The content of the `<template>` that a definition is; of all of it when there is none. */
function templateOf(html: string): DocumentFragment {
  const outer = document.createElement("template");
  outer.innerHTML = html;
  const first = outer.content.firstElementChild;
  return first instanceof HTMLTemplateElement ? first.content : outer.content;
}
