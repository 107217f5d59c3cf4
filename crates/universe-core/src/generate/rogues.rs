//! Rogue planets: bound to nothing, they pass through.

use serde_json::{Value, json};

use super::{
    Parameters,
    body::{Body, Kind, number, object, point},
    choices::{RoguePaths, RogueStyle},
    names::{Names, slug},
    nebulae::direction,
    physics,
    random::{Random, floor},
};

/// Where the rogues may be: a ball around the middle.
pub(super) struct Realm {
    pub radius: f64,
    pub systems: u32,
    /// Bodies that there is still room for.
    pub room: u32,
}

pub(super) fn make(
    realm: &Realm,
    parameters: &Parameters,
    names: &mut Names,
    random: &mut Random,
) -> Vec<Body> {
    if !parameters.rogues {
        return Vec::new();
    }
    let rogues = parameters.rogue_frequency * f64::from(realm.systems) + random.unit();
    let rogues = if parameters.rogue_frequency == 0.0 { 0 } else { floor(rogues).min(realm.room) };
    (0..rogues).map(|_| rogue(realm, parameters, names, random)).collect()
}

fn rogue(realm: &Realm, parameters: &Parameters, names: &mut Names, random: &mut Random) -> Body {
    let name = names.place();
    let mut planet = Body::new(format!("{}-rogue", slug(&name)), name, Kind::Planet);
    planet.mass = physics::mass(Kind::Planet, random);
    planet.radius = physics::radius(planet.mass);
    planet.color = random.pick(&["#5A6472", "#6E5F6B", "#4F5D58", "#7A6A5C", "#56607F"]);
    planet.details.push(("isRoguePlanet", json!(true)));
    planet.details.push(("roguePlanet", path(realm, parameters, random)));
    planet
}

/// A way that begins anywhere in the realm and crosses its inner half.
fn path(realm: &Realm, parameters: &Parameters, random: &mut Random) -> Value {
    let (slowest, fastest) = match parameters.rogue_style {
        RogueStyle::SlowDrifters => (0.1, 0.5),
        RogueStyle::Mixed => (0.2, 3.0),
        RogueStyle::FastIntruders => (2.0, 6.0),
    };
    let speed = random.between(slowest, fastest);
    let start = within(realm.radius * random.between(0.5, 1.1), random);
    let goal = within(realm.radius * random.between(0.0, 0.5), random);
    let way: [f64; 3] = std::array::from_fn(|axis| goal[axis] - start[axis]);
    let length = way.iter().map(|part| part * part).sum::<f64>().sqrt().max(1.0);
    let mut path = object(json!({
        "seed": random.below(1_000_000),
        "initialPosition": point(start),
        "velocity": point(way.map(|part| part / length * speed)),
        "showTrajectory": true,
    }));
    let curved = match parameters.rogue_paths {
        RoguePaths::LinearOnly => false,
        RoguePaths::Mixed => random.chance(0.5),
        RoguePaths::Curved => true,
    };
    let curvature = random.between(parameters.rogue_curvature_min, parameters.rogue_curvature_max);
    // Without curvature the way is straight for every viewer, whatever else it says.
    if curved && curvature > 0.0 {
        let axis = realm.radius * random.between(0.3, 0.8);
        path.extend(object(json!({
            "pathCurvature": number(curvature),
            "semiMajorAxis": number(axis),
            "eccentricity": number(random.between(0.1, 0.8)),
            "orbitRotX": number(random.between(-30.0, 30.0)),
            "orbitRotY": number(random.between(0.0, 360.0)),
            "orbitRotZ": number(random.between(-30.0, 30.0)),
            "pathPeriod": number(std::f64::consts::TAU * axis / speed),
        })));
    }
    Value::Object(path)
}

/// A point at this distance, nearer to the plane of the galaxies than a ball would have it.
fn within(distance: f64, random: &mut Random) -> [f64; 3] {
    let [x, y, z] = direction(random);
    [x * distance, y * distance * 0.4, z * distance]
}
