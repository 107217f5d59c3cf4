/** Building elements without a framework: a page here is a few hundred lines, a call per element is enough. */

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, unknown>;

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. `on…` keys are listeners, keys the element has are properties, the rest are attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), props, children);
}

/** An SVG element; its keys are attributes. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** Puts `children` in place of what `parent` holds. */
export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...children.filter(present).map(node));
}

/** The element with this id. The page's own HTML has it, so a missing one is a mistake of ours. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element \`#${id}\``);
  return found as T;
}

function fill<T extends Element>(element: T, props: Props, children: Child[]): T {
  for (const [key, value] of Object.entries(props)) set(element, key, value);
  element.append(...children.filter(present).map(node));
  return element;
}

function set(element: Element, key: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (key.startsWith("on")) {
    element.addEventListener(key.slice(2), value as EventListener);
  } else if (element instanceof HTMLElement && key in element) {
    (element as unknown as Props)[key] = value;
  } else if (value !== false) {
    element.setAttribute(key, value === true ? "" : String(value));
  }
}

function present(child: Child): child is Node | string | number {
  return child !== null && child !== undefined && child !== false;
}

function node(child: Node | string | number): Node | string {
  return typeof child === "number" ? String(child) : child;
}
