/** What the stand-in says about its generator, which makes a crowd of the size asked for. */

export const GENERATOR = {
  presets: [
    {
      name: "sparse",
      title: "Sparse",
      about: "few systems, few planets",
      parameters: { maxSystems: 3 },
    },
    {
      name: "solarLike",
      title: "Like our own",
      about: "a handful of systems with belts, rings and comets",
      parameters: { maxSystems: 5 },
    },
    {
      name: "crowded",
      title: "Crowded",
      about: "many systems, tilted orbits, nebulae",
      parameters: { maxSystems: 15 },
    },
  ],
  topologies: ["classic", "compact", "moonRich"],
  parameters: [
    { name: "maxSystems", about: "systems at most", kind: "integer", min: 1, max: 500, default: 5 },
    {
      name: "planetDensity",
      about: "how many planets a star has",
      kind: "number",
      min: 0,
      max: 1,
      default: 0.6,
    },
    { name: "enableRings", about: "planets may have rings", kind: "boolean", default: true },
    {
      name: "orbitEccentricityStyle",
      about: "how far orbits are from circles",
      kind: "choice",
      options: ["circular", "mixed", "eccentric"],
      default: "circular",
    },
  ],
};

export const STAGES = ["topology", "physics", "belts", "groups"];
