/** What can be edited, as tables: a form, its checks and its command all follow from them. */

import type { MapName } from "../state/types.ts";

export type FieldKind =
  | "text"
  | "number"
  | "colour"
  | "choice"
  | "flag"
  | "point"
  | "seed"
  /** The id of a body. */
  | "body"
  /** The id of a body, or nothing. */
  | "parent";

export interface FieldSpec {
  key: string;
  label: string;
  kind: FieldKind;
  min?: number;
  max?: number;
  options?: readonly string[];
  /** What a new one starts with, and what an absent one counts as. */
  initial?: unknown;
  /** May be left empty. */
  optional?: boolean;
}

/** Fields that belong together; those with a `key` live in an object of that name. */
export interface Section {
  title: string;
  key?: string;
  fields: readonly FieldSpec[];
  /** The kinds of body that have it; all without. */
  kinds?: readonly string[];
  /** Open from the start. */
  open?: boolean;
}

type More = Partial<FieldSpec>;

function number(key: string, label: string, initial: number, more: More = {}): FieldSpec {
  return { key, label, kind: "number", initial, ...more };
}

function optional(key: string, label: string, initial: number, more: More = {}): FieldSpec {
  return number(key, label, initial, { optional: true, ...more });
}

function part(key: string, label: string, initial: number, more: More = {}): FieldSpec {
  return number(key, label, initial, { min: 0, max: 1, ...more });
}

function colour(key: string, label: string, initial: string, more: More = {}): FieldSpec {
  return { key, label, kind: "colour", initial, ...more };
}

function flag(key: string, label: string, initial: boolean, more: More = {}): FieldSpec {
  return { key, label, kind: "flag", initial, ...more };
}

function seed(initial: unknown = "1"): FieldSpec {
  return { key: "seed", label: "Seed", kind: "seed", initial };
}

const NOWHERE = { x: 0, y: 0, z: 0 };
const BOUND = ["star", "planet", "moon", "asteroid", "comet", "lagrangePoint", "blackHole"];

export const KINDS: readonly [value: string, label: string][] = [
  ["star", "Star"],
  ["planet", "Planet"],
  ["moon", "Moon"],
  ["asteroid", "Asteroid"],
  ["comet", "Comet"],
  ["lagrangePoint", "Lagrange point"],
  ["blackHole", "Black hole"],
  ["rogue", "Rogue planet"],
];

