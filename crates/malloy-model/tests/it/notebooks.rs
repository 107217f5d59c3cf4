//! Notebooks: each cell is compiled on top of those before it.

use std::sync::Arc;

use malloy_model::{Givens, Model, Options, Which};
use serde_json::Value;

use crate::support::{World, corpus};

#[test]
fn cells_build_on_the_cells_before_them() {
    let Some(folder) = corpus() else {
        println!("skipped: no conformance corpus");
        return;
    };
    let world = World::new();
    for name in ["carriers", "league"] {
        let path = folder.join(format!("notebooks/{name}.expected.json"));
        let wanted: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let url = format!("notebooks/{name}.malloynb");
        let mut model: Option<Arc<Model>> = None;
        for cell in
            wanted["cells"].as_array().unwrap().iter().filter(|cell| cell["kind"] == "malloy")
        {
            let text = cell["text"].as_str().unwrap();
            match (
                world.compile(model.as_deref(), &url, text, Options::default()),
                cell["errors"].as_array(),
            ) {
                (Ok(made), None) => {
                    if let Some(schema) = cell["schema"].as_array() {
                        let query = made.prepare(Which::LastRun, &Givens::new()).unwrap();
                        let names: Vec<&str> =
                            query.schema.iter().map(|field| field.name.as_str()).collect();
                        let expected: Vec<&str> =
                            schema.iter().filter_map(|field| field["name"].as_str()).collect();
                        assert_eq!(names, expected, "{text}");
                    }
                    model = Some(made);
                }
                (Err(problems), Some(errors)) => {
                    assert_eq!(problems[0].diagnostic.code, errors[0]["code"]);
                }
                (Ok(_), Some(_)) => panic!("accepted: {text}"),
                (Err(problems), None) => panic!("{text}\n{problems:#?}"),
            }
        }
    }
}
