/**
 * Something that is read again whenever it may have changed.
 *
 * One read at a time; what is asked for during a read is read after it, so that an old answer never stays. A server that does not
 * answer is asked again by itself.
 */

import { ApiError } from "./api.ts";

const RETRY_MS = 1_500;

export class Reader<T> {
  readonly #read: () => Promise<T>;
  readonly #show: (value: T) => void;
  readonly #fail: (error: unknown) => void;
  #wanted = false;
  #reading = false;
  #closed = false;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(read: () => Promise<T>, show: (value: T) => void, fail: (error: unknown) => void) {
    this.#read = read;
    this.#show = show;
    this.#fail = fail;
  }

  ask(): void {
    this.#wanted = true;
    clearTimeout(this.#retry);
    if (!this.#reading && !this.#closed) void this.#run();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
  }

  async #run(): Promise<void> {
    this.#reading = true;
    while (this.#wanted && !this.#closed) {
      this.#wanted = false;
      try {
        const value = await this.#read();
        // What was asked for meanwhile comes next; showing this first keeps a busy project from showing nothing.
        if (!this.#closed) this.#show(value);
      } catch (error) {
        if (!this.#closed) this.#failed(error);
      }
    }
    this.#reading = false;
  }

  #failed(error: unknown): void {
    this.#fail(error);
    const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
    if (!refused) this.#retry = setTimeout(() => this.ask(), RETRY_MS);
  }
}
