/** The universe page: choose a universe, see it live, change it by commands as an agent would. */

import { explain } from "../kit/api.ts";
import { byId, h, replace } from "../kit/dom.ts";
import { header } from "../kit/header.ts";
import { applyTheme } from "../kit/theme.ts";
import { shortcuts } from "./panels/shortcuts.ts";
import { Shell } from "./panels/shell.ts";
import { Universes } from "./panels/universes.ts";
import { Stage } from "./stage.ts";
import { listUniverses } from "./state/server.ts";
import type { Connection } from "./state/session.ts";
import type { Listed } from "./state/types.ts";

applyTheme();

/** The list has no feed; what others create or delete shows within this time. */
const LIST_EVERY_MS = 10_000;
const WORDS: Record<Connection, [state: string, text: string]> = {
  connecting: ["", "Connecting"],
  live: ["well", "Live"],
  lost: ["ill", "Not answering"],
};

const pill = h("span", { className: "pill", id: "connection", hidden: true, role: "status" });
replace(byId("bar"), header("../", "Universe simulator", pill));
const shell = new Shell(byId("app"));
const side = new Universes((id) => open(id));
shell.put("universes", side.element);

let universes: Listed[] = [];
let stage: Stage | undefined;

addEventListener("hashchange", () => show());
document.addEventListener("visibilitychange", () => void refreshList());
setInterval(() => void refreshList(), LIST_EVERY_MS);
shortcuts(() => stage);
void refreshList().then(show);

/** What tests and curious people may look at. Nothing here changes anything. */
Object.assign(window, {
  __universe: {
    positionOf: (id: string) => stage?.positionOf(id) ?? null,
    spotOf: (id: string) => stage?.view?.spotOf(id) ?? null,
    time: () => stage?.now() ?? 0,
    revision: () => stage?.session.revision ?? 0,
    cost: () => stage?.view?.cost() ?? null,
    drawNow: () => stage?.view?.drawNow() ?? null,
  },
});

/** Goes to a universe; the address names it, so it can be linked to and gone back to. */
function open(id: string): void {
  location.hash = id;
  void refreshList();
}

function show(): void {
  const named = decodeURIComponent(location.hash.slice(1));
  const id = named || universes[0]?.id;
  side.show(universes, id ?? "");
  shell.show(named ? "explore" : "universes", false);
  if (id !== undefined && id === stage?.session.id) return;
  stage?.close();
  stage = undefined;
  pill.hidden = id === undefined;
  if (id === undefined) return invite();
  stage = new Stage(shell, id, {
    connection: (state) => {
      [pill.dataset["state"], pill.textContent] = WORDS[state];
    },
    gone: () => void leave(),
    renamed: () => void refreshList(),
    opened: open,
  });
}

/** The universe on show is gone: say so, and offer the others. */
async function leave(): Promise<void> {
  stage?.close();
  stage = undefined;
  pill.hidden = true;
  // Without an event: the list decides what comes next.
  history.replaceState(null, "", location.pathname + location.search);
  shell.show("universes");
  replace(
    shell.middle,
    h(
      "p",
      { className: "notice", role: "status" },
      "This universe is no longer there. Choose another one, or create one.",
    ),
  );
  await refreshList();
}

function invite(): void {
  shell.show("universes");
  replace(
    shell.middle,
    h(
      "div",
      { className: "notice invite" },
      h("h1", {}, "No universe yet"),
      h(
        "p",
        { className: "hint" },
        "Create or generate one here, or ask a connected agent to. Whatever either of you does shows at once.",
      ),
    ),
  );
}

async function refreshList(): Promise<void> {
  if (document.hidden) return;
  try {
    const empty = universes.length === 0;
    universes = await listUniverses();
    side.show(universes, stage?.session.id ?? "");
    // The first universe, made by anyone, is what an empty page waits for.
    if (empty && !stage && universes.length > 0) show();
  } catch (error) {
    side.fail(explain(error));
  }
}
