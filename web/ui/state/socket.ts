/**
 * The connection, which comes back by itself.
 *
 * After a loss it tries again, at first soon, then every five seconds, and at once when the person looks at the page or the
 * network returns. A browser does not say why a WebSocket was refused, so the page's own address is asked.
 */

import type { Batch } from "./wire.ts";

const FIRST_MS = 200;
const LONGEST_MS = 5_000;
/** A tab that slept longer than this asks whether its connection is still one. */
const DOZE_MS = 20_000;
const PROBE_MS = 3_000;

export type Trouble = "lost" | "gone" | "refused";

export interface Handlers {
  open(): void;
  frame(text: string): void;
  /** Told after every attempt that failed. */
  trouble(kind: Trouble): void;
}

export class Socket {
  readonly #address: string;
  readonly #page: string;
  readonly #handlers: Handlers;
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wait = FIRST_MS;
  #heard = 0;

  /** `address` is that of the WebSocket; `page` answers 404 when the session is gone. */
  constructor(address: string, page: string, handlers: Handlers) {
    this.#address = address;
    this.#page = page;
    this.#handlers = handlers;
    addEventListener("focus", () => this.#wake());
    addEventListener("online", () => this.#wake());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#wake();
    });
    this.#connect();
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  send(batch: Batch): void {
    if (this.isOpen) this.#socket?.send(JSON.stringify(batch));
  }

  /** Tries now rather than later. */
  #wake(): void {
    if (this.#timer !== undefined) {
      this.#wait = FIRST_MS;
      this.#connect();
    } else if (this.isOpen && performance.now() - this.#heard > DOZE_MS) this.#probe();
  }

  #connect(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    let wasOpen = false;
    socket.addEventListener("open", () => {
      wasOpen = true;
      this.#wait = FIRST_MS;
      this.#heard = performance.now();
      this.#handlers.open();
    });
    socket.addEventListener("message", ({ data }) => {
      this.#heard = performance.now();
      this.#handlers.frame(String(data));
    });
    socket.addEventListener("close", () => {
      if (socket === this.#socket) this.#lost(wasOpen);
    });
  }

  #lost(wasOpen: boolean): void {
    this.#socket = undefined;
    this.#timer = setTimeout(() => this.#connect(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_MS);
    this.#handlers.trouble("lost");
    // A connection that was there and broke says nothing about the session.
    if (!wasOpen) void this.#askWhy();
  }

  async #askWhy(): Promise<void> {
    try {
      const { status } = await fetch(this.#page, { method: "HEAD", cache: "no-store" });
      if (this.#socket && this.isOpen) return;
      if (status === 404) this.#handlers.trouble("gone");
      if (status === 401 || status === 403) this.#handlers.trouble("refused");
    } catch {
      // The server is not there: that is what "lost" says.
    }
  }

  /** A sleeping machine's connection can be dead without anybody having been told. */
  #probe(): void {
    const asked = performance.now();
    this.#socket?.send(`{"userEvent":false,"messages":[{"type":"get","data":{"varIds":[]}}]}`);
    setTimeout(() => {
      if (this.#heard >= asked || !this.#socket) return;
      const dead = this.#socket;
      this.#lost(true);
      dead.close();
    }, PROBE_MS);
  }
}
