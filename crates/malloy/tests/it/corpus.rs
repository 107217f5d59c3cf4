//! The conformance corpus: every case compiled and run, its rows compared with those of the official implementation.
//!
//! The corpus lies beside the repository, or where `MALLOY_CORPUS` says. `tests/corpus/failing.txt` lists the cases that are
//! known to fail, with the reason: a case that is not in the list must pass, and one that passes must leave the list, so
//! that the bar only rises. `MALLOY_CASE=name` runs one case and shows its SQL.

use std::{
    collections::BTreeMap,
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use malloy::{Cancel, Compiled, Connections, DEFAULT, Failure, Limits, Workspace};
use malloy_duckdb::{DuckDb, Settings};
use malloy_model::{Givens, Which};
use serde_json::Value;

use crate::compare;

const FAILING: &str = include_str!("../corpus/failing.txt");

/// What takes longer is told.
const SLOW: Duration = Duration::from_secs(1);

/// The corpus, or `None` where it is not there: no part of the repository, so a checkout may stand alone. `cargo xtask test` says so.
pub(crate) fn corpus() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/malloy-corpus");
    let place = env::var_os("MALLOY_CORPUS").map_or_else(beside, PathBuf::from);
    if place.join("cases").is_dir() {
        return Some(place);
    }
    eprintln!("skipped: no Malloy corpus beside the repository; MALLOY_CORPUS names one");
    None
}

pub(crate) struct Case {
    pub(crate) name: String,
    tier: String,
    kind: String,
    content: Value,
}

impl Case {
    pub(crate) fn new(content: Value) -> Case {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Case {
            name: text(&content["name"]),
            tier: text(&content["tier"]),
            kind: text(&content["expect"]["kind"]),
            content,
        }
    }
}

fn cases(corpus: &Path, folder: &str) -> Vec<Case> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(corpus.join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let one = env::var("MALLOY_CASE").ok();
    let mut cases = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "json"))
    {
        let content: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let mut case = Case::new(content);
        if folder != "cases" {
            folder.clone_into(&mut case.tier);
        }
        if one.as_ref().is_none_or(|one| *one == case.name) {
            cases.push(case);
        }
    }
    cases
}

/// What came of a case beside passing: measures that are told and do not fail.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    types_differ: bool,
    code_differs: bool,
    place_differs: bool,
}

pub(crate) struct Runner {
    workspace: Workspace,
    models: BTreeMap<String, Result<Compiled, Failure>>,
    verbose: bool,
}

impl Runner {
    pub(crate) fn new(workspace: Workspace, verbose: bool) -> Runner {
        Runner { workspace, models: BTreeMap::new(), verbose }
    }

    pub(crate) fn run(&mut self, case: &Case) -> Result<Notes, String> {
        let outcome = self.answer(case);
        let expect = &case.content["expect"];
        if case.kind == "error" {
            let Err(failure) = outcome else { return Err("was not refused".to_owned()) };
            return refused_rightly(expect, &failure);
        }
        let (schema, rows) = outcome.map_err(|failure| failure.to_string())?;
        let names: Vec<String> = schema
            .iter()
            .map(|field| field["name"].as_str().unwrap_or_default().to_owned())
            .collect();
        compare::rows(expect, &names, &rows)?;
        let types_differ = expect["schema"].as_array().is_some_and(|wanted| *wanted != schema);
        if types_differ && self.verbose {
            println!("schema {}", Value::from(schema));
        }
        Ok(Notes { types_differ, ..Notes::default() })
    }

