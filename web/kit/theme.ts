/** Light or dark: what the system says, until the person says otherwise on this machine. */

import { h, replace, svg } from "./dom.ts";

type Theme = "light" | "dark";
const KEY = "tandem.theme";

/** Applies the remembered choice. Called before anything is drawn. */
export function applyTheme(): void {
  const chosen = remembered();
  if (chosen) document.documentElement.dataset["theme"] = chosen;
}

/** A button that switches between light and dark. */
export function themeToggle(): HTMLButtonElement {
  const button = h("button", { className: "icon-button", type: "button" });
  const system = matchMedia("(prefers-color-scheme: dark)");
  const draw = () => {
    const next: Theme = current(system) === "dark" ? "light" : "dark";
    button.title = `Switch to ${next} colours`;
    button.setAttribute("aria-label", button.title);
    replace(button, next === "dark" ? moon() : sun());
  };
  button.addEventListener("click", () => {
    const next: Theme = current(system) === "dark" ? "light" : "dark";
    document.documentElement.dataset["theme"] = next;
    remember(next);
    draw();
  });
  system.addEventListener("change", draw);
  draw();
  return button;
}

function current(system: MediaQueryList): Theme {
  const chosen = document.documentElement.dataset["theme"];
  if (chosen === "light" || chosen === "dark") return chosen;
  return system.matches ? "dark" : "light";
}

// Storage throws where the person has forbidden it; the page then follows the system.
function remembered(): Theme | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The choice then lasts as long as the page.
  }
}

function moon(): SVGElement {
  return icon(svg("path", { d: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z" }));
}

function sun(): SVGElement {
  const rays =
    "M12 2v2.5M12 19.5V22M4.9 4.9l1.8 1.8M17.3 17.3l1.8 1.8M2 12h2.5M19.5 12H22M4.9 19.1l1.8-1.8M17.3 6.7l1.8-1.8";
  return icon(svg("circle", { cx: 12, cy: 12, r: 4.2 }), svg("path", { d: rays }));
}

function icon(...shapes: SVGElement[]): SVGElement {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, ...shapes);
}
