//! Belts of small bodies, drawn as particles: between planets, beyond them, and Kuiper belts far outside.

use serde_json::{Map, Value, json};

use super::{
    Parameters,
    body::{number, object},
    choices::{BeltPlacement, Detail, KuiperDistance},
    random::{Random, floor},
    system::System,
};

/// A belt narrower than a fifth of this is a line.
const NARROWEST_GAP: f64 = 1.0;

/// Particles in a belt or disk of middling density.
pub(super) fn particles(detail: Detail, density: f64) -> u32 {
    let base = match detail {
        Detail::Low => 400.0,
        Detail::Medium => 1_000.0,
        Detail::High => 2_500.0,
        Detail::Ultra => 6_000.0,
    };
    floor(base * (0.5 + density))
}

/// Adds asteroid belts, at most as many as the parameters say.
pub(super) fn asteroids(system: &mut System, parameters: &Parameters, random: &mut Random) {
    if !parameters.belts || system.planets.is_empty() {
        return;
    }
    let mut places = Vec::new();
    if parameters.belt_placement != BeltPlacement::Outer {
        places.extend(gaps(system, random));
    }
    if parameters.belt_placement != BeltPlacement::BetweenPlanets {
        let last = last_orbit(system);
        places.push(("outer", last * 1.5, last * 2.25));
    }
    places.truncate(parameters.max_belts as usize);
    for (index, (region, inner, outer)) in places.into_iter().enumerate() {
        let belt = Belt {
            id: format!("{}-belt-{}", system.root().id, index + 1),
            name: format!("{} Belt {}", system.root().name, index + 1),
            inner,
            outer,
            region,
            density: parameters.belt_density,
            inclination: 0.1,
            icy: false,
        };
        system.reach = system.reach.max(outer);
        let belt = belt.to_json(system, parameters, random);
        system.fields.push(belt);
    }
}

/// Adds a Kuiper belt, perhaps.
pub(super) fn kuiper(system: &mut System, parameters: &Parameters, random: &mut Random) {
    let present = random.chance(0.3 + 0.7 * parameters.kuiper_density);
    if !parameters.kuiper || system.planets.is_empty() || !present {
        return;
    }
    let (inner, outer) = match parameters.kuiper_distance {
        KuiperDistance::Tight => (1.5, 2.5),
        KuiperDistance::Classical => (2.0, 3.5),
        KuiperDistance::Wide => (2.5, 4.5),
    };
    let last = last_orbit(system);
    // An outer asteroid belt is there already.
    let (inner, outer) = ((last * inner).max(system.reach * 1.05), last * outer);
    let belt = Belt {
        id: format!("{}-kuiper", system.root().id),
        name: format!("{} Kuiper Belt", system.root().name),
        inner,
        outer: outer.max(inner * 1.2),
        region: "kuiper",
        density: parameters.kuiper_density,
        inclination: parameters.kuiper_inclination,
        icy: true,
    };
    system.reach = belt.outer;
    let belt = belt.to_json(system, parameters, random);
    system.fields.push(belt);
}

/// The middle fifth of every other gap between planets that is wide enough.
fn gaps(system: &System, random: &mut Random) -> Vec<(&'static str, f64, f64)> {
    let planets = &system.lanes.taken[system.lanes.taken.len() - system.planets.len()..];
    let mut found = Vec::new();
    for pair in planets.windows(2) {
        let (from, gap) = (pair[0].outer, pair[1].inner - pair[0].outer);
        if random.chance(0.5) && gap >= NARROWEST_GAP {
            found.push(("main", from + 0.4 * gap, from + 0.6 * gap));
        }
    }
    found
}

/// Beyond everything that the outermost planet sweeps.
fn last_orbit(system: &System) -> f64 {
    let last = system.planets.last().map_or(0.0, |planet| system.bodies[*planet].orbit.axis);
    last.max(system.lanes.outer() / 1.4)
}

struct Belt {
    id: String,
    name: String,
    inner: f64,
    outer: f64,
    region: &'static str,
    density: f64,
    inclination: f64,
    icy: bool,
}

impl Belt {
    fn to_json(
        &self,
        system: &System,
        parameters: &Parameters,
        random: &mut Random,
    ) -> Map<String, Value> {
        let icy = self.icy;
        let (base, highlight) = if icy {
            random.pick(&[("#8FA9C4", "#DCEBFA"), ("#9DB2BF", "#E8F3F5"), ("#7E96B8", "#CFE0F5")])
        } else {
            random.pick(&[("#8A7B6A", "#C9B79C"), ("#7A6A5A", "#B8A488"), ("#93826F", "#D6C3A3")])
        };
        let style = match self.inclination {
            ..0.2 => "thin",
            ..0.45 => "moderate",
            ..0.7 => "thick",
            _ => "scattered",
        };
        let middle = f64::midpoint(self.inner, self.outer);
        object(json!({
            "id": self.id,
            "name": self.name,
            "systemId": system.root().id,
            "hostStarId": system.root().id,
            "beltType": if icy { "kuiper" } else { "main" },
            "regionLabel": self.region,
            "innerRadius": number(self.inner),
            "outerRadius": number(self.outer),
            "thickness": number((0.02 + 0.1 * self.inclination) * middle),
            "particleCount": particles(parameters.detail, self.density),
            "baseColor": base,
            "highlightColor": highlight,
            "opacity": number(0.4 + 0.5 * self.density),
            "brightness": number(random.between(0.5, 0.9)),
            "clumpiness": number(random.between(0.1, 0.5)),
            "rotationSpeedMultiplier": number(random.between(0.6, 1.2)),
            "isIcy": icy,
            "seed": random.below(1_000_000),
            "style": style,
            "inclinationSigma": number(20.0 * self.inclination),
        }))
    }
}
