/** A session of the stand-in: variables for each connection, and what changed since the last look. */

import { isSame } from "../../../ui/state/wire.ts";
import type { Create, Message, Properties, Update, Value } from "../../../ui/state/wire.ts";
import { Graph, read, Refused, stepsOf, typeOf, write, type Thing } from "./graph.ts";

interface Known {
  id: number;
  parent: Known | null;
  properties: Properties;
  raw: unknown;
  wrapper: Thing | null;
  value: Value | undefined;
  error: string;
  changes: number;
}

export class Link {
  readonly variables = new Map<number, Known>();
  readonly sentViewdefs = new Map<string, string>();
  readonly send: (messages: Message[]) => void;

  constructor(send: (messages: Message[]) => void) {
    this.send = send;
    this.variables.set(1, fresh(1, null, {}));
  }
}

const BUILT_IN: Record<string, string> = {
  "lua.ViewList.DEFAULT": `<template><div ui-viewlist="items"></div></template>`,
  "lua.ViewListItem.list-item": `<template><div ui-view="item"></div></template>`,
};

export class Session {
  app: Thing;
  readonly viewdefs = new Map<string, string>(Object.entries(BUILT_IN));
  readonly links = new Set<Link>();
  readonly #graph = new Graph();

  constructor(app: Thing, viewdefs: Record<string, string>) {
    this.app = app;
    for (const [key, html] of Object.entries(viewdefs)) this.viewdefs.set(key, html);
  }

  /** Takes a batch of one connection; everyone hears what came of it. */
  take(link: Link, messages: Message[]): void {
    const out: Message[] = [];
    for (const message of messages) {
      try {
        this.#take(link, message, out);
      } catch (error) {
        const { varId, id } = message.data as { varId?: number; id?: number };
        const code = error instanceof Refused ? error.code : "lua-error";
        const description = error instanceof Error ? error.message : String(error);
        out.push({ type: "error", data: { varId: varId ?? id ?? 0, code, description } });
      }
    }
    this.look(link, out);
  }

  /** Looks for changes and tells each connection its own. `first` goes to `link` before them. */
  look(link?: Link, first: Message[] = []): void {
    for (const each of this.links) {
      const out = each === link ? [...first] : [];
      const types = new Set<string>();
      const updates: Message[] = [];
      for (const variable of each.variables.values()) this.#evaluate(variable, updates, types);
      const news = this.#news(each, types);
      if (news) out.push(news);
      out.push(...updates);
      if (out.length > 0) each.send(out);
    }
  }

  upload(key: string, html: string): void {
    this.viewdefs.set(key, html);
    const type = key.slice(0, key.lastIndexOf("."));
    for (const link of this.links) {
      const out: Message[] = [];
      const concerned = [...link.variables.values()].filter(
        ({ properties }) => properties["type"] === type,
      );
      if (concerned.length === 0 && !link.sentViewdefs.has(key)) continue;
      const news = this.#news(link, new Set([type]));
      if (news) out.push(news);
      for (const { id } of concerned) out.push({ type: "update", data: { varId: id } });
      link.send(out);
    }
  }

  listing(): object[] {
    return [...this.links].flatMap(({ variables }) =>
      [...variables.values()].map((variable) => {
        const { id, parent, properties, value = null, error, changes } = variable;
        const all = [...variables.values()];
        return {
          id,
          parentId: parent?.id ?? 0,
          type: properties["type"] ?? "",
          path: properties["path"] ?? "",
          value,
          properties,
          childIds: all.filter((other) => other.parent === variable).map((other) => other.id),
          ...(error && { error }),
          changeCount: changes,
        };
      }),
    );
  }

