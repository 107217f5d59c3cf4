import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../kit/api.ts";
import { doerOf, isByAi, toneOf, verdictOf } from "../../campaign/state/names.ts";
import { readNotation } from "../../campaign/state/notation.ts";
import { sentence, tell } from "../../campaign/state/refusal.ts";
import { hashOf, invitation, placeOf } from "../../campaign/state/seat.ts";
import { sentenceOf } from "../../campaign/state/sentences.ts";
import type { Entry, Table } from "../../campaign/state/types.ts";

const table = {
  participants: [
    { id: "part_m", display_name: "Mira", role: "PLAYER", controller: "HUMAN" },
    { id: "part_o", display_name: "Oracle", role: "PLAYER", controller: "AI" },
  ],
  actors: [{ id: "actor_t", name: "Thorin" }],
  sessions: [
    { id: "sess_1", name: "The Ford" },
    { id: "sess_2", name: "" },
  ],
} as unknown as Table;

function entry(type: string, payload: object, more: object = {}): Entry {
  const actor = { kind: "SYSTEM", id: "" };
  return { seq: 9, type, payload, actor, invocation_id: "", ...more } as unknown as Entry;
}

const told = (type: string, payload: object) => sentenceOf(entry(type, payload), table);
const roll = { roll: "ACTION", actor_id: "actor_t", trait: "AGILITY", total: 15 };

test("a roll is told with its total, its flavour, the difficulty and how it ended", () => {
  const success = { ...roll, difficulty: 14, outcome: "SUCCESS_WITH_HOPE" };
  assert.equal(
    told("roll.resolved", success),
    "Thorin rolled Agility: 15 with hope against 14: success",
  );
  const open = { roll: "DUALITY", total: 7, outcome: "ROLL_WITH_FEAR" };
  assert.equal(told("roll.resolved", open), "The table rolled 7 with fear");
  const crit = { ...roll, difficulty: 30, outcome: "CRITICAL_SUCCESS" };
  assert.equal(
    told("roll.resolved", crit),
    "Thorin rolled Agility: 15 against 30: critical success",
  );
  const dice = [
    { sides: 20, results: [15, 8], total: 23 },
    { sides: 6, results: [4], total: 4 },
  ];
  assert.equal(
    told("roll.resolved", { roll: "DICE", dice, modifier: 3, total: 30 }),
    "Rolled 2d20 + 1d6 +3: 30",
  );
});

test("every kind of entry is a sentence, with names for ids", () => {
  const cases: [string, object, string][] = [
    ["campaign.created", { name: "Lost" }, "The campaign “Lost” begins"],
    [
      "campaign.forked",
      { from: "camp_a", seq: 7 },
      "A new path splits off at entry 7 of another campaign",
    ],
    ["participant.joined", { display_name: "Ada", role: "GM" }, "Ada joins as GM"],
    [
      "participant.token_issued",
      { participant_id: "part_m" },
      "Mira was given a token for the seat",
    ],
    ["actor.created", { name: "Wolf", kind: "NPC" }, "Wolf enters the story (NPC)"],
    ["actor.control_set", { actor_id: "actor_t", controller: "GM" }, "The GM now plays Thorin"],
    ["actor.control_set", { actor_id: "actor_t", controller: "part_m" }, "Mira now plays Thorin"],
    ["gm.fear_set", { fear: 3, before: 2 }, "Fear rises from 2 to 3"],
    ["gm.fear_set", { fear: 0, before: 2 }, "Fear falls from 2 to 0"],
    ["session.started", { session_id: "sess_1", name: "The Ford" }, "“The Ford” begins"],
    ["session.ended", { session_id: "sess_2" }, "“Session 2” ends"],
    ["note.added", { text: "<b>rain</b>" }, "<b>rain</b>"],
    ["event.undone", { seq: 4, type: "note.added" }, "Entry 4 is taken back"],
    ["something.new", {}, "something.new"],
  ];
  for (const [type, payload, expected] of cases) assert.equal(told(type, payload), expected);
});

test("what changed on an actor is told as from and to", () => {
  const before = { hope: 2, stress: 0, hp: 6 };
  assert.equal(
    told("actor.state_set", { actor_id: "actor_t", vitals: { ...before, hope: 3, hp: 5 }, before }),
    "Thorin: Hope 2 → 3, HP 6 → 5",
  );
  const sheet = { traits: { AGILITY: 0, STRENGTH: 1 }, hp_max: 6, evasion: 10 };
  const after = { ...sheet, traits: { AGILITY: 0, STRENGTH: -1 }, hp_max: 7 };
  assert.equal(
    told("actor.sheet_set", { actor_id: "actor_t", sheet: after, before: sheet }),
    "The sheet of Thorin changes: Strength +1 → −1, most HP 6 → 7",
  );
});

