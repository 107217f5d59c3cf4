import assert from "node:assert/strict";
import { test } from "node:test";
import { edgeOf, layout } from "../../universe/math/layout.ts";
import { placeOf, relative, trajectoryWindow } from "../../universe/math/orbit.ts";
import { pick, project } from "../../universe/math/pick.ts";
import { seeded } from "../../universe/math/random.ts";
import { Tracks } from "../../universe/math/tracks.ts";
import type { Point } from "../../universe/state/types.ts";
import { body, group, world } from "./bodies.ts";

function assertNear(
  point: Point | undefined,
  x: number,
  y: number,
  z: number,
  within = 1e-9,
): void {
  const off = point ? Math.hypot(point.x - x, point.y - y, point.z - z) : Infinity;
  assert.ok(off < within, `${JSON.stringify(point)} is not at ${x}, ${y}, ${z}`);
}

test("a body at distance zero stays with its parent, whatever else it says", () => {
  const odd = body("a", { semiMajorAxis: 5, orbitOffsetX: 3, orbitalSpeed: 9 });
  assertNear(relative(odd, 7), 0, 0, 0);
});

test("a circular orbit starts at its phase and turns from x towards z", () => {
  const round = body("a", { orbitalDistance: 10, orbitalSpeed: 90 });
  assertNear(relative(round, 0), 10, 0, 0);
  assertNear(relative(round, 1), 0, 0, 10);
  assertNear(relative({ ...round, orbitalPhase: 180 }, 0), -10, 0, 0);
  assertNear(relative(round, -1), 0, 0, -10);
});

test("an ellipse has its parent at the centre", () => {
  const long = body("a", {
    orbitalDistance: 1,
    semiMajorAxis: 10,
    eccentricity: 0.6,
    orbitalSpeed: 90,
  });
  assertNear(relative(long, 0), 10, 0, 0);
  assertNear(relative(long, 1), 0, 0, 8);
  assertNear(relative(long, 2), -10, 0, 0);
});

test("the plane is turned about z, then y, then x, and moved last", () => {
  const round = body("a", { orbitalDistance: 1 });
  assertNear(relative({ ...round, orbitRotZ: 90 }, 0), 0, 1, 0);
  assertNear(relative({ ...round, orbitRotY: 90 }, 0), 0, 0, -1);
  assertNear(relative({ ...round, orbitRotZ: 90, orbitRotX: 90 }, 0), 0, 0, 1);
  assertNear(relative({ ...round, orbitRotZ: 90, orbitOffsetY: 5 }, 0), 0, 6, 0);
});

test("a moon's place is its planet's plus its own", () => {
  const bodies = [
    body("moon", { parentId: "planet", orbitalDistance: 1, orbitalPhase: 90 }),
    body("planet", { parentId: "sun", orbitalDistance: 5 }),
    body("sun"),
  ];
  assertNear(placeOf(world(bodies), "moon", 0), 5, 0, 1);
});

test("a rogue planet goes straight, or round when its path is curved", () => {
  const path = { initialPosition: { x: 1, y: 2, z: 3 }, velocity: { x: 1, y: 0, z: -1 } };
  const rogue = body("a", { isRoguePlanet: true, roguePlanet: path });
  assertNear(relative(rogue, 2), 3, 2, 1);
  const curved = { ...path, pathCurvature: 0.5, semiMajorAxis: 10, pathPeriod: 4 };
  assertNear(relative({ ...rogue, roguePlanet: curved }, 1), 1, 2, 13);
});

test("a rogue planet's line shows a hundred seconds, or a quarter of its period", () => {
  const path = { initialPosition: { x: 0, y: 0, z: 0 }, velocity: { x: 1, y: 0, z: 0 } };
  assert.deepEqual(trajectoryWindow(path), { past: 100, future: 100 });
  const curved = { ...path, pathCurvature: 1, semiMajorAxis: 8 };
  assert.deepEqual(trajectoryWindow(curved), { past: 10, future: 10 });
  assert.equal(trajectoryWindow({ ...path, trajectoryPastWindow: 3 }).past, 3);
});

