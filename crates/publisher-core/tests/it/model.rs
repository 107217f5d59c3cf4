//! `modelInfo`, `SourceInfo` and the compiled model.

use publisher_core::compiled::{Compiled, model_def};
use publisher_core::info::{givens, model_info};
use serde_json::{Map, Value, json};

use crate::fair::{Fair, comparable};

// spec: publisher 6.3, modelInfo.
#[test]
fn the_info_of_a_model_is_that_of_the_official_packages() {
    let fair = Fair::new();
    let ours = comparable(model_info(&fair.outline));
    let theirs = comparable(fair.recorded["modelInfo"].clone());
    let names = |info: &Value| -> Vec<Value> {
        info["entries"].as_array().unwrap().iter().map(|entry| entry["name"].clone()).collect()
    };
    let mut expected = names(&theirs);
    // Ours has sources first.
    expected.sort_by_key(|name| name == "overview");
    assert_eq!(names(&ours), expected);
    for entry in ours["entries"].as_array().unwrap() {
        let all = theirs["entries"].as_array().unwrap();
        let theirs = all.iter().find(|other| other["name"] == entry["name"]).unwrap();
        let name = &entry["name"];
        assert_eq!(entry["annotations"], theirs["annotations"], "{name}");
        assert_eq!(entry["parameters"], theirs["parameters"], "{name}");
        let (fields, others) = (&entry["schema"]["fields"], &theirs["schema"]["fields"]);
        for field in fields.as_array().unwrap() {
            // Lists come last where a source is made from another; the order is no matter.
            let mut others = others.as_array().unwrap().iter();
            let other = others.find(|other| other["name"] == field["name"]).unwrap();
            // Of a view of several stages the official packages tell what comes out of the first.
            if field["name"] != "twice" {
                assert_eq!(field, other, "{} of {name}", field["name"]);
            }
        }
        assert_eq!(fields.as_array().unwrap().len(), others.as_array().unwrap().len(), "{name}");
    }
    assert_eq!(ours["anonymous_queries"], theirs["anonymous_queries"]);
}

#[test]
fn givens_are_told_with_type_and_default() {
    let fair = Fair::new();
    assert_eq!(
        json!(givens(&fair.outline)),
        json!([{
            "name": "LEAST",
            "type": {"kind": "number_type"},
            "default": "2",
            "default_value": {"kind": "number_literal", "number_value": 2.0},
        }])
    );
}

// spec: publisher 4.1, CompiledModel; 3, the filters of annotations and of views.
#[test]
fn a_compiled_model_lists_what_groups_with_the_annotations_of_its_own_file() {
    let fair = Fair::new();
    let styles = Map::new();
    let compiled = Compiled {
        package: "fair",
        path: "fair.malloy",
        outline: &fair.outline,
        data_styles: &styles,
        text: "…",
    };
    let mut model = compiled.model();
    for name in ["modelDef", "modelInfo"] {
        let text = model.remove(name).unwrap();
        assert!(serde_json::from_str::<Value>(text.as_str().unwrap()).is_ok(), "{name}");
    }
    let infos = model.remove("sourceInfos").unwrap();
    let names: Vec<String> = infos
        .as_array()
        .unwrap()
        .iter()
        .map(|info| serde_json::from_str::<Value>(info.as_str().unwrap()).unwrap())
        .map(|info| info["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["stalls", "sales", "large_sales", "other_places"]);
    model.remove("malloyVersion").unwrap();
    insta::assert_json_snapshot!(model);
    assert_eq!(compiled.notebook(false).len(), 5);
}

#[test]
fn the_definition_is_compact_and_has_name_exports_and_contents() {
    let fair = Fair::new();
    let made = model_def("fair.malloy", &fair.outline);
    assert_eq!(made["name"], "fair.malloy");
    assert_eq!(
        made["exports"],
        json!(["stalls", "sales", "large_sales", "other_places", "overview"])
    );
    assert!(made.to_string().len() < 4_000, "{} bytes", made.to_string().len());
    insta::assert_json_snapshot!(made["contents"]["stalls"]);
}
