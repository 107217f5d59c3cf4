//! Orbits as a viewer follows them: nothing collides, markers keep their places, comets obey Kepler.

use serde_json::{Map, Value, json};
use universe_core::generate::Generated;

use super::{bodies, made, number, of_kind};

/// Where a body is relative to its parent at `time`, by the formula that every viewer uses.
pub(super) fn position(body: &Value, time: f64) -> [f64; 3] {
    let distance = number(body, "orbitalDistance");
    if distance == 0.0 {
        return [0.0; 3];
    }
    let axis = body["semiMajorAxis"].as_f64().unwrap_or(distance);
    let short = axis * (1.0 - number(body, "eccentricity").powi(2)).sqrt();
    let angle = (time * number(body, "orbitalSpeed") + number(body, "orbitalPhase")).to_radians();
    let [x, y, z] = [axis * angle.cos(), 0.0, short * angle.sin()];
    let (sin, cos) = number(body, "orbitRotZ").to_radians().sin_cos();
    let [x, y, z] = [x * cos - y * sin, x * sin + y * cos, z];
    let (sin, cos) = number(body, "orbitRotY").to_radians().sin_cos();
    let [x, y, z] = [x * cos + z * sin, y, z * cos - x * sin];
    let (sin, cos) = number(body, "orbitRotX").to_radians().sin_cos();
    let [x, y, z] = [x, y * cos - z * sin, y * sin + z * cos];
    [
        x + number(body, "orbitOffsetX"),
        y + number(body, "orbitOffsetY"),
        z + number(body, "orbitOffsetZ"),
    ]
}

pub(super) fn length(vector: [f64; 3]) -> f64 {
    vector.iter().map(|part| part * part).sum::<f64>().sqrt()
}

/// Nearest to and farthest from its parent, over one turn.
pub(super) fn range(body: &Value) -> (f64, f64) {
    let turn = 360.0 / number(body, "orbitalSpeed").abs();
    let distances = (0..120).map(|step| length(position(body, turn * f64::from(step) / 120.0)));
    distances.fold((f64::MAX, 0.0), |(near, far), distance| (near.min(distance), far.max(distance)))
}

/// How far a body extends with its ring and all that circles it for good. Checks on the way that nothing collides.
fn reach(id: &str, all: &Map<String, Value>) -> f64 {
    let body = &all[id];
    let mut edge = number(body, "radius");
    if let Some(outer) = body["ring"]["outerRadiusMultiplier"].as_f64() {
        edge *= outer;
    }
    let mut lanes: Vec<(f64, f64, &str)> = Vec::new();
    for child in body["children"].as_array().unwrap() {
        let (id, kind) =
            (child.as_str().unwrap(), all[child.as_str().unwrap()]["bodyType"].as_str());
        // Companion stars share one orbit, and are compared in a test of their own.
        if !matches!(kind, Some("planet" | "moon")) && !id.ends_with("-b") {
            continue;
        }
        let (near, far) = range(&all[id]);
        let around = reach(id, all);
        lanes.push((near - around, far + around, id));
    }
    for (near, far, child) in lanes {
        assert!(near > edge, "`{child}` comes to {near} of `{id}`, where {edge} is taken");
        edge = far;
    }
    edge
}

fn samples() -> Vec<Generated> {
    let mut samples = Vec::new();
    for (preset, topology) in [
        ("sparse", "classic"),
        ("solarLike", "classic"),
        ("solarLike", "multiStarHeavy"),
        ("crowded", "moonRich"),
        ("superDenseExperimental", "classic"),
        ("superDenseExperimental", "deepHierarchy"),
    ] {
        for (seed, scale) in ["toy", "compressed", "realistic"].into_iter().enumerate() {
            samples.push(made(&json!({
                "preset": preset, "topology": topology, "seed": seed,
                "parameters": {"maxSystems": 4, "scaleMode": scale, "enableBlackHoles": true, "blackHoleRarity": "common"},
            })));
        }
    }
    samples
}

#[test]
fn nothing_collides_with_what_it_circles_or_with_its_neighbours() {
    for generated in samples() {
        for root in generated.snapshot["rootIds"].as_array().unwrap() {
            reach(root.as_str().unwrap(), bodies(&generated));
        }
    }
}

#[test]
fn the_heaviest_star_is_the_centre_and_companions_share_an_orbit_evenly() {
    let generated =
        made(&json!({"seed": 1, "topology": "multiStarHeavy", "parameters": {"maxSystems": 40}}));
    let mut triples = 0;
    for star in of_kind(&generated, "star").filter(|star| star["parentId"].is_null()) {
        let companions: Vec<_> =
            of_kind(&generated, "star").filter(|other| other["parentId"] == star["id"]).collect();
        for companion in &companions {
            assert!(number(companion, "mass") <= number(star, "mass"));
            assert_eq!(companion["orbitalDistance"], companions[0]["orbitalDistance"]);
            assert_eq!(companion["orbitalSpeed"], companions[0]["orbitalSpeed"]);
        }
        if let [one, other] = companions[..] {
            let apart =
                (number(one, "orbitalPhase") - number(other, "orbitalPhase")).rem_euclid(360.0);
            assert!((apart - 180.0).abs() < 1e-3, "{apart}");
            triples += 1;
        }
    }
    assert!(triples > 5);
}

