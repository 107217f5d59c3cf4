/** The universe page: choose a universe, see it live, change it by commands as an agent would. */

import { explain } from "../kit/api.ts";
import { byId, h, replace } from "../kit/dom.ts";
import { header } from "../kit/header.ts";
import { applyTheme } from "../kit/theme.ts";
import type { Listed } from "./model.ts";
import { listUniverses } from "./server.ts";
import type { Connection, Session } from "./session.ts";
import { sidebar } from "./sidebar.ts";
import { openStage } from "./stage.ts";

applyTheme();

/** The list has no feed; what others create or delete shows within this time. */
const LIST_EVERY_MS = 10_000;
const WORDS: Record<Connection, [state: string, text: string]> = {
  connecting: ["", "Connecting"],
  live: ["well", "Live"],
  lost: ["ill", "Not answering"],
};

const pill = h("span", { className: "pill", id: "connection", hidden: true });
replace(byId("bar"), header("../", "Universe simulator", pill));
const side = sidebar(open);
replace(byId("sidebar"), side.element);

let universes: Listed[] = [];
let session: Session | undefined;

addEventListener("hashchange", () => show());
document.addEventListener("visibilitychange", () => void refreshList());
setInterval(() => void refreshList(), LIST_EVERY_MS);
void refreshList().then(show);

/** Goes to a universe; the address names it, so it can be linked to and gone back to. */
function open(id: string): void {
  location.hash = id;
  void refreshList();
}

function show(): void {
  const id = decodeURIComponent(location.hash.slice(1)) || universes[0]?.id;
  side.show(universes, id ?? "");
  if (id === session?.id) return;
  session?.close();
  session = undefined;
  pill.hidden = id === undefined;
  if (id === undefined) return invite();
  session = openStage(byId("stage"), id, {
    connection: (state) => {
      [pill.dataset["state"], pill.textContent] = WORDS[state];
    },
    gone: () => void leave(),
    renamed: () => void refreshList(),
  });
}

/** The universe on show is gone: say so, and offer the others. */
async function leave(): Promise<void> {
  session?.close();
  session = undefined;
  pill.hidden = true;
  // Without an event: the list decides what comes next.
  history.replaceState(null, "", location.pathname + location.search);
  replace(
    byId("stage"),
    h(
      "p",
      { className: "notice", role: "status" },
      "This universe is no longer there. Choose another one, or create one.",
    ),
  );
  await refreshList();
}

function invite(): void {
  replace(
    byId("stage"),
    h(
      "div",
      { className: "notice invite" },
      h("h1", {}, "No universe yet"),
      h(
        "p",
        { className: "hint" },
        "Create one here, or ask a connected agent to. Whatever either of you does shows at once.",
      ),
    ),
  );
}

async function refreshList(): Promise<void> {
  if (document.hidden) return;
  try {
    const empty = universes.length === 0;
    universes = await listUniverses();
    side.show(universes, session?.id ?? "");
    // The first universe, made by anyone, is what an empty page waits for.
    if (empty && !session && universes.length > 0) show();
  } catch (error) {
    side.fail(explain(error));
  }
}
