/** A universe with one of everything, and as many bodies as asked for: what the page is looked at with. */

import { fraction, seeded } from "../../universe/math/random.ts";
import type { Body } from "../../universe/state/types.ts";
import type { State } from "./reducer.ts";

type Bodies = Record<string, Body & { children: string[] }>;

function put(stars: Bodies, id: string, name: string, more: Partial<Body>): void {
  const base = {
    mass: 1,
    radius: 0.3,
    color: "#ffffff",
    parentId: null,
    orbitalDistance: 0,
    orbitalSpeed: 0,
    orbitalPhase: fraction(id) * 360,
    children: [],
  };
  stars[id] = { ...base, ...more, id, name };
}

/** Bodies on one plane, each a bit farther and slower. */
function planets(
  stars: Bodies,
  star: string,
  list: [name: string, color: string, radius: number, distance: number, more?: Partial<Body>][],
): void {
  for (const [name, color, radius, distance, more] of list) {
    const id = name.toLowerCase().replaceAll(" ", "-");
    put(stars, id, name, {
      bodyType: "planet",
      color,
      radius,
      mass: radius * 20,
      parentId: star,
      orbitalDistance: distance,
      orbitalSpeed: 18 / Math.sqrt(distance),
      ...more,
    });
  }
}

function moon(
  stars: Bodies,
  planet: string,
  name: string,
  color: string,
  radius: number,
  distance: number,
): void {
  put(stars, name.toLowerCase(), name, {
    bodyType: "moon",
    color,
    radius,
    mass: 0.5,
    parentId: planet,
    orbitalDistance: distance,
    orbitalSpeed: 40,
    orbitRotX: 8,
  });
}

