//! Exit codes and texts of `malloy …`.

use std::{
    fs,
    io::{self, Write},
    path::Path,
    sync::{Arc, Mutex},
};

use clap::{CommandFactory as _, Parser, Subcommand as _};
use kit_cli::{Global, Outcome, Ui};
use serde_json::Value;

#[derive(Debug, Parser)]
struct Line {
    #[command(flatten)]
    global: Global,
}

#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<u8>>>);

impl Write for Seen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seen {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// What a command prints, says beside it, and comes to.
fn malloy(args: &[&str]) -> (Outcome, String, String) {
    let command = malloy::cli::Command::augment_subcommands(Line::command());
    let matches = command.try_get_matches_from(std::iter::once(&"malloy").chain(args)).unwrap();
    let global = Global { json: args.contains(&"--json"), ..Global::default() };
    let (out, err) = (Seen::default(), Seen::default());
    let mut ui = Ui::on(&global, out.clone(), err.clone());
    let outcome = malloy::cli::run(&mut ui, &matches).unwrap();
    (outcome, out.text(), err.text())
}

const MODEL: &str = "\
source: towns is duckdb.table('towns.csv') extend {
  measure: people is population.sum()
  view: by_land is { group_by: land aggregate: people nest: t is { group_by: town aggregate: people } }
}
";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("towns.csv"),
        "land,town,population\nNO,Oslo,700\nNO,Bergen,280\nSE,Malmö,350\n",
    )
    .unwrap();
    fs::write(folder.path().join("m.malloy"), MODEL).unwrap();
    folder
}

fn root(folder: &Path) -> &str {
    folder.to_str().unwrap()
}

#[test]
fn run_shows_nested_rows_under_their_row() {
    let folder = folder();
    let (outcome, out, _) =
        malloy(&["run", "--root", root(folder.path()), "--model", "m.malloy", "towns -> by_land"]);
    assert_eq!(outcome, Outcome::Success);
    insta::assert_snapshot!(out, @"
    land  people
    ────  ──────
    NO       980
      t:
        town    people
        ──────  ──────
        Oslo       700
        Bergen     280
    SE       350
      t:
        town   people
        ─────  ──────
        Malmö     350
    ");
}

#[test]
fn run_prints_json_and_csv() {
    let folder = folder();
    let query = "run: towns -> { group_by: land aggregate: people order_by: land }";
    let asked = ["run", "--root", root(folder.path()), "--model", "m.malloy"];
    let (_, json, _) = malloy(&[&asked[..], &["--json", query]].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        json["rows"],
        serde_json::json!([{"land": "NO", "people": 980}, {"land": "SE", "people": 350}])
    );
    assert_eq!(json["schema"][0], serde_json::json!({"name": "land", "type": "string"}));
    assert!(json["sql"].as_str().unwrap().starts_with("SELECT"));
    let (_, csv, _) = malloy(&[&asked[..], &["--csv", query]].concat());
    assert_eq!(csv, "land,people\nNO,980\nSE,350\n");
}

#[test]
fn a_mistake_is_the_result_with_its_place_as_typed() {
    let folder = folder();
    let asked = [
        "run",
        "--root",
        root(folder.path()),
        "--model",
        "m.malloy",
        "--json",
        "towns -> { group_by: lend }",
    ];
    let (outcome, out, _) = malloy(&asked);
    assert_eq!(outcome, Outcome::Negative);
    let json: Value = serde_json::from_str(&out).unwrap();
    let error = &json["errors"][0];
    assert_eq!(
        (&error["code"], &error["line"], &error["column"]),
        (&"field-not-found".into(), &1.into(), &22.into())
    );
}

#[test]
fn a_folder_keeps_its_files_to_itself() {
    let folder = folder();
    for query in [
        "duckdb.table('/etc/passwd') -> { select: * }",
        "duckdb.table('../x.csv') -> { select: * }",
    ] {
        let (outcome, _, err) = malloy(&["run", "--root", root(folder.path()), query]);
        assert_eq!(outcome, Outcome::Negative, "{err}");
    }
    let (outcome, _, err) =
        malloy(&["run", "--root", root(folder.path()), "--model", "../../etc/passwd", "x -> y"]);
    assert_eq!(outcome, Outcome::Negative, "{err}");
}

#[test]
fn compile_shows_sql_and_check_finds_errors() {
    let folder = folder();
    let at = root(folder.path());
    let (outcome, sql, _) =
        malloy(&["compile", "--root", at, "--model", "m.malloy", "towns -> { aggregate: people }"]);
    assert_eq!(outcome, Outcome::Success);
    assert!(sql.contains("FROM 'towns.csv'"), "{sql}");
    assert_eq!(malloy(&["check", "--root", at, "m.malloy"]).0, Outcome::Success);
    fs::write(folder.path().join("bad.malloy"), "source: a is nope extend { }\n").unwrap();
    let (outcome, out, _) = malloy(&["check", "--root", at, "m.malloy", "bad.malloy"]);
    assert_eq!(outcome, Outcome::Negative);
    assert!(out.starts_with("bad.malloy:1:14: error["), "{out}");
}

#[test]
fn describe_lists_what_a_model_has() {
    let folder = folder();
    let (_, out, _) = malloy(&["describe", "--root", root(folder.path()), "m.malloy"]);
    insta::assert_snapshot!(out, @"
    source towns
      dimension land :: string
      dimension town :: string
      dimension population :: number:bigint
      measure   people :: number:bigint
      view      by_land -> land, people, t
    ");
}

#[test]
fn fmt_changes_layout_and_check_tells() {
    let folder = folder();
    let file = folder.path().join("f.malloy");
    fs::write(&file, "run:   a->{group_by:b}").unwrap();
    let path = file.to_str().unwrap();
    assert_eq!(malloy(&["fmt", "--check", path]).0, Outcome::Negative);
    assert_eq!(malloy(&["fmt", path]).0, Outcome::Success);
    assert_eq!(malloy(&["fmt", "--check", path]).0, Outcome::Success);
}
