import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cross,
  dot,
  facing,
  rotate,
  solid,
  turned,
  type Face,
  type Vec,
} from "../../campaign/dice/solid.ts";

const BODIES: [sides: number, corners: number][] = [
  [4, 3],
  [6, 4],
  [8, 3],
  [10, 4],
  [12, 5],
  [20, 3],
];

function faces(sides: number): Face[] {
  const found = solid(sides);
  assert.ok(found, `a d${sides}`);
  return found;
}

function near(a: Vec, b: Vec): boolean {
  return a.every((part, n) => Math.abs(part - (b[n] ?? NaN)) < 1e-9);
}

for (const [sides, corners] of BODIES) {
  test(`a d${sides} has as many flat faces as it should, each number once`, () => {
    const body = faces(sides);
    assert.equal(body.length, sides);
    assert.deepEqual(
      body.map(({ value }) => value).sort((a, b) => a - b),
      Array.from({ length: sides }, (_, n) => n + 1),
    );
    for (const face of body) {
      assert.equal(face.corners.length, corners);
      const heights = face.corners.map((corner) => dot(corner, face.normal));
      assert.ok(Math.max(...heights) - Math.min(...heights) < 1e-6);
      assert.ok(Math.abs(dot(face.up, face.normal)) < 1e-6, "the number lies in its face");
    }
  });

  test(`the corners of a d${sides} go around each face`, () => {
    for (const { corners: own, centre, normal } of faces(sides)) {
      own.forEach((corner, n) => {
        const next = own[(n + 1) % own.length] ?? corner;
        const out = (v: Vec): Vec => [v[0] - centre[0], v[1] - centre[1], v[2] - centre[2]];
        // Always the same way round, so that the outline never crosses itself.
        assert.ok(dot(cross(out(corner), out(next)), normal) < 0);
      });
    }
  });
}

test("opposite faces of a d12 add up to 13, as on a real one", () => {
  const body = faces(12);
  for (const face of body) {
    const opposite = body.find(({ normal }) =>
      near(normal, [-face.normal[0], -face.normal[1], -face.normal[2]]),
    );
    assert.equal(face.value + (opposite?.value ?? 0), 13);
  }
});

test("a die at rest turns its face to the viewer, the number upright", () => {
  for (const face of faces(12)) {
    const rest = facing(face);
    assert.ok(near(rotate(rest, face.normal), [0, 0, 1]));
    assert.ok(near(rotate(rest, face.up), [0, 1, 0]));
  }
});

test("a full turn about any axis ends where it began", () => {
  const [face] = faces(20);
  assert.ok(face);
  const rest = facing(face);
  const again = turned(rest, [0.3, -0.8, 0.5], 2 * Math.PI);
  rest.forEach((row, n) => assert.ok(near(row, again[n] ?? [NaN, NaN, NaN])));
  const quarter = turned(rest, [0, 0, 1], Math.PI / 2);
  assert.ok(near(rotate(quarter, face.up), [-1, 0, 0]));
});

test("there is no body for a d7 or a d100", () => {
  assert.equal(solid(7), undefined);
  assert.equal(solid(100), undefined);
});
