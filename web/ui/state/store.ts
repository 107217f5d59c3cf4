/**
 * The variables of this page, and everything that is said about them to the server and by it.
 *
 * Start at `apply`: a frame of the server is taken in whole before anyone is told, so that nobody sees half of it. Ids are ours from 2
 * on and belong to one connection; `connected` makes a new server know all that the last one knew.
 */

import { Outbox } from "./outbox.ts";
import { Variable } from "./variable.ts";
import { isSame, type Batch, type Failure, type Message, type Properties } from "./wire.ts";
import type { Update, Value } from "./wire.ts";

/** An answer that is still missing then is not coming; what waits for it is shown as it is. */
const PATIENCE_MS = 500;

export interface Listener {
  /** New or changed view definitions, as JSON text. They come before anything that needs them. */
  viewdefs(text: string): void;
  /** An error that no element shows. */
  failure(failure: Failure): void;
  /** Something a person did could not be sent. */
  offline(): void;
}

interface Waiting {
  variables: Variable[];
  done: () => void;
  since: number;
}

export class Store {
  readonly root = new Variable(1, null, {});
  /** Counts connections: ids of objects mean something within one only. */
  epoch = 0;
  isOnline = false;
  readonly #listener: Listener;
  readonly #outbox: Outbox;
  readonly #variables = new Map<number, Variable>([[1, this.root]]);
  #nextId = 2;
  #waiting: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (batch: Batch) => void, listener: Listener) {
    this.#listener = listener;
    this.#outbox = new Outbox(send);
  }

  get(id: number): Variable | undefined {
    return this.#variables.get(id);
  }

  get size(): number {
    return this.#variables.size;
  }

  create(parent: Variable, properties: Properties): Variable {
    const variable = new Variable(this.#nextId++, parent, properties);
    this.#variables.set(variable.id, variable);
    if (this.isOnline) this.#outbox.push(createOf(variable));
    return variable;
  }

  /** Takes the variable and all below it away. */
  destroy(variable: Variable): void {
    if (!variable.isAlive) return;
    this.#forget(variable);
    if (this.isOnline) {
      this.#outbox.push({ type: "destroy", data: { varId: variable.id } });
    }
  }

  /**
   * Writes a value: kept here first, then sent. What is there already is not sent again, unless the variable is one
   * that is only written. Gives whether anything was to be sent.
   */
  write(variable: Variable, value: Value): boolean {
    if (!variable.isAlive) return false;
    const isCall = !variable.isReadable;
    if (!isCall && isSame(variable.value, value) && !variable.error) return false;
    if (!isCall) variable.value = value;
    this.#clearError(variable);
    if (this.isOnline) this.#outbox.push(update({ varId: variable.id, value }));
    else if (isCall) this.#listener.offline();
    else variable.isUnsent = true;
    return true;
  }

  /** The same by number, for scripts of the project. */
  update(id: number, value: Value): void {
    const variable = this.get(id);
    if (variable) this.userEvent(() => this.write(variable, value));
  }

  setProperties(variable: Variable, changes: Properties): void {
    const entries = Object.entries(changes);
    const changed = entries.filter(([name, value]) => (variable.given[name] ?? "") !== value);
    if (changed.length === 0 || !variable.isAlive) return;
    const properties = Object.fromEntries(changed);
    Object.assign(variable.properties, properties);
    variable.given = { ...variable.given, ...properties };
    if (this.isOnline) this.#outbox.push(update({ varId: variable.id, properties }));
  }

  /** Tells the server of a mistake in a view definition; it has the log and the debug tree. */
  report(variable: Variable, code: string, description: string): void {
    if (!this.isOnline) return;
    this.#outbox.push({ type: "error", data: { varId: variable.id, code, description } });
  }

  userEvent(act: () => void): void {
    this.#outbox.userEvent(act);
  }

  /** Calls `done` as soon as the server has said something of each variable; at once if it has already. */
  whenAnswered(variables: Variable[], done: () => void): void {
    const missing = variables.filter(isMissing);
    if (missing.length === 0) return done();
    this.#waiting.push({ variables: missing, done, since: performance.now() });
    this.#watchPatience();
  }

  /** A connection is there: everything is told again. */
  connected(): void {
    this.#outbox.clear();
    this.isOnline = true;
    this.epoch += 1;
    for (const variable of this.#variables.values()) {
      variable.isStale = true;
      if (variable === this.root) {
        this.#outbox.push({ type: "watch", data: { varId: 1 } });
        continue;
      }
      this.#outbox.push(createOf(variable));
    }
    for (const variable of this.#variables.values()) {
      if (!variable.isUnsent || variable.value === undefined) continue;
      variable.isUnsent = false;
      this.#outbox.push(update({ varId: variable.id, value: variable.value }));
    }
    this.#outbox.flush(true);
    const now = performance.now();
    for (const waiting of this.#waiting) waiting.since = now;
    this.#watchPatience();
  }

  disconnected(): void {
    this.isOnline = false;
    this.#outbox.clear();
  }

  /** Takes in one frame of the server, then tells whoever shows what changed: views and lists from the outside in, then the rest. */
  apply(messages: Message[]): void {
    const touched = new Set<Variable>();
    for (const message of messages) this.#take(message, touched);
    const outside = [...touched].filter((variable) => variable.owner?.structural);
    outside.sort((a, b) => a.depth - b.depth);
    for (const variable of outside) tell(variable, true);
    for (const variable of touched) tell(variable, false);
    this.settle();
  }

  /** Calls whoever waits for answers that are there now. */
  settle(): void {
    const before = this.#waiting;
    const limit = performance.now() - PATIENCE_MS;
    const isDone = ({ variables, since }: Waiting) =>
      !variables.some(isMissing) || (this.isOnline && since <= limit);
    const done = new Set(before.filter(isDone));
    if (done.size === 0) return;
    this.#waiting = before.filter((waiting) => !done.has(waiting));
    for (const waiting of done) waiting.done();
  }

  #take(message: Message, touched: Set<Variable>): void {
    switch (message.type) {
      case "update":
        return this.#takeUpdate(message.data, touched);
      case "error":
        return this.#takeError(message.data, touched);
      case "destroy": {
        const variable = this.get(message.data.varId);
        if (variable && variable !== this.root) this.#forget(variable);
      }
    }
  }

  #takeUpdate({ varId, value, properties }: Update, touched: Set<Variable>): void {
    const variable = this.get(varId);
    if (!variable) return;
    if (value === undefined && !properties) {
      // Forget and ask again.
      this.#outbox.push({ type: "watch", data: { varId } });
      return;
    }
    const { viewdefs, ...others } = properties ?? {};
    if (viewdefs && variable === this.root) this.#listener.viewdefs(viewdefs);
    if (variable.isStale && (value !== undefined || Object.keys(others).length > 0)) {
      variable.isStale = false;
      variable.properties = { ...variable.given };
    }
    Object.assign(variable.properties, others);
    if (value !== undefined) {
      variable.value = value;
      variable.isUnsent = false;
    }
    variable.isAnswered = true;
    variable.error = undefined;
    touched.add(variable);
  }

  #takeError(failure: Failure, touched: Set<Variable>): void {
    const variable = failure.varId ? this.get(failure.varId) : undefined;
    if (variable) {
      variable.error = failure;
      variable.isAnswered = true;
      touched.add(variable);
    }
    // A field shows its own error; that of an action has no other place.
    if (!variable || !variable.isReadable || variable.owner?.structural) {
      this.#listener.failure(failure);
    }
  }

  #clearError(variable: Variable): void {
    if (!variable.error) return;
    variable.error = undefined;
    variable.owner?.changed(variable);
  }

  #forget(variable: Variable): void {
    variable.parent?.children.delete(variable);
    const all = [variable];
    for (let next = all.pop(); next; next = all.pop()) {
      next.isAlive = false;
      next.owner = undefined;
      this.#variables.delete(next.id);
      all.push(...next.children);
    }
  }

  #watchPatience(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.settle();
      if (this.#waiting.length > 0) this.#watchPatience();
    }, PATIENCE_MS);
  }
}

function tell(variable: Variable, structural: boolean): void {
  const { owner } = variable;
  if (!variable.isAlive || owner?.structural !== structural) return;
  try {
    owner.changed(variable);
  } catch (error) {
    // One broken element is no reason for the others to stand still.
    reportError(error);
  }
}

function isMissing(variable: Variable): boolean {
  return variable.isAlive && !variable.isAnswered;
}

function createOf({ id, parent, given }: Variable): Message {
  return { type: "create", data: { id, parentId: parent?.id ?? 0, properties: given } };
}

function update(data: Update): Message {
  return { type: "update", data };
}
