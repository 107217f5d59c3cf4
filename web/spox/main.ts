/** The spox page: the specs of a project and the changes to them, beside the editor, live as files change. */

import { byId, h, replace } from "../kit/dom.ts";
import { header } from "../kit/header.ts";
import { applyTheme } from "../kit/theme.ts";
import { ChangeView } from "./panels/change.ts";
import { Overview } from "./panels/overview.ts";
import { Search } from "./panels/search.ts";
import { notConfigured, waiting } from "./panels/setup.ts";
import { Side } from "./panels/side.ts";
import { SpecView } from "./panels/spec.ts";
import { IndexBuild } from "./state/build.ts";
import { Live, type Connection } from "./state/live.ts";
import { isSameDocument, placeOf, type Place } from "./state/place.ts";
import type { Touched } from "./state/types.ts";
import type { Desk, View } from "./view.ts";

applyTheme();

const WORDS: Record<Connection, [state: string, text: string]> = {
  connecting: ["", "Connecting"],
  live: ["well", "Live"],
  lost: ["ill", "Not answering"],
};

const pill = h("span", { className: "pill", id: "connection", role: "status" });
const main = byId("app");
const shell = byId("shell");
const banner = h(
  "p",
  { className: "notice bad lost", role: "status", hidden: true },
  h("b", {}, "The server does not answer. "),
  "What you see is as it was; it goes on by itself when the server is back.",
);
const content = h("div", { className: "content" });
main.append(banner, content);

const index = new IndexBuild();
const live = new Live({ connection, state, touched });
const desk: Desk = { live, index };
const side = new Side(desk);
const search = new Search(desk);
index.listen(() => {
  if (!index.running) live.refresh();
});

shell.prepend(side.element);
shell.dataset["state"] = "waiting";
replace(byId("bar"), header("../", "Specs", search.element, pill));
document.body.prepend(skipLink());

let shown: View | undefined;
let place: Place | undefined;

addEventListener("hashchange", () => show(true));

/** The project or one of its lists is another. */
function state(): void {
  const { project } = live;
  if (!project) return;
  shell.dataset["state"] = project.configured ? "ready" : "unconfigured";
  if (!project.configured) {
    leave();
    document.title = "Specs";
    return replace(content, notConfigured(project));
  }
  side.show();
  search.state();
  if (shown) shown.state?.();
  else show(false);
}

function touched(what: Touched | undefined): void {
  if (what) side.touched(what);
  shown?.touched(what);
  search.touched(what);
}

/** Shows what the address names. `moved` says that the person went there. */
function show(moved: boolean): void {
  if (!live.project?.configured) return;
  const next = placeOf(location.hash);
  if (shown && place && isSameDocument(place, next)) {
    place = next;
    side.at(next);
    return shown.go(next);
  }
  leave();
  place = next;
  shown = viewOf(next);
  replace(content, shown.element);
  side.at(next);
  if (!moved) return;
  scrollTo({ top: 0, behavior: "instant" });
  // Who reads by ear or goes by keyboard goes on where the new document begins.
  main.focus({ preventScroll: true });
}

function viewOf(next: Place): View {
  if (next.view === "spec") return new SpecView(desk, next);
  if (next.view === "change") return new ChangeView(desk, next);
  return new Overview(desk);
}

function leave(): void {
  shown?.close();
  shown = undefined;
  place = undefined;
}

function connection(now: Connection): void {
  [pill.dataset["state"], pill.textContent] = WORDS[now];
  // Nothing was ever read: there is nothing to look at meanwhile.
  const never = document.getElementById("shell")?.dataset["state"] === "waiting";
  if (now === "lost" && never) replace(content, waiting());
  banner.hidden = now !== "lost" || never;
}

function skipLink(): HTMLElement {
  const skip = h("a", { className: "skip", href: "#app" }, "Skip to the content");
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });
  return skip;
}
