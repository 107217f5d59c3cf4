//! Masses, sizes, colours and orbits. Units of the scene, not of physics: what counts is that it looks right.

use super::{
    Parameters,
    body::{Kind, Orbit},
    choices::{EccentricityStyle, ScaleMode},
    random::Random,
};

/// How much lighter a body is than what it circles, at least: so the centre is always the heaviest.
const LIGHTER_PLANET: f64 = 0.3;
const LIGHTER_MOON: f64 = 0.15;

/// Distances and speeds of one [`ScaleMode`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    /// The innermost orbit.
    pub base: f64,
    /// How much farther each orbit is than the one before.
    growth: f64,
    speed: f64,
}

impl Scale {
    pub(super) fn of(mode: ScaleMode) -> Self {
        let (base, growth, speed) = match mode {
            ScaleMode::Toy => (3.0, 1.5, 15.0),
            ScaleMode::Compressed => (5.0, 1.6, 18.0),
            ScaleMode::Realistic => (8.0, 1.8, 20.0),
        };
        Self { base, growth, speed }
    }

    /// Where the `slot`-th body around a star is, if nothing is in its way.
    pub(super) fn distance(self, slot: usize, random: &mut Random) -> f64 {
        let grown = (0..slot).fold(self.base, |distance, _| distance * self.growth);
        grown + random.between(-0.1, 0.1)
    }

    /// The same for moons, which keep close to a planet of this radius.
    pub(super) fn moon_distance(self, slot: usize, radius: f64, random: &mut Random) -> f64 {
        let steps = f64::from(super::random::count(slot));
        let (nearest, step) = (1.8 + 0.15 * self.base, 0.4 + 0.06 * self.base);
        radius * (nearest + step * steps + random.between(-0.1, 0.1))
    }

    /// Degrees per second at this distance: slower farther out.
    pub(super) fn speed(self, distance: f64) -> f64 {
        self.speed / distance.max(0.01).sqrt()
    }
}

pub(super) fn mass(kind: Kind, random: &mut Random) -> f64 {
    let factor = match kind {
        Kind::Star => 100.0,
        Kind::Planet => 10.0,
        Kind::Moon => 1.0,
        Kind::Asteroid => 0.01,
        Kind::Comet => 0.005,
        Kind::LagrangePoint | Kind::BlackHole => 0.0,
    };
    random.log_normal(1.5, 0.8) * factor
}

/// The mass of something that circles a body of mass `centre`.
pub(super) fn mass_around(kind: Kind, centre: f64, random: &mut Random) -> f64 {
    let share = if kind == Kind::Planet { LIGHTER_PLANET } else { LIGHTER_MOON };
    let (drawn, most) = (mass(kind, random), share * centre);
    // Not simply `most`: around a light star every planet would weigh the same.
    if drawn <= most { drawn } else { most * random.between(0.4, 1.0) }
}

pub(super) fn radius(mass: f64) -> f64 {
    0.15 * libm::pow(mass, 0.4)
}

pub(super) fn star_color(mass: f64) -> &'static str {
    match mass {
        600.0.. => "#9BB0FF",
        200.0.. => "#CAD7FF",
        100.0.. => "#F8F7FF",
        50.0.. => "#FFF4EA",
        _ => "#FFD2A1",
    }
}

/// Giants are banded tan, small ones go from scorched over temperate to icy; `place` is 0 for the innermost
/// planet and 1 for the outermost.
pub(super) fn planet_color(mass: f64, place: f64, random: &mut Random) -> &'static str {
    let palette: &[&str] = if mass > 90.0 {
        &["#D9B38C", "#C9A66B", "#E3C9A0", "#B98B5E", "#D8A47F"]
    } else if place < 0.34 {
        &["#A89585", "#8C6F5A", "#B5654A", "#C2A878", "#7D7068"]
    } else if place < 0.75 {
        &["#4F7CAC", "#5E9C76", "#C1693C", "#3E8E9E", "#9C8F5A"]
    } else {
        &["#8FD3E8", "#5B7FDB", "#AFC8E7", "#7FB7BE", "#9AA8D6"]
    };
    random.pick(palette)
}

pub(super) fn moon_color(random: &mut Random) -> &'static str {
    random.pick(&["#B8B4AD", "#9E9A94", "#CFC8BC", "#8F8A86", "#C4B59D", "#A7B0B8"])
}

/// An orbit of the asked-for shape that has no size yet.
pub(super) fn orbit(parameters: &Parameters, random: &mut Random) -> Orbit {
    let eccentricity = match parameters.eccentricity_style {
        EccentricityStyle::Circular => 0.0,
        EccentricityStyle::Mixed => random.between(0.0, 0.3),
        EccentricityStyle::Eccentric => random.between(0.1, 0.7),
    };
    let most = parameters.inclination_max;
    let tilt = random.between(-most, most);
    let phase = random.between(0.0, 360.0);
    let node = random.between(0.0, 360.0);
    // A flat circle looks the same however it is turned.
    let node = if eccentricity == 0.0 && most == 0.0 { 0.0 } else { node };
    Orbit { eccentricity, phase, tilt, node, ..Orbit::default() }
}

/// A shift of an orbit's centre, at most 2 units long.
pub(super) fn offset(random: &mut Random) -> [f64; 3] {
    let angle = random.between(0.0, std::f64::consts::TAU);
    let (length, height) = (random.between(0.0, 1.9), random.between(-0.6, 0.6));
    [length * libm::cos(angle), height, length * libm::sin(angle)]
}
