//! Models that name several databases.

use std::{fs, sync::Arc};

use malloy::{Beyond, Cancel, Connections, Cut, Limits, Workspace};
use malloy_duckdb::{DuckDb, Settings};
use malloy_model::{Givens, Which};
use serde_json::{Value, json};

fn folder(people: u32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("towns.csv"), format!("name,people\nOslo,{people}\n")).unwrap();
    folder
}

struct World {
    here: tempfile::TempDir,
    _there: tempfile::TempDir,
    connections: Connections,
}

/// A folder, and a connection `other` to a database over another folder with a table of the same name.
fn world() -> World {
    let (here, there) = (folder(1), folder(2));
    let mut connections = Connections::new();
    connections.insert("other", Arc::new(DuckDb::new(Settings::below(there.path()))));
    World { here, _there: there, connections }
}

fn run(text: &str) -> Result<Vec<Value>, String> {
    let world = world();
    let workspace = Workspace::open_with(world.here.path(), world.connections).unwrap();
    let run = || {
        let compiled = workspace.compile(None, "", text)?;
        let query = workspace.prepare(&compiled, Which::LastRun, &Givens::new(), ("", text))?;
        workspace.run(&query, &Limits::default(), &Cancel::new())
    };
    run().map(|answer| answer.rows).map_err(|failure| failure.to_string())
}

#[test]
fn the_connection_that_a_model_names_picks_the_database() {
    let people = |source: &str| run(&format!("run: {source} -> {{ select: people }}")).unwrap();
    assert_eq!(people("duckdb.table('towns.csv')"), [json!({"people": 1})]);
    assert_eq!(people("other.table('towns.csv')"), [json!({"people": 2})]);
    let select = "other.sql(\"SELECT people FROM 'towns.csv'\")".replace('"', "\"\"\"");
    assert_eq!(people(&select), [json!({"people": 2})]);
}

#[test]
fn an_unknown_connection_is_refused_with_the_known_ones() {
    let told = run("run: othr.table('towns.csv') -> { select: people }").unwrap_err();
    assert!(told.starts_with("1:6: error[failed-to-fetch-table-schema]"), "{told}");
    assert!(told.ends_with("there is no connection `othr`; there is `duckdb`, `other`"), "{told}");
}

#[test]
fn a_query_over_two_databases_is_refused() {
    let text = "source: a is duckdb.table('towns.csv') extend {\n\
                join_one: b is other.table('towns.csv') on b.name = name }\n\
                run: a -> { group_by: b.people }";
    let told = run(text).unwrap_err();
    assert!(told.starts_with("2:11: error[connection-mismatch]"), "{told}");
}

#[test]
fn rows_beyond_a_limit_are_cut_where_that_is_asked_for() {
    let world = world();
    let workspace = Workspace::open(world.here.path()).unwrap();
    let text = "run: duckdb.sql(\"FROM range(10)\") -> { select: * }".replace('"', "\"\"\"");
    let compiled = workspace.compile(None, "", &text).unwrap();
    let query = workspace.prepare(&compiled, Which::LastRun, &Givens::new(), ("", &text)).unwrap();
    let limits = Limits { rows: 4, beyond: Beyond::Cut, ..Limits::default() };
    let answer = workspace.run(&query, &limits, &Cancel::new()).unwrap();
    assert_eq!((answer.rows.len(), answer.cut), (4, Some(Cut::Rows)));
}
