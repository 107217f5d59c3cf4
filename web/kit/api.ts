/** Talking to the server: JSON both ways, errors in words. A token, where one is wanted, is in a cookie. */

/** Why a request failed. `status` is 0 when no answer came at all. */
export class ApiError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
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
  { headers: more = {}, patience = PATIENCE_MS }: Options = {},
): Promise<Answer<T>> {
  const headers: Record<string, string> = { accept: "application/json", ...more };
  if (body !== undefined) headers["content-type"] = "application/json";
  const { response, text } = await send(path, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(patience),
  });
  if (!response.ok) throw new ApiError(words(text, response.status), response.status);
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
    const late = error instanceof DOMException && error.name === "TimeoutError";
    const why = late ? "the server took too long to answer" : "the server does not answer";
    throw new ApiError(why, 0);
  }
}

/** What went wrong, as the server says it; both error shapes that Tandem serves are understood. */
export function words(body: string, status: number): string {
  try {
    const problem = JSON.parse(body) as Record<string, unknown>;
    const said = [problem["detail"], problem["error"], problem["title"]].find(isText);
    if (said) return isText(problem["hint"]) ? `${said}: ${problem["hint"]}` : said;
  } catch {
    // Not JSON: a proxy in between, or nothing at all.
  }
  return status === 401 ? "the server wants a token" : `the server answered ${status}`;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** What to show of anything that was thrown. */
export function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
