//! How much there is of what: shares and means over many seeds.

use serde_json::{Value, json};
use universe_core::generate::{Choice, Generated, Preset, Totals};

use super::{bodies, made, number, of_kind};

/// One universe of many systems: its shares are those of the rules.
fn many(topology: &str, parameters: &Value) -> Generated {
    let mut all = json!({
        "maxSystems": 1500, "maxBodies": 200_000, "enableLagrangePoints": false, "enableComets": false,
        "maxStarsPerSystem": 3, "enableAsteroidBelts": false, "enableKuiperBelts": false,
    });
    all.as_object_mut().unwrap().extend(parameters.as_object().unwrap().clone());
    made(&json!({"seed": "many", "topology": topology, "parameters": all}))
}

/// How many children of this kind each of `parents` has.
fn counts<'a>(
    generated: &Generated,
    parents: impl Iterator<Item = &'a Value>,
    kind: &str,
) -> Vec<usize> {
    let is_kind = |id: &&Value| bodies(generated)[id.as_str().unwrap()]["bodyType"] == kind;
    parents
        .map(|body| body["children"].as_array().unwrap().iter().filter(is_kind).count())
        .collect()
}

fn roots(generated: &Generated) -> impl Iterator<Item = &Value> {
    bodies(generated)
        .values()
        .filter(|body| body["parentId"].is_null() && body["isRoguePlanet"].is_null())
}

