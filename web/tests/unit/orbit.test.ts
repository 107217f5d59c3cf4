import assert from "node:assert/strict";
import { test } from "node:test";
import type { Point, Star, Stars } from "../../universe/model.ts";
import { orbitLine, positions, relative } from "../../universe/orbit.ts";

function star(id: string, more: Partial<Star> = {}): Star {
  return {
    id,
    name: id,
    mass: 1,
    radius: 1,
    color: "#fff",
    children: [],
    parentId: null,
    orbitalDistance: 0,
    orbitalSpeed: 0,
    orbitalPhase: 0,
    ...more,
  };
}

function assertNear(point: Point | undefined, x: number, y: number, z: number): void {
  const off = point ? Math.hypot(point.x - x, point.y - y, point.z - z) : Infinity;
  assert.ok(off < 1e-9, `${JSON.stringify(point)} is not at ${x}, ${y}, ${z}`);
}

test("a body at distance zero stays with its parent, whatever else it says", () => {
  assertNear(
    relative(star("a", { semiMajorAxis: 5, orbitOffsetX: 3, orbitalSpeed: 9 }), 7),
    0,
    0,
    0,
  );
});

test("a circular orbit starts at its phase and turns from x towards z", () => {
  const body = star("a", { orbitalDistance: 10, orbitalSpeed: 90 });
  assertNear(relative(body, 0), 10, 0, 0);
  assertNear(relative(body, 1), 0, 0, 10);
  assertNear(relative({ ...body, orbitalPhase: 180 }, 0), -10, 0, 0);
  assertNear(relative(body, -1), 0, 0, -10);
});

test("an ellipse has its parent at the centre", () => {
  const body = star("a", {
    orbitalDistance: 1,
    semiMajorAxis: 10,
    eccentricity: 0.6,
    orbitalSpeed: 90,
  });
  assertNear(relative(body, 0), 10, 0, 0);
  assertNear(relative(body, 1), 0, 0, 8);
  assertNear(relative(body, 2), -10, 0, 0);
});

test("the plane is turned about z, then y, then x, and moved last", () => {
  const body = star("a", { orbitalDistance: 1 });
  assertNear(relative({ ...body, orbitRotZ: 90 }, 0), 0, 1, 0);
  assertNear(relative({ ...body, orbitRotY: 90 }, 0), 0, 0, -1);
  assertNear(relative({ ...body, orbitRotZ: 90, orbitRotX: 90 }, 0), 0, 0, 1);
  assertNear(relative({ ...body, orbitRotZ: 90, orbitOffsetY: 5 }, 0), 0, 6, 0);
});

test("a moon's place is its planet's plus its own", () => {
  const stars: Stars = {
    moon: star("moon", { parentId: "planet", orbitalDistance: 1, orbitalPhase: 90 }),
    planet: star("planet", { parentId: "sun", orbitalDistance: 5 }),
    sun: star("sun"),
  };
  assertNear(positions(stars, 0).get("moon"), 5, 0, 1);
});

test("bodies that orbit each other do not hang the page", () => {
  const stars: Stars = {
    a: star("a", { parentId: "b", orbitalDistance: 1 }),
    b: star("b", { parentId: "a", orbitalDistance: 1 }),
  };
  assert.equal(positions(stars, 0).size, 2);
});

test("a rogue planet goes straight, or round when its path is curved", () => {
  const path = { initialPosition: { x: 1, y: 2, z: 3 }, velocity: { x: 1, y: 0, z: -1 } };
  const body = star("a", { isRoguePlanet: true, roguePlanet: path });
  assertNear(relative(body, 2), 3, 2, 1);
  const curved = { ...path, pathCurvature: 0.5, semiMajorAxis: 10, pathPeriod: 4 };
  assertNear(relative({ ...body, roguePlanet: curved }, 1), 1, 2, 13);
});

test("a drawn orbit passes through the places of its body", () => {
  const body = star("a", { orbitalDistance: 4, orbitRotX: 30 });
  const line = orbitLine(body);
  assertNear(line[0], 4, 0, 0);
  assertNear(
    line[line.length / 4],
    ...(Object.values(relative({ ...body, orbitalPhase: 90 }, 0)) as [number, number, number]),
  );
  assert.deepEqual(orbitLine(star("b")), []);
});