export function sample(): Partial<State> {
  const stars: Bodies = {};
  put(stars, "helios", "Helios", { bodyType: "star", color: "#FFD9A0", radius: 1.7, mass: 420 });
  planets(stars, "helios", [
    ["Ember", "#C9724B", 0.22, 3.6],
    ["Veil", "#E2C48F", 0.36, 5.2, { orbitRotX: 4 }],
    ["Tellus", "#5B93D6", 0.4, 7.4, { orbitRotX: 2 }],
    ["Rust", "#C7553A", 0.28, 9.8, { eccentricity: 0.2, semiMajorAxis: 9.8 }],
    ["Jovis", "#D9A878", 1.05, 17],
    [
      "Aurelia",
      "#E6CFA0",
      0.88,
      23,
      {
        orbitRotZ: 3,
        ring: {
          innerRadiusMultiplier: 1.4,
          outerRadiusMultiplier: 2.6,
          thickness: 0.05,
          opacity: 0.85,
          albedo: 0.8,
          color: "#E3CDA4",
          density: 0.7,
        },
      },
    ],
    [
      "Boreas",
      "#7FC4D9",
      0.62,
      29,
      {
        orbitRotX: 6,
        ring: {
          innerRadiusMultiplier: 1.8,
          outerRadiusMultiplier: 2.2,
          thickness: 0.02,
          opacity: 0.5,
          albedo: 0.5,
          color: "#9fb9c9",
          density: 0.3,
        },
      },
    ],
  ]);
  moon(stars, "tellus", "Selene", "#C9C9CF", 0.11, 0.9);
  moon(stars, "jovis", "Iona", "#E8D36C", 0.13, 1.7);
  moon(stars, "jovis", "Ganna", "#A8927C", 0.17, 2.3);
  moon(stars, "jovis", "Kallisto", "#8A7F78", 0.15, 2.9);
  moon(stars, "aurelia", "Titania", "#D8A75A", 0.16, 3.1);
  put(stars, "swift", "Swift", {
    bodyType: "comet",
    color: "#CFE6F5",
    radius: 0.09,
    mass: 0.1,
    parentId: "helios",
    orbitalDistance: 16,
    semiMajorAxis: 16,
    eccentricity: 0.82,
    orbitalSpeed: 9,
    orbitalPhase: 62,
    orbitRotX: 18,
    orbitRotY: 40,
    comet: {
      isPeriodic: true,
      perihelionDistance: 3,
      aphelionDistance: 30,
      hasTail: true,
      tailLengthBase: 5,
      tailWidthBase: 0.5,
      tailColor: "#BFE6FF",
      tailOpacityBase: 0.8,
      activityFalloffDistance: 16,
    },
  });
  for (const n of [4, 5]) {
    put(stars, `jovis-l${n}`, `Jovis L${n}`, {
      bodyType: "lagrangePoint",
      color: "#7FE3C4",
      radius: 0.1,
      parentId: "helios",
      orbitalDistance: 17,
      orbitalSpeed: 18 / Math.sqrt(17),
      orbitalPhase: (stars["jovis"]?.orbitalPhase ?? 0) + (n === 4 ? 60 : -60),
      lagrangePoint: {
        primaryId: "helios",
        secondaryId: "jovis",
        pointIndex: n,
        stable: true,
        pairType: "starPlanet",
        label: `Jovis L${n}`,
      },
    });
  }
  put(stars, "maw", "Maw", {
    bodyType: "blackHole",
    color: "#111111",
    radius: 2.2,
    mass: 5000,
    orbitalDistance: 62,
    orbitalSpeed: 0.4,
    orbitalPhase: 205,
    blackHole: {
      hasAccretionDisk: true,
      hasRelativisticJet: true,
      hasPhotonRing: true,
      spin: 0.8,
      shadowRadius: 2.2,
      accretionInnerRadius: 3.2,
      accretionOuterRadius: 11,
      diskBrightness: 0.9,
      diskOpacity: 0.9,
      diskClumpiness: 0.6,
      jetLength: 26,
      jetOpeningAngle: 9,
      jetBrightness: 0.7,
      dopplerBeamingStrength: 0.7,
      lensingStrength: 1,
      rotationSpeedMultiplier: 1,
      seed: 7,
      diskTilt: 0.35,
      diskTiltAxisAngle: 0.6,
    },
  });
  put(stars, "cinder", "Cinder", {
    bodyType: "star",
    color: "#FF9B66",
    radius: 0.9,
    mass: 90,
    orbitalDistance: 58,
    orbitalSpeed: 0.3,
    orbitalPhase: 20,
  });
  planets(stars, "cinder", [["Cinder b", "#9F6B58", 0.25, 7.5]]);
  for (const n of [1, 2, 3]) {
    put(stars, `sol${n}`, ["Adhara", "Mirach", "Vesper"][n - 1] ?? "", {
      bodyType: "star",
      color: ["#9BB0FF", "#FFD2A1", "#CAD7FF"][n - 1] ?? "#fff",
      radius: 0.6,
      mass: 100,
    });
    planets(stars, `sol${n}`, [
      [`S${n} a`, "#88a7c9", 0.14, 1.4],
      [`S${n} b`, "#c99a88", 0.12, 2.1],
    ]);
  }
  put(stars, "vagrant", "Vagrant", {
    bodyType: "planet",
    color: "#8E7CC3",
    radius: 0.5,
    isRoguePlanet: true,
    roguePlanet: {
      seed: 3,
      initialPosition: { x: -34, y: 6, z: 18 },
      velocity: { x: 0.35, y: -0.03, z: -0.2 },
      showTrajectory: true,
    },
  });
  put(stars, "drifter", "Drifter", {
    bodyType: "planet",
    color: "#6FA38B",
    radius: 0.42,
    isRoguePlanet: true,
    roguePlanet: {
      seed: 4,
      initialPosition: { x: 10, y: 4, z: -12 },
      velocity: { x: 0, y: 0, z: 0 },
      pathCurvature: 0.5,
      semiMajorAxis: 44,
      eccentricity: 0.5,
      orbitRotX: 24,
      showTrajectory: true,
    },
  });
  const dust = { systemId: "helios", opacity: 0.75, brightness: 0.6, clumpiness: 0.3 };
  return {
    stars,
    groups: {
      outpost: {
        id: "outpost",
        name: "Outer reach",
        icon: "✦",
        color: "#7aa2ff",
        parentGroupId: null,
        position: { x: 34, y: 2, z: -44 },
        children: [
          { id: "sol1", type: "system" },
          { id: "sol2", type: "system" },
          { id: "inner", type: "group" },
        ],
      },
      inner: {
        id: "inner",
        name: "Haven",
        color: "#7fe3c4",
        parentGroupId: "outpost",
        children: [{ id: "sol3", type: "system" }],
      },
    },
    smallBodyFields: {
      main: {
        ...dust,
        id: "main",
        name: "Main belt",
        hostStarId: "helios",
        innerRadius: 11.6,
        outerRadius: 14.4,
        thickness: 0.35,
        particleCount: 5000,
        baseColor: "#8C7B68",
        highlightColor: "#E5D3B8",
        rotationSpeedMultiplier: 0.9,
        beltType: "main",
        regionLabel: "Main belt",
        isIcy: false,
        seed: 1,
        style: "moderate",
      },
      kuiper: {
        ...dust,
        id: "kuiper",
        name: "Kuiper belt",
        hostStarId: "helios",
        innerRadius: 34,
        outerRadius: 43,
        thickness: 1.6,
        particleCount: 8000,
        baseColor: "#5F7A99",
        highlightColor: "#CFE6FF",
        rotationSpeedMultiplier: 0.6,
        beltType: "kuiper",
        regionLabel: "Kuiper belt",
        isIcy: true,
        seed: 2,
        style: "scattered",
      },
    },
    protoplanetaryDisks: {
      cradle: {
        ...dust,
        id: "cradle",
        name: "Cradle",
        systemId: "cinder",
        centralStarId: "cinder",
        innerRadius: 1.6,
        outerRadius: 8.5,
        thickness: 0.25,
        particleCount: 6000,
        baseColor: "#B5703F",
        highlightColor: "#FFD9A0",
        rotationSpeedMultiplier: 0.6,
        seed: 5,
        style: "thick",
        bandStrength: 0.7,
        bandFrequency: 4,
        spiralStrength: 0.3,
      },
    },
    nebulae: {
      rose: {
        id: "rose",
        name: "Rose Nebula",
        position: { x: -330, y: 60, z: -420 },
        radius: 260,
        density: 0.8,
        brightness: 0.8,
        baseColor: "#B5306B",
        accentColor: "#4B5FD6",
        noiseScale: 1.2,
        noiseDetail: 4,
        seed: 11,
      },
      teal: {
        id: "teal",
        name: "Lantern",
        position: { x: 430, y: -30, z: -300 },
        radius: 190,
        density: 0.6,
        brightness: 0.7,
        baseColor: "#1F8A8A",
        accentColor: "#8A4FD0",
        noiseScale: 1.6,
        noiseDetail: 4,
        seed: 12,
      },
    },
  };
}