const BODY: readonly Section[] = [
  {
    title: "Body",
    open: true,
    fields: [
      { key: "name", label: "Name", kind: "text", initial: "" },
      colour("color", "Colour", "#ffd27a"),
      number("mass", "Mass", 10, { min: 0 }),
      number("radius", "Radius", 1, { min: 0 }),
    ],
  },
  {
    title: "Orbit",
    open: true,
    kinds: BOUND,
    fields: [
      { key: "parentId", label: "Orbits", kind: "parent", initial: null },
      number("orbitalDistance", "Distance", 0, { min: 0 }),
      number("orbitalSpeed", "Speed, °/s", 10),
      number("orbitalPhase", "Phase, °", 0),
      optional("eccentricity", "Eccentricity", 0, { min: 0, max: 0.999 }),
    ],
  },
  {
    title: "Shape of the orbit",
    kinds: BOUND,
    fields: [
      optional("semiMajorAxis", "Semi-major axis", NaN, { min: 0 }),
      optional("orbitRotX", "Tilt about x, °", 0),
      optional("orbitRotY", "Tilt about y, °", 0),
      optional("orbitRotZ", "Tilt about z, °", 0),
      optional("orbitOffsetX", "Offset x", 0),
      optional("orbitOffsetY", "Offset y", 0),
      optional("orbitOffsetZ", "Offset z", 0),
    ],
  },
  {
    title: "Ring",
    key: "ring",
    kinds: ["planet"],
    fields: [
      number("innerRadiusMultiplier", "Inner radius, ×", 1.5, { min: 1 }),
      number("outerRadiusMultiplier", "Outer radius, ×", 3, { min: 1 }),
      number("thickness", "Thickness", 0.1, { min: 0 }),
      part("opacity", "Opacity", 0.6),
      part("albedo", "Albedo", 0.8),
      part("density", "Density", 0.6),
      colour("color", "Ring colour", "#d9c9a5"),
    ],
  },
  {
    title: "Comet",
    key: "comet",
    kinds: ["comet"],
    open: true,
    fields: [
      flag("isPeriodic", "Comes back", true),
      flag("hasTail", "Has a tail", true),
      number("perihelionDistance", "Nearest", 2, { min: 0 }),
      number("aphelionDistance", "Farthest", 30, { min: 0 }),
      number("tailLengthBase", "Tail length", 5, { min: 0 }),
      number("tailWidthBase", "Tail width", 0.5, { min: 0 }),
      colour("tailColor", "Tail colour", "#bfe6ff"),
      part("tailOpacityBase", "Tail opacity", 0.8),
      number("activityFalloffDistance", "Active within", 15, { min: 0 }),
    ],
  },
  {
    title: "Lagrange point",
    key: "lagrangePoint",
    kinds: ["lagrangePoint"],
    open: true,
    fields: [
      { key: "primaryId", label: "Primary", kind: "body", initial: "" },
      { key: "secondaryId", label: "Secondary", kind: "body", initial: "" },
      number("pointIndex", "Point, 1 to 5", 4, { min: 1, max: 5 }),
      flag("stable", "Stable", true),
      {
        key: "pairType",
        label: "Pair",
        kind: "choice",
        options: ["starPlanet", "planetMoon"],
        initial: "starPlanet",
      },
      { key: "label", label: "Label", kind: "text", optional: true, initial: "" },
    ],
  },
  {
    title: "Black hole",
    key: "blackHole",
    kinds: ["blackHole"],
    open: true,
    fields: [
      flag("hasAccretionDisk", "Accretion disk", true),
      flag("hasPhotonRing", "Photon ring", true),
      flag("hasRelativisticJet", "Jets", true),
      part("spin", "Spin", 0.7),
      number("shadowRadius", "Shadow radius", 1, { min: 0 }),
      number("accretionInnerRadius", "Disk from", 1.5, { min: 0 }),
      number("accretionOuterRadius", "Disk to", 5, { min: 0 }),
      number("diskThickness", "Disk thickness", 0.2, { min: 0 }),
      part("diskBrightness", "Disk brightness", 0.8),
      part("diskOpacity", "Disk opacity", 0.8),
      number("diskTemperature", "Temperature", 10000, { min: 0 }),
      part("diskClumpiness", "Clumpiness", 0.4),
      number("jetLength", "Jet length", 12, { min: 0 }),
      number("jetOpeningAngle", "Jet angle, °", 8, { min: 0, max: 90 }),
      part("jetBrightness", "Jet brightness", 0.6),
      part("dopplerBeamingStrength", "Beaming", 0.6),
      part("lensingStrength", "Lensing", 1),
      number("rotationSpeedMultiplier", "Rotation, ×", 1),
      optional("diskTilt", "Disk tilt, rad", 0),
      optional("diskTiltAxisAngle", "Tilt direction, rad", 0),
      colour("diskInnerColor", "Inner colour", "#fff1d0", { optional: true }),
      colour("diskOuterColor", "Outer colour", "#ff7a2a", { optional: true }),
      seed(),
    ],
  },
  {
    title: "Path",
    key: "roguePlanet",
    kinds: ["rogue"],
    open: true,
    fields: [
      { key: "initialPosition", label: "Start", kind: "point", initial: NOWHERE },
      { key: "velocity", label: "Velocity, per s", kind: "point", initial: { x: 0.5, y: 0, z: 0 } },
      optional("pathCurvature", "Curvature", 0, { min: 0, max: 1 }),
      optional("semiMajorAxis", "Semi-major axis", 100, { min: 0 }),
      optional("eccentricity", "Eccentricity", 0, { min: 0, max: 0.99 }),
      optional("pathPeriod", "Period, s", NaN, { min: 0 }),
      optional("orbitRotX", "Tilt about x, °", 0),
      optional("orbitRotY", "Tilt about y, °", 0),
      optional("orbitRotZ", "Tilt about z, °", 0),
      flag("showTrajectory", "Show its way", true, { optional: true }),
      seed(),
    ],
  },
];

const GROUP: readonly Section[] = [
  {
    title: "Group",
    open: true,
    fields: [
      { key: "name", label: "Name", kind: "text", initial: "" },
      colour("color", "Colour", "#7aa2ff", { optional: true }),
      { key: "icon", label: "Icon", kind: "text", optional: true, initial: "" },
      { key: "position", label: "Position", kind: "point", optional: true },
    ],
  },
];

/** What belts and disks share. */
const DUST: readonly FieldSpec[] = [
  number("innerRadius", "From", 1, { min: 0 }),
  number("outerRadius", "To", 5, { min: 0 }),
  number("thickness", "Thickness", 0.3, { min: 0 }),
  number("particleCount", "Particles", 5000, { min: 0 }),
  colour("baseColor", "Colour", "#d4a574"),
  colour("highlightColor", "Highlights", "#ffd700"),
  part("opacity", "Opacity", 0.5),
  number("brightness", "Brightness", 0.5, { min: 0 }),
  part("clumpiness", "Clumpiness", 0.3),
  number("rotationSpeedMultiplier", "Rotation, ×", 0.3),
  seed(),
];

