/** One universe on show: the sky, the clock, the form and the table, wired to its session. */

import { explain } from "../kit/api.ts";
import { asked, confirmed } from "../kit/dialog.ts";
import { h, replace } from "../kit/dom.ts";
import { toast } from "../kit/toast.ts";
import { bodiesTable } from "./bodies.ts";
import { Editor } from "./editor.ts";
import type { Command, Star, State, Universe } from "./model.ts";
import { deleteUniverse, renameUniverse } from "./server.ts";
import { Session, type Connection } from "./session.ts";
import { Sky } from "./sky.ts";

export interface StageEvents {
  connection(state: Connection): void;
  /** It is no longer there. */
  gone(): void;
  /** Its name may have changed. */
  renamed(): void;
}

/** Fills `parent` with the universe `id`; the session it gives is to be closed before the next. */
export function openStage(parent: HTMLElement, id: string, events: StageEvents): Session {
  const title = h("h1", {}, "…");
  const count = h("span", { className: "hint" });
  const time = h("output", { className: "time" }, "0");
  const problem = h("p", { className: "error", role: "alert" });
  const say = (why: string | null) => (problem.textContent = why ?? "");
  let universe: Universe | undefined;

  const edit = (star: Star | undefined) => star && editor.edit(star);
  const sky = new Sky((star) => edit(universe?.state.stars[star]));
  const editor = new Editor((command) => session.send(command));
  const table = bodiesTable({
    edit,
    remove: async (star, below) => {
      const detail = below > 0 ? `What orbits it goes too: ${below} more.` : "Nothing orbits it.";
      if (!(await confirmed(`Remove ${star.name}?`, detail, "Remove"))) return;
      say(await session.send({ type: "removeStar", id: star.id }));
    },
  });

  const session = new Session(id, {
    changed: (next) => {
      if (universe?.name !== next.name) {
        title.textContent = next.name;
        events.renamed();
      }
      const same = universe?.state.stars === next.state.stars;
      universe = next;
      time.textContent = next.state.time.toLocaleString("en", { maximumFractionDigits: 3 });
      sky.show(next.state);
      if (same) return;
      const bodies = Object.keys(next.state.stars).length;
      count.textContent = bodies === 1 ? "1 body" : `${bodies} bodies`;
      editor.show(next.state);
      table.show(next.state);
    },
    command: (command, own, before) => {
      toast(command.type, own ? "own" : command.type, describe(command, own, before));
    },
    connection: events.connection,
    gone: events.gone,
  });

  const rename = async () => {
    const name = await asked("Rename the universe", universe?.name ?? "", "Rename");
    if (name === null) return;
    await renameUniverse(id, name).then(
      () => say(null),
      (error: unknown) => say(explain(error)),
    );
  };
  const remove = async () => {
    const name = universe?.name ?? "this universe";
    if (!(await confirmed(`Delete ${name}?`, "All its bodies go with it, for everyone.", "Delete")))
      return;
    await deleteUniverse(id).then(events.gone, (error: unknown) => say(explain(error)));
  };

  replace(
    parent,
    h(
      "div",
      { className: "stage-head" },
      title,
      count,
      h("span", { className: "spacer" }),
      h("button", { type: "button", className: "button small", onclick: rename }, "Rename"),
      h("button", { type: "button", className: "button small danger", onclick: remove }, "Delete"),
    ),
    problem,
    h(
      "div",
      { className: "stage" },
      h(
        "section",
        { className: "card view", "aria-label": "View" },
        sky.element,
        clock(time, (dt) => session.send({ type: "tick", dt })),
      ),
      h("section", { className: "card", "aria-label": "Editor" }, editor.element),
    ),
    h("section", { className: "card", "aria-label": "Bodies" }, table.element),
  );
  return session;
}

/** The universe's time and the form that moves it. */
function clock(time: HTMLElement, tick: (dt: number) => Promise<string | null>): HTMLElement {
  const input = h("input", { id: "dt", type: "number", step: "any", value: "1" });
  const error = h("p", { className: "error", role: "alert" });
  const form = h(
    "form",
    { className: "clock", noValidate: true },
    h("span", { className: "time-label" }, "Time ", time, " s"),
    h("span", { className: "spacer" }),
    h("label", { htmlFor: "dt" }, "Seconds"),
    input,
    h("button", { className: "button primary small" }, "Tick"),
    error,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    error.textContent = "";
    const dt = Number(input.value);
    if (input.value === "" || !Number.isFinite(dt)) {
      error.textContent = "Seconds must be a number";
      return;
    }
    void tick(dt).then((why) => (error.textContent = why ?? ""));
  });
  return form;
}

/** What a command did, and by whom. */
function describe(command: Command, own: boolean, before: State): string {
  const who = own ? "by you" : "by someone else";
  if (command.type === "tick") return `${command.dt ?? 1} s ${who}`;
  const payload = "payload" in command ? command.payload : undefined;
  const id = "id" in command ? command.id : "";
  const name = payload?.name ?? before.stars[id]?.name ?? id;
  return name === "" ? who : `${name} ${who}`;
}
