//! Where things stand in the scene: systems apart from one another, belts in gaps, clouds around galaxies.

use std::collections::HashMap;

use serde_json::{Value, json};
use universe_core::generate::Generated;

use super::{
    bodies, made, number, of_kind,
    orbits::{length, position, range},
};

fn point(value: &Value) -> [f64; 3] {
    [number(value, "x"), number(value, "y"), number(value, "z")]
}

fn plus(one: [f64; 3], other: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| one[axis] + other[axis])
}

fn apart(one: [f64; 3], other: [f64; 3]) -> f64 {
    length(std::array::from_fn(|axis| one[axis] - other[axis]))
}

/// Where each system is, by the layout that every viewer uses.
fn systems(generated: &Generated) -> HashMap<String, [f64; 3]> {
    let groups = generated.snapshot["groups"].as_object().unwrap();
    let mut found = HashMap::new();
    let mut waiting: Vec<(&Value, [f64; 3])> = groups
        .values()
        .filter(|group| group["parentGroupId"].is_null())
        .map(|group| (group, point(&group["position"])))
        .collect();
    while let Some((group, origin)) = waiting.pop() {
        let members = group["children"].as_array().unwrap();
        let count = f64::from(u32::try_from(members.len()).unwrap());
        let (edge, columns) = (8.0 + 2.0 * count.sqrt(), count.sqrt().ceil());
        for (slot, member) in (0_u32..).zip(members) {
            let (column, row) = (f64::from(slot) % columns, (f64::from(slot) / columns).floor());
            let step = 0.7 * edge / columns;
            let place = plus(origin, [column * step - 0.35 * edge, 0.0, row * step - 0.35 * edge]);
            let id = member["id"].as_str().unwrap();
            if member["type"] == "group" {
                waiting.push((&groups[id], place));
            } else {
                found.insert(id.to_owned(), plus(place, position(&bodies(generated)[id], 0.0)));
            }
        }
    }
    found
}

/// How far the planets and belts of each system reach.
fn extents(generated: &Generated) -> HashMap<String, f64> {
    let all = bodies(generated);
    let mut extents: HashMap<String, f64> = HashMap::new();
    let planets =
        all.values().filter(|body| body["bodyType"] == "planet" && !body["parentId"].is_null());
    let orbits = planets.map(|body| (&body["parentId"], number(body, "orbitalDistance")));
    let snapshot = &generated.snapshot;
    let belts = snapshot["smallBodyFields"].as_object().unwrap().values();
    let disks = snapshot["protoplanetaryDisks"].as_object().unwrap().values();
    let clouds = belts.chain(disks).map(|belt| (&belt["systemId"], number(belt, "outerRadius")));
    let roots = all.values().map(|body| (&body["id"], number(body, "radius")));
    for (system, reach) in roots.chain(orbits).chain(clouds) {
        let extent = extents.entry(system.as_str().unwrap().to_owned()).or_default();
        *extent = extent.max(reach);
    }
    extents
}

#[test]
fn a_viewer_sees_systems_apart() {
    for (preset, seed) in
        [("sparse", 1), ("solarLike", 2), ("crowded", 3), ("superDenseExperimental", 4)]
    {
        let generated = made(&json!({"preset": preset, "seed": seed, "parameters": {
            "enableBlackHoles": true, "blackHoleMassProfile": "supermassiveCentres"}}));
        let (places, extents) = (systems(&generated), extents(&generated));
        assert_eq!(places.len(), generated.totals.systems, "every system is in a group");
        let mut list: Vec<_> = places.iter().collect();
        list.sort_by_key(|(id, _)| *id);
        for (index, (one, place)) in list.iter().enumerate() {
            for (other, other_place) in &list[..index] {
                let (distance, reach) =
                    (apart(**place, **other_place), extents[*one] + extents[*other]);
                assert!(distance > reach + 20.0, "`{one}` and `{other}`: {distance} for {reach}");
            }
        }
    }
}

