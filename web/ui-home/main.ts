/** The overview of the UI application: which sessions run, who looks at them, how an agent begins one. */

import { explain, request } from "../kit/api.ts";
import { copyButton } from "../kit/copy.ts";
import { byId, h, replace } from "../kit/dom.ts";
import { header } from "../kit/header.ts";
import { Keyed, type Item } from "../kit/keyed.ts";
import { applyTheme } from "../kit/theme.ts";
import { ago, connected, variablesOf, type Session } from "./sessions.ts";

const EVERY_MS = 2_000;

applyTheme();

const pill = h("span", { className: "pill", id: "connection", role: "status" }, "Looking");
const list = h("ul", { className: "sessions" });
const none = h(
  "div",
  { className: "notice", id: "none", hidden: true },
  h("h3", {}, "No session runs"),
  h("p", {}, "An agent opens one with the three calls below. This page notices by itself."),
);
replace(byId("bar"), header("../", "UI", pill));
replace(
  byId("app"),
  h("h1", {}, "Interfaces that an agent builds while you use them"),
  h(
    "p",
    { className: "lead" },
    "The agent writes Lua and HTML, the page shows it at once, and what you do there reaches the agent. All state lives on the server; every tab sees the same.",
  ),
  h("section", {}, h("h2", {}, "Sessions"), list, none),
  h("section", {}, h("h2", {}, "Begin one"), start()),
);

const shown = new Keyed<Session>(list, ({ id, url }) => `${id} ${url}`, card);
void look();
setInterval(() => {
  if (document.visibilityState === "visible") void look();
}, EVERY_MS);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") void look();
});

async function look(): Promise<void> {
  try {
    const { sessions } = await request<{ sessions: Session[] }>("GET", "api/sessions");
    shown.show(sessions);
    none.hidden = sessions.length > 0;
    say("well", sessions.length === 1 ? "1 session" : `${sessions.length} sessions`);
  } catch (error) {
    say("ill", "Not answering");
    pill.title = explain(error);
  }
}

function say(state: string, words: string): void {
  pill.dataset["state"] = state;
  if (pill.textContent !== words) pill.textContent = words;
}

function card(): Item<Session> {
  const title = h("h3", {});
  const people = h("span", { className: "pill" });
  const times = h("p", { className: "hint" });
  const open = h("a", { className: "button primary small" }, "Open");
  const variables = h("a", { className: "button small" }, "Variables");
  const element = h(
    "li",
    { className: "card session" },
    h("div", { className: "session-head" }, title, people),
    times,
    h("p", { className: "row" }, open, variables),
  );
  return {
    element,
    show(session) {
      title.textContent = session.type ? `${session.id}: ${session.type}` : session.id;
      people.textContent = connected(session.connections);
      people.dataset["state"] = session.connections > 0 ? "well" : "";
      const now = Date.now();
      const words = [
        session.started !== undefined && `Started ${ago(session.started, now)}`,
        session.active !== undefined && `last used ${ago(session.active, now)}`,
      ];
      times.textContent = words.filter(Boolean).join(", ");
      open.href = session.url;
      variables.href = variablesOf(session);
      open.setAttribute("aria-label", `Open session ${session.id}`);
      variables.setAttribute("aria-label", `Variables of session ${session.id}`);
    },
  };
}

function start(): HTMLElement {
  const address = new URL("mcp", location.href).href;
  const steps: [words: string, text: string][] = [
    ["Connect an agent to this address", address],
    ["It names a folder for the app", 'ui_configure {"base_dir": "/path/to/app"}'],
    ["It starts the server, which opens session 1", "ui_start {}"],
    ["It builds, looks and builds on", 'ui_run {"code": "return session:getApp()"}'],
  ];
  const own = "tandem ui --mcp";
  return h(
    "div",
    { className: "card steps" },
    h("ol", {}, ...steps.map(([words, text]) => h("li", {}, h("p", {}, words), code(words, text)))),
    h(
      "p",
      { className: "hint" },
      "An agent can also run the program itself, and has the server to itself then:",
    ),
    code("the command", own),
  );
}

function code(words: string, text: string): HTMLElement {
  return h(
    "div",
    { className: "code" },
    h(
      "div",
      { className: "code-head" },
      h("code", {}, text),
      copyButton(() => text, words),
    ),
  );
}
