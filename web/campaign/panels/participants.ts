/** Who sits at the table. A seat can be given a token: whoever has it speaks for that seat, and nobody else. */

import { copyButton } from "../../kit/copy.ts";
import { h, replace } from "../../kit/dom.ts";
import { attempt, type Desk } from "../desk.ts";
import { Keyed } from "../../kit/keyed.ts";
import { invitation } from "../state/seat.ts";
import type { Participant, Role, Table } from "../state/types.ts";
import { badge, controllerBadge } from "./badges.ts";
import { ask, choice, chosen, field, present } from "./fields.ts";

export class Participants {
  readonly element: HTMLElement;
  readonly #list: Keyed<Participant>;
  readonly #none = h("p", { className: "hint empty" }, "No one sits here yet.");
  readonly #guard = h("p", { className: "hint guard" });
  readonly #problem = h("p", { className: "error", role: "alert" });

  constructor(desk: Desk) {
    const list = h("ul", { className: "people" });
    this.#list = new Keyed<Participant>(
      list,
      ({ id }) => id,
      (participant) => new Line(desk, participant, (text) => (this.#problem.textContent = text)),
    );
    const add = h(
      "button",
      { type: "button", className: "button small changes", onclick: () => join(desk) },
      "Add participant",
    );
    this.element = h(
      "section",
      { className: "panel participants", "aria-label": "Participants" },
      h("div", { className: "panel-head" }, h("h2", {}, "At the table"), add),
      this.#none,
      list,
      this.#guard,
      this.#problem,
    );
  }

  show(table: Table): void {
    this.#none.hidden = table.participants.length > 0;
    this.#list.show(table.participants);
    this.#guard.textContent = table.guarded
      ? "Guarded: the GM changes things, players act for their own actors, everybody may watch."
      : "Open: everybody here may change everything. Invite a GM with a token to guard the table.";
  }
}

class Line {
  readonly element: HTMLElement;
  readonly #name = h("strong", {});
  readonly #badges = h("span", { className: "badges" });

  constructor(desk: Desk, { id, display_name, role }: Participant, say: (problem: string) => void) {
    const invite = h("button", { type: "button", className: "link changes" }, "Invite");
    invite.setAttribute("aria-label", `Invite ${display_name}`);
    invite.addEventListener("click", () => {
      void attempt(desk, async () => {
        const guards = role === "GM" && desk.table()?.guarded === false;
        const { token } = await desk.server.issueToken(id);
        // Whoever issues a token for the seat they sit on keeps sitting there.
        if (desk.seat.participant === id) desk.seat.hold(id, token);
        showInvitation(desk, { name: display_name, id, token, guards });
      }).then((refused) => say(refused ?? ""));
    });
    this.element = h("li", { "data-participant": id }, this.#name, this.#badges, invite);
  }

  show(participant: Participant): void {
    this.#name.textContent = participant.display_name;
    const role = participant.role === "GM" ? badge("GM", "gm") : badge("Player", "player");
    replace(this.#badges, role, controllerBadge(participant));
  }
}

interface Invitation {
  name: string;
  id: string;
  token: string;
  /** Whether this token is the one that closes the table to everybody else. */
  guards: boolean;
}

/** The token is kept nowhere, so this is the only time it can be seen. */
function showInvitation(desk: Desk, { name, id, token, guards }: Invitation): void {
  const link = invitation(location.href, desk.server.id, id, token);
  const button = (text: string, does: () => void) =>
    h("button", { type: "button", className: "button", onclick: does }, text);
  const shown = (label: string, text: string) =>
    field(label, h("input", { value: text, readOnly: true, className: "secret" }));
  const sit = button("Sit here myself", () => {
    desk.seat.hold(id, token);
    desk.seated();
    dialog.close();
  });
  sit.hidden = desk.seat.participant === id;
  const dialog = present(
    `Invitation for ${name}`,
    h(
      "div",
      { className: "invitation" },
      h("h2", {}, `Invitation for ${name}`),
      h(
        "p",
        {},
        "Shown once. Whoever opens the link speaks as ",
        h("strong", {}, name),
        "; an agent takes the token. A new invitation replaces this one.",
      ),
      guards &&
        h(
          "p",
          { className: "guards" },
          "From now on the table is guarded: only whoever has a token of a GM may change everything.",
        ),
      shown("Link", link),
      shown("Token", token),
      h(
        "div",
        { className: "row" },
        copyButton(() => link, "the link", "Copy link"),
        copyButton(() => token, "the token", "Copy token"),
        sit,
        button("Done", () => dialog.close()),
      ),
    ),
  );
}

function join(desk: Desk): void {
  const name = h("input", { autocomplete: "off", autofocus: true });
  const role = choice(
    "Role",
    "participant-role",
    [
      ["PLAYER", "Player"],
      ["GM", "GM"],
    ],
    "PLAYER",
  );
  const controller = choice(
    "Who is it",
    "participant-controller",
    [
      ["HUMAN", "A person"],
      ["AI", "An AI"],
    ],
    "HUMAN",
  );
  ask({
    title: "Add a participant",
    content: [field("Name", name), role, controller],
    yes: "Add",
    submit: () =>
      attempt(desk, () =>
        desk.server.join({
          display_name: name.value,
          role: chosen(role) as Role,
          controller: chosen(controller) as "HUMAN" | "AI",
        }),
      ),
  });
}
