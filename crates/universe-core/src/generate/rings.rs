//! Rings of planets.

use serde_json::json;

use super::{
    Parameters,
    body::{Body, number},
    random::Random,
};

/// Gives the planet a ring, perhaps. `place` is 0 for the innermost planet and 1 for the outermost. Returns how far
/// from the planet its moons have to keep.
pub(super) fn add(
    planet: &mut Body,
    place: f64,
    parameters: &Parameters,
    random: &mut Random,
) -> Option<f64> {
    // Drawn even when there is none: the ring of one planet does not change those of the others.
    let (drawn, inner, width) =
        (random.unit(), random.between(1.25, 1.7), random.between(0.5, 1.0));
    let (opacity, seed) = (random.between(0.8, 1.0), random.below(1_000_000));
    let color = random.pick(&["#D8C9A8", "#C8B89A", "#E5DCC8", "#B9C4CF", "#CDBBA7", "#AFA79C"]);
    if !parameters.rings || drawn >= chance(planet.mass, place, parameters.ring_frequency) {
        return None;
    }
    let prominence = parameters.ring_prominence;
    let outer = inner + (0.4 + 1.6 * prominence) * width;
    planet.details.push((
        "ring",
        json!({
            "innerRadiusMultiplier": number(inner),
            "outerRadiusMultiplier": number(outer),
            "thickness": number(0.02 + 0.03 * planet.radius),
            "opacity": number((0.3 + 0.6 * prominence) * opacity),
            "albedo": number(0.5 + 0.4 * prominence),
            "color": color,
            "density": number((0.3 + 0.6 * prominence) * width),
            "seed": seed,
        }),
    ));
    Some(planet.radius * outer * 1.1)
}

/// Heavy planets (up to twice) and far ones (up to half again) have rings more often.
fn chance(mass: f64, place: f64, frequency: f64) -> f64 {
    let heavy = 1.0 + ((mass - 20.0) / 80.0).clamp(0.0, 1.0);
    let far = 1.0 + 0.5 * place;
    ((0.05 + 0.45 * frequency) * heavy * far).min(0.95)
}
