/** What goes over the WebSocket. Values are plain JSON; an object of the server is only a reference to it. */

export interface Ref {
  obj: number;
}

export type Value = null | boolean | number | string | Ref | Value[];

/** `name` to text; the empty text means unset. */
export type Properties = Record<string, string>;

export interface Create {
  id: number;
  parentId: number;
  properties: Properties;
  value?: Value;
  nowatch?: boolean;
  unbound?: boolean;
}

export interface Update {
  varId: number;
  /** Absent: unchanged. */
  value?: Value;
  /** Only those that changed. */
  properties?: Properties;
}

export interface Failure {
  varId?: number;
  code: string;
  description: string;
}

export type Message =
  | { type: "create"; data: Create }
  | { type: "update"; data: Update }
  | { type: "watch" | "unwatch" | "destroy"; data: { varId: number } }
  | { type: "error"; data: Failure }
  | { type: "get"; data: { varIds?: number[]; variables?: unknown[] } }
  | { type: "getObjects"; data: { objIds?: number[]; objects?: unknown[] } };

export interface Batch {
  userEvent: boolean;
  messages: Message[];
}

/** The messages of one frame from the server: it sends one, or an array of several. */
export function messagesOf(frame: string): Message[] {
  const parsed = JSON.parse(frame) as unknown;
  const all = Array.isArray(parsed) ? parsed : [parsed];
  return all.filter(isMessage);
}

function isMessage(value: unknown): value is Message {
  const message = value as { type?: unknown; data?: unknown } | null;
  return typeof message?.type === "string" && typeof message.data === "object" && !!message.data;
}

export function isRef(value: Value | undefined): value is Ref {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Equality of what is on the wire. */
export function isSame(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  return isRef(a) && isRef(b) && a.obj === b.obj;
}