    fn answer(&mut self, case: &Case) -> Result<(Vec<Value>, Vec<Value>), Failure> {
        let text = case.content["query"].as_str().unwrap_or_default();
        let base = match case.content["model"].as_str() {
            Some(model) => {
                let compiled = self.models.entry(model.to_owned());
                let workspace = &self.workspace;
                Some(
                    compiled
                        .or_insert_with(|| workspace.compile_file(model))
                        .as_ref()
                        .map_err(Clone::clone)?,
                )
            }
            None => None,
        };
        let compiled = self.workspace.compile(base, "", text)?;
        let givens: Givens = case.content["givens"]
            .as_object()
            .map(|givens| {
                givens.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
            })
            .unwrap_or_default();
        let query = self.workspace.prepare(&compiled, Which::LastRun, &givens, ("", text))?;
        if self.verbose {
            println!("{text}\n{}", self.workspace.sql(&query)?);
        }
        let answer = self.workspace.run(&query, &Limits::default(), &Cancel::new())?;
        Ok((answer.schema, answer.rows))
    }
}

/// Refusing is what counts; code and place of the first error are noted.
fn refused_rightly(expect: &Value, failure: &Failure) -> Result<Notes, String> {
    let errors: Vec<_> = failure.issues.iter().filter(|issue| issue.is_error).collect();
    let Some(first) = errors.first() else { return Err("refused without an error".to_owned()) };
    // What the engine or the writer refuses came too late: the text was taken for right.
    if matches!(&*first.code, "query-failed" | "sql" | "no-database") {
        return Err(format!("was refused by the engine: {}", first.message));
    }
    let wanted = &expect["errors"][0];
    let at = (wanted["line"].as_u64(), wanted["column"].as_u64());
    Ok(Notes {
        code_differs: wanted["code"].as_str().is_some_and(|code| code != first.code),
        place_differs: at.0.is_some()
            && at != (first.line.map(u64::from), first.column.map(u64::from)),
        ..Notes::default()
    })
}

/// Names of known failures.
fn failing(list: &str) -> BTreeMap<&str, &str> {
    let lines =
        list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            line.split_once(':').map_or((line, ""), |(name, why)| (name.trim(), why.trim()))
        })
        .collect()
}

#[derive(Default)]
struct Tally {
    passed: usize,
    all: usize,
    types: usize,
    codes: usize,
    places: usize,
    errors: usize,
}

/// Which cases are run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kinds {
    All,
    /// Those that give rows. What is refused is refused before any engine is asked.
    Rows,
}

/// Runs the cases on the engine that a workspace has for `duckdb`, the connection that they name, and compares with the list of known
/// failures in `file`. Gives how many passed of how many.
pub(crate) fn measure(
    workspace: Workspace,
    kinds: Kinds,
    file: &str,
    list: &str,
) -> (usize, usize) {
    let Some(corpus) = corpus() else { return (0, 0) };
    let failing = failing(list);
    let one = env::var_os("MALLOY_CASE").is_some();
    let mut runner = Runner::new(workspace, one);
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let (mut broken, mut repaired, mut details) = (Vec::new(), Vec::new(), String::new());
    let mut cases: Vec<Case> =
        ["cases", "disputed"].iter().flat_map(|folder| self::cases(&corpus, folder)).collect();
    cases.retain(|case| kinds == Kinds::All || case.kind == "rows");
    for case in &cases {
        let tally = tallies.entry(case.tier.clone()).or_default();
        tally.all += 1;
        tally.errors += usize::from(case.kind == "error");
        let started = Instant::now();
        let outcome = runner.run(case);
        if started.elapsed() > SLOW {
            println!("slow: {} took {} ms", case.name, started.elapsed().as_millis());
        }
        match outcome {
            Ok(notes) => {
                tally.passed += 1;
                tally.types += usize::from(notes.types_differ);
                tally.codes += usize::from(notes.code_differs);
                tally.places += usize::from(notes.place_differs);
                if failing.contains_key(&*case.name) {
                    repaired.push(case.name.clone());
                }
            }
            Err(why) => {
                let why: String =
                    why.lines().next().unwrap_or_default().chars().take(300).collect();
                let _infallible = writeln!(details, "{} {}: {why}", case.tier, case.name);
                if !failing.contains_key(&*case.name) {
                    broken.push(case.name.clone());
                }
            }
        }
    }
    for (tier, tally) in &tallies {
        println!(
            "{tier}: {}/{} passed; types differ in {}; of {} errors the code differs in {}, the place in {}",
            tally.passed, tally.all, tally.types, tally.errors, tally.codes, tally.places
        );
    }
    println!("{details}");
    assert!(
        broken.is_empty(),
        "{} cases fail that are not in {file}: {}",
        broken.len(),
        broken.join(" ")
    );
    assert!(repaired.is_empty(), "these pass now; take them out of {file}: {}", repaired.join(" "));
    let total = |count: fn(&Tally) -> usize| tallies.values().map(count).sum();
    (total(|tally| tally.passed), total(|tally| tally.all))
}

