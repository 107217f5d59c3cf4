/**
 * The bodies of dice: convex solids, seen from straight ahead.
 *
 * A solid is given by its corners and the directions of its faces; which corners make a face follows from that. Without
 * perspective a face is drawn by an affine map, so numbers on it are as exact as its outline.
 */

export type Vec = readonly [x: number, y: number, z: number];
/** Three rows: where the axes of the page's right, up and towards the viewer come from. */
export type Rotation = readonly [Vec, Vec, Vec];

export interface Face {
  normal: Vec;
  centre: Vec;
  /** In the plane of the face: where its number's top is. */
  up: Vec;
  corners: Vec[];
  value: number;
}

const PHI = (1 + Math.sqrt(5)) / 2;
const SIGNS = [1, -1] as const;

const CUBE = SIGNS.flatMap((x) => SIGNS.flatMap((y) => SIGNS.map((z): Vec => [x, y, z])));
const OCTAHEDRON = SIGNS.flatMap((s): Vec[] => [
  [s, 0, 0],
  [0, s, 0],
  [0, 0, s],
]);
const TETRAHEDRON: Vec[] = CUBE.filter(([x, y, z]) => x * y * z > 0);
const ICOSAHEDRON = pairs(1, PHI);
const DODECAHEDRON = [...CUBE, ...pairs(PHI, 1 / PHI)];

/** A d10: two tips, and a ring of ten corners that are by turns a little above and below the middle. */
const RING = Array.from({ length: 10 }, (_, n): Vec => {
  const turn = (n * Math.PI) / 5;
  // Exactly this height makes every face flat.
  const height = (1 - Math.cos(Math.PI / 5)) / (1 + Math.cos(Math.PI / 5));
  return [Math.cos(turn), Math.sin(turn), n % 2 === 0 ? height : -height];
});
const KITES = RING.map((corner, n): Vec => {
  const tip: Vec = [0, 0, n % 2 === 0 ? -1 : 1];
  const [left, right] = [RING[(n + 9) % 10] ?? corner, RING[(n + 1) % 10] ?? corner];
  const normal = cross(add(left, scale(tip, -1)), add(right, scale(tip, -1)));
  return dot(normal, corner) > 0 ? normal : scale(normal, -1);
});

/** Corners and the directions of faces; the two are each other's duals. */
const SOLIDS: Record<number, [corners: readonly Vec[], normals: readonly Vec[]]> = {
  4: [TETRAHEDRON, TETRAHEDRON.map((v) => scale(v, -1))],
  6: [CUBE, OCTAHEDRON],
  8: [OCTAHEDRON, CUBE],
  10: [[[0, 0, 1], [0, 0, -1], ...RING], KITES],
  12: [DODECAHEDRON, ICOSAHEDRON],
  20: [ICOSAHEDRON, DODECAHEDRON],
};

/** The faces of a die with so many sides, inside a ball of radius 1; `undefined` when there is no such body here. */
export function solid(sides: number): Face[] | undefined {
  const known = SOLIDS[sides];
  if (!known) return undefined;
  const [corners, normals] = known;
  const values = numbered(normals);
  const size = length(corners[0] ?? [1, 0, 0]);
  const small = corners.map((corner) => scale(corner, 1 / size));
  const faces = normals.map((towards, index) => face(small, unit(towards), values[index] ?? 0));
  return sides === 6 ? faces.map(squared) : faces;
}

/** The orientation that shows `face` to the viewer, its number upright. */
export function facing(face: Face): Rotation {
  return [cross(face.up, face.normal), face.up, face.normal];
}

/** `rotation`, turned by `angle` about `axis` as the viewer sees it. */
export function turned(rotation: Rotation, axis: Vec, angle: number): Rotation {
  const [x, y, z] = unit(axis);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const t = 1 - c;
  const turn: Rotation = [
    [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
    [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
    [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
  ];
  const column = (n: 0 | 1 | 2): Vec => [rotation[0][n], rotation[1][n], rotation[2][n]];
  const row = (r: Vec): Vec => [dot(r, column(0)), dot(r, column(1)), dot(r, column(2))];
  return [row(turn[0]), row(turn[1]), row(turn[2])];
}

export function rotate(rotation: Rotation, v: Vec): Vec {
  return [dot(rotation[0], v), dot(rotation[1], v), dot(rotation[2], v)];
}

export function dot(a: Vec, b: Vec): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function unit(v: Vec): Vec {
  return scale(v, 1 / length(v));
}

export function cross(a: Vec, b: Vec): Vec {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function face(corners: readonly Vec[], normal: Vec, value: number): Face {
  const reach = Math.max(...corners.map((corner) => dot(corner, normal)));
  const own = corners.filter((corner) => dot(corner, normal) > reach - 1e-6);
  const centre = scale(own.reduce(add), 1 / own.length);
  const up = unit(add(own[0] ?? centre, scale(centre, -1)));
  const side = cross(up, normal);
  const angle = (corner: Vec) => Math.atan2(dot(corner, side), dot(corner, up));
  const around = [...own].sort((a, b) => angle(a) - angle(b));
  return { normal, centre, up, value, corners: around };
}

/** On a square the top is an edge, on every other face a corner. */
function squared(face: Face): Face {
  const [first, second] = face.corners;
  if (!first || !second) return face;
  const edge = scale(add(first, second), 0.5);
  return { ...face, up: unit(add(edge, scale(face.centre, -1))) };
}

/** Opposite faces add up to one more than there are sides, as on real dice. */
function numbered(normals: readonly Vec[]): number[] {
  const values = normals.map(() => 0);
  let low = 1;
  normals.forEach((normal, index) => {
    if (values[index] !== 0) return;
    const opposite = normals.findIndex((other) => length(add(normal, other)) < 1e-6);
    values[index] = low;
    if (opposite >= 0) values[opposite] = normals.length + 1 - low;
    low += 1;
  });
  return values;
}

/** `(0, ±b, ±a)` and its rotations: a corner on each of the twelve edges of a box. */
function pairs(a: number, b: number): Vec[] {
  return SIGNS.flatMap((s) =>
    SIGNS.flatMap((t): Vec[] => [
      [0, s * b, t * a],
      [s * b, t * a, 0],
      [t * a, 0, s * b],
    ]),
  );
}

function add(a: Vec, b: Vec): Vec {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

function scale([x, y, z]: Vec, by: number): Vec {
  return [x * by, y * by, z * by];
}

function length(v: Vec): number {
  return Math.sqrt(dot(v, v));
}
