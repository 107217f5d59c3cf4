//! Asking: what can be asked for, and what is said to those who ask wrongly.

use std::fmt::Write as _;

use insta::assert_snapshot;
use serde_json::{Value, json};
use universe_core::generate::{Choice, Preset, Request, Topology, describe};

fn refusal(request: &Value) -> String {
    let invalid = Request::from_json(request, 0).unwrap_err();
    let line =
        |problem: &universe_core::Problem| format!("`{}` {}", problem.field, problem.message);
    invalid.problems.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_mistake_is_named_with_what_is_allowed() {
    assert_snapshot!(refusal(&json!({
        "preset": "solarlike", "topology": "ring", "seed": -1, "sed": 3,
        "parameters": {
            "maxSystem": 3, "maxSystems": 5001, "planetDensity": 1.5, "moonDensity": "many", "enableRings": 1,
            "cometStyle": "rarelong", "maxDepth": 2.5, "gravity": 9.81,
        },
    })), @r#"
    `sed` is not part of a request; did you mean `seed`?
    `preset` must be one of `sparse`, `solarLike`, `crowded`, `superDenseExperimental`, not the text "solarlike"; did you mean `solarLike`?
    `topology` must be one of `classic`, `compact`, `multiStarHeavy`, `moonRich`, `sparseOutpost`, `deepHierarchy`, not the text "ring"
    `seed` must be text of at most 200 characters or a whole number from 0 to 4294967295, not the number -1
    `parameters.maxSystem` is not a parameter; did you mean `maxSystems`?
    `parameters.maxSystems` must be a whole number from 1 to 5000, not the number 5001
    `parameters.planetDensity` must be a number from 0 to 1, not the number 1.5
    `parameters.moonDensity` must be a number from 0 to 1, not the text "many"
    `parameters.enableRings` must be true or false, not the number 1
    `parameters.cometStyle` must be one of `rareLong`, `mixed`, `manyShort`, not the text "rarelong"; did you mean `rareLong`?
    `parameters.maxDepth` must be a whole number from 1 to 4, not the number 2.5
    `parameters.gravity` is not a parameter; the description of the generator lists the 54 there are
    "#);
    assert_snapshot!(refusal(&json!([])), @"`request` must be an object, not a list");
    assert_snapshot!(refusal(&json!({"parameters": [], "seed": "x".repeat(201)})), @r"
    `seed` must be text of at most 200 characters or a whole number from 0 to 4294967295, not a text
    `parameters` must be an object, not a list
    ");
    assert_snapshot!(refusal(&json!({"parameters": {"rogueCurvatureMin": 0.9}})), @"`parameters.rogueCurvatureMin` must not be above `rogueCurvatureMax`, which is 0.3");
}

#[test]
fn null_is_the_same_as_nothing_and_whole_numbers_may_have_a_point() {
    let plain = Request::from_json(&json!({}), 7).unwrap();
    let nulls =
        json!({"preset": null, "seed": null, "topology": null, "parameters": {"maxSystems": null}});
    assert_eq!(Request::from_json(&nulls, 7).unwrap(), plain);
    let pointed =
        Request::from_json(&json!({"seed": 7.0, "parameters": {"maxSystems": 5.0}}), 0).unwrap();
    assert_eq!(pointed, plain);
}

#[test]
fn a_request_may_carry_the_name_of_the_universe() {
    assert!(Request::from_json(&json!({"name": "Home"}), 7).is_ok());
}

#[test]
fn what_is_described_can_be_asked_for() {
    let described = describe();
    let parameters = described["parameters"].as_array().unwrap();
    let names: Vec<_> =
        parameters.iter().map(|parameter| parameter["name"].as_str().unwrap()).collect();
    for preset in described["presets"].as_array().unwrap() {
        let request = json!({"preset": preset["name"], "parameters": preset["parameters"]});
        let request = Request::from_json(&request, 0).unwrap();
        assert_eq!(request.parameters, request.preset.parameters());
        let given: Vec<_> = preset["parameters"].as_object().unwrap().keys().collect();
        assert_eq!(given, names);
    }
    for parameter in parameters {
        let name = parameter["name"].as_str().unwrap();
        assert_eq!(
            parameter["default"], described["presets"][1]["parameters"][name],
            "solarLike is the default"
        );
        for bound in ["min", "max"].into_iter().filter_map(|bound| parameter.get(bound)) {
            let request = json!({"parameters": {name: bound, "rogueCurvatureMax": 1, "rogueCurvatureMin": 0}});
            assert!(Request::from_json(&request, 0).is_ok(), "{name} {bound}");
        }
    }
    for topology in described["topologies"].as_array().unwrap() {
        let request = Request::from_json(&json!({"topology": topology["name"]}), 0).unwrap();
        assert_eq!(request.topology.map(Topology::name), topology["name"].as_str());
    }
    assert_eq!(
        described["defaults"],
        json!({"preset": Preset::default().name(), "topology": "classic"})
    );
}

#[test]
fn the_parameters_are_these() {
    let mut text = String::new();
    for parameter in describe()["parameters"].as_array().unwrap() {
        let allowed = match parameter["kind"].as_str().unwrap() {
            "flag" => "true | false".to_owned(),
            "choice" => parameter["options"]
                .as_array()
                .unwrap()
                .iter()
                .map(|name| name.as_str().unwrap())
                .collect::<Vec<_>>()
                .join(" | "),
            _ => format!("{}..={}", parameter["min"], parameter["max"]),
        };
        let per_preset: Vec<_> = describe()["presets"]
            .as_array()
            .unwrap()
            .iter()
            .map(|preset| {
                preset["parameters"][parameter["name"].as_str().unwrap()]
                    .to_string()
                    .replace('"', "")
            })
            .collect();
        writeln!(
            text,
            "{}: {allowed}: {}",
            parameter["name"].as_str().unwrap(),
            per_preset.join(", ")
        )
        .unwrap();
    }
    assert_snapshot!(text);
}
