/** Talking to the server: JSON both ways, errors in words. A token, where one is wanted, is in a cookie. */

/** What the server said when it refused, in its parts. */
export interface Refusal {
  said: string;
  /** The way out. */
  hint?: string;
  code?: string;
  /** What may have been meant. */
  suggestions?: string[];
}

/** Why a request failed. `status` is 0 when no answer came at all. */
export class ApiError extends Error {
  readonly status: number;
  /** The refusal in its parts, where the server gave one. */
  readonly refusal: Refusal | undefined;
  /** All that the server said, as text. */
  readonly body: string;

  constructor(message: string, status: number, refusal?: Refusal, body = "") {
    super(message);
    this.status = status;
    this.refusal = refusal;
    this.body = body;
  }
}

/** Longer than any answer takes, short enough that a hung server is noticed. */
const PATIENCE_MS = 15_000;

/** What came back. */
export interface Answer<T> {
  body: T;
  /** The version of what was asked for, where the server names one. */
  etag: string | null;
  /** Where the rest is, when the server gave a part of a list. */
  next: string | null;
}

export interface Options {
  headers?: Record<string, string>;
  /** Milliseconds until a missing answer counts as none. */
  patience?: number;
  /** Ends the request when its answer is not wanted any more; what is thrown then `isAborted` knows. */
  signal?: AbortSignal;
}

/** Sends a request and gives the JSON of the answer, `undefined` when it has no body. */
export async function request<T>(
  method: string,
  path: string,
  body?: unknown,
  options: Options = {},
): Promise<T> {
  return (await exchange<T>(method, path, body, options)).body;
}

/** The same, with what the headers say. */
export async function exchange<T>(
  method: string,
  path: string,
  body?: unknown,
  { headers: more = {}, patience = PATIENCE_MS, signal }: Options = {},
): Promise<Answer<T>> {
  const headers: Record<string, string> = { accept: "application/json", ...more };
  if (body !== undefined) headers["content-type"] = "application/json";
  const late = AbortSignal.timeout(patience);
  const { response, text } = await send(path, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ? AbortSignal.any([signal, late]) : late,
  });
  if (!response.ok) {
    throw new ApiError(words(text, response.status), response.status, refusalOf(text), text);
  }
  const parsed = (text === "" ? undefined : JSON.parse(text)) as T;
  const link = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get("link") ?? "");
  return { body: parsed, etag: response.headers.get("etag"), next: link?.[1] ?? null };
}

async function send(
  path: string,
  init: RequestInit,
): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(path, init);
    return { response, text: await response.text() };
  } catch (error) {
    if (isAborted(error)) throw error;
    const late = error instanceof DOMException && error.name === "TimeoutError";
    const why = late ? "the server took too long to answer" : "the server does not answer";
    throw new ApiError(why, 0);
  }
}

/** Whether a request ended because whoever asked did not want the answer any more. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** What went wrong, as the server says it; both error shapes that Tandem serves are understood. */
export function words(body: string, status: number): string {
  const refusal = refusalOf(body);
  if (refusal) return refusal.hint ? `${refusal.said}: ${refusal.hint}` : refusal.said;
  return status === 401 ? "the server wants a token" : `the server answered ${status}`;
}

/** The parts of a refusal, `undefined` when the server did not say anything. */
export function refusalOf(body: string): Refusal | undefined {
  try {
    const problem = JSON.parse(body) as Record<string, unknown>;
    const said = [problem["detail"], problem["error"], problem["message"], problem["title"]].find(
      isText,
    );
    if (!said) return undefined;
    const { hint, code, suggestions } = problem;
    return {
      said,
      ...(isText(hint) ? { hint } : {}),
      ...(isText(code) ? { code } : {}),
      ...(Array.isArray(suggestions) ? { suggestions: suggestions.filter(isText) } : {}),
    };
  } catch {
    // Not JSON: a proxy in between, or nothing at all.
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** What to show of anything that was thrown. */
export function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
