//! What a caller of `malloy-duckdb` sees, on a real DuckDB.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod files;

use std::{fs, path::Path, time::Duration};

use malloy_duckdb::{Cancel, Database, DuckDb, Error, Limits, Settings};
use malloy_engine::{Beyond, Cut, Engine as _};
use malloy_model::ir::{Column, NumberKind, RecordField, Type};
use serde_json::{Value, json};

fn database(root: &Path) -> Database {
    Database::open(&Settings::below(root)).unwrap()
}

fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("data")).unwrap();
    fs::write(directory.path().join("data/towns.csv"), "name,people\nOslo,700000\nBergen,\n")
        .unwrap();
    directory
}

fn rows(sql: &str, types: &[(&str, Type)]) -> Value {
    let directory = directory();
    let columns: Vec<_> = types
        .iter()
        .map(|(name, ty)| Column { name: (*name).to_owned(), ty: ty.clone() })
        .collect();
    let rows = database(directory.path()).run(sql, &Limits::default(), &Cancel::new()).unwrap();
    Value::Array(rows.to_json(&columns).unwrap().rows)
}

#[test]
fn a_file_below_the_root_is_a_table() {
    let directory = directory();
    let database = database(directory.path());
    let columns = database.table_schema("data/towns.csv").unwrap();
    let wanted = [("name", Type::String), ("people", Type::Number(NumberKind::Bigint))];
    let wanted: Vec<_> = wanted.map(|(name, ty)| Column { name: name.to_owned(), ty }).into();
    assert_eq!(columns, wanted);
    // Each query has its own connection, and all are set up the same way.
    for _ in 0..2 {
        let rows = database
            .run("SELECT * FROM 'data/towns.csv'", &Limits::default(), &Cancel::new())
            .unwrap();
        assert_eq!(rows.len(), 2);
    }
}

#[test]
fn a_message_does_not_tell_where_the_folder_lies() {
    let directory = directory();
    let error = database(directory.path()).table_schema("data/none.csv").unwrap_err().to_string();
    let place = directory.path().canonicalize().unwrap().display().to_string();
    assert!(error.contains("data/none.csv") && !error.contains(&place), "{error}");
}

#[test]
fn a_select_tells_its_columns_even_with_a_comment_at_its_end() {
    let directory = directory();
    let columns =
        database(directory.path()).sql_schema("SELECT [{'a': 1}] AS xs -- a list").unwrap();
    let record = Type::Record(vec![RecordField { name: "a".to_owned(), ty: Type::INTEGER }]);
    assert_eq!(columns[0].ty, Type::Array(Box::new(record)));
}

#[test]
fn nothing_outside_the_given_directories_is_read() {
    let (inside, outside) = (directory(), directory());
    let database = database(inside.path());
    let place = outside.path().join("data/towns.csv").display().to_string();
    for statement in [
        format!("SELECT * FROM '{place}'"),
        "SELECT * FROM 'data/../../../etc/passwd'".to_owned(),
        "SELECT * FROM read_text('/etc/passwd')".to_owned(),
        "COPY (SELECT 1) TO '/tmp/out.csv'".to_owned(),
        "INSTALL httpfs".to_owned(),
        "LOAD httpfs".to_owned(),
        "SELECT * FROM 'https://example.com/a.parquet'".to_owned(),
        "SET enable_external_access = true".to_owned(),
        "SET allowed_directories = ['/']".to_owned(),
        "ATTACH '/tmp/other.db'".to_owned(),
    ] {
        let outcome = database.run(&statement, &Limits::default(), &Cancel::new());
        assert!(matches!(outcome, Err(Error::Query { .. })), "{statement}: {outcome:?}");
    }
}

#[test]
fn numbers_that_a_float_cannot_hold_are_written_as_digits() {
    let got = rows(
        "SELECT 9007199254740993::BIGINT AS a, 12345678901234567890::HUGEINT AS b, 1.50::DECIMAL(9,2) AS c, 'nan'::DOUBLE AS d, \
         '-inf'::DOUBLE AS e, 3::BIGINT AS f, -0.05::DECIMAL(9,2) AS g",
        &["a", "b", "c", "d", "e", "f", "g"].map(|name| (name, Type::Number(NumberKind::Bigint))),
    );
    let wanted = json!([{
        "a": "9007199254740993", "b": "12345678901234567890", "c": 1.5, "d": "NaN", "e": "-Infinity", "f": 3, "g": -0.05
    }]);
    assert_eq!(got, wanted);
}

