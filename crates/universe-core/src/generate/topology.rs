//! How many of what circle what, before anything has a mass or a place.

use super::{
    Parameters, Topology,
    random::{Random, count},
};

/// More planets than this and the outermost, each half again as far as the one before, are out of sight.
const MOST_PLANETS: u32 = 9;
const MOST_MOONS: u32 = 16;

/// One system: its stars and what circles them.
#[derive(Debug)]
pub(super) struct Tree {
    pub stars: u32,
    pub planets: Vec<Node>,
}

/// A planet or a moon, by what circles it.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub moons: Vec<Node>,
}

impl Tree {
    pub(super) fn grow(topology: Topology, parameters: &Parameters, random: &mut Random) -> Self {
        let stars = stars(topology, parameters, random);
        let planets = planets(topology, parameters, random);
        let planet = |_| Node::grow(topology, parameters, random);
        Self { stars, planets: (0..planets).map(planet).collect() }
    }

    /// Adds a planet if there is none.
    pub(super) fn or_one_planet(mut self, parameters: &Parameters, random: &mut Random) -> Self {
        if self.planets.is_empty() {
            self.planets.push(Node::grow(Topology::Classic, parameters, random));
        }
        self
    }
}

impl Node {
    /// A planet with its moons, down to the depth that is allowed.
    fn grow(topology: Topology, parameters: &Parameters, random: &mut Random) -> Self {
        if parameters.max_depth < 2 {
            return Self::default();
        }
        let moons = moons(topology, parameters, random);
        let deeper = if topology == Topology::DeepHierarchy { parameters.max_depth - 2 } else { 0 };
        Self { moons: (0..moons).map(|_| Self::moon(deeper, random)).collect() }
    }

    /// A moon; half of them have moons too, `deeper` levels down.
    fn moon(deeper: u32, random: &mut Random) -> Self {
        let own = if deeper > 0 && random.chance(0.5) { random.whole(1, 4) } else { 0 };
        Self { moons: (0..own).map(|_| Self::moon(deeper - 1, random)).collect() }
    }
}

fn stars(topology: Topology, parameters: &Parameters, random: &mut Random) -> u32 {
    let shares: &[f64] = match topology {
        Topology::Classic => &[0.65, 0.25, 0.10][..parameters.max_stars_per_system.min(3) as usize],
        Topology::MultiStarHeavy => &[0.05, 0.55, 0.40],
        _ => &[1.0],
    };
    count(random.weighted(shares)) + 1
}

fn planets(topology: Topology, parameters: &Parameters, random: &mut Random) -> u32 {
    match topology {
        Topology::Classic => {
            random.geometric(chance_to_stop(parameters.planet_density), MOST_PLANETS)
        }
        Topology::Compact => random.whole(1, 2),
        Topology::MultiStarHeavy => random.whole(1, 4),
        Topology::MoonRich => random.whole(3, 6),
        Topology::SparseOutpost => count(random.weighted(&[0.15, 0.60, 0.25])),
        Topology::DeepHierarchy => random.whole(2, 5),
    }
}

fn moons(topology: Topology, parameters: &Parameters, random: &mut Random) -> u32 {
    match topology {
        Topology::Classic => random.geometric(chance_to_stop(parameters.moon_density), MOST_MOONS),
        Topology::Compact => random.geometric(0.08, 18).max(5),
        Topology::MultiStarHeavy if random.chance(0.7) => random.whole(1, 3),
        Topology::MoonRich => random.geometric(0.05, 25).max(4),
        Topology::SparseOutpost if random.chance(0.25) => {
            if random.chance(0.85) {
                1
            } else {
                2
            }
        }
        Topology::MultiStarHeavy | Topology::SparseOutpost => 0,
        Topology::DeepHierarchy => random.whole(2, 6),
    }
}

/// The chance after each planet or moon that it was the last: dense systems go on for longer.
fn chance_to_stop(density: f64) -> f64 {
    0.8 - 0.6 * density
}