/// The folder on DuckDB with one thread: some cases expect rows that compare as equal in the order in which DuckDB meets them.
pub(crate) fn on_one_thread(corpus: &Path) -> Workspace {
    let settings = Settings { threads: Some(1), ..Settings::below(corpus) };
    let mut connections = Connections::new();
    connections.insert(DEFAULT, Arc::new(DuckDb::new(settings)));
    Workspace::open_with(corpus, connections).unwrap()
}

#[test]
fn the_corpus_gives_the_rows_of_the_official_implementation() {
    let Some(corpus) = corpus() else { return };
    measure(on_one_thread(&corpus), Kinds::All, "tests/corpus/failing.txt", FAILING);
}

#[test]
fn models_are_described_as_the_official_implementation_does() {
    let Some(corpus) = corpus() else { return };
    let workspace = Workspace::open(&corpus).unwrap();
    let mut wrong = Vec::new();
    for entry in fs::read_dir(corpus.join("describe")).unwrap() {
        let file = entry.unwrap().path();
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let wanted: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        let compiled = workspace.compile_file(&format!("models/{name}.malloy")).unwrap();
        let got = serde_json::to_value(malloy_model::describe(&compiled.model)).unwrap();
        if got["sources"] != wanted["sources"] {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "described otherwise: {}", wrong.join(" "));
}

#[test]
fn cells_of_notebooks_give_what_they_should() {
    let Some(corpus) = corpus() else { return };
    let workspace = Workspace::open(&corpus).unwrap();
    for name in ["carriers", "league"] {
        let text = fs::read_to_string(corpus.join(format!("notebooks/{name}.malloynb"))).unwrap();
        let wanted =
            fs::read_to_string(corpus.join(format!("notebooks/{name}.expected.json"))).unwrap();
        let wanted: Value = serde_json::from_str(&wanted).unwrap();
        let url = format!("notebooks/{name}.malloynb");
        let mut model: Option<Compiled> = None;
        let cells = malloy_syntax::parse_notebook(&text).cells;
        assert_eq!(cells.len(), wanted["cells"].as_array().unwrap().len());
        for (cell, wanted) in cells.iter().zip(wanted["cells"].as_array().unwrap()) {
            if wanted["kind"] != "malloy" {
                continue;
            }
            match workspace.compile(model.as_ref(), &url, cell.text) {
                Err(failure) => assert!(wanted["errors"].is_array(), "{name}: {failure}"),
                Ok(compiled) => {
                    assert!(wanted["errors"].is_null(), "{name}: not refused: {}", cell.text);
                    if wanted["rows"].is_array() {
                        let query = workspace
                            .prepare(&compiled, Which::LastRun, &Givens::new(), (&url, cell.text))
                            .unwrap();
                        let answer =
                            workspace.run(&query, &Limits::default(), &Cancel::new()).unwrap();
                        assert!(
                            compare::same(&wanted["rows"], &Value::from(answer.rows)),
                            "{name}: {}",
                            cell.text
                        );
                        assert_eq!(wanted["schema"], Value::from(answer.schema));
                    }
                    model = Some(compiled);
                }
            }
        }
    }
}
