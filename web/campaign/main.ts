/** The campaign page: choose a campaign, sit down at its table, play it together with whoever else is there. */

import { byId, h, replace } from "../kit/dom.ts";
import { header } from "../kit/header.ts";
import { applyTheme } from "../kit/theme.ts";
import { CampaignList } from "./panels/list.ts";
import { Stage } from "./stage.ts";
import type { Connection } from "./state/live.ts";
import { hashOf, placeOf, Seat } from "./state/seat.ts";
import type { Campaign } from "./state/types.ts";

applyTheme();

const WORDS: Record<Connection, [state: string, text: string]> = {
  connecting: ["", "Connecting"],
  live: ["well", "Live"],
  lost: ["ill", "Not answering"],
};

const pill = h("span", { className: "pill", id: "connection", role: "status" });
const all = h("a", { className: "button small all", href: "#", hidden: true }, "All campaigns");
replace(byId("bar"), header("../", "Campaign table", all, pill));
const main = byId("app");

let shown: Stage | CampaignList | undefined;

addEventListener("hashchange", show);
show();

function show(): void {
  const { campaign, seat } = placeOf(location.hash);
  if (campaign !== null && seat) {
    new Seat(campaign).hold(seat.participant, seat.token);
    // The token must not stay where others can read it, nor in the history.
    history.replaceState(null, "", hashOf(campaign));
  }
  if (shown instanceof Stage && shown.id === campaign && !seat) return;
  shown?.close();
  all.hidden = campaign === null;
  connection("connecting");
  if (campaign === null) return list();
  shown = new Stage(campaign, { connection, gone, opened });
  replace(main, shown.element);
}

function list(notice: HTMLElement | null = null): void {
  document.title = "Campaign table";
  shown = new CampaignList(opened, (live) => connection(live ? "live" : "connecting"));
  replace(main, notice, shown.element);
}

function opened({ id }: Campaign): void {
  location.hash = hashOf(id);
}

/** There is no such campaign: say so, and offer the others. */
function gone(): void {
  shown?.close();
  all.hidden = true;
  history.replaceState(null, "", location.pathname + location.search);
  list(
    h(
      "p",
      { className: "notice bad gone", role: "status" },
      "There is no such campaign here. Choose another one, or begin a new one.",
    ),
  );
}

function connection(state: Connection): void {
  [pill.dataset["state"], pill.textContent] = WORDS[state];
}