test("the loop over all bodies agrees with the formulas for one, at any time", () => {
  const random = seeded("tracks");
  const bodies = [body("sun", { orbitalDistance: 3, orbitalSpeed: 2 })];
  for (let n = 0; n < 40; n++) {
    const parentId = bodies[Math.floor(random() * bodies.length)]?.id ?? "sun";
    const tilt = { orbitRotX: random() * 90, orbitRotY: random() * 90, orbitRotZ: random() * 90 };
    const orbit = {
      orbitalDistance: random() * 20,
      orbitalSpeed: random() * 200 - 100,
      eccentricity: random(),
    };
    bodies.push(body(`b${n}`, { parentId, orbitalPhase: random() * 360, ...tilt, ...orbit }));
  }
  const held = world(bodies, [
    group("g", [{ id: "sun", type: "system" }], { position: { x: 7, y: 8, z: 9 } }),
  ]);
  const tracks = new Tracks(held);
  for (const time of [0, 1.5, -40, 12345.678]) {
    tracks.update(time);
    for (const { id } of bodies) {
      const [x, y, z] = tracks.place(tracks.slots.get(id) ?? -1);
      assertNear(placeOf(held, id, time), x, y, z, 1e-6);
    }
  }
});

test("parents come before children, the origin first, and a cycle is no harm", () => {
  const bodies = [
    body("moon", { parentId: "planet" }),
    body("planet", { parentId: "sun" }),
    body("sun"),
    body("a", { parentId: "b", orbitalDistance: 1 }),
    body("b", { parentId: "a", orbitalDistance: 1 }),
  ];
  const tracks = new Tracks(world(bodies));
  tracks.update(1);
  for (const [id, slot] of tracks.slots) {
    if (slot > 0) assert.ok((tracks.parents[slot] ?? 0) < slot, id);
  }
  assert.equal(tracks.slots.size, 6);
  assert.ok(tracks.places.every(Number.isFinite));
});

test("a group's box grows with its members, which stand on a square grid inside", () => {
  assert.equal(edgeOf(4), 12);
  const members = ["a", "b", "c", "d"].map((id) => ({ id, type: "system" as const }));
  const at = { x: 100, y: 0, z: 0 };
  const { boxes, systems } = layout(world([], [group("g", members, { position: at })]));
  assert.deepEqual(boxes.get("g"), { centre: at, edge: 12, depth: 0 });
  assertNear(systems.get("a"), 100 - 4.2, 0, -4.2);
  assertNear(systems.get("b"), 100, 0, -4.2);
  assertNear(systems.get("c"), 100 - 4.2, 0, 0);
});

test("root groups without a place stand in rows of five, twenty apart", () => {
  const groups = Array.from({ length: 7 }, (_, n) => group(`g${n}`));
  const { boxes } = layout(world([], groups));
  assert.deepEqual(boxes.get("g4")?.centre, { x: 80, y: 0, z: 0 });
  assert.deepEqual(boxes.get("g6")?.centre, { x: 20, y: 0, z: 20 });
});

test("a nested group stands in its parent's cell, whatever place it names", () => {
  const inner = group("inner", [{ id: "s", type: "system" }], {
    parentGroupId: "outer",
    position: { x: 999, y: 0, z: 0 },
  });
  const outer = group("outer", [{ id: "inner", type: "group" }]);
  const { boxes, systems } = layout(world([body("s")], [outer, inner]));
  assertNear(boxes.get("inner")?.centre, -3.5, 0, -3.5);
  assert.equal(boxes.get("inner")?.depth, 1);
  assertNear(systems.get("s"), -7, 0, -7);
});

// A camera at the origin that looks along -z: what is at z = -10 has depth 10.
const matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.2, 0];
const aim = { matrix, width: 200, height: 200, scale: 100 };

test("what is in front is projected, what is behind is not", () => {
  assert.deepEqual(project(aim, 5, 5, -10), { x: 150, y: 50, depth: 10 });
  assert.equal(project(aim, 0, 0, 10), null);
});

test("the nearest body under the pointer is picked, and a near miss still counts", () => {
  const places = [0, 0, 0, 0, 0, 0, -20, 0, 0, 0, -10, 0, 5, 0, -10, 0];
  const radii = [0, 1, 1, 0.001];
  assert.equal(pick(places, radii, { ...aim, x: 100, y: 100 }), 2);
  assert.equal(pick(places, radii, { ...aim, x: 156, y: 100 }), 3);
  assert.equal(pick(places, radii, { ...aim, x: 100, y: 20 }), 0);
});

test("what is not to be seen cannot be picked", () => {
  const places = [0, 0, 0, 0, 0, 0, -10, 0];
  assert.equal(pick(places, [0, 0], { ...aim, x: 100, y: 100 }), 0);
});
