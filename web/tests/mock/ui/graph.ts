/** Objects of the stand-in: plain JavaScript in the place of Lua tables, seen through ids and paths as the server sees them. */

import type { Value } from "../../../ui/state/wire.ts";

export type Thing = Record<string, unknown> & { type?: string };

export class Refused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Ids of objects; the first is 2. */
export class Graph {
  readonly #ids = new Map<object, number>();
  readonly #objects = new Map<number, object>();

  /** What is on the wire for `value`. */
  json(value: unknown): Value {
    if (Array.isArray(value) && value.length > 0) {
      return value.map((item) => (Array.isArray(item) ? this.#ref(item) : this.json(item)));
    }
    if (typeof value === "object" && value !== null) return this.#ref(value);
    if (typeof value === "number") return Number.isFinite(value) ? value : null;
    if (typeof value === "string" || typeof value === "boolean") return value;
    return null;
  }

  object(id: number): object | undefined {
    return this.#objects.get(id);
  }

  #ref(object: object): { obj: number } {
    let id = this.#ids.get(object);
    if (id === undefined) {
      id = this.#ids.size + 2;
      this.#ids.set(object, id);
      this.#objects.set(id, object);
    }
    return { obj: id };
  }
}

export function typeOf(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "";
  const { type } = value as Thing;
  return typeof type === "string" ? type : "";
}

export function stepsOf(path: string): string[] {
  const steps = path.replace(/\[(\d+)\]/g, ".$1").split(".");
  const isStep = (step: string) => /^(@?[A-Za-z_]\w*(\(_?\))?|\d+)$/.test(step);
  if (path === "" || !steps.every(isStep)) throw new Refused("bad-path", `cannot read \`${path}\``);
  return steps;
}

/** Walks `steps` from `start`; nothing on the way gives nothing. */
export function read(start: unknown, steps: string[]): unknown {
  let at = start;
  for (const step of steps) {
    if (typeof at !== "object" || at === null) return null;
    at = take(at as Thing, step);
  }
  return at;
}

export function write(start: unknown, steps: string[], value: unknown, access: string): void {
  const last = steps.at(-1) ?? "";
  const target = read(start, steps.slice(0, -1)) as Thing | null;
  if (typeof target !== "object" || target === null) {
    throw new Refused("path-failure", `nothing to write \`${last}\` to`);
  }
  const method = /^(\w+)\((_?)\)$/.exec(last);
  if (!method) {
    target[last] = value;
    return;
  }
  const found = target[method[1] ?? ""];
  if (typeof found !== "function") throw new Refused("not-found", `no method \`${method[1]}\``);
  if (method[2] === "_" || access === "rw") found.call(target, value);
  else found.call(target);
}

function take(at: Thing, step: string): unknown {
  if (!step.endsWith("()")) return at[step] ?? null;
  const method = at[step.slice(0, -2)];
  if (typeof method !== "function") throw new Refused("not-found", `no method \`${step}\``);
  return method.call(at) ?? null;
}
