/**
 * What is on its way to the server.
 *
 * Messages of one turn of the event loop go out as one batch. What a person did goes out before the turn ends, together
 * with everything that was waiting, so that the order in which things happened is the order in which they arrive.
 */

import type { Batch, Message } from "./wire.ts";

const RANK: Record<string, number> = { high: 0, low: 2 };

export class Outbox {
  readonly #send: (batch: Batch) => void;
  #waiting: Message[] = [];
  #scheduled = false;
  #depth = 0;

  constructor(send: (batch: Batch) => void) {
    this.#send = send;
  }

  push(message: Message): void {
    this.#waiting.push(message);
    if (this.#scheduled || this.#depth > 0) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.flush(false);
    });
  }

  /** Runs `act`, which stands for something a person did, and sends what came of it at once, in one batch. */
  userEvent(act: () => void): void {
    this.#depth += 1;
    try {
      act();
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.flush(true);
    }
  }

  flush(userEvent: boolean): void {
    if (this.#waiting.length === 0 || this.#depth > 0) return;
    const messages = inOrder(this.#waiting);
    this.#waiting = [];
    // Somebody waits for what a created variable holds: the server is to answer without collecting first.
    const urgent = userEvent || messages.some((message) => message.type === "create");
    this.#send({ userEvent: urgent, messages });
  }

  /** Forgets what was not sent: the connection is gone. */
  clear(): void {
    this.#waiting = [];
  }
}

/**
 * High priority first, within runs of creates only: an edit that was made before an action has to arrive before it,
 * whatever the two are worth. A child never comes before its parent.
 */
export function inOrder(messages: Message[]): Message[] {
  const sorted: Message[] = [];
  let run: (Message & { type: "create" })[] = [];
  const close = () => {
    const ranks = new Map<number, number>();
    for (const { data } of run) {
      const own = RANK[data.properties["priority"] ?? ""] ?? 1;
      ranks.set(data.id, Math.max(own, ranks.get(data.parentId) ?? 0));
    }
    const rank = (message: (typeof run)[number]) => ranks.get(message.data.id) ?? 1;
    sorted.push(...run.sort((a, b) => rank(a) - rank(b)));
    run = [];
  };
  for (const message of messages) {
    if (message.type === "create") run.push(message);
    else {
      close();
      sorted.push(message);
    }
  }
  close();
  return sorted;
}
