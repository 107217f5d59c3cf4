/** Copying to the clipboard, with a button that says whether it worked. */

import { h } from "./dom.ts";

/** A button that copies what `text` gives at the moment of the click. `what` completes "Copy …" for screen readers. */
export function copyButton(text: () => string, what: string, label = "Copy"): HTMLButtonElement {
  const button = h("button", { className: "copy", type: "button" }, label);
  button.setAttribute("aria-label", `Copy ${what}`);
  button.setAttribute("aria-live", "polite");
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (word: string, state: string) => {
    button.textContent = word;
    button.dataset["state"] = state;
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = label;
      delete button.dataset["state"];
    }, 2000);
  };
  button.addEventListener("click", () => {
    copy(text()).then(
      () => show("Copied", "done"),
      () => show("Select and copy", "failed"),
    );
  });
  return button;
}

async function copy(text: string): Promise<void> {
  // The clipboard interface exists only on https and loopback; the old way serves the rest.
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = h("textarea", { value: text, className: "visually-hidden", readOnly: true });
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("the browser refused to copy");
}
