//! One system: its stars, planets and moons, and the small things around them.
//!
//! Start at [`System::make`]. Sizes are known from the inside out: a planet is placed when the reach of its
//! moons is known, so no moon ever comes near another planet.

use serde_json::{Map, Value};

use super::{
    Parameters, belts, black_holes,
    body::{Body, Kind, Orbit},
    comets, disks, lagrange,
    lanes::Lanes,
    names::{Names, letter, roman, slug},
    physics::{self, Scale},
    random::{Random, count},
    rings,
    topology::{Node, Tree},
};

/// Moons circle more roundly than planets; else a planet with many of them would need half of its system.
const MOON_ROUNDNESS: f64 = 0.3;

#[derive(Debug)]
pub(super) struct System {
    /// The first is the root.
    pub bodies: Vec<Body>,
    /// Indices of the planets, from the inside out.
    pub planets: Vec<usize>,
    /// Around the root: its companions, then the planets.
    pub lanes: Lanes,
    pub fields: Vec<Map<String, Value>>,
    pub disks: Vec<Map<String, Value>>,
    /// How far it extends. Comets are visitors and do not count.
    pub reach: f64,
}

impl System {
    pub(super) fn make(
        parameters: &Parameters,
        tree: &Tree,
        names: &mut Names,
        random: &Random,
    ) -> Self {
        let name = names.place();
        let mut system = Self::around(centre(parameters, &name, random), parameters);
        Builder {
            parameters,
            scale: Scale::of(parameters.scale_mode),
            random: random.fork("physics"),
            rings: random.fork("rings"),
            system: &mut system,
        }
        .fill(tree, &name, names);
        belts::asteroids(&mut system, parameters, &mut random.fork("belts"));
        belts::kuiper(&mut system, parameters, &mut random.fork("kuiper"));
        comets::add(&mut system, parameters, &mut random.fork("comets"));
        lagrange::add(&mut system, parameters, &mut random.fork("lagrange"));
        disks::add(&mut system, parameters, &mut random.fork("disks"));
        system
    }

    /// A system that is nothing but its centre.
    pub(super) fn around(centre: Body, parameters: &Parameters) -> Self {
        let clear = black_holes::clear_of_disk(&centre).unwrap_or(centre.radius * 1.3);
        let lanes = planet_lanes(clear, Scale::of(parameters.scale_mode));
        Self {
            bodies: vec![centre],
            planets: Vec::new(),
            lanes,
            fields: Vec::new(),
            disks: Vec::new(),
            reach: clear,
        }
    }

    pub(super) fn root(&self) -> &Body {
        &self.bodies[0]
    }

    /// Adds a body that circles `parent`.
    pub(super) fn add(&mut self, parent: usize, mut body: Body) -> usize {
        let index = self.bodies.len();
        body.parent = Some(parent);
        self.bodies[parent].children.push(index);
        self.bodies.push(body);
        index
    }
}

/// The star in the middle, or what stands in its place. Its companions are lighter, see [`Builder::companions`].
fn centre(parameters: &Parameters, name: &str, random: &Random) -> Body {
    let id = slug(name);
    let mut dark = random.fork("black-hole");
    black_holes::instead_of_star(&id, name, parameters, &mut dark)
        .unwrap_or_else(|| Body::new(id, name.to_owned(), Kind::Star))
}

fn planet_lanes(clear: f64, scale: Scale) -> Lanes {
    Lanes::beyond(clear, (0.2 * scale.base, 0.08))
}

struct Builder<'a> {
    parameters: &'a Parameters,
    scale: Scale,
    random: Random,
    rings: Random,
    system: &'a mut System,
}

