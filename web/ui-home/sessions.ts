/** The sessions that run, as the server tells them, in words. */

export interface Session {
  id: string;
  url: string;
  /** Of the app's root object; empty while there is none. */
  type: string;
  connections: number;
  /** Milliseconds since 1970, or text that is a date. */
  started?: number | string;
  active?: number | string;
}

/** "just now", "5 minutes ago". */
export function ago(time: number | string | undefined, now: number): string {
  if (time === undefined) return "";
  const then = typeof time === "number" ? time : Date.parse(time);
  const seconds = Math.round((now - then) / 1000);
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 10) return "just now";
  const steps: [size: number, name: string][] = [
    [86_400, "day"],
    [3_600, "hour"],
    [60, "minute"],
    [1, "second"],
  ];
  const [size, name] = steps.find(([size]) => seconds >= size) ?? [1, "second"];
  const count = Math.floor(seconds / size);
  return `${count} ${name}${count === 1 ? "" : "s"} ago`;
}

export function connected(count: number): string {
  if (count === 0) return "Nobody is looking";
  return count === 1 ? "1 browser connected" : `${count} browsers connected`;
}

/** The variable tree of a session, which is beside its page. */
export function variablesOf({ url }: Session): string {
  return `${url.replace(/\/?$/, "/")}variables`;
}
