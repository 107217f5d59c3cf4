/** One variable as the browser sees it: what the server last said of a path, and who shows it. */

import type { Failure, Properties, Value } from "./wire.ts";

/** Whoever shows a variable. A variable has one owner at a time; in lists it passes from row to row. */
export interface Owner {
  /** Views and lists: they hear of a change before what is inside of them, and may take it away. */
  readonly structural: boolean;
  changed(variable: Variable): void;
}

export class Variable {
  readonly id: number;
  readonly parent: Variable | null;
  readonly depth: number;
  readonly children = new Set<Variable>();
  /** What we told the server, to be told again to the next one. */
  given: Properties;
  /** That, and what the server said. */
  properties: Properties;
  /** `undefined` until the server told it. */
  value: Value | undefined;
  error: Failure | undefined;
  owner: Owner | undefined;
  isAlive = true;
  /** Whether the server said anything of it. */
  isAnswered: boolean;
  /** Written while there was no connection. */
  isUnsent = false;
  /** Nothing was heard of it since the last reconnect: its properties may be those of another life. */
  isStale = false;

  constructor(id: number, parent: Variable | null, properties: Properties) {
    this.id = id;
    this.parent = parent;
    this.depth = parent ? parent.depth + 1 : 0;
    this.given = properties;
    this.properties = { ...properties };
    this.isAnswered = !this.isReadable || !!properties["inactive"];
    parent?.children.add(this);
  }

  get access(): string {
    return this.properties["access"] || "rw";
  }

  get isReadable(): boolean {
    return this.access === "r" || this.access === "rw";
  }

  get type(): string {
    return this.properties["type"] ?? "";
  }

  /** A property of this variable, or of the nearest one above that has it. */
  inherited(name: string): string {
    for (let at: Variable | null = this; at; at = at.parent) {
      const value = at.properties[name];
      if (value) return value;
    }
    return "";
  }

  setOwner(owner: Owner | undefined): void {
    this.owner = owner;
  }

  getProperty(name: string): string {
    return this.properties[name] ?? "";
  }
}
