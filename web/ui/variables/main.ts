/** `/debug/variables`: every variable of a session as a tree that keeps itself up to date. Text goes in as text, whatever it holds. */

import "@shoelace-style/shoelace/dist/components/tree/tree.js";
import "@shoelace-style/shoelace/dist/components/tree-item/tree-item.js";
import { byId, h, replace } from "../../kit/dom.ts";
import { addressesOf, placeOf } from "../page/place.ts";
import { followTheme } from "../page/shoelace.ts";
import {
  cut,
  errorText,
  otherProperties,
  treeOf,
  valueText,
  type Line,
  type Listed,
} from "./rows.ts";

const EVERY_MS = 1_000;
/** Below this depth branches are open at first. */
const OPEN = 3;

followTheme(document.documentElement);
const place = placeOf(document, location.pathname);
const address = addressesOf(place, location.origin);
const items = new Map<number, HTMLElement>();
const tree = document.createElement("sl-tree");
const status = h("span", { id: "status", role: "status" });
const live = h("input", { type: "checkbox", id: "live", checked: true });
const filter = h("input", {
  type: "search",
  id: "filter",
  placeholder: "Filter",
  "aria-label": "Filter",
});
const refresh = h("button", { type: "button", id: "refresh" }, "Refresh");
let lastText = "";

replace(
  byId("head"),
  h("h1", {}, `Variables of session ${place.session}`),
  status,
  h("span", { className: "spacer" }),
  filter,
  h("label", {}, live, " Live"),
  refresh,
  h("a", { href: address.page }, "Open the app"),
);
byId("tree").append(tree);
document.title = `Variables of session ${place.session}`;
refresh.addEventListener("click", () => void load());
filter.addEventListener("input", applyFilter);
setInterval(() => {
  if (live.checked && document.visibilityState === "visible") void load();
}, EVERY_MS);
void load();

async function load(): Promise<void> {
  try {
    const response = await fetch(address.variables, { cache: "no-store" });
    if (response.status === 404) return say(`Session ${place.session} is not there.`, "bad");
    if (!response.ok) return say(`The server answered ${response.status}.`, "bad");
    const text = await response.text();
    const count = response.headers.get("x-change-count");
    // What did not change is not drawn again, so that a selection stays.
    if (text !== lastText) show(JSON.parse(text) as Listed[]);
    lastText = text;
    say(`${items.size} variables${count ? `, ${count} changes` : ""}`, "");
  } catch {
    say("The server does not answer.", "bad");
  }
}

function say(words: string, state: string): void {
  if (status.textContent !== words) status.textContent = words;
  status.dataset["state"] = state;
}

function show(listed: Listed[]): void {
  const known = new Set(listed.map(({ id }) => id));
  for (const [id, item] of items) {
    if (known.has(id)) continue;
    item.remove();
    items.delete(id);
  }
  arrange(tree, treeOf(listed), 0);
  applyFilter();
}

/** Puts `lines` into `parent`, reusing items, so that what is open stays open. */
function arrange(parent: Element, lines: Line[], depth: number): void {
  let before: Element | null = null;
  for (const line of [...lines].reverse()) {
    const item = itemOf(line, depth);
    if (item.parentElement !== parent || item.nextElementSibling !== before) {
      parent.insertBefore(item, before);
    }
    before = item;
    arrange(item, line.children, depth + 1);
  }
}

function itemOf(line: Line, depth: number): HTMLElement {
  const found = items.get(line.id);
  const item = found ?? document.createElement("sl-tree-item");
  if (!found) {
    items.set(line.id, item);
    item.id = `var-${line.id}`;
    if (depth < OPEN) item.setAttribute("expanded", "");
  }
  const label = labelOf(line);
  const old = item.querySelector(":scope > .line");
  if (!old) item.prepend(label);
  else if (old.innerHTML !== label.innerHTML) old.replaceWith(label);
  return item;
}

function labelOf(line: Line): HTMLElement {
  const value = valueText(line.value);
  const error = errorText(line.error);
  const { changeCount = 0 } = line;
  return h(
    "span",
    { className: "line" },
    h("span", { className: "id" }, `#${line.id}`),
    line.type && h("b", { className: "type" }, line.type),
    line.path && h("code", { className: "path" }, line.path),
    value && h("code", { className: "value", title: value }, cut(value)),
    ...otherProperties(line).map(([name, text]) =>
      h("span", { className: "property", title: text }, `${name}=${cut(text)}`),
    ),
    changeCount > 1 && h("span", { className: "changes" }, `${changeCount}×`),
    error && h("span", { className: "error", role: "alert" }, error),
  );
}

/** Hides what neither matches nor leads to a match. */
function applyFilter(): void {
  const wanted = filter.value.trim().toLowerCase();
  for (const item of items.values()) {
    const text = item.textContent?.toLowerCase() ?? "";
    item.hidden = wanted !== "" && !text.includes(wanted);
  }
}
