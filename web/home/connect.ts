/** The panel with the client configuration: client, transport and scope in, text to paste out. */

import { copyButton } from "../kit/copy.ts";
import { h, replace } from "../kit/dom.ts";
import { clients, type Snippet, type Target, type Transport } from "./clients.ts";
import type { Status } from "./status.ts";

const TRANSPORTS: { id: Transport; label: string; about: string }[] = [
  {
    id: "http",
    label: "HTTP",
    about: "Joins this running server, so you and the agent share the live state.",
  },
  {
    id: "stdio",
    label: "stdio",
    about: "The client starts its own Tandem program and stops it when done.",
  },
];

/** Draws the panel once; the function it gives brings it up to date, keeping what the person chose. */
export function connectPanel(parent: HTMLElement): (status: Status) => void {
  const chosen = { client: "claude-code", transport: "http" as Transport, scope: "" };
  let status: Status | undefined;
  let shown = "";

  const code = h("code", {});
  const where = h("span", {});
  const note = h("p", { className: "hint" });
  const about = h("p", { className: "hint" });
  const scope = h("select", { id: "scope" });

  const draw = () => {
    if (!status) return;
    const snippet = snippetFor(status, chosen);
    about.textContent = TRANSPORTS.find(({ id }) => id === chosen.transport)?.about ?? "";
    where.textContent = snippet.where;
    code.textContent = snippet.text;
    note.textContent = snippet.note ?? "";
    note.hidden = snippet.note === undefined;
  };
  const choose = (key: "client" | "transport" | "scope", value: string) => {
    Object.assign(chosen, { [key]: value });
    draw();
  };
  scope.addEventListener("change", () => choose("scope", scope.value));

  replace(
    parent,
    h(
      "div",
      { className: "card connect" },
      radios("Client", "client", clients, chosen.client, choose),
      h(
        "div",
        { className: "connect-options" },
        radios("Transport", "transport", TRANSPORTS, chosen.transport, choose),
        h("div", { className: "field" }, h("label", { htmlFor: "scope" }, "Applications"), scope),
      ),
      about,
      h(
        "div",
        { className: "code" },
        h(
          "div",
          { className: "code-head" },
          where,
          copyButton(() => code.textContent, "the configuration"),
        ),
        h("pre", { tabIndex: 0 }, code),
      ),
      note,
    ),
  );

  return (next) => {
    // Uptime changes with every answer; the panel changes only with what it shows.
    const key = JSON.stringify([
      next.auth,
      next.mcp,
      next.applications.map(({ name, mcp }) => [name, mcp]),
    ]);
    if (key === shown) return;
    [status, shown] = [next, key];
    chosen.scope = drawScopes(scope, next, chosen.scope);
    draw();
  };
}

function drawScopes(select: HTMLSelectElement, status: Status, chosen: string): string {
  const options = status.applications.map(({ name, title }) =>
    h("option", { value: name }, `Only ${title}`),
  );
  replace(select, h("option", { value: "" }, "All together"), ...options);
  select.value = chosen;
  // An application that went away falls back to all of them.
  if (select.selectedIndex < 0) select.value = "";
  return select.value;
}

function snippetFor(
  status: Status,
  chosen: { client: string; transport: Transport; scope: string },
): Snippet {
  const app = status.applications.find(({ name }) => name === chosen.scope);
  const target: Target = {
    name: app ? `tandem-${app.name}` : "tandem",
    endpoint: app?.mcp ?? status.mcp,
    transport: chosen.transport,
    token: status.auth.required,
  };
  const client = clients.find(({ id }) => id === chosen.client);
  if (!client) throw new Error(`no client \`${chosen.client}\``);
  return client.snippet(target);
}

/** Choices as one row of buttons: radio buttons underneath, so arrow keys and screen readers work. */
function radios<K extends string>(
  legend: string,
  name: K,
  options: { id: string; label: string }[],
  chosen: string,
  choose: (key: K, value: string) => void,
): HTMLElement {
  const items = options.map(({ id, label }) =>
    h(
      "label",
      { className: "choice" },
      h("input", {
        type: "radio",
        name,
        value: id,
        checked: id === chosen,
        onchange: () => choose(name, id),
      }),
      h("span", {}, label),
    ),
  );
  return h(
    "fieldset",
    { className: "choices" },
    h("legend", {}, legend),
    h("div", { className: "choice-row" }, ...items),
  );
}
