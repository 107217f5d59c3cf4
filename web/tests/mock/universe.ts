/** One universe of the stand-in: its log, its clock, and those who listen. */

import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { timeAt } from "../../universe/state/clock.ts";
import type { Change, Clock, Command, Happened } from "../../universe/state/types.ts";
import { MAP_NAMES } from "../../universe/state/types.ts";
import { difference, emptyState, reduce, type State } from "./reducer.ts";

interface Line {
  change: Change;
  before: State;
  after: State;
  undone?: boolean;
}

export interface Reply {
  applied: boolean;
  revision: number;
  events: Happened[];
  hint?: string;
  of?: number;
}

export class Kept {
  readonly id: string = randomUUID();
  name: string;
  readonly createdAt = new Date().toISOString();
  updatedAt = this.createdAt;
  clock: Clock = { playing: false, rate: 1, time: 0, at: this.createdAt };
  state: State;
  readonly lines: Line[] = [];
  readonly readers = new Set<ServerResponse>();
  readonly #replies = new Map<string, Reply>();

  constructor(name: string, state: Partial<State> = {}) {
    this.name = name;
    this.state = reduce(emptyState(), { type: "replaceSnapshot", snapshot: state }).state;
    this.state.time = this.clock.time = state.time ?? 0;
    this.#tell({ kind: "created", via: "rest" }, emptyState(), this.state);
  }

  get revision(): number {
    return this.lines.length;
  }

  record(withState: boolean, revision = this.revision): object {
    const { id, name, createdAt, updatedAt, clock } = this;
    const time = revision === this.revision ? this.now() : 0;
    const state = { ...(this.lines[revision - 1]?.after ?? this.state), time };
    return { id, name, ...(withState ? { state } : {}), createdAt, updatedAt, revision, clock };
  }

  now(): number {
    return timeAt(this.clock, Date.now());
  }

  command(command: Command, via: string, key?: string): Reply {
    const known = key === undefined ? undefined : this.#replies.get(key);
    if (known) return known;
    const reply = this.#command(command, via);
    if (key !== undefined) this.#replies.set(key, reply);
    return reply;
  }

  #command(command: Command, via: string): Reply {
    if (command.type === "undo" || command.type === "redo") return this.#revert(command, via);
    if (command.type === "setClock") {
      this.setClock(command as Partial<Clock>, via, command);
      return { applied: true, revision: this.revision, events: [] };
    }
    const { state, events, hint } = reduce(this.state, command);
    if (state === this.state) {
      const refusal = { applied: false, revision: this.revision, events };
      return hint === undefined ? refusal : { ...refusal, hint };
    }
    const before = this.state;
    if (command.type === "tick") {
      this.clock = {
        ...this.clock,
        time: this.now() + Number(command["dt"] ?? 1),
        at: new Date().toISOString(),
      };
    }
    this.#tell({ kind: "command", via, command, events }, before, state);
    return { applied: true, revision: this.revision, events };
  }

  setClock(change: Partial<Clock>, via: string, command?: Command): void {
    const at = new Date().toISOString();
    const { playing = this.clock.playing, rate = this.clock.rate, time = this.now() } = change;
    this.clock = { playing, rate, time, at };
    this.#tell({ kind: "clock", via, ...(command ? { command } : {}) }, this.state, this.state);
  }

  rename(name: string): void {
    this.name = name;
    this.#tell({ kind: "replaced", via: "page", name }, this.state, this.state);
  }

  replace(snapshot: Partial<State>): void {
    const after = reduce(this.state, { type: "replaceSnapshot", snapshot }).state;
    this.#tell({ kind: "replaced", via: "rest", reset: true }, this.state, after);
  }

  end(): void {
    this.#tell({ kind: "deleted", via: "rest" }, this.state, this.state);
    this.readers.forEach((reader) => reader.end());
  }

  /** Takes back what one change did, or brings it back, unless someone touched the same since. */
  #revert(command: Command, via: string): Reply {
    const undo = command.type === "undo";
    const failed = (reason: string, more: object = {}, hint = ""): Reply => ({
      applied: false,
      revision: this.revision,
      events: [{ type: `${command.type}Failed`, reason, ...more }],
      hint,
    });
    const asked = command["revision"] as number | undefined;
    const may = (line: Line) =>
      line.change.kind === "command" &&
      line.before !== line.after &&
      (line.undone ?? false) !== undo &&
      line.change.command?.type !== "tick";
    const line = asked === undefined ? this.lines.findLast(may) : this.lines[asked - 1];
    if (!line)
      return failed(
        undo ? "nothingToUndo" : "nothingToRedo",
        {},
        `there is nothing to ${command.type}`,
      );
    const [from, to] = undo ? [line.after, line.before] : [line.before, line.after];
    const next = {
      ...this.state,
      ...Object.fromEntries(MAP_NAMES.map((map) => [map, { ...this.state[map] }])),
    } as State;
    for (const map of MAP_NAMES) {
      const maps = [from[map], to[map], this.state[map], next[map]] as Record<string, unknown>[];
      const [source = {}, wanted = {}, now = {}, out = {}] = maps;
      for (const id of new Set([...Object.keys(source), ...Object.keys(wanted)])) {
        if (source[id] === wanted[id]) continue;
        if (now[id] !== source[id])
          return failed(
            "changedSince",
            { id, revision: line.change.revision },
            `\`${id}\` was changed since; undo that first`,
          );
        if (wanted[id] === undefined) delete out[id];
        else out[id] = wanted[id];
      }
    }
    line.undone = undo;
    const of = line.change.revision;
    const events = [{ type: undo ? "undone" : "redone", revision: of }];
    this.#tell({ kind: undo ? "undone" : "redone", via, command, events, of }, this.state, next);
    return { applied: true, revision: this.revision, events, of };
  }

  #tell(what: Partial<Change> & { kind: string; via: string }, before: State, after: State): void {
    this.state = after;
    this.updatedAt = new Date().toISOString();
    const delta = what.reset ? undefined : difference(before, after);
    const timed = ["clock", "replaced"].includes(what.kind) || what.command?.type === "tick";
    const by = what.via === "mcp" ? "agent" : "someone";
    const change: Change = {
      revision: this.lines.length + 1,
      at: this.updatedAt,
      by,
      ...what,
      ...(timed ? { clock: this.clock } : {}),
      ...(delta && what.kind !== "created" ? { delta } : {}),
    };
    this.lines.push({ change, before, after });
    this.readers.forEach((reader) => reader.write(frame(change)));
  }

  history(limit: number, before = Infinity): object {
    const older = this.lines
      .filter(({ change }) => change.revision < before)
      .map(({ change }) => change);
    const entries = older.slice(-limit).reverse();
    const last = entries.at(-1)?.revision ?? 1;
    return last > 1 ? { entries, next: last } : { entries };
  }

  fork(revision = this.revision, name = `${this.name} (fork)`): Kept {
    const made = new Kept(name, this.lines[revision - 1]?.after);
    made.clock = { ...this.clock, playing: false, time: this.now(), at: made.createdAt };
    return made;
  }
}

export function frame(change: Change): string {
  return `id: ${change.revision}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`;
}
