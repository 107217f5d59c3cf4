/** What the server says of itself, and watching it. */

import { ApiError, exchange, explain } from "../kit/api.ts";

/** How an MCP client reaches something: over HTTP, or by starting a program. */
export interface Endpoint {
  url: string;
  command: string[];
}

export type Health = { status: "well" } | { status: "ill"; reason: string };

export interface Application {
  name: string;
  title: string;
  about: string;
  health: Health;
  links: { label: string; href: string }[];
  mcp: Endpoint;
}

/** The answer of `api/status`. */
export interface Status {
  name: string;
  version: string;
  uptime_seconds: number;
  ready: boolean;
  auth: { required: boolean };
  /** Where everything is kept. */
  store?: Health;
  mcp: Endpoint;
  applications: Application[];
}

/** What is known at a moment: an answer, or why there is none. */
export type Seen =
  { kind: "status"; status: Status } | { kind: "locked" } | { kind: "gone"; why: string };

const EVERY_MS = 4_000;
const PATIENCE_MS = 5_000;

/** Asks again and again, and tells `report`. */
export function watch(report: (seen: Seen) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  const look = async () => {
    if (running) return;
    running = true;
    clearTimeout(timer);
    report(await ask());
    running = false;
    timer = setTimeout(look, EVERY_MS);
  };
  // A page that was in the background shows the truth as soon as it is looked at.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void look();
  });
  addEventListener("online", () => void look());
  void look();
}

async function ask(): Promise<Seen> {
  try {
    const { body } = await exchange<Status>("GET", "api/status", undefined, {
      patience: PATIENCE_MS,
    });
    return { kind: "status", status: body };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return { kind: "locked" };
    return { kind: "gone", why: explain(error) };
  }
}

/** The whole in one phrase. */
export function summary(status: Status): { state: "well" | "ill"; text: string } {
  const ill = status.applications.filter((app) => app.health.status === "ill").length;
  if (status.store?.status === "ill") return { state: "ill", text: "Storage is ill" };
  if (ill > 0) return { state: "ill", text: `${ill} of ${status.applications.length} ill` };
  if (!status.ready) return { state: "ill", text: "Not ready" };
  return { state: "well", text: "All well" };
}

/** A duration as people say it: `45 s`, `3 min`, `2 h 5 min`, `4 d 3 h`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [days, hours, minutes] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3_600) % 24,
    Math.floor(whole / 60) % 60,
  ];
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  return minutes > 0 ? `${minutes} min` : `${whole} s`;
}
