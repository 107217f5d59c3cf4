/** Scales: where a value is on an axis, and which values an axis names. */

import { partsOf } from "./format.ts";

/** About `count` round values that hold everything from `low` to `high`. */
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low];
  const step = niceStep((high - low) / Math.max(1, count));
  const from = Math.floor(low / step + 1e-9);
  const to = Math.ceil(high / step - 1e-9);
  const found: number[] = [];
  // Steps are counted, not added up: 0.1 + 0.2 is no round number.
  for (let n = from; n <= to && found.length < 100; n += 1) found.push(round(n * step));
  return found;
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const part = rough / power;
  return (part <= 1 ? 1 : part <= 2 ? 2 : part <= 2.5 ? 2.5 : part <= 5 ? 5 : 10) * power;
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}

/** The ends of an axis: round, with zero in it unless a line far from zero would be flattened. */
export function domain(
  values: readonly number[],
  zero: boolean,
  count: number,
): { low: number; high: number; ticks: number[] } {
  let [low, high] = extent(values);
  if (zero) [low, high] = [Math.min(0, low), Math.max(0, high)];
  if (low === high) {
    if (low === 0) high = 1;
    else if (low > 0) [low, high] = zero ? [0, high] : [low * 0.9, high * 1.1];
    else [low, high] = zero ? [low, 0] : [low * 1.1, high * 0.9];
  }
  const found = ticks(low, high, count);
  return { low: found[0] ?? low, high: found.at(-1) ?? high, ticks: found };
}

export function extent(values: readonly number[]): [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 0];
}

/** From values to places. */
export function linear(low: number, high: number, from: number, to: number) {
  const span = high - low;
  return (value: number) =>
    span === 0 ? (from + to) / 2 : from + ((value - low) / span) * (to - from);
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30.44 * DAY;
const YEAR = 365.25 * DAY;

const STEPS: [size: number, unit: "ms" | "month" | "year", n: number][] = [
  ...[1, 5, 15, 30].map((n): [number, "ms", number] => [n * SECOND, "ms", n * SECOND]),
  ...[1, 5, 15, 30].map((n): [number, "ms", number] => [n * MINUTE, "ms", n * MINUTE]),
  ...[1, 3, 6, 12].map((n): [number, "ms", number] => [n * HOUR, "ms", n * HOUR]),
  ...[1, 2, 7, 14].map((n): [number, "ms", number] => [n * DAY, "ms", n * DAY]),
  ...[1, 3, 6].map((n): [number, "month", number] => [n * MONTH, "month", n]),
  ...[1, 2, 5, 10, 20, 50, 100].map((n): [number, "year", number] => [n * YEAR, "year", n]),
];

/** At most about `count` moments with a meaning: hours, days, months, years. */
export function timeTicks(
  low: number,
  high: number,
  count: number,
): { ticks: number[]; step: number } {
  const wanted = (high - low) / Math.max(1, count);
  const found = STEPS.find(([size]) => size >= wanted) ?? STEPS.at(-1);
  if (!found || high <= low) return { ticks: [low], step: DAY };
  const [step, unit, n] = found;
  const made: number[] = [];
  const { year, month } = partsOf(low);
  if (unit === "ms") {
    for (let at = Math.ceil(low / n) * n; at <= high && made.length < 200; at += n) made.push(at);
  } else {
    const months = unit === "year" ? 12 * n : n;
    const first = unit === "year" ? Math.floor(year / n) * n * 12 : year * 12 + month - 1;
    const start = Math.floor(first / months) * months;
    for (let at = start; made.length < 200; at += months) {
      const time = Date.UTC(Math.floor(at / 12), at % 12, 1);
      if (time > high) break;
      if (time >= low) made.push(time);
    }
  }
  return { ticks: made.length > 0 ? made : [low], step };
}
