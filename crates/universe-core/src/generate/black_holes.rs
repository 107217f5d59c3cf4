//! Black holes: in the place of a star, or in the centre of a galaxy.

use serde_json::{Value, json};

use super::{
    Parameters,
    body::{Body, Kind, number},
    choices::{Accretion, BlackHoleMasses, BlackHoleRarity},
    random::Random,
};

const LARGEST_SHADOW: f64 = 10.0;

/// What stands in the place of this star, if it collapsed.
pub(super) fn instead_of_star(
    id: &str,
    name: &str,
    parameters: &Parameters,
    random: &mut Random,
) -> Option<Body> {
    let chance = match parameters.black_hole_rarity {
        BlackHoleRarity::UltraRare => 0.01,
        BlackHoleRarity::Rare => 0.05,
        BlackHoleRarity::Common => 0.2,
    };
    if !parameters.black_holes || !random.chance(chance) {
        return None;
    }
    let mixed = parameters.black_hole_masses == BlackHoleMasses::Mixed;
    let mass = if mixed && random.chance(0.25) {
        spread(50.0, 1e4, random)
    } else {
        random.between(5.0, 50.0)
    };
    Some(black_hole(id.to_owned(), name.to_owned(), mass, parameters, random))
}

/// The giant that a galaxy turns around.
pub(super) fn galactic_centre(
    id: String,
    name: String,
    parameters: &Parameters,
    random: &mut Random,
) -> Body {
    let mass = spread(1e6, 1e9, random);
    black_hole(id, name, mass, parameters, random)
}

/// How far from a black hole its disk ends; `None` for everything else.
pub(super) fn clear_of_disk(body: &Body) -> Option<f64> {
    let (_, looks) = body.details.iter().find(|(key, _)| *key == "blackHole")?;
    looks["accretionOuterRadius"].as_f64().map(|outer| outer * 1.1)
}

/// As likely between 10 and 100 as between 100 and 1000.
fn spread(low: f64, high: f64, random: &mut Random) -> f64 {
    low * libm::pow(high / low, random.unit())
}

fn black_hole(
    id: String,
    name: String,
    mass: f64,
    parameters: &Parameters,
    random: &mut Random,
) -> Body {
    // Heavier ones are larger, but only by their order of magnitude: a true one would swallow the scene.
    let size = 1.0 + libm::log10((mass / 50.0).max(1.0));
    let shadow = (random.between(0.5, 1.2) * size).min(LARGEST_SHADOW);
    let mut body = Body::new(id, name, Kind::BlackHole);
    body.mass = mass;
    body.radius = shadow;
    body.color = "#000000";
    body.details.push(("blackHole", looks(shadow, parameters.accretion, random)));
    body
}

fn looks(shadow: f64, accretion: Accretion, random: &mut Random) -> Value {
    let (brightness, temperature, jets) = match accretion {
        Accretion::Subtle => (0.3, 4_000.0, 0.0),
        Accretion::Normal => (0.65, 7_000.0, 0.3),
        Accretion::Quasar => (0.95, 14_000.0, 1.0),
    };
    let jet = random.chance(jets);
    let inner = shadow * random.between(1.5, 1.9);
    json!({
        "hasAccretionDisk": true,
        "hasRelativisticJet": jet,
        "hasPhotonRing": true,
        "spin": number(random.between(0.3, 0.98)),
        "shadowRadius": number(shadow),
        "accretionInnerRadius": number(inner),
        "accretionOuterRadius": number(inner + shadow * random.between(2.0, 4.0)),
        "diskThickness": number(shadow * random.between(0.05, 0.15)),
        "diskBrightness": number(brightness),
        "diskOpacity": number(0.4 + 0.5 * brightness),
        "diskTemperature": number((temperature * random.between(0.8, 1.2)).round()),
        "diskClumpiness": number(random.between(0.2, 0.6)),
        "jetLength": number(if jet { shadow * random.between(8.0, 16.0) } else { 0.0 }),
        "jetOpeningAngle": number(random.between(4.0, 12.0)),
        "jetBrightness": number(if jet { brightness } else { 0.0 }),
        "dopplerBeamingStrength": number(random.between(0.3, 0.8)),
        "lensingStrength": number(random.between(0.5, 0.9)),
        "rotationSpeedMultiplier": number(random.between(0.6, 1.6)),
        "seed": random.below(1_000_000),
        "diskTilt": number(random.between(-0.5, 0.5)),
        "diskTiltAxisAngle": number(random.between(0.0, std::f64::consts::TAU)),
    })
}