fn planets(generated: &Generated) -> impl Iterator<Item = &Value> {
    of_kind(generated, "planet").filter(|body| body["isRoguePlanet"].is_null())
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn share(counts: &[usize], wanted: usize) -> f64 {
    counts.iter().filter(|count| **count == wanted).count() as f64 / counts.len() as f64
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn mean(counts: &[usize]) -> f64 {
    counts.iter().sum::<usize>() as f64 / counts.len() as f64
}

#[track_caller]
fn assert_near(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() <= tolerance, "{found} is not near {wanted}");
}

#[test]
fn stars_come_in_the_shares_of_the_topology() {
    for (topology, shares) in [
        ("classic", [0.65, 0.25, 0.10]),
        ("multiStarHeavy", [0.05, 0.55, 0.40]),
        ("compact", [1.0, 0.0, 0.0]),
        ("deepHierarchy", [1.0, 0.0, 0.0]),
    ] {
        let generated = many(topology, &json!({"maxSystems": 1000, "maxDepth": 1}));
        let companions = counts(&generated, roots(&generated), "star");
        for (count, wanted) in shares.into_iter().enumerate() {
            assert_near(share(&companions, count), wanted, 0.045);
        }
    }
    let single = many("classic", &json!({"maxStarsPerSystem": 1}));
    assert!(counts(&single, roots(&single), "star").iter().all(|companions| *companions == 0));
}

#[test]
fn planets_and_moons_wait_for_the_end_as_the_densities_say() {
    for (planet_density, moon_density) in [(0.2, 0.7), (0.5, 0.5), (0.8, 0.1)] {
        let generated =
            many("classic", &json!({"planetDensity": planet_density, "moonDensity": moon_density}));
        let expected = |density: f64| {
            let p = 0.8 - 0.6 * density;
            (1.0 - p) / p
        };
        assert_near(
            mean(&counts(&generated, roots(&generated), "planet")),
            expected(planet_density),
            0.2,
        );
        assert_near(
            mean(&counts(&generated, planets(&generated), "moon")),
            expected(moon_density),
            0.2,
        );
    }
}

#[test]
fn topologies_keep_within_their_bounds() {
    for (topology, of_planets, of_moons) in [
        ("compact", 1..=2, 5..=18),
        ("multiStarHeavy", 1..=4, 0..=3),
        ("moonRich", 3..=6, 4..=25),
        ("sparseOutpost", 0..=2, 0..=2),
        ("deepHierarchy", 2..=5, 2..=6),
    ] {
        let generated = many(topology, &json!({"maxSystems": 150}));
        let (planets, moons) = (
            counts(&generated, roots(&generated), "planet"),
            counts(&generated, planets(&generated), "moon"),
        );
        assert!(planets.iter().all(|count| of_planets.contains(count)), "{topology}: {planets:?}");
        assert!(moons.iter().all(|count| of_moons.contains(count)), "{topology}: {moons:?}");
        // And the ends are reached.
        assert!(
            planets.contains(of_planets.start()) && planets.contains(of_planets.end()),
            "{topology}"
        );
        assert!(moons.contains(of_moons.start()) && moons.contains(of_moons.end()), "{topology}");
    }
}

#[test]
fn outposts_have_few_planets_and_hardly_a_moon() {
    let generated = many("sparseOutpost", &json!({}));
    let planets_of = counts(&generated, roots(&generated), "planet");
    for (count, wanted) in [0.15, 0.60, 0.25].into_iter().enumerate() {
        assert_near(share(&planets_of, count), wanted, 0.045);
    }
    let moons = counts(&generated, planets(&generated), "moon");
    assert_near(share(&moons, 0), 0.75, 0.045);
}

#[test]
fn moons_of_moons_are_kept_as_deep_as_allowed() {
    let depth = |generated: &Generated| {
        let parents = |body: &Value| {
            let mut at = body.clone();
            let mut depth = 0;
            while let Some(parent) = at["parentId"].as_str() {
                at = bodies(generated)[parent].clone();
                depth += 1;
            }
            depth
        };
        of_kind(generated, "moon").chain(planets(generated)).map(parents).max()
    };
    for most in 1..=4 {
        let generated = many("deepHierarchy", &json!({"maxSystems": 20, "maxDepth": most}));
        assert_eq!(depth(&generated), Some(most));
    }
    let generated = many("deepHierarchy", &json!({"maxSystems": 300, "maxDepth": 3}));
    let of_moons = counts(&generated, planets(&generated), "moon").iter().sum::<usize>();
    let direct = of_kind(&generated, "moon").filter(|moon| {
        bodies(&generated)[moon["parentId"].as_str().unwrap()]["bodyType"] == "planet"
    });
    let own = counts(&generated, direct, "moon");
    assert_eq!(own.len(), of_moons);
    assert_near(share(&own, 0), 0.5, 0.045);
    assert!(own.iter().all(|count| *count <= 4));
}

#[test]
fn masses_are_spread_as_they_should_be_and_sizes_follow() {
    let generated = many("compact", &json!({"maxDepth": 1}));
    let logarithms: Vec<f64> =
        of_kind(&generated, "star").map(|star| (number(star, "mass") / 100.0).ln()).collect();
    #[expect(clippy::cast_precision_loss, reason = "counts are small")]
    let count = logarithms.len() as f64;
    let mean = logarithms.iter().sum::<f64>() / count;
    let deviation = (logarithms.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / count).sqrt();
    assert_near(mean, 1.5, 0.08);
    assert_near(deviation, 0.8, 0.06);
    for star in of_kind(&generated, "star") {
        assert_near(number(star, "radius"), 0.15 * number(star, "mass").powf(0.4), 1e-3);
        let color = match number(star, "mass") {
            600.0.. => "#9BB0FF",
            200.0.. => "#CAD7FF",
            100.0.. => "#F8F7FF",
            50.0.. => "#FFF4EA",
            _ => "#FFD2A1",
        };
        assert_eq!(star["color"], color);
    }
}

#[test]
fn each_preset_is_denser_than_the_one_before() {
    let totals = |preset: &str| -> Vec<Totals> {
        let few = json!({"maxSystems": 5});
        (0..40)
            .map(|seed| made(&json!({"preset": preset, "seed": seed, "parameters": few})).totals)
            .collect()
    };
    let sum = |totals: &[Totals], of: fn(&Totals) -> usize| totals.iter().map(of).sum::<usize>();
    let presets: Vec<_> = Preset::names().map(totals).collect();
    for (name, of) in [
        ("planets", (|totals| totals.planets) as fn(&Totals) -> usize),
        ("moons", |totals| totals.moons),
        ("bodies", |totals| totals.bodies),
        ("ringed planets", |totals| totals.ringed_planets),
        ("particles", |totals| totals.particles),
    ] {
        let sums: Vec<_> = presets.iter().map(|totals| sum(totals, of)).collect();
        assert!(sums.is_sorted_by(|less, more| less < more), "{name}: {sums:?}");
    }
}

#[test]
fn switched_off_means_none() {
    for (parameter, of) in [
        ("enableAsteroidBelts", (|totals| totals.asteroid_belts) as fn(&Totals) -> usize),
        ("enableKuiperBelts", |totals| totals.kuiper_belts),
        ("enableRings", |totals| totals.ringed_planets),
        ("enableComets", |totals| totals.comets),
        ("enableLagrangePoints", |totals| totals.lagrange_points + totals.asteroids),
        ("enableProtoplanetaryDisks", |totals| totals.protoplanetary_disks),
        ("enableNebulae", |totals| totals.nebulae),
        ("enableRoguePlanets", |totals| totals.rogue_planets),
        ("enableBlackHoles", |totals| totals.black_holes),
    ] {
        let totals = |on: bool| {
            let parameters = json!({parameter: on, "maxSystems": 20, "blackHoleRarity": "common"});
            made(&json!({"preset": "crowded", "seed": 1, "parameters": parameters})).totals
        };
        assert!(of(&totals(true)) > 0, "{parameter}");
        assert_eq!(of(&totals(false)), 0, "{parameter}");
    }
}

#[test]
fn black_holes_weigh_what_their_profile_says() {
    let masses = |profile: &str| -> Vec<f64> {
        let parameters = json!({"maxSystems": 200, "enableBlackHoles": true, "blackHoleRarity": "common",
            "blackHoleMassProfile": profile, "targetGalaxyCount": 4});
        let generated = made(&json!({"seed": 3, "parameters": parameters}));
        for hole in of_kind(&generated, "blackHole") {
            let shadow = number(&hole["blackHole"], "shadowRadius");
            assert!((0.5..=10.0).contains(&shadow), "{hole}");
            assert_near(number(hole, "radius"), shadow, 1e-9);
        }
        of_kind(&generated, "blackHole").map(|hole| number(hole, "mass")).collect()
    };
    assert!(masses("stellarOnly").iter().all(|mass| (5.0..=50.0).contains(mass)));
    assert!(masses("mixed").iter().any(|mass| *mass > 50.0));
    assert!(masses("mixed").iter().all(|mass| (5.0..=1e4).contains(mass)));
    let centres =
        masses("supermassiveCentres").into_iter().filter(|mass| (1e6..=1e9).contains(mass));
    assert_eq!(centres.count(), 4);
}
