/** Keys that work anywhere but where one types. */

import type { Stage } from "../stage.ts";

export function shortcuts(stage: () => Stage | undefined): void {
  addEventListener("keydown", (event) => {
    const on = event.target as HTMLElement;
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const typing = on.matches("input:not([type=checkbox]):not([type=range]), textarea, select");
    if (event.key === "Escape" && !typing) return stage()?.escape();
    if (typing) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      return stage()?.undo(event.shiftKey);
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "f") stage()?.fit();
    if (event.key === "/") {
      event.preventDefault();
      document.getElementById("search")?.focus();
    }
    // On a button the space bar presses the button.
    if (event.key === " " && !on.matches("button, summary, a, [type=checkbox]")) {
      event.preventDefault();
      stage()?.toggleClock();
    }
  });
}
