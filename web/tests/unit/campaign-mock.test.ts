import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate, probability } from "../mock/campaign/duality.ts";
import { sampleCampaign } from "../mock/campaign/sample.ts";

test("the stand-in counts outcomes as the rules do", () => {
  const { crit_count, success_count, failure_count } = probability(2, 15, "NONE");
  assert.deepEqual([crit_count, success_count, failure_count], [12, 72, 60]);
  assert.equal(probability(0, 10, "ADVANTAGE").total_outcomes, 864);
  assert.equal(evaluate(1, 1, -5, 30).outcome, "CRITICAL_SUCCESS");
  assert.equal(evaluate(6, 4, -1, 10).outcome, "FAILURE_WITH_HOPE");
});

test("the stand-in's record is a chain, and every past table can be looked at", () => {
  const kept = sampleCampaign();
  assert.deepEqual(kept.verify(), {
    valid: true,
    events: kept.entries.length,
    head_hash: kept.table.head_hash,
  });
  assert.equal(kept.at(1).actors.length, 0);
  assert.equal(kept.at(kept.entries.length), kept.table);
  const fork = kept.fork(5, "Another way");
  assert.equal(fork.verify().valid, true);
  assert.equal(fork.table.actors.length, kept.at(5).actors.length);
});
