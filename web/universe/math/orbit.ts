/**
 * Where bodies are at a given time.
 *
 * Functions of the bodies and the time: nothing is integrated, so any moment can be shown. Every movement is written as
 * one formula, `centre + p·cos θ + q·sin θ + drift·t`, with `θ` growing uniformly, so that a thousand bodies are one loop
 * (`tracks.ts`) and a shader can follow an orbit. Angles are in degrees on the wire, y is up, and flat orbits lie
 * in the x-z plane. Start at `motionOf`.
 */

import type { Body, Point, RoguePath } from "../state/types.ts";
import type { World } from "../state/world.ts";
import { layout } from "./layout.ts";

export const ORIGIN: Readonly<Point> = { x: 0, y: 0, z: 0 };
/** Points of a line that shows where a rogue planet goes, to either side. */
export const TRAJECTORY_SAMPLES = 32;

/** How a body moves, relative to what it orbits. */
export interface Motion {
  centre: Point;
  /** Where it is at `θ = 0` and at a quarter of a turn, from the centre. */
  p: Point;
  q: Point;
  /** Units per second, for what goes straight. */
  drift: Point;
  /** Radians per second, and at time 0. */
  speed: number;
  phase: number;
}

interface Ellipse {
  semiMajorAxis: number;
  eccentricity: number;
  rotX: number;
  rotY: number;
  rotZ: number;
  centre: Point;
}

const STILL: Motion = { centre: ORIGIN, p: ORIGIN, q: ORIGIN, drift: ORIGIN, speed: 0, phase: 0 };

export function motionOf(body: Body): Motion {
  if (body.isRoguePlanet && body.roguePlanet) return rogue(body.roguePlanet);
  if (body.orbitalDistance === 0) return STILL;
  const shape: Ellipse = {
    semiMajorAxis: body.semiMajorAxis ?? body.orbitalDistance,
    eccentricity: body.eccentricity ?? 0,
    rotX: body.orbitRotX ?? 0,
    rotY: body.orbitRotY ?? 0,
    rotZ: body.orbitRotZ ?? 0,
    centre: { x: body.orbitOffsetX ?? 0, y: body.orbitOffsetY ?? 0, z: body.orbitOffsetZ ?? 0 },
  };
  return turning(shape, radians(body.orbitalSpeed), radians(body.orbitalPhase));
}

/** An unbound planet: a straight line, or a wide ellipse when its path is curved. */
function rogue(path: RoguePath): Motion {
  const { initialPosition: start, velocity } = path;
  if (!path.pathCurvature) return { ...STILL, centre: start, drift: velocity };
  const semiMajorAxis = path.semiMajorAxis ?? 100;
  const shape: Ellipse = {
    semiMajorAxis,
    eccentricity: path.eccentricity ?? 0,
    rotX: path.orbitRotX ?? 0,
    rotY: path.orbitRotY ?? 0,
    rotZ: path.orbitRotZ ?? 0,
    centre: {
      x: start.x + (path.pathOffsetX ?? 0),
      y: start.y + (path.pathOffsetY ?? 0),
      z: start.z + (path.pathOffsetZ ?? 0),
    },
  };
  return turning(shape, (2 * Math.PI) / (path.pathPeriod ?? semiMajorAxis * 5), 0);
}

function turning(shape: Ellipse, speed: number, phase: number): Motion {
  const { semiMajorAxis: a, eccentricity: e, centre } = shape;
  // An eccentricity out of range would give no number at all and hide the body.
  const b = a * Math.sqrt(Math.max(0, 1 - e * e));
  // The parent is at the centre, not at a focus.
  const p = turned({ x: a, y: 0, z: 0 }, shape);
  const q = turned({ x: 0, y: 0, z: b }, shape);
  return { centre, p, q, drift: ORIGIN, speed, phase };
}

/** About Z, then Y, then X. */
function turned(point: Point, { rotX, rotY, rotZ }: Ellipse): Point {
  let { x, y, z } = point;
  let [cos, sin] = turn(rotZ);
  [x, y] = [x * cos - y * sin, x * sin + y * cos];
  [cos, sin] = turn(rotY);
  [x, z] = [x * cos + z * sin, -x * sin + z * cos];
  [cos, sin] = turn(rotX);
  [y, z] = [y * cos - z * sin, y * sin + z * cos];
  return { x, y, z };
}

/** The place of a body relative to what it orbits. */
export function relative(body: Body, time: number): Point {
  return along(motionOf(body), time);
}

export function along({ centre, p, q, drift, speed, phase }: Motion, time: number): Point {
  const theta = time * speed + phase;
  const [cos, sin] = [Math.cos(theta), Math.sin(theta)];
  return {
    x: centre.x + p.x * cos + q.x * sin + drift.x * time,
    y: centre.y + p.y * cos + q.y * sin + drift.y * time,
    z: centre.z + p.z * cos + q.z * sin + drift.z * time,
  };
}

/** A body's place in the scene: its own, its parents', and that of the group which holds the system. */
export function placeOf(world: World, id: string, time: number): Point | undefined {
  const place = { ...ORIGIN };
  const seen = new Set<string>();
  let body = world.stars.get(id);
  if (!body) return undefined;
  // Bodies that orbit each other, however they came about, end the walk.
  while (body && !seen.has(body.id)) {
    seen.add(body.id);
    add(place, relative(body, time));
    const parent: Body | undefined =
      body.parentId === null ? undefined : world.stars.get(body.parentId);
    if (!parent) add(place, layout(world).systems.get(body.id) ?? ORIGIN);
    body = parent;
  }
  return place;
}

/** The seconds before and after now that a rogue planet's line shows. */
export function trajectoryWindow(path: RoguePath): { past: number; future: number } {
  const usual = path.pathCurvature ? (path.pathPeriod ?? (path.semiMajorAxis ?? 100) * 5) / 4 : 100;
  return {
    past: path.trajectoryPastWindow ?? usual,
    future: path.trajectoryFutureWindow ?? usual,
  };
}

function add(to: Point, what: Readonly<Point>): void {
  to.x += what.x;
  to.y += what.y;
  to.z += what.z;
}

function turn(degrees: number): [cos: number, sin: number] {
  const angle = radians(degrees);
  return [Math.cos(angle), Math.sin(angle)];
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
