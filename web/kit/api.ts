/** Talking to the server: JSON both ways, the token when there is one, errors in words. */

/** Why a request failed. `status` is 0 when no answer came at all. */
export class ApiError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

const TOKEN = "tandem.token";
/** Longer than any answer takes, short enough that a hung server is noticed. */
const PATIENCE_MS = 15_000;

/** The token the person entered in this tab, if any. */
export function token(): string | null {
  try {
    return sessionStorage.getItem(TOKEN);
  } catch {
    return null;
  }
}

/** Remembers the token for this tab only. */
export function setToken(value: string): void {
  try {
    sessionStorage.setItem(TOKEN, value);
  } catch {
    // Without storage the token is asked for again; nothing else can be done here.
  }
}

/** Headers that every request carries. */
export function authHeaders(): Record<string, string> {
  const value = token();
  return value ? { authorization: `Bearer ${value}` } : {};
}

/** Sends a request and gives the JSON of the answer, `undefined` when it has no body. */
export async function request<T>(
  method: string,
  path: string,
  body?: unknown,
  patience = PATIENCE_MS,
): Promise<T> {
  const headers: Record<string, string> = { accept: "application/json", ...authHeaders() };
  if (body !== undefined) headers["content-type"] = "application/json";
  const response = await send(path, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(patience),
  });
  const text = await response.text();
  if (!response.ok) throw new ApiError(words(text, response.status), response.status);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    const late = error instanceof DOMException && error.name === "TimeoutError";
    throw new ApiError(
      late ? "the server took too long to answer" : "the server does not answer",
      0,
    );
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
