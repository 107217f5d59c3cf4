//! The example projects in `examples/ui`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ui_core::viewdef::Key;
use ui_view::{LuaContext, ViewContext, audit_lua, audit_view};

use crate::show;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/ui");

fn projects() -> Vec<PathBuf> {
    let mut found = entries(Path::new(FOLDER));
    found.retain(|path| path.is_dir());
    found
}

/// The names and texts of the files in a folder.
fn files(folder: &Path) -> Vec<(String, String)> {
    let file = |path: PathBuf| (name(&path), fs::read_to_string(&path).expect("a text"));
    entries(folder).into_iter().map(file).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

#[test]
fn the_examples_pass_the_audits() {
    let projects = projects();
    assert!(projects.len() >= 3, "{projects:?}");
    for project in projects {
        let mut viewed = BTreeSet::new();
        for (name, text) in files(&project.join("viewdefs")) {
            let key = Key::from_file_name(&name).unwrap();
            viewed.insert(key.type_name().to_owned());
            let findings = audit_view(&text, ViewContext::default());
            assert!(findings.is_empty(), "{}/{name}\n{}", project.display(), show(&findings));
        }
        for (name, text) in files(&project.join("lua")) {
            let findings =
                audit_lua(&text, &LuaContext { viewed: Some(&viewed), ..LuaContext::default() });
            assert!(findings.is_empty(), "{}/{name}\n{}", project.display(), show(&findings));
        }
    }
}

#[test]
fn each_example_says_how_it_is_started() {
    for project in projects() {
        let name = name(&project);
        let readme = fs::read_to_string(project.join("README.md")).unwrap();
        assert!(readme.contains(&format!("tandem ui serve examples/ui/{name}")), "{name}");
        assert!(project.join("lua/main.lua").is_file(), "{name}");
    }
}