#[test]
fn a_single_system_stands_in_the_middle_and_is_grouped_only_on_demand() {
    let alone = made(&json!({"parameters": {"maxSystems": 1}}));
    assert_eq!(alone.snapshot["groups"], json!({}));
    let root = &bodies(&alone)[alone.snapshot["rootIds"][0].as_str().unwrap()];
    assert_eq!(root["orbitalDistance"], 0);
    let grouped = made(&json!({"parameters": {"maxSystems": 1, "enableGroups": true}}));
    assert_eq!(grouped.totals.groups, 1);
    let middle = systems(&grouped).into_values().next().unwrap();
    assert!(length([middle[0], 0.0, middle[2]]) < 0.01, "{middle:?}");
}

#[test]
fn there_are_as_many_galaxies_as_asked_for_and_as_systems_allow() {
    let roots = |parameters: Value| {
        let generated = made(&json!({"parameters": parameters}));
        (generated.snapshot["rootGroupIds"].as_array().unwrap().len(), generated.totals.groups)
    };
    assert_eq!(roots(json!({"maxSystems": 40, "targetGalaxyCount": 6})), (6, 6));
    assert_eq!(roots(json!({"maxSystems": 4, "targetGalaxyCount": 6})), (4, 4));
    let (galaxies, groups) = roots(
        json!({"maxSystems": 60, "targetGalaxyCount": 3, "groupStructureMode": "deepHierarchy"}),
    );
    assert!(galaxies == 3 && groups > 9, "{groups}");
}

#[test]
fn belts_lie_clear_of_the_planets_and_kuiper_belts_outside_of_everything() {
    let mut belts = 0;
    for seed in 0..20 {
        let generated = made(&json!({"preset": "crowded", "seed": seed}));
        let planets: Vec<_> = of_kind(&generated, "planet").collect();
        for belt in generated.snapshot["smallBodyFields"].as_object().unwrap().values() {
            let (inner, outer) = (number(belt, "innerRadius"), number(belt, "outerRadius"));
            for planet in planets.iter().filter(|planet| planet["parentId"] == belt["hostStarId"]) {
                let (near, far) = range(planet);
                let inside = far + number(planet, "radius") < inner;
                let outside = near - number(planet, "radius") > outer;
                assert!(inside || (outside && belt["beltType"] == "main"), "{belt} {planet}");
            }
            belts += 1;
        }
    }
    assert!(belts > 100, "{belts}");
}

#[test]
fn nebulae_surround_their_galaxy() {
    let generated =
        made(&json!({"seed": 3, "preset": "crowded", "parameters": {"nebulaDensity": 1}}));
    let nebulae = generated.snapshot["nebulae"].as_object().unwrap();
    assert!((12..=15).contains(&nebulae.len()), "{}", nebulae.len());
    for nebula in nebulae.values() {
        let group = nebula["associatedGroupIds"][0].as_str().unwrap();
        let centre = point(&generated.snapshot["groups"][group]["position"]);
        let distance = apart(point(&nebula["position"]), centre);
        assert!((799.9..=2000.1).contains(&distance), "{distance}");
    }
}

#[test]
fn rogue_planets_are_bound_to_nothing_and_move() {
    let generated = made(
        &json!({"seed": 5, "preset": "superDenseExperimental", "parameters": {"maxSystems": 20}}),
    );
    let rogues: Vec<_> =
        bodies(&generated).values().filter(|body| body["isRoguePlanet"] == true).collect();
    assert!((16..=17).contains(&rogues.len()), "{}", rogues.len());
    for rogue in rogues {
        assert!(rogue["parentId"].is_null());
        assert!(!generated.snapshot["rootIds"].as_array().unwrap().contains(&rogue["id"]));
        let path = &rogue["roguePlanet"];
        assert!((2.0..=6.0).contains(&(length(point(&path["velocity"])) - 1e-4)), "{path}");
        assert!((0.3..=1.0).contains(&number(path, "pathCurvature")), "{path}");
    }
}
