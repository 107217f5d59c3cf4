//! Lagrange points, and the Trojans that keep company at L4 and L5.
//!
//! A marker circles the primary with the speed of the secondary, so that the pattern turns as one.

use serde_json::json;

use super::{
    Parameters,
    body::{Body, Kind, Orbit},
    choices::{LagrangeMarkers, LagrangePairs},
    physics,
    random::{Random, floor},
    system::System,
};

pub(super) fn add(system: &mut System, parameters: &Parameters, random: &mut Random) {
    if !parameters.lagrange {
        return;
    }
    for planet in system.planets.clone() {
        if parameters.lagrange_pairs != LagrangePairs::PlanetMoon {
            mark(
                system,
                Pair { primary: 0, secondary: planet, kind: "starPlanet" },
                parameters,
                random,
            );
        }
        if parameters.lagrange_pairs != LagrangePairs::StarPlanet {
            for moon in system.bodies[planet].children.clone() {
                mark(
                    system,
                    Pair { primary: planet, secondary: moon, kind: "planetMoon" },
                    parameters,
                    random,
                );
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Pair {
    primary: usize,
    secondary: usize,
    kind: &'static str,
}

fn mark(system: &mut System, pair: Pair, parameters: &Parameters, random: &mut Random) {
    let points = match parameters.lagrange_markers {
        LagrangeMarkers::StableOnly => 4..=5,
        LagrangeMarkers::All => 1..=5,
    };
    for point in points {
        let marker = marker(system, pair, point);
        let trojans =
            point >= 4 && pair.kind == "starPlanet" && random.chance(parameters.trojan_frequency);
        let host = system.add(pair.primary, marker);
        if trojans {
            let most = 1 + floor(5.0 * parameters.trojan_richness);
            for index in 1..=random.whole(1, most) {
                let trojan = trojan(&system.bodies[host], index, random);
                system.add(pair.primary, trojan);
            }
        }
    }
}

fn marker(system: &System, pair: Pair, point: u32) -> Body {
    let (primary, secondary) = (&system.bodies[pair.primary], &system.bodies[pair.secondary]);
    let label = format!("{} L{point}", secondary.name);
    let mut marker =
        Body::new(format!("{}-l{point}", secondary.id), label.clone(), Kind::LagrangePoint);
    marker.radius = secondary.radius * 0.15;
    marker.color = if point >= 4 { "#7CE0A3" } else { "#E0C97C" };
    marker.orbit = at(point, &secondary.orbit, secondary.mass / (primary.mass + secondary.mass));
    marker.details.push((
        "lagrangePoint",
        json!({
            "primaryId": primary.id,
            "secondaryId": secondary.id,
            "pointIndex": point,
            "stable": point >= 4,
            "pairType": pair.kind,
            "label": label,
        }),
    ));
    marker
}

/// The orbit of a point; `mu` is the secondary's share of the mass.
fn at(point: u32, secondary: &Orbit, mu: f64) -> Orbit {
    let hill = libm::cbrt(mu / 3.0);
    let (distance, ahead) = match point {
        1 => (1.0 - hill, 0.0),
        2 => (1.0 + hill, 0.0),
        3 => (1.0 + 5.0 * mu / 12.0, 180.0),
        4 => (1.0, 60.0),
        _ => (1.0, -60.0),
    };
    Orbit { axis: secondary.axis * distance, phase: secondary.phase + ahead, ..secondary.clone() }
}

/// A small asteroid a few degrees from the marker.
fn trojan(host: &Body, index: u32, random: &mut Random) -> Body {
    let mut trojan = Body::new(
        format!("{}-t{index}", host.id),
        format!("{} Trojan {index}", host.name),
        Kind::Asteroid,
    );
    trojan.mass = physics::mass(Kind::Asteroid, random);
    trojan.radius = physics::radius(trojan.mass);
    trojan.color = random.pick(&["#8F857A", "#A39686", "#7C756D"]);
    trojan.orbit = Orbit {
        axis: host.orbit.axis * random.between(0.99, 1.01),
        phase: host.orbit.phase + random.between(-7.0, 7.0),
        ..host.orbit.clone()
    };
    trojan.details.push(("lagrangeHostId", json!(host.id)));
    trojan.details.push(("asteroidSubType", json!("generic")));
    trojan
}