#[test]
fn times_are_utc_and_dates_are_days() {
    let got = rows(
        "SELECT DATE '1969-12-31' AS a, TIMESTAMP '2021-05-06 07:08:09.123456' AS b, \
         TIMESTAMPTZ '2021-05-06 07:08:09+02' AS c, DATE '2020-02-29' AS d, TIMESTAMP '2020-02-29 10:00:00' AS e",
        &[
            ("a", Type::Date(None)),
            ("b", Type::Timestamp(None)),
            ("c", Type::Timestamp(None)),
            ("d", Type::Timestamp(None)),
            ("e", Type::Date(None)),
        ],
    );
    let wanted = json!([{
        "a": "1969-12-31", "b": "2021-05-06T07:08:09.123Z", "c": "2021-05-06T05:08:09.000Z",
        "d": "2020-02-29T00:00:00.000Z", "e": "2020-02-29"
    }]);
    assert_eq!(got, wanted);
}

#[test]
fn lists_and_records_come_as_arrays_and_objects() {
    let record = Type::Record(
        [("x", Type::NUMBER), ("y", Type::String)]
            .map(|(name, ty)| RecordField { name: name.to_owned(), ty })
            .to_vec(),
    );
    let got = rows(
        "SELECT [{'x': 1, 'y': 'a'}, NULL, {'x': NULL, 'y': ''}] AS xs, []::INTEGER[] AS empty",
        &[("xs", Type::Array(Box::new(record))), ("empty", Type::Array(Box::new(Type::NUMBER)))],
    );
    assert_eq!(got, json!([{"xs": [{"x": 1, "y": "a"}, null, {"x": null, "y": ""}], "empty": []}]));
}

#[test]
fn a_result_that_is_too_large_is_refused() {
    let directory = directory();
    let database = database(directory.path());
    let sql = "SELECT * FROM range(100000)";
    let outcome = database.run(sql, &Limits { rows: 10, ..Limits::default() }, &Cancel::new());
    assert_eq!(outcome.unwrap_err(), Error::TooManyRows { limit: 10 });
    let outcome = database.run(sql, &Limits { bytes: 1_000, ..Limits::default() }, &Cancel::new());
    assert_eq!(outcome.unwrap_err(), Error::TooManyBytes { limit: 1_000 });
}

#[test]
fn a_query_can_be_stopped_from_another_thread() {
    let directory = directory();
    let database = database(directory.path());
    let cancel = Cancel::new();
    let outcome = std::thread::scope(|scope| {
        let stopper = cancel.clone();
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            stopper.cancel();
        });
        let sql = "SELECT count(*) FROM range(100000000000) a WHERE hash(a.range) % 7 = 1";
        database.run(sql, &Limits::default(), &cancel)
    });
    assert_eq!(outcome.unwrap_err(), Error::Cancelled);
    // What comes later with the same handle is not started.
    let outcome = database.run("SELECT 1", &Limits::default(), &cancel);
    assert_eq!(outcome.unwrap_err(), Error::Cancelled);
    // Others are as before.
    assert_eq!(database.run("SELECT 1", &Limits::default(), &Cancel::new()).unwrap().len(), 1);
}

#[test]
fn time_zones_are_known_and_the_session_is_in_utc() {
    let got = rows(
        "SELECT (TIMESTAMP '2021-07-01 12:00:00' AT TIME ZONE 'America/New_York')::TIMESTAMP AS a",
        &[("a", Type::Timestamp(None))],
    );
    assert_eq!(got, json!([{"a": "2021-07-01T16:00:00.000Z"}]));
}

#[test]
fn a_result_that_is_too_large_is_cut_where_that_is_asked_for() {
    let directory = directory();
    let limits = Limits { rows: 3_000, beyond: Beyond::Cut, ..Limits::default() };
    let rows = database(directory.path())
        .run("SELECT * FROM range(1000000000)", &limits, &Cancel::new())
        .unwrap();
    assert_eq!((rows.len(), rows.cut()), (3_000, Some(Cut::Rows)));
}

#[test]
fn a_query_that_takes_too_long_is_stopped() {
    let directory = directory();
    let limit = Duration::from_millis(50);
    let limits = Limits { time: Some(limit), ..Limits::default() };
    let sql = "SELECT count(*) FROM range(100000000000) a WHERE hash(a.range) % 7 = 1";
    let outcome = database(directory.path()).run(sql, &limits, &Cancel::new());
    assert_eq!(outcome.unwrap_err(), Error::TimedOut { limit });
}

