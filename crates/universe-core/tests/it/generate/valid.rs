//! Whatever is asked for, the outcome keeps the rules of the domain.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use universe_core::{
    State,
    generate::{Choice, Generated, Preset, Topology, describe},
    query::violations,
};

use super::{bodies, made};
use crate::shown;

/// Keys whose value is a fraction, wherever they are.
const FRACTIONS: &[&str] = &[
    "opacity",
    "density",
    "clumpiness",
    "tailOpacityBase",
    "spin",
    "diskBrightness",
    "diskOpacity",
    "diskClumpiness",
    "jetBrightness",
    "dopplerBeamingStrength",
    "lensingStrength",
    "brightness",
    "pathCurvature",
    "eccentricity",
    "bandStrength",
    "gapSharpness",
    "innerGlowStrength",
    "noiseStrength",
    "spiralStrength",
    "edgeSoftness",
];
const NEVER_NEGATIVE: &[&str] = &[
    "mass",
    "radius",
    "orbitalDistance",
    "semiMajorAxis",
    "innerRadius",
    "outerRadius",
    "thickness",
    "perihelionDistance",
    "particleCount",
    "shadowRadius",
    "jetLength",
    "tailLengthBase",
];
const FIELD: &[&str] = &[
    "systemId",
    "hostStarId",
    "innerRadius",
    "outerRadius",
    "thickness",
    "particleCount",
    "baseColor",
    "highlightColor",
    "opacity",
    "brightness",
    "clumpiness",
    "rotationSpeedMultiplier",
    "beltType",
    "regionLabel",
    "isIcy",
    "seed",
    "style",
];
const DISK: &[&str] = &[
    "systemId",
    "centralStarId",
    "innerRadius",
    "outerRadius",
    "thickness",
    "particleCount",
    "baseColor",
    "highlightColor",
    "opacity",
    "brightness",
    "clumpiness",
    "rotationSpeedMultiplier",
    "seed",
    "style",
];
const NEBULA: &[&str] = &[
    "name",
    "position",
    "radius",
    "density",
    "brightness",
    "baseColor",
    "accentColor",
    "noiseScale",
    "noiseDetail",
    "seed",
];

fn assert_valid(generated: &Generated) {
    let snapshot = &generated.snapshot;
    let state = State::from_json(snapshot.clone(), 0.0, "snapshot").unwrap();
    assert_eq!(violations(&state), Vec::<String>::new());
    let mut read = shown(&state);
    read.as_object_mut().unwrap().shift_remove("time");
    assert_eq!(&read, snapshot, "reading it changed something");

    assert_sound("", snapshot);
    assert_entities(&snapshot["smallBodyFields"], FIELD, bodies(generated));
    assert_entities(&snapshot["protoplanetaryDisks"], DISK, bodies(generated));
    assert_entities(&snapshot["nebulae"], NEBULA, bodies(generated));
    for body in bodies(generated).values() {
        let pair = &body["lagrangePoint"];
        for id in [&pair["primaryId"], &pair["secondaryId"], &body["lagrangeHostId"]] {
            assert!(id.is_null() || bodies(generated).contains_key(id.as_str().unwrap()), "{body}");
        }
    }
    assert_eq!(generated.totals.bodies, bodies(generated).len());
    assert_eq!(generated.totals.systems, snapshot["rootIds"].as_array().unwrap().len());
}

/// No value is missing or out of its range: a number that is not finite would be written as `null`.
fn assert_sound(key: &str, value: &Value) {
    match value {
        Value::Null => assert!(["parentId", "parentGroupId"].contains(&key), "`{key}` is null"),
        Value::Number(number) => {
            let number = number.as_f64().unwrap();
            assert!(!FRACTIONS.contains(&key) || (0.0..=1.0).contains(&number), "{key} {number}");
            assert!(!NEVER_NEGATIVE.contains(&key) || number >= 0.0, "{key} {number}");
            assert!(key != "eccentricity" || number < 1.0);
        }
        Value::String(text) if key.to_lowercase().ends_with("color") => {
            assert!(text.len() == 7 && text.starts_with('#'), "{key} {text}");
        }
        Value::Array(items) => items.iter().for_each(|item| assert_sound("", item)),
        Value::Object(map) => map.iter().for_each(|(key, value)| assert_sound(key, value)),
        _ => {}
    }
}

