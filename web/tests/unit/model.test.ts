import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, rows, type Command, type State } from "../../universe/model.ts";
import { refusal } from "../../universe/refusal.ts";

const empty: State = { stars: {}, rootIds: [], time: 0 };

/** The state after these commands; fails when one of them is left to the server. */
function play(...commands: Command[]): State {
  return commands.reduce((state, command) => {
    const next = apply(state, command);
    assert.ok(next, JSON.stringify(command));
    return next;
  }, empty);
}

const sun: Command = { type: "addStar", id: "sun", payload: { name: "Sun" } };
const earth: Command = { type: "addStar", id: "earth", payload: { parentId: "sun" } };
const moon: Command = { type: "addStar", id: "moon", payload: { parentId: "earth" } };

test("a body is added under its parent, or as a root, with what is missing filled in", () => {
  const { stars, rootIds } = play(sun, earth);
  assert.deepEqual(rootIds, ["sun"]);
  assert.deepEqual(stars["sun"]?.children, ["earth"]);
  assert.equal(stars["earth"]?.name, "earth");
  assert.equal(stars["earth"]?.orbitalPhase, 0);
});

test("an update changes what it names and never the tree", () => {
  const payload = { mass: 5, id: "x", children: ["y"] };
  const { stars } = play(sun, earth, { type: "updateStar", id: "sun", payload });
  const { mass, id, children, name } = stars["sun"] ?? {};
  assert.deepEqual(
    { mass, id, children, name },
    { mass: 5, id: "sun", children: ["earth"], name: "Sun" },
  );
});

test("removing takes what is below, and leaves no trace in the parent", () => {
  const { stars, rootIds } = play(sun, earth, moon, { type: "removeStar", id: "earth" });
  assert.deepEqual(Object.keys(stars), ["sun"]);
  assert.deepEqual(stars["sun"]?.children, []);
  assert.deepEqual(rootIds, ["sun"]);
});

test("a tick moves the time, by one second unless it says otherwise", () => {
  assert.equal(play({ type: "tick" }, { type: "tick", dt: -0.5 }).time, 0.5);
});

test("what only the server can decide is left to it", () => {
  const state = play(sun, earth);
  const undecided = [
    { type: "replaceSnapshot" },
    { type: "updateStar", id: "earth", payload: { parentId: null } },
    { type: "updateStar", id: "none", payload: {} },
    { type: "removeStar", id: "none" },
    { type: "addStar", id: "sun", payload: {} },
    { type: "addStar", id: "new", payload: { parentId: "none" } },
  ] as Command[];
  for (const command of undecided)
    assert.equal(apply(state, command), null, JSON.stringify(command));
});

test("applying never changes the state it was given", () => {
  const state = play(sun);
  const before = structuredClone(state);
  apply(state, earth);
  apply(state, { type: "removeStar", id: "sun" });
  assert.deepEqual(state, before);
});

test("the tree is read from top to bottom, and what no root leads to comes last", () => {
  const state = play(sun, earth, moon, { type: "addStar", id: "rogue", payload: {} });
  const listed = rows({ ...state, rootIds: ["sun"] }).map(({ star, depth }) => [star.id, depth]);
  assert.deepEqual(listed, [
    ["sun", 0],
    ["earth", 1],
    ["moon", 2],
    ["rogue", 0],
  ]);
});

test("commands about what this page does not show change nothing here", () => {
  const state = play(sun);
  for (const type of [
    "addGroup",
    "moveToGroup",
    "setNebulae",
    "removeRing",
    "updateSmallBodyField",
  ]) {
    assert.equal(apply(state, { type } as unknown as Command), state, type);
  }
});

test("a refusal is told in the server's words, or in ours, and what was applied is none", () => {
  const refused = (type: string, more: object = {}) =>
    refusal({ applied: false, revision: 1, events: [{ type, ...more }] });
  assert.equal(refusal({ applied: true, revision: 1, events: [{ type: "starAdded" }] }), null);
  assert.equal(
    refusal({ applied: false, revision: 1, events: [], hint: "try again" }),
    "try again",
  );
  assert.match(refused("starNotFound") ?? "", /is gone/);
  assert.match(refused("addFailed", { reason: "duplicateId" }) ?? "", /exists already/);
  assert.match(refused("unknownCommand") ?? "", /unknownCommand/);
});
