/** Shoelace, bit by bit: components when their tag is first seen, icons when one is first shown, all from our own server. */

import { COMPONENTS } from "./components.ts";

/** Set by the build: the folder of the icons. */
declare const ICONS: string;

/** Longer than any component takes on a sane line; what is shown then is plain, but it is shown. */
const PATIENCE_MS = 1_500;

const asked = new Map<string, Promise<unknown>>();
let library: Promise<unknown> | undefined;

/** Loads the components among `tags`; `undefined` when there is nothing to wait for. */
export function loadComponents(tags: Iterable<string>): Promise<void> | undefined {
  const missing = [...tags].filter((tag) => tag in COMPONENTS && !customElements.get(tag));
  if (missing.length === 0) return undefined;
  const all = missing.map(load);
  const late = new Promise((done) => setTimeout(done, PATIENCE_MS));
  return Promise.race([Promise.all(all), late]).then(() => undefined);
}

function load(tag: string): Promise<unknown> {
  const known = asked.get(tag);
  if (known) return known;
  library ??= import("@shoelace-style/shoelace/dist/components/icon/library.js").then(ownIcons);
  const loading = Promise.all([library, COMPONENTS[tag]?.()]).catch((error: unknown) => {
    // The next definition that needs it tries again.
    asked.delete(tag);
    console.error(`<${tag}> could not be loaded: ${String(error)}`);
  });
  asked.set(tag, loading);
  return loading;
}

function ownIcons({
  registerIconLibrary,
}: typeof import("@shoelace-style/shoelace/dist/components/icon/library.js")): void {
  registerIconLibrary("default", {
    // A sheet for each pair of first letters: see `icons` in build-ui.js.
    resolver: (name) => new URL(`${ICONS}${name.slice(0, 2)}.svg#${name}`, import.meta.url).href,
    spriteSheet: true,
  });
}

/** Light or dark as the system says, unless the project's page has chosen. */
export function followTheme(root: HTMLElement): void {
  const { classList } = root;
  if (classList.contains("sl-theme-light") || classList.contains("sl-theme-dark")) return;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    classList.toggle("sl-theme-dark", system.matches);
    classList.toggle("sl-theme-light", !system.matches);
  };
  system.addEventListener("change", apply);
  apply();
}