/** Systems of planets and moons on a disc, `count` bodies in all. */
export function crowd(count: number, seed: string | number): Partial<State> {
  const random = seeded(seed);
  const stars: Bodies = {};
  const colours = ["#9BB0FF", "#CAD7FF", "#F8F7FF", "#FFF4EA", "#FFD2A1"];
  const soils = ["#C9724B", "#E2C48F", "#5B93D6", "#8FB58A", "#D9A878", "#7FC4D9"];
  const any = (from: string[]) => from[Math.floor(random() * from.length)] ?? "#fff";
  let made = 0;
  for (let system = 0; made < count; system++) {
    const star = `star-${system}`;
    put(stars, star, `Star ${system + 1}`, {
      bodyType: "star",
      color: any(colours),
      radius: 0.8 + random(),
      mass: 200,
      orbitalDistance: system === 0 ? 0 : 22 * Math.sqrt(system),
      orbitalSpeed: 0.2,
      orbitalPhase: system * 137.5,
    });
    made += 1;
    for (let p = 0; p < 8 && made < count; p++) {
      const planet = `${star}-p${p}`;
      const distance = 2.6 * 1.32 ** (p + 1);
      put(stars, planet, `Planet ${system + 1}.${p + 1}`, {
        bodyType: "planet",
        color: any(soils),
        radius: 0.12 + 0.5 * random() ** 2,
        mass: 10,
        parentId: star,
        orbitalDistance: distance,
        orbitalSpeed: 18 / Math.sqrt(distance),
        orbitRotX: 6 * random(),
      });
      made += 1;
      for (let m = 0; m < 4 && made < count; m++) {
        const far = 0.5 + 0.25 * m;
        put(stars, `${planet}-m${m}`, `Moon ${system + 1}.${p + 1}.${m + 1}`, {
          bodyType: "moon",
          color: "#b9b6b0",
          radius: 0.03 + 0.05 * random(),
          parentId: planet,
          orbitalDistance: far,
          orbitalSpeed: 40 / far,
        });
        made += 1;
      }
    }
  }
  return { stars };
}
