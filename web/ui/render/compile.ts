/**
 * A view definition is looked through once: where its bindings are and what they say. Making a view of it is then a clone and
 * a list of places, which is what long lists live from.
 */

import { parsePath, type Path } from "../state/path.ts";

export type Family =
  | "value"
  | "text"
  | "attr"
  | "class"
  | "style"
  | "html"
  | "code"
  | "action"
  | "event"
  | "keypress"
  | "view"
  | "list";

/** One binding as it is written. */
export interface Spec {
  family: Family;
  /** What follows the family in the attribute's name: the attribute, class, property, event or key. */
  detail: string;
  path: Path;
  /** The attribute as it is written, to recognise it in another version of the definition. */
  written: string;
}

/** An element that has bindings. */
export interface Spot {
  /** Which child to take at each level, from the top of the template. */
  steps: number[];
  specs: Spec[];
  /** All attributes, to recognise the place in another version of the definition. */
  written: string;
  /** The nearest `ui-namespace` around it within the definition. */
  namespace: string;
  /** Wrapper for the items of a list. */
  itemWrapper: string;
  /** What an item of a list is made from. */
  pattern: Element | null;
}

export interface Compiled {
  content: DocumentFragment;
  spots: Spot[];
  /** Component tags that occur. */
  tags: Set<string>;
  /** What the author will want to know. */
  mistakes: string[];
}

const SIMPLE: Record<string, Family> = {
  "ui-value": "value",
  "ui-text": "text",
  "ui-html": "html",
  "ui-content": "html",
  "ui-code": "code",
  "ui-action": "action",
  "ui-view": "view",
  "ui-viewlist": "list",
};
const PREFIXED: [prefix: string, family: Family][] = [
  ["ui-attr-", "attr"],
  ["ui-class-", "class"],
  ["ui-style-", "style"],
  ["ui-event-keypress-", "keypress"],
  ["ui-event-", "event"],
];
/** Attributes that are no bindings: said to the renderer, or written by it. */
const OTHER = new Set([
  "ui-app",
  "ui-namespace",
  "ui-item-wrapper",
  "ui-viewdef",
  "ui-error-code",
  "ui-error-description",
]);

export function compile(content: DocumentFragment): Compiled {
  const compiled: Compiled = { content, spots: [], tags: new Set(), mistakes: [] };
  for (const node of [...content.childNodes]) {
    // White space between the roots would be counted as content of the view.
    if (node.nodeType === Node.TEXT_NODE && node.textContent?.trim() === "") node.remove();
    if (node.nodeType === Node.COMMENT_NODE) node.remove();
  }
  walk(content, [], "", compiled);
  return compiled;
}

function walk(parent: ParentNode & Node, at: number[], namespace: string, into: Compiled): void {
  parent.childNodes.forEach((node, index) => {
    if (!(node instanceof Element)) return;
    const steps = [...at, index];
    const inner = node.getAttribute("ui-namespace") ?? namespace;
    if (node.localName.includes("-")) into.tags.add(node.localName);
    const specs = specsOf(node, into.mistakes);
    const isView = specs.some(({ family }) => family === "view");
    const isList = specs.some(({ family }) => family === "list");
    const spot: Spot = {
      steps,
      specs,
      written: [...node.attributes].map(({ name, value }) => `${name}="${value}"`).join(" "),
      namespace: inner,
      itemWrapper: node.getAttribute("ui-item-wrapper") ?? "",
      pattern: null,
    };
    if (isView || isList) {
      // What is inside is a pattern or nothing; it comes from the objects.
      if (isList) spot.pattern = node.firstElementChild;
      for (const one of node.querySelectorAll("*")) {
        if (one.localName.includes("-")) into.tags.add(one.localName);
      }
      node.replaceChildren();
    }
    if (specs.length > 0) into.spots.push(spot);
    if (!isView && !isList) walk(node, steps, inner, into);
  });
}

/** The bindings of one element, in the order in which they are written. */
export function specsOf(element: Element, mistakes: string[] = []): Spec[] {
  const specs: Spec[] = [];
  for (const { name, value } of element.attributes) {
    if (!name.startsWith("ui-") || OTHER.has(name)) continue;
    const found = familyOf(name);
    if (found) {
      specs.push({ ...found, path: parsePath(value), written: `${name}="${value}"` });
    } else {
      mistakes.push(`\`${name}="${value}"\` is no binding${hint(name)}`);
    }
  }
  return specs;
}

function familyOf(name: string): { family: Family; detail: string } | undefined {
  const simple = SIMPLE[name];
  if (simple) return { family: simple, detail: "" };
  for (const [prefix, family] of PREFIXED) {
    if (name.startsWith(prefix) && name.length > prefix.length) {
      return { family, detail: name.slice(prefix.length) };
    }
  }
  return undefined;
}

function hint(name: string): string {
  const families: Record<string, string> = {
    "ui-class": 'ui-class-NAME="path"',
    "ui-style": 'ui-style-PROPERTY="path"',
    "ui-attr": 'ui-attr-NAME="path"',
    "ui-event": 'ui-event-EVENT="method()"',
  };
  const right = families[name];
  return right ? `; write \`${right}\`` : "";
}
