import assert from "node:assert/strict";
import { test } from "node:test";
import { LEVELS, Pace } from "../../universe/scene/quality.ts";

function frames(pace: Pace, count: number, ms: number): void {
  for (let n = 0; n < count; n++) pace.count(ms);
}

test("slow frames draw less, down to the least", () => {
  const pace = new Pace(3);
  frames(pace, 1000, 60);
  assert.equal(pace.level, 0);
});

test("fast frames draw more, but never again what was too slow", () => {
  const pace = new Pace(2);
  frames(pace, 20, 60);
  assert.equal(pace.level, 1);
  frames(pace, 5000, 16);
  assert.equal(pace.level, 1);
  const quick = new Pace(1);
  frames(quick, 5000, 16);
  assert.equal(quick.level, LEVELS.length - 1);
});

test("a tab that was hidden does not count as slow", () => {
  const pace = new Pace(3);
  frames(pace, 100, 5000);
  assert.equal(pace.level, 3);
});
