/** Words for numbers, sizes, times and refusals. */

import { ApiError, explain } from "../../kit/api.ts";
import { toldOf, type Told } from "./types.ts";

const whole = new Intl.NumberFormat("en-US");

export function count(n: number, noun: string): string {
  return `${whole.format(n)} ${noun}${n === 1 ? "" : "s"}`;
}

export function bytes(n: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let [size, unit] = [n, 0];
  while (size >= 1000 && unit < units.length - 1) [size, unit] = [size / 1000, unit + 1];
  const places = unit === 0 || size >= 100 ? 0 : 1;
  return `${size.toFixed(places)} ${units[unit]}`;
}

export function milliseconds(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(ms / 60_000)} min`;
}

/** How long ago, roughly. */
export function age(ms: number): string {
  const steps: [number, string][] = [
    [86_400_000, "day"],
    [3_600_000, "hour"],
    [60_000, "minute"],
    [1_000, "second"],
  ];
  for (const [size, noun] of steps)
    if (ms >= size) return `${count(Math.floor(ms / size), noun)} ago`;
  return "just now";
}

/** A refusal as one piece: what is wrong, where, and what was near. */
export function tell(error: unknown): Told {
  const told = error instanceof ApiError ? toldOf(parsed(error.body)) : undefined;
  return told ?? { message: explain(error) };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not from the application: a proxy in between, or nothing at all.
    return undefined;
  }
}

/** As a sentence: the server's messages are lower case and end nowhere. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?:)\n]$/.test(first) || first === "" ? first : `${first}.`;
}

/** `by_month` as people say it. */
export function spaced(name: string): string {
  return name.replaceAll("_", " ");
}

/** A moment for people, in their own time. */
export function clock(at: string | number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  const today = new Date().toDateString() === date.toDateString();
  return today
    ? date.toLocaleTimeString(undefined, { timeStyle: "medium" })
    : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
