/** The home page: what is running, is it well, and how to connect an agent to it. */

import { h, byId, replace } from "../kit/dom.ts";
import { header } from "../kit/header.ts";
import { applyTheme } from "../kit/theme.ts";
import { card } from "./cards.ts";
import { connectPanel } from "./connect.ts";
import { duration, summary, watch, type Seen, type Status } from "./status.ts";

applyTheme();

const pill = h("span", { className: "pill", id: "summary" }, "Looking");
replace(byId("bar"), header("./", null, pill));
const showPanel = connectPanel(byId("panel"));
watch(show);

let lastCards = "";
let lastNotice = "";

function show(seen: Seen): void {
  document.body.dataset["server"] = seen.kind;
  if (seen.kind === "status") {
    showStatus(seen.status);
  } else {
    pill.dataset["state"] = "ill";
    pill.textContent = seen.kind === "locked" ? "Locked" : "Not answering";
  }
  showNotice(seen);
}

function showStatus(status: Status): void {
  const { state, text } = summary(status);
  pill.dataset["state"] = state;
  pill.textContent = text;
  showPanel(status);
  showCards(status);
  replace(
    byId("footer"),
    h("span", {}, `Tandem ${status.version}, up ${duration(status.uptime_seconds)}`),
    ...["health", "ready", "metrics", "api/status"].map((path) =>
      h("a", { href: path }, `/${path}`),
    ),
  );
}

/** Redraws only on change, so that focus and selection survive the polling. */
function showCards(status: Status): void {
  const key = JSON.stringify(status.applications);
  if (key === lastCards) return;
  lastCards = key;
  const cards = byId("cards");
  cards.setAttribute("aria-busy", "false");
  const none = h("li", { className: "notice" }, "No application is running in this server.");
  replace(cards, ...(status.applications.length > 0 ? status.applications.map(card) : [none]));
}

function showNotice(seen: Seen): void {
  const [words, link] = notice(seen);
  if (words === lastNotice) return;
  lastNotice = words;
  replace(byId("notice"), words !== "" && h("p", { className: "notice bad" }, words, link));
}

/** What a person has to know before anything else, if there is something. */
function notice(seen: Seen): [words: string, link?: HTMLElement] {
  switch (seen.kind) {
    case "locked":
      // Loading the page again leads to the server's own form for the token.
      return ["This server wants its token. ", h("a", { href: "./" }, "Enter it again")];
    case "gone":
      return [
        `Tandem cannot be reached: ${seen.why}. This page keeps trying and comes back by itself.`,
      ];
    case "status":
      return [
        seen.status.store?.status === "ill" ? `Storage is ill: ${seen.status.store.reason}` : "",
      ];
  }
}