test("an outcome is told by what everybody gains", () => {
  const changes = [{ actor_id: "actor_t", hope: 1, stress: -1 }];
  assert.equal(
    told("outcome.applied", { changes, gm_fear: 0 }),
    "Thorin gains 1 Hope and clears 1 Stress",
  );
  const fear = { changes: [], gm_fear: 1, requires_complication: true };
  assert.equal(told("outcome.applied", fear), "The GM gains 1 Fear; a complication follows");
  const full = { changes: [{ actor_id: "actor_t", hope: 0, stress: 0 }], gm_fear: 0 };
  assert.equal(told("outcome.applied", full), "Thorin has all it can hold");
});

test("an entry is an AI's when an AI plays the participant, or a tool call made it", () => {
  const by = (id: string, more = {}) =>
    entry("note.added", {}, { actor: { kind: "PARTICIPANT", id }, ...more });
  assert.equal(doerOf(by("part_m"), table), "Mira");
  assert.equal(doerOf(entry("note.added", {}), table), "The table");
  assert.equal(isByAi(by("part_m"), table), false);
  assert.equal(isByAi(by("part_o"), table), true);
  assert.equal(isByAi(by("part_m", { invocation_id: "inv_1" }), table), true);
});

test("an outcome has a flavour and a verdict", () => {
  assert.deepEqual(
    [toneOf("CRITICAL_SUCCESS"), verdictOf("CRITICAL_SUCCESS")],
    ["crit", "success"],
  );
  assert.deepEqual(
    [toneOf("FAILURE_WITH_HOPE"), verdictOf("FAILURE_WITH_HOPE")],
    ["hope", "failure"],
  );
  assert.deepEqual([toneOf("ROLL_WITH_FEAR"), verdictOf("ROLL_WITH_FEAR")], ["fear", "none"]);
  assert.deepEqual([toneOf(undefined), verdictOf(undefined)], ["plain", "none"]);
});

test("dice are read as people write them", () => {
  assert.deepEqual(readNotation("2d20+1d6"), {
    dice: [
      { sides: 20, count: 2 },
      { sides: 6, count: 1 },
    ],
    modifier: 0,
  });
  assert.deepEqual(readNotation(" d12 − 2 "), { dice: [{ sides: 12, count: 1 }], modifier: -2 });
  assert.deepEqual(readNotation("3W6 + 4"), { dice: [{ sides: 6, count: 3 }], modifier: 4 });
});

test("what is no dice is named", () => {
  assert.match(String(readNotation("2x6")), /“2x6” is no dice/);
  assert.match(String(readNotation("")), /Write dice/);
  assert.match(String(readNotation("5")), /at least one die/);
  assert.match(String(readNotation("2d6-1d4")), /can only be added/);
  assert.match(String(readNotation("2d6+")), /Write dice/);
});

test("an address names a campaign, and a seat when someone is invited", () => {
  assert.deepEqual(placeOf(""), { campaign: null });
  assert.deepEqual(placeOf("#/campaign/camp_a"), { campaign: "camp_a" });
  assert.deepEqual(placeOf("#/campaign/camp_a?seat=part_m"), { campaign: "camp_a" });
  assert.deepEqual(placeOf("#/elsewhere/camp_a"), { campaign: null });
  const link = invitation("http://host/campaign/#/campaign/x", "camp_a", "part_m", "seat_a+b/c=");
  assert.deepEqual(placeOf(new URL(link).hash), {
    campaign: "camp_a",
    seat: { participant: "part_m", token: "seat_a+b/c=" },
  });
  assert.equal(new URL(link).search, "");
  assert.equal(placeOf(hashOf("a/b c")).campaign, "a/b c");
});

test("a refusal is a sentence in the reader's words, with the way out", () => {
  assert.equal(
    sentence("active session exists: end session `sess_1` first"),
    "A session is running already: end it first.",
  );
  assert.equal(
    sentence("outcome of roll 7 is already applied"),
    "The outcome of roll 7 is applied already.",
  );
  assert.equal(sentence("the server does not answer"), "The server does not answer.");
  const denied = (message: string) => new ApiError(message, 403);
  assert.match(tell(denied("only the GM may set Fear")), /Choose who you are at the top/);
  assert.match(tell(denied("only the GM may set Fear"), { participant: "part_m" }), /Ask the GM/);
  assert.match(
    tell(denied("participant `part_m` must show its token: give it"), { participant: "a" }, table),
    /^Speaking as Mira needs the token of that seat\. .*paste the token/,
  );
  assert.match(
    tell(denied("participant `part_m` does not control actor `actor_t`: see"), {}, table),
    /^Mira does not play Thorin\. /,
  );
  const undo = new ApiError(
    "event 7 cannot be undone: later events are about actor `actor_t`",
    409,
  );
  assert.match(tell(undo, {}, table), /about actor `Thorin`\.$/);
});
