//! The graph, as `cargo metadata` tells it.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::machine::Machine;

/// Who needs whom. Names of our crates, sorted, so that the text is the same everywhere.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// Our crates and what each of them names in its manifest, ours and others'.
    pub(super) crates: BTreeMap<String, Arrows>,
    /// What each package, ours or not, brings into a build: everything below it, tests and build scripts left out.
    pub(super) reach: BTreeMap<String, BTreeSet<String>>,
}

/// What one of our crates names of our crates.
#[derive(Debug, Default)]
pub(super) struct Arrows {
    /// In every build.
    pub(super) normal: BTreeSet<String>,
    /// Only in tests and build scripts.
    pub(super) aside: BTreeSet<String>,
}

impl Graph {
    pub(super) fn load(machine: &Machine) -> Result<Self> {
        let text = machine
            .cargo()
            .args(["metadata", "--format-version=1"])
            .args(machine.locked())
            .read()?;
        Self::parse(&serde_json::from_str(&text)?).context("`cargo metadata` has another form")
    }

    fn parse(metadata: &Value) -> Option<Self> {
        let names: BTreeMap<&str, &str> = metadata["packages"]
            .as_array()?
            .iter()
            .filter_map(|package| Some((package["id"].as_str()?, package["name"].as_str()?)))
            .collect();
        let ours: BTreeSet<&str> = metadata["workspace_members"]
            .as_array()?
            .iter()
            .filter_map(|id| names.get(id.as_str()?).copied())
            .collect();
        let mut graph = Self::default();
        // By id: two versions of a package may need different things.
        let mut below: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for node in metadata["resolve"]["nodes"].as_array()? {
            let id = node["id"].as_str()?;
            let name = names.get(id)?;
            let mut arrows = Arrows::default();
            for dep in node["deps"].as_array()? {
                let needed = dep["pkg"].as_str()?;
                let target = names.get(needed)?;
                // A kind of `null` is a normal dependency; `dev` and `build` are named.
                let normal = dep["dep_kinds"].as_array()?.iter().any(|kind| kind["kind"].is_null());
                if normal {
                    below.entry(id).or_default().insert(needed);
                }
                if ours.contains(target) {
                    let side = if normal { &mut arrows.normal } else { &mut arrows.aside };
                    side.insert((*target).to_owned());
                }
            }
            if ours.contains(name) {
                graph.crates.insert((*name).to_owned(), arrows);
            }
        }
        for (id, name) in names.iter().filter(|(_, name)| ours.contains(*name)) {
            let reached = reach(id, &below).into_iter().filter_map(|id| names.get(id).copied());
            graph.reach.insert((*name).to_owned(), reached.map(str::to_owned).collect());
        }
        Some(graph)
    }

    /// One line for each crate: `universe -> kit-core universe-core; tests kit-test`.
    pub(super) fn text(&self) -> String {
        let mut text = String::from(
            "# Which of our crates names which; written by `cargo xtask deps --update`, compared by `cargo xtask ci`.\n",
        );
        for (name, arrows) in &self.crates {
            text += name;
            for (label, side) in [(" ->", &arrows.normal), ("; tests", &arrows.aside)] {
                if !side.is_empty() {
                    text += label;
                    for target in side {
                        text += " ";
                        text += target;
                    }
                }
            }
            text += "\n";
        }
        text
    }
}

fn reach<'a>(id: &str, below: &BTreeMap<&str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut todo = vec![id];
    while let Some(next) = todo.pop() {
        for target in below.get(next).into_iter().flatten() {
            if seen.insert(*target) {
                todo.push(target);
            }
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arrows_are_sorted_by_use_and_followed_to_the_end() {
        let node = |id: &str, deps: Value| json!({ "id": id, "deps": deps });
        let dep = |id: &str, kind: Value| json!({ "pkg": id, "dep_kinds": [{ "kind": kind }] });
        let packages =
            ["app", "core", "test", "lib", "tokio"].map(|name| json!({ "id": name, "name": name }));
        let metadata = json!({
            "packages": packages,
            "workspace_members": ["app", "core", "test"],
            "resolve": { "nodes": [
                node("app", json!([dep("core", Value::Null), dep("test", json!("dev"))])),
                node("core", json!([dep("lib", Value::Null)])),
                node("test", json!([])),
                node("lib", json!([dep("tokio", Value::Null)])),
                node("tokio", json!([])),
            ]},
        });
        let graph = Graph::parse(&metadata).unwrap();
        let lines: Vec<_> = graph.text().lines().skip(1).map(str::to_owned).collect();
        assert_eq!(lines, ["app -> core; tests test", "core", "test"]);
        assert!(graph.reach["core"].contains("tokio"));
    }
}