  #take(link: Link, message: Message, out: Message[]): void {
    switch (message.type) {
      case "create":
        return this.#create(link, message.data);
      case "update":
        return this.#update(link, message.data);
      case "watch": {
        const variable = this.#known(link, message.data.varId);
        const { id, value, properties } = variable;
        if (value !== undefined) out.push(update({ varId: id, value, properties }));
        return;
      }
      case "destroy": {
        const variable = link.variables.get(message.data.varId);
        if (variable) this.#destroy(link, variable, out);
        return;
      }
      case "get":
        out.push({ type: "get", data: { variables: [] } });
    }
  }

  #create(link: Link, { id, parentId, properties }: Create): void {
    if (link.variables.has(id)) throw new Refused("duplicate-id", `${id} is in use`);
    const parent = this.#known(link, parentId);
    const variable = fresh(id, parent, { ...properties });
    link.variables.set(id, variable);
    stepsOf(properties["path"] ?? "");
  }

  #update(link: Link, { varId, value, properties }: Update): void {
    const variable = this.#known(link, varId);
    Object.assign(variable.properties, properties);
    if (value === undefined) return;
    variable.error = "";
    const { path = "", access = "rw" } = variable.properties;
    const target = value as { obj?: number } | null;
    const isRef = typeof target?.obj === "number";
    const written = isRef ? this.#graph.object(target.obj as number) : value;
    this.#readAbove(variable);
    write(start(variable), stepsOf(path), written, access);
    // The writer knows what it wrote.
    variable.value = value;
  }

  /** Who writes in the batch that creates has parents that nobody has looked at yet. */
  #readAbove({ parent }: Known): void {
    if (!parent || parent.value !== undefined) return;
    this.#readAbove(parent);
    const { path = "" } = parent.properties;
    parent.raw = parent.parent ? read(start(parent), stepsOf(path)) : this.app;
  }

  #destroy(link: Link, variable: Known, out: Message[]): void {
    for (const other of [...link.variables.values()]) {
      if (other.parent === variable) this.#destroy(link, other, out);
    }
    link.variables.delete(variable.id);
    out.push({ type: "destroy", data: { varId: variable.id } });
  }

  #evaluate(variable: Known, out: Message[], types: Set<string>): void {
    const { path = "", access = "rw" } = variable.properties;
    if (access === "w" || access === "action") return;
    let raw: unknown = this.app;
    try {
      if (variable.parent) raw = read(start(variable), stepsOf(path));
    } catch (error) {
      const description = error instanceof Error ? error.message : String(error);
      if (description === variable.error) return;
      variable.error = description;
      const code = error instanceof Refused ? error.code : "lua-error";
      out.push({ type: "error", data: { varId: variable.id, code, description } });
      return;
    }
    variable.raw = raw;
    const properties = this.#wrap(variable, raw);
    const value = this.#graph.json(variable.wrapper ?? raw);
    const type = typeOf(variable.wrapper ?? raw);
    if (type) types.add(type);
    if ((variable.properties["type"] ?? "") !== type) properties["type"] = type;
    Object.assign(variable.properties, properties);
    const isSent = variable.value !== undefined && isSame(variable.value, value);
    if (isSent && Object.keys(properties).length === 0) return;
    variable.value = value;
    variable.changes += 1;
    const changed = Object.keys(properties).length > 0 ? { properties } : {};
    out.push(update({ varId: variable.id, value, ...changed }));
  }

  /** The wrapper for lists, the only one there is here. */
  #wrap(variable: Known, raw: unknown): Properties {
    if (variable.properties["wrapper"] !== "lua.ViewList" || !Array.isArray(raw)) {
      variable.wrapper = null;
      return {};
    }
    const old = (variable.wrapper?.["items"] ?? []) as Thing[];
    const list = variable.wrapper ?? { type: "lua.ViewList", items: old };
    list["items"] = raw.map((item: unknown, index) => {
      const kept = old.find((one) => one["item"] === item);
      return Object.assign(kept ?? { type: "lua.ViewListItem" }, {
        item,
        baseItem: item,
        index,
        list,
      });
    });
    variable.wrapper = list;
    return variable.properties["fallbackNamespace"] ? {} : { fallbackNamespace: "list-item" };
  }

  #news(link: Link, types: Set<string>): Message | undefined {
    const found: Record<string, string> = {};
    for (const [key, html] of this.viewdefs) {
      const type = key.slice(0, key.lastIndexOf("."));
      if (!types.has(type) || link.sentViewdefs.get(key) === html) continue;
      link.sentViewdefs.set(key, html);
      found[key] = html;
    }
    if (Object.keys(found).length === 0) return undefined;
    return update({ varId: 1, properties: { viewdefs: JSON.stringify(found) } });
  }

  #known(link: Link, id: number): Known {
    const variable = link.variables.get(id);
    if (!variable) throw new Refused("not-found", `no variable ${id}`);
    return variable;
  }
}

function fresh(id: number, parent: Known | null, properties: Properties): Known {
  const rest = { raw: null, wrapper: null, value: undefined, error: "", changes: 0 };
  return { id, parent, properties, ...rest };
}

function start(variable: Known): unknown {
  return variable.parent?.wrapper ?? variable.parent?.raw;
}

function update(data: Update): Message {
  return { type: "update", data };
}