#[test]
fn speeds_follow_from_distances() {
    for (scale, factor) in [("toy", 15.0), ("compressed", 18.0), ("realistic", 20.0)] {
        let generated = made(&json!({"seed": 2, "parameters": {"scaleMode": scale}}));
        for body in of_kind(&generated, "planet").chain(of_kind(&generated, "moon")) {
            let distance = number(body, "orbitalDistance");
            if distance > 0.0 {
                assert!(
                    (number(body, "orbitalSpeed") - factor / distance.sqrt()).abs() < 1e-2,
                    "{body}"
                );
            }
        }
    }
}

#[test]
fn eccentricities_and_tilts_keep_within_their_style() {
    for (style, least, most) in
        [("circular", 0.0, 0.0), ("mixed", 0.0, 0.3), ("eccentric", 0.1, 0.7)]
    {
        let parameters =
            json!({"orbitEccentricityStyle": style, "orbitInclinationMax": 30, "maxSystems": 30});
        let generated = made(&json!({"seed": 4, "parameters": parameters}));
        let planets: Vec<_> =
            of_kind(&generated, "planet").filter(|body| !body["parentId"].is_null()).collect();
        assert!(planets.iter().all(|body| (least..=most).contains(&number(body, "eccentricity"))));
        assert!(planets.iter().all(|body| number(body, "orbitRotZ").abs() <= 30.0));
        assert!(planets.iter().any(|body| number(body, "orbitRotZ").abs() > 20.0));
    }
}

#[test]
fn lagrange_markers_keep_their_places_for_ever() {
    for generated in samples().iter().filter(|generated| generated.totals.lagrange_points > 0) {
        let all = bodies(generated);
        for marker in of_kind(generated, "lagrangePoint") {
            let pair = &marker["lagrangePoint"];
            let secondary = &all[pair["secondaryId"].as_str().unwrap()];
            assert_eq!(marker["parentId"], pair["primaryId"]);
            assert_eq!(marker["orbitalSpeed"], secondary["orbitalSpeed"]);
            let ahead = (number(marker, "orbitalPhase") - number(secondary, "orbitalPhase"))
                .rem_euclid(360.0);
            let wanted = [0.0, 0.0, 180.0, 60.0, 300.0];
            let index = usize::try_from(pair["pointIndex"].as_u64().unwrap()).unwrap() - 1;
            let off = (ahead - wanted[index] + 180.0).rem_euclid(360.0) - 180.0;
            assert!(off.abs() < 1e-3, "{marker}");
            assert_eq!(pair["stable"], index >= 3);
            if index >= 3 {
                assert_eq!(marker["orbitalDistance"], secondary["orbitalDistance"]);
            }
        }
    }
}

#[test]
fn unstable_points_lie_where_the_masses_put_them() {
    let generated = made(&json!({"seed": 8, "parameters": {"maxSystems": 20}}));
    let all = bodies(&generated);
    for planet in of_kind(&generated, "planet").filter(|planet| !planet["parentId"].is_null()) {
        let (primary, mass) = (&all[planet["parentId"].as_str().unwrap()], number(planet, "mass"));
        let mu = mass / (number(primary, "mass") + mass);
        let factors = [1.0 - (mu / 3.0).cbrt(), 1.0 + (mu / 3.0).cbrt(), 1.0 + 5.0 * mu / 12.0];
        for (index, factor) in (1..).zip(factors) {
            let marker = &all[&format!("{}-l{index}", planet["id"].as_str().unwrap())];
            let found = number(marker, "orbitalDistance") / number(planet, "orbitalDistance");
            assert!((found - factor).abs() < 1e-3, "{marker}");
        }
    }
}

#[test]
fn trojans_stay_near_the_marker_that_hosts_them() {
    let generated = made(&json!({"seed": 6, "preset": "crowded"}));
    assert!(generated.totals.asteroids > 10);
    for trojan in of_kind(&generated, "asteroid") {
        let host = &bodies(&generated)[trojan["lagrangeHostId"].as_str().unwrap()];
        assert_eq!(trojan["orbitalSpeed"], host["orbitalSpeed"]);
        for time in [0.0, 1e4] {
            let (one, other) = (position(trojan, time), position(host, time));
            let apart = length(std::array::from_fn(|axis| one[axis] - other[axis]));
            assert!(apart < 0.15 * number(host, "orbitalDistance"), "{apart}");
        }
    }
}

#[test]
fn comets_come_as_near_and_go_as_far_as_they_say() {
    let generated = made(
        &json!({"seed": 11, "preset": "superDenseExperimental", "parameters": {"maxSystems": 20}}),
    );
    assert!(generated.totals.comets > 20);
    for comet in of_kind(&generated, "comet") {
        let (near, far) = range(comet);
        let (nearest, farthest) = (
            number(&comet["comet"], "perihelionDistance"),
            number(&comet["comet"], "aphelionDistance"),
        );
        assert!((near - nearest).abs() < 0.01 * nearest.max(1.0), "{near} {comet}");
        assert!((far - farthest).abs() < 0.01 * farthest, "{far} {comet}");
        let star = &bodies(&generated)[comet["parentId"].as_str().unwrap()];
        assert!(near > number(star, "radius"), "{comet}");
        assert!((0.5..=0.9).contains(&number(comet, "eccentricity")));
    }
}
