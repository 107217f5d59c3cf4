//! What a caller of `malloy-spark` sees, on a running Spark Connect server.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::time::{Duration, Instant};

use malloy_engine::{Beyond, Cancel, Cut, Engine as _, Error, Limits};
use malloy_model::ir::{Column, NumberKind, RecordField, Type};
use malloy_spark::{Settings, Spark};
use serde_json::{Value, json};

/// An engine with a session of its own; `None` where no server can be started.
fn engine() -> Option<Spark> {
    let mut settings = Settings::url(&kit_test::sail::server()?).unwrap();
    settings.setup = vec![
        "CREATE DATABASE geo".to_owned(),
        "CREATE TABLE geo.lakes (name STRING) USING parquet LOCATION '/none/such'".to_owned(),
        "CREATE OR REPLACE TEMPORARY VIEW towns AS SELECT 'Oslo' AS name, 700000 AS people"
            .to_owned(),
    ];
    Some(Spark::new(settings).unwrap())
}

fn column(name: &str, ty: Type) -> Column {
    Column { name: name.to_owned(), ty }
}

fn run(engine: &Spark, sql: &str, limits: &Limits) -> Result<Vec<Value>, Error> {
    let columns = engine.select_schema(sql)?;
    Ok(engine.run(sql, &columns, limits, &Cancel::new())?.rows)
}

const FOR_EVER: &str = "SELECT count(*) AS n FROM range(10000000) AS a CROSS JOIN range(10000000) AS b \
                        WHERE hash(a.id, b.id) % 7 = 1";

#[test]
fn columns_have_their_malloy_types() {
    let Some(engine) = engine() else { return };
    let sql = "SELECT 'a' AS s, 1 AS i, CAST(1 AS BIGINT) AS l, 1.5 AS d, true AS b, DATE '2020-01-01' AS day, \
               TIMESTAMP_NTZ '2020-01-01 00:00:00' AS wall, TIMESTAMP '2020-01-01 00:00:00' AS at, \
               ARRAY(NAMED_STRUCT('x', 1.0D)) AS records, X'00' AS bytes -- the end";
    let record = Type::Record(vec![RecordField {
        name: "x".to_owned(),
        ty: Type::Number(NumberKind::Float),
    }]);
    let wanted = [
        column("s", Type::String),
        column("i", Type::INTEGER),
        column("l", Type::Number(NumberKind::Bigint)),
        column("d", Type::Number(NumberKind::Float)),
        column("b", Type::Boolean),
        column("day", Type::Date(None)),
        column("wall", Type::Timestamp(None)),
        column("at", Type::Timestamptz(None)),
        column("records", Type::Array(Box::new(record))),
        column("bytes", Type::Sql("binary".to_owned())),
    ];
    assert_eq!(engine.select_schema(sql).unwrap(), wanted);
    let told = engine.table_schema("villages").unwrap_err();
    assert!(matches!(told, Error::Query { .. }), "{told:?}");
}

#[test]
fn values_have_the_form_of_their_types() {
    let Some(engine) = engine() else { return };
    let sql = "SELECT 9007199254740993 AS big, 1.50 AS d, DATE '1969-12-31' AS day, TIMESTAMP_NTZ '2021-05-06 07:08:09.123456' AS wall, \
               ARRAY(NAMED_STRUCT('x', 1, 'y', 'a'), NULL) AS records, CAST(NULL AS INT) AS nothing, DOUBLE('NaN') AS odd";
    let rows = run(&engine, sql, &Limits::default()).unwrap();
    let wanted = json!({
        "big": "9007199254740993", "d": 1.5, "day": "1969-12-31", "wall": "2021-05-06T07:08:09.123Z",
        "records": [{"x": 1, "y": "a"}, null], "nothing": null, "odd": "NaN"
    });
    assert_eq!(rows, [wanted]);
    let none = run(&engine, "SELECT 1 AS x WHERE false", &Limits::default()).unwrap();
    assert_eq!(none, [] as [Value; 0]);
}

#[test]
fn a_session_begins_with_its_statements() {
    let Some(engine) = engine() else { return };
    assert_eq!(engine.table_schema("towns").unwrap()[0], column("name", Type::String));
    assert!(engine.schemas().unwrap().contains(&"geo".to_owned()));
    assert_eq!(engine.tables("geo").unwrap(), ["lakes"]);
    engine.check().unwrap();
}

#[test]
fn only_selects_are_described() {
    let Some(engine) = engine() else { return };
    for statement in ["DROP VIEW towns", "SELECT 1) ; DROP VIEW towns", "CREATE DATABASE other"] {
        assert!(engine.select_schema(statement).is_err(), "{statement}");
    }
    assert_eq!(run(&engine, "SELECT * FROM towns", &Limits::default()).unwrap().len(), 1);
}

#[test]
fn a_result_that_is_too_large_is_refused_or_cut() {
    let Some(engine) = engine() else { return };
    let sql = "SELECT id FROM range(100000000)";
    let limits = Limits { rows: 10, ..Limits::default() };
    assert_eq!(run(&engine, sql, &limits).unwrap_err(), Error::TooManyRows { limit: 10 });
    let limits = Limits { rows: 10, beyond: Beyond::Cut, ..Limits::default() };
    let columns = engine.select_schema(sql).unwrap();
    let rows = engine.run(sql, &columns, &limits, &Cancel::new()).unwrap();
    assert_eq!((rows.rows.len(), rows.cut), (10, Some(Cut::Rows)));
}

#[test]
fn a_query_can_be_stopped_and_takes_no_longer_than_allowed() {
    let Some(engine) = engine() else { return };
    let columns = [column("n", Type::INTEGER)];
    let (cancel, started) = (Cancel::new(), Instant::now());
    let outcome = std::thread::scope(|scope| {
        let stopper = cancel.clone();
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            stopper.cancel();
        });
        engine.run(FOR_EVER, &columns, &Limits::default(), &cancel)
    });
    assert_eq!(outcome.unwrap_err(), Error::Cancelled);
    let limit = Duration::from_millis(100);
    let limits = Limits { time: Some(limit), ..Limits::default() };
    let outcome = engine.run(FOR_EVER, &columns, &limits, &Cancel::new());
    assert_eq!(outcome.unwrap_err(), Error::TimedOut { limit });
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    // The session is as good as before.
    assert_eq!(run(&engine, "SELECT * FROM towns", &Limits::default()).unwrap().len(), 1);
}

#[test]
fn a_server_that_is_not_there_is_named_without_secrets() {
    let mut settings = Settings::url("sc://127.0.0.1:1").unwrap();
    settings.token = Some("hunter2".to_owned());
    settings.patience = Duration::from_millis(500);
    let error = Spark::new(settings).unwrap().check().unwrap_err();
    assert!(error.is_about_the_database(), "{error:?}");
    let told = error.to_string();
    assert!(told.starts_with("cannot ask Spark at 127.0.0.1:1: "), "{told}");
    assert!(!told.contains("hunter2"), "{told}");
}
