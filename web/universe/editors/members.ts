/** Who is in a group, and which group something is in. Each change is a command at once. */

import { h, replace } from "../../kit/dom.ts";
import type { Command, Group } from "../state/types.ts";
import type { World } from "../state/world.ts";

type Send = (command: Command) => Promise<string | null>;

/** The members of a group, with ways to put more in and take them out. */
export class Members {
  readonly element = h("section", { className: "members", "aria-label": "Members" });
  readonly #send: Send;
  #drawn = "";

  constructor(send: Send) {
    this.#send = send;
  }

  show(group: Group, world: World): void {
    const key = JSON.stringify([group, world.roots.length, world.groups.size]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const problem = h("p", { className: "error", role: "alert" });
    const send = async (command: Command) => {
      problem.textContent = (await this.#send(command)) ?? "";
    };
    const select = h(
      "select",
      { id: "new-member" },
      h("option", { value: "" }, "choose one"),
      ...candidates(group, world),
    );
    select.addEventListener("change", () => {
      const [type, id] = split(select.value);
      if (id) void send({ type: "addToGroup", groupId: group.id, child: { id, type } });
    });
    const items = group.children.map(({ id, type }) => {
      const name = (type === "group" ? world.groups : world.stars).get(id)?.name ?? id;
      const remove = () => void send({ type: "removeFromGroup", groupId: group.id, childId: id });
      const label = `Take ${name} out of the group`;
      return h(
        "li",
        {},
        h("span", { className: "name" }, name),
        h("span", { className: "hint" }, type),
        h(
          "button",
          { type: "button", className: "link", "aria-label": label, onclick: remove },
          "Take out",
        ),
      );
    });
    replace(
      this.element,
      h("h3", {}, "Members"),
      items.length > 0 ? h("ul", {}, ...items) : h("p", { className: "hint" }, "None yet."),
      h(
        "div",
        { className: "labelled" },
        h("label", { htmlFor: "new-member" }, "Add a system or a group"),
        select,
      ),
      problem,
    );
  }
}

/** In which group a system or a group is; choosing another moves it. */
export class Home {
  readonly element = h("div", { className: "labelled home" });
  readonly #send: Send;
  #drawn = "";

  constructor(send: Send) {
    this.#send = send;
  }

  show(id: string, type: "system" | "group", world: World): void {
    const groups = [...world.groups.values()].filter((group) => group.id !== id);
    const key = JSON.stringify([
      id,
      world.groupOf(id),
      groups.map(({ id: own, name }) => [own, name]),
    ]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const problem = h("p", { className: "error", role: "alert" });
    const select = h(
      "select",
      { id: "home-group" },
      h("option", { value: "" }, "no group"),
      ...groups.map((group) => h("option", { value: group.id }, group.name)),
    );
    select.value = world.groupOf(id) ?? "";
    select.addEventListener("change", () => {
      const targetGroupId = select.value || null;
      void this.#send({ type: "moveToGroup", childId: id, childType: type, targetGroupId }).then(
        (refused) => (problem.textContent = refused ?? ""),
      );
    });
    replace(this.element, h("label", { htmlFor: "home-group" }, "In the group"), select, problem);
    this.element.hidden = groups.length === 0;
  }
}

function candidates(group: Group, world: World): HTMLElement[] {
  const inside = new Set(group.children.map(({ id }) => id));
  const systems = world.roots
    .filter((id) => !inside.has(id))
    .map((id) => ["system", id, world.stars.get(id)?.name]);
  const groups = [...world.groups.values()]
    .filter(({ id }) => id !== group.id && !inside.has(id))
    .map(({ id, name }) => ["group", id, name]);
  return [...systems, ...groups].map(([type, id, name]) =>
    h("option", { value: `${type}:${id}` }, `${name} (${type})`),
  );
}

function split(value: string): ["system" | "group", string] {
  const at = value.indexOf(":");
  return [value.slice(0, at) === "group" ? "group" : "system", value.slice(at + 1)];
}
