/** The publisher's page: packages of Malloy models, looked at, run and asked, live as files and queries change. */

import { byId, h, replace } from "../kit/dom.ts";
import { header } from "../kit/header.ts";
import { applyTheme } from "../kit/theme.ts";
import { toast } from "../kit/toast.ts";
import { Home } from "./panels/home.ts";
import { Live, type Feed } from "./state/live.ts";
import { hashOf, isSameDocument, placeOf, type Place } from "./state/place.ts";
import type { Change } from "./state/types.ts";
import { working, type Desk, type View } from "./view.ts";

applyTheme();

const WORDS: Record<Feed, [state: string, text: string]> = {
  connecting: ["", "Connecting"],
  live: ["well", "Live"],
  lost: ["ill", "Not answering"],
};

const LINKS: [label: string, place: Place][] = [
  ["Packages", { view: "home" }],
  ["History", { view: "history" }],
  ["Connections", { view: "connections" }],
  ["API", { view: "api" }],
];

const pill = h("span", { className: "pill", id: "connection", role: "status" });
const main = byId("app");
const banner = h(
  "p",
  { className: "notice bad lost", role: "status", hidden: true },
  h("b", {}, "The server does not answer. "),
  "What you see is as it was; it goes on by itself when the server is back.",
);
const content = h("div", { className: "content" });
main.append(banner, content);

const links = LINKS.map(([label, place]) => h("a", { href: hashOf(place) }, label));
const nav = h("nav", { className: "pages", "aria-label": "Pages" }, ...links);

let shown: View | undefined;
let place: Place | undefined;
/** Counts what was asked for, so that a part that comes late does not take another's place. */
let turn = 0;

const live = new Live({
  feed,
  state: () => shown?.state?.(),
  changed,
});
const desk: Desk = { live, remember };

replace(byId("bar"), header("../", "Publisher", nav, pill));
document.body.prepend(skipLink());
addEventListener("hashchange", () => void show(true));
void show(false);

/** Shows what the address names. `moved` says that the person went there. */
async function show(moved: boolean): Promise<void> {
  const next = placeOf(location.hash);
  if (shown && place && isSameDocument(place, next)) {
    place = next;
    return shown.go(next);
  }
  turn += 1;
  const own = turn;
  shown?.close();
  shown = undefined;
  place = next;
  mark(next);
  const late = setTimeout(() => own === turn && replace(content, working("Loading")), 300);
  const view = await viewOf(next);
  clearTimeout(late);
  if (own !== turn) return view.close();
  shown = view;
  replace(content, view.element);
  if (!moved) return;
  scrollTo({ top: 0, behavior: "instant" });
  // Who reads by ear or goes by keyboard goes on where the new document begins.
  main.focus({ preventScroll: true });
}

/** The home page is here at once; what is behind it is loaded when somebody goes there. */
async function viewOf(next: Place): Promise<View> {
  switch (next.view) {
    case "package":
      return new (await import("./panels/package.ts")).PackageView(desk, next);
    case "model":
      return new (await import("./panels/model.ts")).ModelView(desk, next);
    case "notebook":
      return new (await import("./panels/notebook.ts")).NotebookView(desk, next);
    case "explore":
      return new (await import("./explore/explorer.ts")).Explorer(desk, next);
    case "history":
      return new (await import("./panels/history.ts")).HistoryView(desk);
    case "connections":
      return new (await import("./panels/connections.ts")).ConnectionsView(desk, next);
    case "api":
      return new (await import("./panels/api.ts")).ApiView(desk);
    default:
      return new Home(desk, next);
  }
}

function mark(next: Place): void {
  LINKS.forEach(([, { view }], n) => {
    const own =
      view === "home" ? !["history", "connections", "api"].includes(next.view) : view === next.view;
    if (own) links[n]?.setAttribute("aria-current", next.view === view ? "page" : "true");
    else links[n]?.removeAttribute("aria-current");
  });
}

/** The address follows what is done; going back would undo single clicks, so it is no new entry. */
function remember(next: Place): void {
  place = next;
  history.replaceState(null, "", hashOf(next));
}

function changed(change: Change | undefined): void {
  shown?.changed(change);
  if (!change) return;
  const name = change.package ?? change.project ?? "";
  if (change.kind === "package_loaded") toast("Loaded", `package ${name}`, name);
  if (change.kind === "package_failed") toast("Does not compile", `package ${name}`, name);
}

function feed(now: Feed): void {
  [pill.dataset["state"], pill.textContent] = WORDS[now];
  banner.hidden = now !== "lost";
}

function skipLink(): HTMLElement {
  const skip = h("a", { className: "skip", href: "#app" }, "Skip to the content");
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });
  return skip;
}
