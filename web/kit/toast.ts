/** Short messages in a corner, for what happened without the person's doing. */

import { h } from "./dom.ts";

const STAY_MS = 4_000;
const MOST = 4;

let corner: HTMLElement | undefined;

/** Shows `text` for a moment. A message of the same `kind` takes the place of the last one, so that bursts stay readable. */
export function toast(text: string, kind: string, detail = ""): void {
  if (!corner) {
    corner = h("div", { className: "toasts", role: "status", "aria-live": "polite" });
    document.body.append(corner);
  }
  const item = h(
    "p",
    { className: "toast" },
    h("strong", {}, text),
    detail && h("span", {}, detail),
  );
  item.dataset["kind"] = kind;
  const same = [...corner.children].find(
    (other) => (other as HTMLElement).dataset["kind"] === kind,
  );
  same?.remove();
  corner.append(item);
  while (corner.children.length > MOST) corner.firstElementChild?.remove();
  setTimeout(() => item.remove(), STAY_MS);
}
