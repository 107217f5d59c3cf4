/** Values as text: numbers, money, shares, durations, times, as the tags of a column say. Start at `formatterOf`. */

import { amount, moment, type Column, type Value } from "./data.ts";
import { pattern } from "./pattern.ts";
import type { Tag } from "./tag.ts";

/** What a null looks like. */
export const NOTHING = "∅";

export type Formatter = (value: Value | undefined) => string;

/** Writes the values of a column. */
export function formatterOf(column: Column, timezone?: string): Formatter {
  const write = writerOf(column, timezone);
  return (value) => (value === null || value === undefined ? NOTHING : write(value));
}

function writerOf(column: Column, timezone: string | undefined): (value: Value) => string {
  switch (column.kind) {
    case "number": {
      const write = numberWriter(column);
      return (value) => {
        const number = amount(value);
        if (number === undefined) return String(value);
        // Digits that a number would lose are kept; they are grouped by hand.
        return typeof value === "string" ? digits(value) : write(number);
      };
    }
    case "boolean":
      return (value) => (value === true ? "true" : "false");
    case "date":
      return (value) => dateText(value, column, undefined);
    case "time":
      return (value) => dateText(value, column, timezone);
    default:
      return (value) => (Array.isArray(value) ? "" : String(value));
  }
}

function digits(text: string): string {
  return text.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

function numberWriter(column: Column): (value: number) => string {
  const { tag } = column;
  if (tag.has("currency")) return money(tag.get("currency") as Tag);
  if (tag.has("percent")) {
    const places = places1(tag.text("percent"));
    return (value) => `${fixed(value * 100, places)}%`;
  }
  if (tag.has("duration")) return duration(tag.get("duration") as Tag);
  if (tag.has("number")) return tagged(tag.get("number") as Tag);
  return plainNumber(column);
}

function places1(text: string | undefined): number {
  const places = Number(text);
  return text !== undefined && text !== "" && places >= 0 && places <= 10 ? places : 1;
}

/** Years and ids are names, not amounts: `1998`, not `1,998`. */
function plainNumber({ measure, whole, name }: Column): (value: number) => string {
  const named = !measure && /(^|_)(id|year|code|imo|key|number)$/i.test(name);
  return (value) => {
    if (named || (!measure && whole && Number.isInteger(value) && Math.abs(value) < 10_000)) {
      return String(value);
    }
    return number(value);
  };
}

/** A number without any wish: as many places as say something. */
export function number(value: number): string {
  if (Number.isInteger(value)) return fixed(value, 0);
  const size = Math.abs(value);
  const most =
    size >= 1000 ? 1 : size >= 1 ? 2 : Math.min(6, 2 - Math.floor(Math.log10(size || 1)));
  return new Intl.NumberFormat("en-US", { maximumFractionDigits: Math.max(0, most) }).format(value);
}

const formats = new Map<number, Intl.NumberFormat>();

export function fixed(value: number, places: number): string {
  let format = formats.get(places);
  if (!format) {
    format = new Intl.NumberFormat("en-US", {
      minimumFractionDigits: places,
      maximumFractionDigits: places,
    });
    formats.set(places, format);
  }
  return format.format(value);
}

const SCALES: Record<string, [by: number, sign: string]> = {
  k: [1e3, "k"],
  m: [1e6, "M"],
  b: [1e9, "B"],
  t: [1e12, "T"],
  q: [1e15, "Q"],
};

/** `12.3k`, `4.5M`: short enough for an axis or a big figure. */
export function short(value: number, places = 1): string {
  const size = Math.abs(value);
  const scale = ["q", "t", "b", "m", "k"].find((each) => size >= (SCALES[each]?.[0] ?? 0));
  if (!scale) return number(value);
  const [by, sign] = SCALES[scale] as [number, string];
  return `${trimmed(value / by, places)}${sign}`;
}

function trimmed(value: number, places: number): string {
  return new Intl.NumberFormat("en-US", { maximumFractionDigits: places }).format(value);
}

const SIGNS: Record<string, string> = {
  usd: "$",
  dollar: "$",
  eur: "€",
  euro: "€",
  gbp: "£",
  pound: "£",
  jpy: "¥",
  yen: "¥",
  inr: "₹",
  chf: "CHF ",
};

/** `# currency`, `# currency=euro`, `# currency=usd0m` (whole millions), `# currency { scale=k decimals=1 }`. */
function money(tag: Tag): (value: number) => string {
  const text = (typeof tag.value === "string" ? tag.value : "usd").toLowerCase();
  const [, name = "usd", decimals, scale] = /^([a-z]{3,6}?)(\d)?(auto|[kmbtq])?$/.exec(text) ?? [];
  const sign = SIGNS[name] ?? SIGNS[text] ?? `${name.toUpperCase()} `;
  const write = scaled(tag, decimals === undefined ? 2 : Number(decimals), scale);
  return (value) => `${value < 0 ? "−" : ""}${sign}${write(Math.abs(value))}`;
}

/** `# number="#,##0.0"`, `# number=auto`, `# number=id`, `# number=1k`, `# number { scale=m decimals=1 }`. */
function tagged(tag: Tag): (value: number) => string {
  const text = typeof tag.value === "string" ? tag.value : "";
  if (text === "id") return String;
  if (text === "auto") return scaled(tag, 1, "auto");
  if (text === "big") return (value) => fixed(value, 0);
  const [, decimals, scale] = /^(\d)?([kmbtq])$/i.exec(text) ?? [];
  if (scale) return scaled(tag, Number(decimals ?? 0), scale.toLowerCase());
  if (text !== "") return pattern(text);
  return scaled(tag, undefined, undefined);
}

function scaled(tag: Tag, decimals: number | undefined, scale: string | undefined) {
  const places = tag.number("decimals") ?? decimals;
  const by = tag.text("scale")?.toLowerCase() ?? scale;
  if (by === "auto") return (value: number) => short(value, places ?? 1);
  const found = by === undefined ? undefined : SCALES[by];
  const write = (value: number) => (places === undefined ? number(value) : fixed(value, places));
  if (!found) return write;
  const suffix = tag.text("suffix") === "none" ? "" : found[1];
  return (value: number) => `${write(value / found[0])}${suffix}`;
}

const UNITS: [name: string, seconds: number, terse: string][] = [
  ["day", 86_400, "d"],
  ["hour", 3_600, "h"],
  ["minute", 60, "m"],
  ["second", 1, "s"],
  ["millisecond", 0.001, "ms"],
  ["microsecond", 0.000_001, "µs"],
  ["nanosecond", 1e-9, "ns"],
];

/** `# duration=minutes`: the two largest units that say something, `1 hour 30 minutes`; `{ terse }` gives `1h 30m`. */
function duration(tag: Tag): (value: number) => string {
  const text = typeof tag.value === "string" ? tag.value : (tag.text("unit") ?? "seconds");
  const unit = UNITS.find(([name]) => text.replace(/s$/, "") === name)?.[1] ?? 1;
  const terse = tag.is("terse");
  return (value) => {
    let rest = Math.abs(value) * unit;
    const parts: string[] = [];
    const first = UNITS.findIndex(([, size]) => rest >= size * (1 - 1e-9));
    const from = first < 0 ? UNITS.findIndex(([, size]) => size === unit) : first;
    for (const [name, size, letter] of UNITS.slice(from, from + 2)) {
      const last = parts.length === 1 || size <= 0.001 || size < unit;
      const n = last ? Math.round(rest / size) : Math.floor(rest / size + 1e-9);
      rest -= n * size;
      if (n === 0 && parts.length + (rest > 0 ? 0 : 1) > 0 && (parts.length > 0 || rest > 0))
        continue;
      parts.push(terse ? `${fixed(n, 0)}${letter}` : `${fixed(n, 0)} ${name}${n === 1 ? "" : "s"}`);
    }
    return `${value < 0 ? "−" : ""}${parts.join(" ")}`;
  };
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const two = (n: number) => String(n).padStart(2, "0");

/** A date or time, as exact as its column: `2024`, `2024-Q1`, `2024-03`, `2024-03-09 14:00`. */
function dateText(value: Value, column: Column, timezone: string | undefined): string {
  const time = moment(value);
  if (time === undefined) return String(value);
  const at = partsOf(time, timezone);
  const frame = column.timeframe ?? (column.kind === "date" ? "day" : undefined);
  const day = `${at.year}-${two(at.month)}-${two(at.day)}`;
  switch (frame) {
    case "year":
      return String(at.year);
    case "quarter":
      return `${at.year}-Q${Math.ceil(at.month / 3)}`;
    case "month":
      return `${at.year}-${two(at.month)}`;
    case "week":
    case "day":
      return day;
    case "hour":
      return `${day} ${two(at.hour)}:00`;
    case "minute":
      return `${day} ${two(at.hour)}:${two(at.minute)}`;
    default: {
      const seconds = at.second === 0 ? "" : `:${two(at.second)}`;
      return `${day} ${two(at.hour)}:${two(at.minute)}${seconds}`;
    }
  }
}

interface Parts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const zones = new Map<string, Intl.DateTimeFormat>();

/** What clock and calendar show at a moment, in UTC or in a zone. */
export function partsOf(time: number, timezone?: string): Parts {
  const date = new Date(time);
  const utc = {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
  if (!timezone || timezone === "UTC") return utc;
  const zone = zoneOf(timezone);
  if (!zone) return utc;
  const found = Object.fromEntries(zone.formatToParts(date).map((part) => [part.type, part.value]));
  const of = (name: string) => Number(found[name] ?? 0);
  return {
    year: of("year"),
    month: of("month"),
    day: of("day"),
    hour: of("hour") % 24,
    minute: of("minute"),
    second: of("second"),
  };
}

function zoneOf(timezone: string): Intl.DateTimeFormat | undefined {
  try {
    const known = zones.get(timezone);
    if (known) return known;
    const made = new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    zones.set(timezone, made);
    return made;
  } catch {
    // A zone that this browser does not know; UTC is what the server sent.
    return undefined;
  }
}

/** A tick of a time axis, no more exact than the steps between ticks. */
export function tickText(time: number, step: number, first: boolean, timezone?: string): string {
  const { year, month, day, hour, minute } = partsOf(time, timezone);
  const DAY = 86_400_000;
  if (step >= 360 * DAY) return String(year);
  if (step >= 27 * DAY) {
    return first || month === 1 ? `${MONTHS[month - 1]} ${year}` : (MONTHS[month - 1] ?? "");
  }
  if (step >= DAY) return `${MONTHS[month - 1]} ${day}`;
  const clock = `${two(hour)}:${two(minute)}`;
  return first || (hour === 0 && minute === 0) ? `${MONTHS[month - 1]} ${day} ${clock}` : clock;
}
