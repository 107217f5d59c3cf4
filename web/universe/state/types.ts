/** What a universe is made of, as it comes over the wire. Keys that this page does not know are kept. */

export interface Point {
  x: number;
  y: number;
  z: number;
}

/** A body of any kind; the wire calls them all stars. */
export interface Body {
  id: string;
  name: string;
  mass: number;
  radius: number;
  color: string;
  parentId: string | null;
  orbitalDistance: number;
  orbitalSpeed: number;
  orbitalPhase: number;
  bodyType?: string;
  semiMajorAxis?: number;
  eccentricity?: number;
  orbitOffsetX?: number;
  orbitOffsetY?: number;
  orbitOffsetZ?: number;
  orbitRotX?: number;
  orbitRotY?: number;
  orbitRotZ?: number;
  ring?: Ring;
  comet?: Comet;
  lagrangePoint?: Lagrange;
  lagrangeHostId?: string;
  blackHole?: BlackHole;
  isRoguePlanet?: boolean;
  roguePlanet?: RoguePath;
}

export interface Ring {
  innerRadiusMultiplier: number;
  outerRadiusMultiplier: number;
  thickness: number;
  opacity: number;
  albedo: number;
  color: string;
  density: number;
  warpFactor?: number;
  seed?: Seed;
}

export interface Comet {
  isPeriodic: boolean;
  perihelionDistance: number;
  aphelionDistance: number;
  hasTail: boolean;
  tailLengthBase: number;
  tailWidthBase: number;
  tailColor: string;
  tailOpacityBase: number;
  activityFalloffDistance: number;
}

export interface Lagrange {
  primaryId: string;
  secondaryId: string;
  pointIndex: number;
  stable: boolean;
  pairType: string;
  label?: string;
}

export interface BlackHole {
  hasAccretionDisk: boolean;
  hasRelativisticJet: boolean;
  hasPhotonRing: boolean;
  spin: number;
  shadowRadius: number;
  accretionInnerRadius: number;
  accretionOuterRadius: number;
  diskBrightness: number;
  diskOpacity: number;
  diskClumpiness: number;
  jetLength: number;
  jetOpeningAngle: number;
  jetBrightness: number;
  dopplerBeamingStrength: number;
  lensingStrength: number;
  rotationSpeedMultiplier: number;
  seed: Seed;
  diskInnerColor?: string;
  diskOuterColor?: string;
  jetBaseColor?: string;
  jetTipColor?: string;
  jetGradientPower?: number;
  /** Radians, unlike every other angle. */
  diskTilt?: number;
  diskTiltAxisAngle?: number;
}

/** How an unbound planet moves. */
export interface RoguePath {
  seed?: Seed;
  colorOverride?: string;
  initialPosition: Point;
  velocity: Point;
  pathCurvature?: number;
  semiMajorAxis?: number;
  eccentricity?: number;
  pathOffsetX?: number;
  pathOffsetY?: number;
  pathOffsetZ?: number;
  orbitRotX?: number;
  orbitRotY?: number;
  orbitRotZ?: number;
  pathPeriod?: number;
  showTrajectory?: boolean;
  trajectoryPastWindow?: number;
  trajectoryFutureWindow?: number;
}

export type Seed = string | number;

export interface Member {
  id: string;
  type: "system" | "group";
}

export interface Group {
  id: string;
  name: string;
  children: Member[];
  parentGroupId: string | null;
  color?: string;
  icon?: string;
  position?: Point;
}

/** What belts and disks have in common: many particles around one body. */
export interface Particles {
  id: string;
  name?: string;
  systemId: string;
  innerRadius: number;
  outerRadius: number;
  thickness: number;
  particleCount: number;
  baseColor: string;
  highlightColor: string;
  opacity: number;
  brightness: number;
  clumpiness: number;
  rotationSpeedMultiplier: number;
  seed: Seed;
  style: string;
  visible?: boolean;
}

export interface Field extends Particles {
  hostStarId: string;
  beltType: string;
  regionLabel: string;
  isIcy: boolean;
  inclinationSigma?: number;
}

export interface Disk extends Particles {
  centralStarId: string;
  bandStrength?: number;
  bandFrequency?: number;
  gapSharpness?: number;
  innerGlowStrength?: number;
  noiseScale?: number;
  noiseStrength?: number;
  spiralStrength?: number;
  spiralArmCount?: number;
  edgeSoftness?: number;
  temperatureGradient?: number;
}

export interface Nebula {
  id: string;
  name: string;
  position: Point;
  radius: number;
  density: number;
  brightness: number;
  baseColor: string;
  accentColor: string;
  noiseScale: number;
  noiseDetail: number;
  seed: Seed;
  dimensions?: Point;
  associatedGroupIds?: string[];
  visible?: boolean;
}

/** The belts of old; only whole snapshots write them. */
export interface Belt {
  id: string;
  name: string;
  parentId: string;
  innerRadius: number;
  outerRadius: number;
  thickness: number;
  asteroidCount: number;
  color?: string;
  visible?: boolean;
  seed?: Seed;
}

/** The maps of a state, by their names on the wire. */
export interface Maps {
  stars: Body;
  groups: Group;
  belts: Belt;
  smallBodyFields: Field;
  protoplanetaryDisks: Disk;
  nebulae: Nebula;
}

export type MapName = keyof Maps;
export const MAP_NAMES: readonly MapName[] = [
  "stars",
  "groups",
  "belts",
  "smallBodyFields",
  "protoplanetaryDisks",
  "nebulae",
];

/** The state of a universe. */
export type State = { [M in MapName]?: Record<string, Maps[M]> } & {
  rootIds?: string[];
  time?: number;
};

/** What changed: whole entities, `null` for what is gone. */
export type Delta = { [M in MapName]?: Record<string, Maps[M] | null> };

/** The shared clock: `time` is the simulation's at the wall time `at`. */
export interface Clock {
  playing: boolean;
  rate: number;
  time: number;
  at: string | number;
}

/** A universe in a list. */
export interface Listed {
  id: string;
  name: string;
  createdAt?: string;
  updatedAt?: string;
}

/** A whole universe. */
export interface Universe extends Listed {
  state: State;
  /** The number of its last change. */
  revision: number;
  clock?: Clock;
}

/** What anyone may ask of a universe. */
export interface Command {
  type: string;
  [key: string]: unknown;
}

export interface Happened {
  type: string;
  [key: string]: unknown;
}

/** A line of the history. */
export interface Entry {
  revision: number;
  at: string;
  by: string;
  via?: string;
  kind: string;
  command?: Command;
  events?: Happened[];
  /** The revision that was undone or redone. */
  of?: number;
}

/** A line of the live feed. */
export interface Change extends Entry {
  clock?: Clock;
  name?: string;
  delta?: Delta;
  /** Everything may have changed. */
  reset?: boolean;
}