const FIELD: readonly Section[] = [
  {
    title: "Belt",
    open: true,
    fields: [
      { key: "name", label: "Name", kind: "text", optional: true, initial: "" },
      { key: "hostStarId", label: "Around", kind: "body", initial: "" },
      {
        key: "beltType",
        label: "Type",
        kind: "choice",
        options: ["main", "kuiper"],
        initial: "main",
      },
      {
        key: "style",
        label: "Style",
        kind: "choice",
        options: ["thin", "moderate", "thick", "scattered"],
        initial: "moderate",
      },
      { key: "regionLabel", label: "Region", kind: "text", initial: "Main belt" },
      flag("isIcy", "Icy", false),
      flag("visible", "Visible", true, { optional: true }),
    ],
  },
  { title: "Particles", open: true, fields: DUST },
];

const DISK: readonly Section[] = [
  {
    title: "Disk",
    open: true,
    fields: [
      { key: "name", label: "Name", kind: "text", optional: true, initial: "" },
      { key: "centralStarId", label: "Around", kind: "body", initial: "" },
      {
        key: "style",
        label: "Style",
        kind: "choice",
        options: ["thin", "moderate", "thick", "extreme"],
        initial: "moderate",
      },
    ],
  },
  { title: "Particles", open: true, fields: DUST },
  {
    title: "Structure",
    fields: [
      optional("bandStrength", "Bands", 0.5, { min: 0, max: 1 }),
      optional("bandFrequency", "Number of bands", 5, { min: 2, max: 12 }),
      optional("gapSharpness", "Gap sharpness", 0.5, { min: 0, max: 1 }),
      optional("innerGlowStrength", "Inner glow", 0.6, { min: 0, max: 1 }),
      optional("noiseScale", "Noise scale", 1.5, { min: 0.5, max: 3 }),
      optional("noiseStrength", "Noise", 0.4, { min: 0, max: 1 }),
      optional("spiralStrength", "Spirals", 0.1, { min: 0, max: 1 }),
      optional("spiralArmCount", "Spiral arms", 2, { min: 1, max: 4 }),
      optional("edgeSoftness", "Soft edges", 0.4, { min: 0, max: 1 }),
      optional("temperatureGradient", "Temperature", 1.5, { min: 0.5, max: 3 }),
    ],
  },
];

const NEBULA: readonly Section[] = [
  {
    title: "Nebula",
    open: true,
    fields: [
      { key: "name", label: "Name", kind: "text", initial: "" },
      { key: "position", label: "Position", kind: "point", initial: { x: 0, y: 0, z: -200 } },
      number("radius", "Radius", 120, { min: 0 }),
      { key: "dimensions", label: "Half extents", kind: "point", optional: true },
      part("density", "Density", 0.6),
      part("brightness", "Brightness", 0.7),
      colour("baseColor", "Colour", "#b5306b"),
      colour("accentColor", "Accent", "#4b5fd6"),
      number("noiseScale", "Noise scale", 1.2, { min: 0 }),
      number("noiseDetail", "Octaves", 4, { min: 1 }),
      flag("visible", "Visible", true, { optional: true }),
      seed(),
    ],
  },
];

/** The belts of old have no commands, so there is no table for them. */
export const TABLES: Readonly<Record<Exclude<MapName, "belts">, readonly Section[]>> = {
  stars: BODY,
  groups: GROUP,
  smallBodyFields: FIELD,
  protoplanetaryDisks: DISK,
  nebulae: NEBULA,
};

/** The sections of an entity; a body has those of its kind. */
export function sectionsOf(map: keyof typeof TABLES, kind: string): Section[] {
  return TABLES[map].filter(({ kinds }) => !kinds || kinds.includes(kind));
}

/** The way to a field: `mass`, `ring.color`. */
export function pathOf(section: Section, field: FieldSpec): string {
  return section.key === undefined ? field.key : `${section.key}.${field.key}`;
}

/** What an entity holds at a path. */
export function valueAt(entity: object | undefined, path: string): unknown {
  let at: unknown = entity;
  for (const key of path.split(".")) at = (at as Record<string, unknown> | null | undefined)?.[key];
  return at ?? undefined;
}

/** Whether two values are the same to the reader; colours are, in either case of their letters. */
export function isSame(a: unknown, b: unknown): boolean {
  if (typeof a === "string" && typeof b === "string" && a.startsWith("#")) {
    return a.toLowerCase() === b.toLowerCase();
  }
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
