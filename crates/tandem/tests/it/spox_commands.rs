//! `tandem spox …`, as people type it.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
};

use insta::assert_snapshot;
use tempfile::TempDir;

use crate::support::{shown, tandem};

const SPEC: &str = "# Auth Specification\n\n## Purpose\nLets people in who are who they say they are, and nobody else.\n\n\
    ## Requirements\n\n### Requirement: Login\nThe system SHALL ask for a password.\n\n\
    #### Scenario: Asked\n- **WHEN** somebody comes\n- **THEN** a password is asked for\n";

/// A project with one spec.
fn project() -> TempDir {
    let dir = TempDir::new().unwrap();
    assert!(spox(dir.path()).arg("init").output().unwrap().status.success());
    write(dir.path(), "specs/auth/spec.md", SPEC);
    dir
}

fn write(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn spox(dir: &Path) -> Command {
    let mut command = tandem(dir);
    command.arg("spox");
    command
}

fn typed(dir: &Path, line: &str) -> String {
    shown(spox(dir).args(line.split_whitespace()))
}

#[test]
fn the_name_alone_asks_for_help() {
    let dir = TempDir::new().unwrap();
    assert_snapshot!(typed(dir.path(), ""));
}

#[test]
fn an_unknown_command_could_not_run_and_a_failed_one_says_no() {
    let dir = TempDir::new().unwrap();
    let unknown = typed(dir.path(), "frobnicate");
    assert!(unknown.starts_with("exit: 2\n--- stdout\n--- stderr\n"), "{unknown}");
    assert!(unknown.contains("Usage:"), "{unknown}");
    assert_snapshot!(typed(dir.path(), "spec list"), @r"
    exit: 1
    --- stdout
    --- stderr
    error: config not found: .spox/config.toml
      hint: run `spox init` in the root of the project
    ");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn a_program_named_spox_is_spox() {
    let dir = project();
    let bin = TempDir::new().unwrap();
    let link = bin.path().join("spox");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tandem"), &link).unwrap();
    let said =
        shown(Command::new(&link).env_clear().current_dir(dir.path()).args(["spec", "list"]));
    assert_snapshot!(said, @r"
    exit: 0
    --- stdout
    Specs:
    - auth  1 requirement
    --- stderr
    ");
}

#[test]
fn the_project_may_be_named_or_be_above() {
    let (dir, other) = (project(), TempDir::new().unwrap());
    let root = dir.path().to_str().unwrap();
    for place in [format!("-C {root} spec list"), format!("spec list --root {root}")] {
        assert!(typed(other.path(), &place).contains("- auth  1 requirement"), "{place}");
    }
    assert!(typed(&dir.path().join("specs/auth"), "spec list").contains("- auth  1 requirement"));
    let nothing = typed(dir.path(), "-C specs spec list");
    assert!(nothing.contains("error: config not found"), "{nothing}");
}

#[test]
fn colours_are_for_terminals_and_those_who_ask() {
    let dir = project();
    let coloured = |line: &str| typed(dir.path(), line).contains('\x1b');
    assert!(!coloured("spec show auth"));
    assert!(coloured("spec show auth --color always"));
    assert!(!coloured("spec show auth --no-color"));
    assert!(!coloured("spec list --color always"), "a list is never coloured");
}

#[test]
fn what_is_wrong_is_the_exit_code() {
    let dir = project();
    assert!(typed(dir.path(), "validate").starts_with("exit: 0"));
    write(dir.path(), "specs/auth/spec.md", "# Auth\n");
    assert!(typed(dir.path(), "validate").starts_with("exit: 1"));
    assert!(
        typed(dir.path(), "validate auth --format github")
            .contains("::error file=specs/auth/spec.md")
    );
}

#[test]
fn a_watch_shows_every_edit() {
    let dir = project();
    let mut child = spox(dir.path())
        .args(["show", "--watch", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next =
        || -> serde_json::Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    assert_eq!(next()["specs"].as_array().unwrap().len(), 1);
    write(dir.path(), "specs/mail/spec.md", &SPEC.replace("Auth", "Mail"));
    // A file may be seen before it is whole; then it is seen again.
    while next()["specs"].as_array().unwrap().len() < 2 {}
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_watch_without_a_terminal_prints_one_after_the_other() {
    let dir = project();
    let mut child = spox(dir.path())
        .args(["spec", "validate", "--watch"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut until = |word: &str| while !lines.next().unwrap().unwrap().contains(word) {};
    until("1 specs validated, 0 errors");
    write(dir.path(), "specs/auth/spec.md", "# Auth\n");
    until("1 specs validated, 2 errors");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn processes_that_index_at_once_leave_one_whole_index() {
    const INDEX: &str = ".spox/search_index.bin";
    let several = || {
        let dir = project();
        for name in ["Mail", "Files", "Orders"] {
            let file = format!("specs/{}/spec.md", name.to_lowercase());
            write(dir.path(), &file, &SPEC.replace("Auth", name).replace("Login", name));
        }
        dir
    };
    let (alone, together) = (several(), several());
    assert!(typed(alone.path(), "index").starts_with("exit: 0"));
    let before = fs::read_dir(together.path().join(".spox")).unwrap().count();

    let mut indexing: Vec<_> = (0..4)
        .map(|_| spox(together.path()).arg("index").stderr(Stdio::piped()).spawn().unwrap())
        .collect();
    // Whoever searches meanwhile finds no index or a whole one; half of one would be told with its reason.
    let mut searches = 0;
    while indexing.iter_mut().any(|child| child.try_wait().unwrap().is_none()) {
        let said = typed(together.path(), "search password");
        let found = said.starts_with("exit: 0") && said.contains("auth");
        let none = said.contains("index not available") && !said.contains("hint");
        assert!(found || none, "{said}");
        searches += 1;
    }
    for child in indexing {
        let ended = child.wait_with_output().unwrap();
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    }
    assert!(searches > 0, "nobody searched while they worked");
    let index = |dir: &TempDir| fs::read(dir.path().join(INDEX)).unwrap();
    assert!(index(&together) == index(&alone), "it is not what one process alone writes");
    let after = fs::read_dir(together.path().join(".spox")).unwrap().count();
    assert_eq!(after, before + 1, "nothing but the index is left behind");
}

#[test]
fn the_setup_script_enters_the_server() {
    let dir = project();
    let bin = TempDir::new().unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tandem"), bin.path().join("spox")).unwrap();
    let path = format!("{}:/usr/bin:/bin", bin.path().display());
    let said = shown(Command::new(dir.path().join(".spox/setup.sh")).env_clear().env("PATH", path));
    assert!(said.starts_with("exit: 0"), "{said}");
    let entry: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(dir.path().join(".mcp.json")).unwrap()).unwrap();
    assert_eq!(entry["mcpServers"]["spox"]["args"], serde_json::json!(["mcp", "serve"]));
}

/// What a line of a shell says, without its quotation marks.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        1 => vec![part.to_owned()],
        _ => part.split_whitespace().map(str::to_owned).collect(),
    });
    words.collect()
}

#[test]
fn every_command_of_the_documentation_works() {
    let dir = TempDir::new().unwrap();
    let document = include_str!("../../../../docs/spox.md");
    let blocks = document.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines: Vec<_> = blocks.flat_map(str::lines).collect();
    assert!(lines.len() >= 8, "{lines:?}");
    for line in lines {
        let words = words(line);
        assert_eq!(words[0], "tandem", "{line}");
        let said = shown(tandem(dir.path()).args(&words[1..]));
        assert!(said.starts_with("exit: 0"), "$ {line}\n{said}");
    }
}