fn assert_entities(entities: &Value, required: &[&str], bodies: &Map<String, Value>) {
    for (id, entity) in entities.as_object().unwrap() {
        assert_eq!(&entity["id"], id);
        for key in required {
            assert!(!entity[key].is_null(), "{id} has no {key}");
        }
        for key in ["systemId", "hostStarId", "centralStarId"] {
            assert!(entity[key].is_null() || bodies.contains_key(entity[key].as_str().unwrap()));
        }
        let (inner, outer) =
            (super::number(entity, "innerRadius"), super::number(entity, "outerRadius"));
        assert!(inner < outer || outer == 0.0, "{entity}");
    }
}

#[test]
fn every_preset_with_every_topology_is_valid() {
    for preset in Preset::names() {
        for topology in Topology::names() {
            for seed in 0..3 {
                let systems = if preset == "superDenseExperimental" { 2 } else { 6 };
                assert_valid(&made(&json!({
                    "preset": preset, "topology": topology, "seed": seed,
                    "parameters": {"maxSystems": systems, "enableBlackHoles": seed % 2 == 0},
                })));
            }
        }
    }
}

#[test]
fn the_presets_as_they_are_are_valid() {
    for preset in Preset::names() {
        assert_valid(&made(&json!({"preset": preset, "seed": preset})));
    }
}

/// Any value that the description allows.
fn any_value(parameter: &Value) -> BoxedStrategy<Value> {
    let bound = |key: &str| parameter[key].as_f64().unwrap_or(0.0);
    match parameter["kind"].as_str().unwrap() {
        "flag" => any::<bool>().prop_map(|flag| json!(flag)).boxed(),
        "number" => (bound("min")..=bound("max")).prop_map(|number| json!(number)).boxed(),
        "choice" => {
            proptest::sample::select(parameter["options"].as_array().unwrap().clone()).boxed()
        }
        // Few systems, so that a run of many cases ends; the upper bound of the others is tried elsewhere.
        "integer" => {
            let most = if parameter["name"] == "maxSystems" { 12.0 } else { bound("max") };
            (bound("min")..=most).prop_map(|number| json!(number.floor())).boxed()
        }
        other => panic!("unknown kind {other}"),
    }
}

/// Values for some of the parameters.
fn any_parameters() -> impl Strategy<Value = Value> {
    let one = |parameter: &Value| {
        let name = parameter["name"].as_str().unwrap().to_owned();
        (Just(name), proptest::option::of(any_value(parameter)))
    };
    let all: Vec<_> = describe()["parameters"].as_array().unwrap().iter().map(one).collect();
    all.prop_map(|values| {
        let mut map: Map<String, Value> =
            values.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        // The two are tied to one another.
        map.insert("rogueCurvatureMin".into(), json!(0));
        Value::Object(map)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_parameters_the_outcome_is_valid(
        parameters in any_parameters(),
        topology in proptest::sample::select(Topology::names().collect::<Vec<_>>()),
        seed in any::<u32>(),
    ) {
        let generated = made(&json!({"parameters": parameters, "topology": topology, "seed": seed}));
        assert_valid(&generated);
        let most = parameters["maxBodies"].as_u64().unwrap_or(100_000);
        prop_assert!(generated.totals.bodies as u64 <= most);
    }
}

#[test]
fn the_fullest_systems_stay_within_the_smallest_bounds() {
    for topology in ["moonRich", "deepHierarchy"] {
        for seed in 0..12 {
            let generated = made(&json!({
                "preset": "superDenseExperimental", "topology": topology, "seed": seed,
                "parameters": {
                    "maxBodies": 2000, "maxParticles": 50_000, "maxSystems": 200, "targetGalaxyCount": 200,
                    "enableBlackHoles": true, "trojanFrequency": 1, "trojanRichness": 1, "cometFrequency": 1,
                },
            }));
            assert!(
                generated.totals.systems > 0 && generated.totals.bodies <= 2000,
                "{:?}",
                generated.totals
            );
            assert!(generated.totals.particles <= 50_000, "{:?}", generated.totals);
        }
    }
}

#[test]
fn a_hundred_thousand_bodies_can_be_had() {
    let generated = made(&json!({"parameters": {"maxSystems": 5000, "maxBodies": 100_000}}));
    assert!((95_000..=100_000).contains(&generated.totals.bodies), "{:?}", generated.totals);
    assert!(generated.totals.particles <= 500_000);
}
