//! The sample packages of this repository: every view of three models of over three hundred lines, beside the rows that the
//! official implementation gave for it (`tests/samples/`). Rows are compared as sets at every level, since ties may come in any
//! order.

use std::{fs, path::Path};

use malloy::{Cancel, Limits, Workspace};
use malloy_model::{Givens, Which};
use serde_json::{Value, json};

use crate::compare;

/// Runs every view of a package; what differs, in words.
fn differences(package: &str) -> (usize, Vec<String>) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.join("../../examples/publisher").join(package);
    let answers = fs::read(here.join(format!("tests/samples/{package}.json"))).unwrap();
    let answers: Vec<Value> = serde_json::from_slice(&answers).unwrap();
    let workspace = Workspace::open(root).unwrap();
    let model = workspace.compile_file(&format!("{package}.malloy")).unwrap();
    let differ = |case: &Value| {
        let text = case["query"].as_str().unwrap();
        let run = || {
            let compiled = workspace.compile(Some(&model), "", text)?;
            let query = workspace.prepare(&compiled, Which::LastRun, &Givens::new(), ("", text))?;
            workspace.run(&query, &Limits::default(), &Cancel::new())
        };
        let told = match run() {
            Ok(answer) => {
                let names =
                    answer.schema.iter().map(|field| field["name"].as_str().unwrap().to_owned());
                let mut expect = case["expect"].clone();
                expect["order"] = json!("set");
                expect["sorted_by"] = json!([]);
                compare::rows(&expect, &names.collect::<Vec<_>>(), &answer.rows).err()
            }
            Err(failure) => Some(failure.to_string()),
        };
        told.map(|told| format!("{text}\n    {told}"))
    };
    (answers.len(), answers.iter().filter_map(differ).collect())
}

fn agrees(package: &str, views: usize) {
    let (all, differ) = differences(package);
    assert!(differ.is_empty(), "{} of {all} differ:\n{}", differ.len(), differ.join("\n"));
    assert_eq!(all, views);
}

#[test]
fn every_view_of_the_library_gives_the_official_rows() {
    agrees("library", 29);
}

#[test]
fn every_view_of_the_harbour_gives_the_official_rows() {
    agrees("harbour", 24);
}

#[test]
fn every_view_of_the_grid_gives_the_official_rows() {
    agrees("grid", 33);
}
