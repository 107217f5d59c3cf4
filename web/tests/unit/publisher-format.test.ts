import assert from "node:assert/strict";
import { test } from "node:test";
import type { Column, Value } from "../../publisher/render/data.ts";
import { formatterOf, partsOf, short, tickText } from "../../publisher/render/format.ts";
import { pattern } from "../../publisher/render/pattern.ts";
import { domain, linear, ticks, timeTicks } from "../../publisher/render/scale.ts";
import { column, measure } from "./publisher-tables.ts";

const written = (value: Value, of: Column, zone?: string) => formatterOf(of, zone)(value);

test("numbers have groups and as many places as say something", () => {
  const cases: [number | string, string][] = [
    [1234567, "1,234,567"],
    [1234.567, "1,234.6"],
    [12.345678, "12.35"],
    [0.0012345, "0.00123"],
    [-0.5, "-0.5"],
    ["9007199254740993", "9,007,199,254,740,993"],
  ];
  for (const [value, expected] of cases) assert.equal(written(value, measure("n")), expected);
  assert.equal(written(null, measure("n")), "∅");
});

test("years and ids are names, not amounts", () => {
  assert.equal(written(1998, column("built", { kind: "number", whole: true })), "1998");
  assert.equal(written(1234567, column("imo", { kind: "number", whole: true })), "1234567");
  assert.equal(written(1998, measure("ship_count")), "1,998");
});

test("tags of a column say how its numbers are written", () => {
  const cases: [string, number, string][] = [
    ["percent", 0.19889, "19.9%"],
    ["percent=0", 0.19889, "20%"],
    ["currency", 1234.5, "$1,234.50"],
    ["currency=euro", -3, "−€3.00"],
    ["currency=usd0m", 18417387, "$18M"],
    ["currency=gbp1k", 2500, "£2.5k"],
    ["currency { scale=m decimals=2 }", 18417387, "$18.42M"],
    ["number=auto", 18417387, "18.4M"],
    ["number=id", 1998, "1998"],
    ["number=1k", 12345, "12.3k"],
    ['number="#,##0.00"', 1234.5, "1,234.50"],
    ["number { decimals=1 }", 3, "3.0"],
    ["duration", 5400, "1 hour 30 minutes"],
    ["duration=minutes", 1, "1 minute"],
    ["duration=hours", 50, "2 days 2 hours"],
    ["duration { unit=seconds terse }", 3661, "1h 1m"],
    ["duration=minutes", -90, "−1 hour 30 minutes"],
    ["duration", 0, "0 seconds"],
  ];
  for (const [tags, value, expected] of cases)
    assert.equal(written(value, measure("n", tags)), expected, tags);
});

test("patterns are those of spreadsheets", () => {
  const cases: [string, number, string][] = [
    ["0", 12.6, "13"],
    ["0.00", 1234.5, "1234.50"],
    ["#,##0", 1234567, "1,234,567"],
    ["#.##", 0.5, ".5"],
    ["0.#", 2, "2"],
    ["000", 7, "007"],
    ["0.0%", 0.123, "12.3%"],
    ["$#,##0", 1234, "$1,234"],
    ['0.0,"k"', 12345, "12.3k"],
    ["#,##0.0,,", 12345678, "12.3"],
    ['0 "days"', 3, "3 days"],
    ["0;(0)", -5, "(5)"],
    ['0;-0;"none"', 0, "none"],
    ["0", -0.2, "0"],
    ["", 5, "5"],
  ];
  for (const [text, value, expected] of cases) assert.equal(pattern(text)(value), expected, text);
});

test("times are as exact as their column", () => {
  const time = (timeframe: Column["timeframe"], kind: "date" | "time" = "time") =>
    column("at", { kind, timeframe });
  const value = "2024-03-09T14:05:00.000Z";
  assert.equal(written(value, time("year")), "2024");
  assert.equal(written(value, time("quarter")), "2024-Q1");
  assert.equal(written(value, time("month")), "2024-03");
  assert.equal(written(value, time("day")), "2024-03-09");
  assert.equal(written(value, time("hour")), "2024-03-09 14:00");
  assert.equal(written(value, time(undefined)), "2024-03-09 14:05");
  assert.equal(written("2024-03-09", time(undefined, "date")), "2024-03-09");
  assert.equal(written("2024-03-09 00:00:00", time("month")), "2024-03");
  assert.equal(written("no time", time("day")), "no time");
});

test("a time is shown in the zone of its query, a date in none", () => {
  const value = "2024-03-09T23:30:00.000Z";
  assert.equal(written(value, column("at", { kind: "time" }), "Asia/Tokyo"), "2024-03-10 08:30");
  assert.equal(written("2024-03-09", column("on", { kind: "date" }), "Asia/Tokyo"), "2024-03-09");
  assert.deepEqual(partsOf(0, "Nowhere/Land").year, 1970);
});

test("short numbers are short", () => {
  assert.deepEqual(
    [950, 1200, 12_345, 4_500_000, 2e9, 0.25].map((n) => short(n)),
    ["950", "1.2k", "12.3k", "4.5M", "2B", "0.25"],
  );
});

test("ticks are round and hold all values", () => {
  assert.deepEqual(ticks(0, 97, 5), [0, 20, 40, 60, 80, 100]);
  assert.deepEqual(ticks(0, 0.3, 3), [0, 0.1, 0.2, 0.3]);
  assert.deepEqual(ticks(-5, 5, 4), [-5, -2.5, 0, 2.5, 5]);
  assert.deepEqual(domain([120, 130], true, 4).low, 0);
  assert.ok(domain([120, 130], false, 4).low > 100);
  assert.deepEqual(domain([], true, 4).ticks.length > 1, true);
  const { low, high } = domain([7, 7], true, 4);
  assert.ok(low === 0 && high >= 7);
  const scale = linear(0, 10, 100, 0);
  assert.deepEqual([scale(0), scale(5), scale(10)], [100, 50, 0]);
});

test("ticks of time are moments with a meaning", () => {
  const years = timeTicks(Date.UTC(2020, 0), Date.UTC(2025, 0), 6);
  assert.deepEqual(
    years.ticks.map((tick) => new Date(tick).getUTCFullYear()),
    [2020, 2021, 2022, 2023, 2024, 2025],
  );
  const months = timeTicks(Date.UTC(2024, 0, 15), Date.UTC(2024, 5, 15), 6);
  assert.ok(months.ticks.every((tick) => new Date(tick).getUTCDate() === 1));
  const hours = timeTicks(Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 2), 8);
  assert.ok(hours.ticks.every((tick) => tick % 3_600_000 === 0) && hours.ticks.length <= 10);
  assert.equal(tickText(Date.UTC(2024, 0), months.step, false), "Jan 2024");
  assert.equal(tickText(Date.UTC(2024, 3), months.step, false), "Apr");
  assert.deepEqual(timeTicks(5, 5, 4).ticks, [5]);
});