/// A database file with a table `towns` in a schema of its own.
fn file(directory: &Path) -> std::path::PathBuf {
    // Opening any database loads the library.
    drop(database(directory));
    let file = directory.join("towns.duckdb");
    let made = duckdb::Connection::open(&file).unwrap();
    made.execute_batch(
        "CREATE SCHEMA geo; CREATE TABLE geo.towns AS SELECT 'Oslo' AS name, 700000 AS people; CREATE VIEW geo.big AS FROM geo.towns",
    )
    .unwrap();
    file
}

#[test]
fn the_tables_of_a_database_file_are_read_and_never_written() {
    let directory = directory();
    let engine = DuckDb::new(Settings::file(file(directory.path())));
    assert_eq!(engine.schemas().unwrap(), ["geo", "main"]);
    assert_eq!(engine.tables("geo").unwrap(), ["big", "towns"]);
    let columns = engine.table_schema("geo.towns").unwrap();
    let run = |sql: &str| engine.run(sql, &columns, &Limits::default(), &Cancel::new());
    let rows = run("SELECT * FROM geo.towns").unwrap().rows;
    assert_eq!(rows, [json!({"name": "Oslo", "people": 700_000})]);
    assert!(run("DELETE FROM geo.towns").is_err());
    let beside = format!("SELECT * FROM '{}/data/towns.csv'", directory.path().display());
    assert!(
        run(&beside).unwrap_err().to_string().contains("disabled"),
        "files beside it are closed"
    );
}

#[test]
fn tables_are_kept_beside_a_database_file_and_their_own_is_not_written() {
    let directory = directory();
    let place = file(directory.path());
    let before = fs::read(&place).unwrap();
    let engine = DuckDb::new(Settings::file(&place));
    let keep =
        |name: &str, sql: &str, limits: &Limits| engine.keep(name, sql, limits, &Cancel::new());
    let kept = keep("kept_1", "SELECT people * 2 AS x FROM geo.towns", &Limits::default()).unwrap();
    let columns = engine.table_schema(&kept.table).unwrap();
    let read = format!("SELECT * FROM {}", kept.table);
    let rows = || engine.run(&read, &columns, &Limits::default(), &Cancel::new());
    assert_eq!(rows().unwrap().rows, [json!({"x": 1_400_000})]);
    assert_eq!(engine.schemas().unwrap(), ["geo", "main"], "where they are is nobody's business");
    keep("kept_1", "SELECT 1 AS x", &Limits::default()).unwrap();
    assert_eq!(rows().unwrap().rows, [json!({"x": 1})], "the new one is in its place");
    let few = Limits { rows: 1, ..Limits::default() };
    let many = keep("kept_2", "SELECT * FROM range(2)", &few);
    assert_eq!(many, Err(Error::TooManyRows { limit: 1 }));
    let small = Limits { bytes: 10, ..Limits::default() };
    let large = keep("kept_2", "SELECT 'more than ten bytes' AS x", &small);
    assert_eq!(large, Err(Error::TooManyBytes { limit: 10 }));
    engine.forget("kept_1").unwrap();
    engine.forget("kept_1").unwrap();
    assert!(rows().is_err());
    assert_eq!(fs::read(&place).unwrap(), before);
}

#[test]
fn a_text_with_more_than_one_statement_is_refused_whole() {
    let directory = directory();
    let database = database(directory.path());
    let out = directory.path().join("data/out.csv");
    let sql = format!("SELECT 1; COPY (SELECT 1) TO '{}'; SELECT 1", out.display());
    let refused = database.run(&sql, &Limits::default(), &Cancel::new());
    assert!(refused.unwrap_err().to_string().contains("one statement"));
    let described =
        format!("SELECT 1); COPY (SELECT 1) TO '{}'; SELECT * FROM (SELECT 1", out.display());
    assert!(database.sql_schema(&described).is_err());
    assert!(!out.exists());
}

#[test]
fn further_database_files_are_found_by_their_names() {
    let directory = directory();
    let mut settings = Settings::below(directory.path());
    settings.attached.push(("north".to_owned(), file(directory.path())));
    let engine = DuckDb::new(settings);
    assert_eq!(engine.schemas().unwrap(), ["main", "north.geo", "north.main"]);
    assert_eq!(engine.table_schema("north.geo.towns").unwrap().len(), 2);
    assert_eq!(engine.table_schema("data/towns.csv").unwrap().len(), 2);
}
