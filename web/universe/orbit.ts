/**
 * Where bodies are at a given time.
 *
 * Functions of the bodies and the time: nothing is integrated, so any moment can be shown. Angles are in degrees on the
 * wire, y is up, and flat orbits lie in the x-z plane. Start at `positions`.
 */

import type { Point, Star, Stars } from "./model.ts";

const ORIGIN: Point = { x: 0, y: 0, z: 0 };
/** Points of a drawn orbit; enough to look round at any size this page has. */
const SAMPLES = 72;

interface Ellipse {
  semiMajorAxis: number;
  eccentricity: number;
  rotX: number;
  rotY: number;
  rotZ: number;
  centre: Point;
}

/** Every body's place in the scene at `time`. */
export function positions(stars: Stars, time: number): Map<string, Point> {
  const known = new Map<string, Point>();
  const place = (star: Star): Point => {
    const found = known.get(star.id);
    if (found) return found;
    // Set first, so that bodies which orbit each other, however they came about, end the walk.
    known.set(star.id, ORIGIN);
    const parent = star.parentId === null ? undefined : stars[star.parentId];
    const own = plus(parent ? place(parent) : ORIGIN, relative(star, time));
    known.set(star.id, own);
    return own;
  };
  Object.values(stars).forEach(place);
  return known;
}

/** The place of a body relative to what it orbits. */
export function relative(star: Star, time: number): Point {
  if (star.isRoguePlanet && star.roguePlanet) return rogue(star, time);
  if (star.orbitalDistance === 0) return ORIGIN;
  return along(ellipse(star), radians(time * star.orbitalSpeed + star.orbitalPhase));
}

/** The closed line a bound body follows, relative to what it orbits; empty for one that stays. */
export function orbitLine(star: Star): Point[] {
  if (star.isRoguePlanet || star.orbitalDistance === 0) return [];
  const shape = ellipse(star);
  return Array.from({ length: SAMPLES }, (_, n) => along(shape, (2 * Math.PI * n) / SAMPLES));
}

function ellipse(star: Star): Ellipse {
  return {
    semiMajorAxis: star.semiMajorAxis ?? star.orbitalDistance,
    eccentricity: star.eccentricity ?? 0,
    rotX: star.orbitRotX ?? 0,
    rotY: star.orbitRotY ?? 0,
    rotZ: star.orbitRotZ ?? 0,
    centre: { x: star.orbitOffsetX ?? 0, y: star.orbitOffsetY ?? 0, z: star.orbitOffsetZ ?? 0 },
  };
}

/** An unbound planet: a straight line, or a wide ellipse when its path is curved. */
function rogue(star: Star, time: number): Point {
  const path = star.roguePlanet;
  if (!path) return ORIGIN;
  const { initialPosition: start, velocity } = path;
  if (!path.pathCurvature) {
    return plus(start, { x: velocity.x * time, y: velocity.y * time, z: velocity.z * time });
  }
  const offset = { x: path.pathOffsetX ?? 0, y: path.pathOffsetY ?? 0, z: path.pathOffsetZ ?? 0 };
  const semiMajorAxis = path.semiMajorAxis ?? 100;
  const shape: Ellipse = {
    semiMajorAxis,
    eccentricity: path.eccentricity ?? 0,
    rotX: path.orbitRotX ?? 0,
    rotY: path.orbitRotY ?? 0,
    rotZ: path.orbitRotZ ?? 0,
    centre: plus(start, offset),
  };
  return along(shape, (2 * Math.PI * time) / (path.pathPeriod ?? semiMajorAxis * 5));
}

/** The point of an ellipse at the parameter `theta`, which advances uniformly: the parent is at the centre, not at a focus. */
function along(
  { semiMajorAxis: a, eccentricity: e, rotX, rotY, rotZ, centre }: Ellipse,
  theta: number,
): Point {
  // An eccentricity out of range would give no number at all and hide the body.
  const b = a * Math.sqrt(Math.max(0, 1 - e * e));
  let point: Point = { x: a * Math.cos(theta), y: 0, z: b * Math.sin(theta) };
  point = aboutZ(point, radians(rotZ));
  point = aboutY(point, radians(rotY));
  point = aboutX(point, radians(rotX));
  return plus(point, centre);
}

function aboutZ({ x, y, z }: Point, angle: number): Point {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { x: x * cos - y * sin, y: x * sin + y * cos, z };
}

function aboutY({ x, y, z }: Point, angle: number): Point {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { x: x * cos + z * sin, y, z: -x * sin + z * cos };
}

function aboutX({ x, y, z }: Point, angle: number): Point {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { x, y: y * cos - z * sin, z: y * sin + z * cos };
}

function plus(a: Point, b: Point): Point {
  return { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z };
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
