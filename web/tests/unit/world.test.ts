import assert from "node:assert/strict";
import { test } from "node:test";
import { timeAt, skewOf } from "../../universe/state/clock.ts";
import { actor, describe } from "../../universe/state/describe.ts";
import { messages } from "../../universe/state/generate.ts";
import { refusal } from "../../universe/state/refusal.ts";
import { search } from "../../universe/state/search.ts";
import { kindOf } from "../../universe/state/world.ts";
import { body, group, world } from "./bodies.ts";

const sun = body("sun");
const earth = body("earth", { parentId: "sun", name: "Earth" });
const moon = body("moon", { parentId: "earth", bodyType: "moon" });

test("a delta adds, replaces and takes away, and says what it touched", () => {
  const held = world([sun, earth]);
  const touched = held.apply({ stars: { moon, earth: { ...earth, mass: 9 }, sun: null } });
  assert.deepEqual([...held.stars.keys()], ["earth", "moon"]);
  assert.equal(held.stars.get("earth")?.mass, 9);
  assert.deepEqual(touched, [
    { map: "stars", id: "moon" },
    { map: "stars", id: "earth" },
    { map: "stars", id: "sun" },
  ]);
});

test("the tree follows the parents, also after a delta moved a body", () => {
  const held = world([sun, earth, moon]);
  assert.deepEqual(held.roots, ["sun"]);
  assert.deepEqual(held.withDescendants("sun"), ["sun", "earth", "moon"]);
  held.apply({ stars: { moon: { ...moon, parentId: "sun" } } });
  assert.deepEqual(held.children("sun"), ["earth", "moon"]);
  assert.equal(held.systemOf("moon"), "sun");
});

test("a delta of one map leaves the others alone", () => {
  const held = world([sun], [group("g", [{ id: "sun", type: "system" }])]);
  held.apply({ groups: { g: null } });
  assert.equal(held.stars.size, 1);
  assert.equal(held.groupOf("sun"), undefined);
});

test("rogue planets are no roots, and what orbits nothing known is one", () => {
  const held = world([body("r", { isRoguePlanet: true }), body("lost", { parentId: "gone" })]);
  assert.deepEqual(held.rogues, ["r"]);
  assert.deepEqual(held.roots, ["lost"]);
});

test("bodies that orbit each other end every walk", () => {
  const held = world([body("a", { parentId: "b" }), body("b", { parentId: "a" })]);
  assert.deepEqual(held.withDescendants("a"), ["a", "b"]);
  assert.equal(typeof held.systemOf("a"), "string");
});

test("a body is what it says, else a star at the root and a planet below", () => {
  assert.equal(kindOf(sun), "star");
  assert.equal(kindOf(earth), "planet");
  assert.equal(kindOf(moon), "moon");
  assert.equal(kindOf(body("r", { isRoguePlanet: true, bodyType: "planet" })), "rogue");
});

test("a clock that plays runs at its rate from the moment it names", () => {
  const at = "2030-01-01T00:00:00.000Z";
  const clock = { playing: true, rate: 5, time: 10, at };
  assert.equal(timeAt(clock, Date.parse(at) + 2000), 20);
  assert.equal(timeAt({ ...clock, playing: false }, Date.parse(at) + 2000), 10);
  assert.equal(timeAt({ ...clock, rate: -1 }, Date.parse(at) + 2000), 8);
});

test("the difference to the server's wall clock follows from a state read while playing", () => {
  const at = "2030-01-01T00:00:00.000Z";
  const clock = { playing: true, rate: 5, time: 10, at };
  // The state says 20: two seconds after `at` on the server, which is 1.5 s on this machine.
  assert.equal(skewOf(clock, 20, Date.parse(at) + 1500), 500);
  assert.equal(skewOf({ ...clock, playing: false }, 10, 0), undefined);
});

test("a search looks at names and types, and keeps the order asked for", () => {
  const bodies = [
    body("a", { name: "Beta", mass: 1, bodyType: "star" }),
    body("b", { name: "Alpha", mass: 5, bodyType: "star" }),
    body("c", { name: "Alphard b", bodyType: "planet" }),
  ];
  const ids = (text: string, ...rest: ["star" | "all", "name" | "mass"]) =>
    search(world(bodies), text, ...rest).map(({ ref }) => ref.id);
  assert.deepEqual(ids("alph", "all", "name"), ["b", "c"]);
  assert.deepEqual(ids("", "star", "name"), ["b", "a"]);
  assert.deepEqual(ids("", "all", "mass").slice(0, 1), ["b"]);
});

test("what happened is told in words, with names for ids", () => {
  const held = world([sun, earth]);
  const line = { revision: 3, at: "", by: "", via: "mcp", kind: "command" };
  const told = (command: { type: string }) => describe({ ...line, command }, held);
  assert.equal(
    told({ type: "updateStar", id: "earth", payload: { mass: 1, radius: 2 } } as never),
    "changed mass, radius of Earth",
  );
  assert.equal(
    told({ type: "addStar", id: "x", payload: { name: "Vega" } } as never),
    "added Vega",
  );
  assert.equal(told({ type: "setNebulae", nebulae: {} } as never), "set the nebulae");
  assert.equal(describe({ ...line, kind: "undone", of: 2 }, held), "took back change 2");
  assert.equal(actor(line, false), "An agent");
  assert.equal(actor({ by: "ada", via: "page" }, false), "ada");
  assert.equal(actor(line, true), "You");
});

test("a stream of events is read in pieces of any size", async () => {
  const text = 'event: progress\ndata: {"done":1}\n\n:comment\n\nevent: done\ndata: {"id":"é"}\n\n';
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
      controller.close();
    },
  });
  const heard = [];
  for await (const message of messages(body)) heard.push(message);
  assert.deepEqual(heard, [
    { event: "progress", data: '{"done":1}' },
    { event: "done", data: '{"id":"é"}' },
  ]);
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