impl Builder<'_> {
    fn fill(mut self, tree: &Tree, name: &str, names: &mut Names) {
        if self.system.root().kind == Kind::Star {
            self.stars(tree.stars, name);
        }
        for (index, node) in tree.planets.iter().enumerate() {
            self.planet(index, tree.planets.len(), node, name, names);
        }
        self.system.reach = self.system.lanes.outer();
    }

    /// The heaviest is the centre; the others share one orbit around it, evenly apart.
    fn stars(&mut self, stars: u32, name: &str) {
        let mut masses: Vec<f64> =
            (0..stars).map(|_| physics::mass(Kind::Star, &mut self.random)).collect();
        masses.sort_by(|left, right| right.total_cmp(left));
        shine(&mut self.system.bodies[0], masses[0]);
        let centre = self.system.bodies[0].radius;
        self.system.lanes = planet_lanes(centre * 1.3, self.scale);
        self.companions(&masses[1..], name);
    }

    fn companions(&mut self, masses: &[f64], name: &str) {
        let Some(largest) = masses.first() else { return };
        let mut orbit = Orbit { phase: self.random.between(0.0, 360.0), ..Orbit::default() };
        let wanted = self.scale.distance(0, &mut self.random);
        self.system.lanes.place(&mut orbit, wanted, physics::radius(*largest));
        orbit.speed = self.scale.speed(orbit.axis);
        let apart = 360.0 / f64::from(count(masses.len()));
        for (index, mass) in masses.iter().enumerate() {
            let sign = letter(index + 1);
            let id = format!("{}-{sign}", slug(name));
            let mut star = Body::new(id, format!("{name} {}", sign.to_uppercase()), Kind::Star);
            shine(&mut star, *mass);
            star.orbit = orbit.clone();
            orbit.phase += apart;
            self.system.add(0, star);
        }
    }

    fn planet(&mut self, index: usize, of: usize, node: &Node, star: &str, names: &mut Names) {
        let place = f64::from(count(index)) / f64::from(count(of.max(2) - 1));
        let id = format!("{}-p{}", slug(star), index + 1);
        let name = names.world().unwrap_or_else(|| format!("{star} {}", roman(index + 1)));
        let mut planet = Body::new(id, name, Kind::Planet);
        planet.mass = physics::mass_around(Kind::Planet, self.system.root().mass, &mut self.random);
        planet.radius = physics::radius(planet.mass);
        planet.color = physics::planet_color(planet.mass, place, &mut self.random);
        let ring = rings::add(&mut planet, place, self.parameters, &mut self.rings);
        planet.orbit = physics::orbit(self.parameters, &mut self.random);
        if self.parameters.orbit_offsets {
            planet.orbit.offset = physics::offset(&mut self.random);
        }
        let mut orbit = planet.orbit.clone();
        let clear = ring.unwrap_or(planet.radius * 1.3);
        let planet = self.system.add(0, planet);
        let reach = self.moons(planet, &node.moons, clear);
        // Companions sit in the first slot, and planets follow outside.
        let slot = self.system.lanes.taken.len();
        let wanted = self.scale.distance(slot, &mut self.random);
        self.system.lanes.place(&mut orbit, wanted, reach);
        orbit.speed = self.scale.speed(orbit.axis);
        self.system.bodies[planet].orbit = orbit;
        self.system.planets.push(planet);
    }

    /// Adds moons around `parent`, none nearer than `clear`. Returns how far they reach.
    fn moons(&mut self, parent: usize, nodes: &[Node], clear: f64) -> f64 {
        let Body { mass: centre, radius, .. } = self.system.bodies[parent];
        let mut lanes = Lanes::beyond(clear, (0.1 * radius, 0.02));
        for (index, node) in nodes.iter().enumerate() {
            let mut moon = self.moon(parent, index);
            moon.mass = physics::mass_around(Kind::Moon, centre, &mut self.random);
            moon.radius = physics::radius(moon.mass);
            moon.color = physics::moon_color(&mut self.random);
            let mut orbit = physics::orbit(self.parameters, &mut self.random);
            orbit.eccentricity *= MOON_ROUNDNESS;
            let clear = moon.radius * 1.3;
            let moon = self.system.add(parent, moon);
            let reach = self.moons(moon, &node.moons, clear);
            let wanted = self.scale.moon_distance(index, radius, &mut self.random);
            lanes.place(&mut orbit, wanted, reach);
            orbit.speed = self.scale.speed(orbit.axis);
            self.system.bodies[moon].orbit = orbit;
        }
        lanes.outer()
    }

    /// `Velara II a` circles `Velara II`; what circles it is `Velara II a-1`.
    fn moon(&self, parent: usize, index: usize) -> Body {
        let parent = &self.system.bodies[parent];
        let name = match parent.kind {
            Kind::Moon => format!("{}-{}", parent.name, index + 1),
            _ => format!("{} {}", parent.name, letter(index)),
        };
        Body::new(format!("{}-m{}", parent.id, index + 1), name, Kind::Moon)
    }
}

fn shine(star: &mut Body, mass: f64) {
    star.mass = mass;
    star.radius = physics::radius(mass);
    star.color = physics::star_color(mass);
}
