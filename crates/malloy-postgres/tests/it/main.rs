//! What a caller of `malloy-postgres` sees, on a real PostgreSQL.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::time::{Duration, Instant};

use malloy_engine::{Beyond, Cancel, Cut, Engine as _, Error, Limits};
use malloy_model::ir::{Column, NumberKind, RecordField, Type};
use malloy_postgres::{Postgres, Settings};
use serde_json::{Value, json};

const DATA: &str = "
    CREATE SCHEMA geo;
    CREATE TYPE geo.place AS (x double precision, since date);
    CREATE TYPE geo.size AS ENUM ('small', 'large');
    CREATE DOMAIN geo.people AS bigint;
    CREATE TABLE geo.towns (
        name text, people geo.people, area numeric(10, 2), founded date, seen timestamp, at timestamptz, twin text[], place geo.place,
        size geo.size, id uuid, doc jsonb, near geo.place[]
    );
    INSERT INTO geo.towns VALUES (
        'Oslo', 9007199254740993, 480.75, '1040-01-01', '2021-05-06 07:08:09.123456', '2021-05-06 07:08:09+02', '{Reykjavík,NULL}',
        '(59.5,2020-02-29)', 'large', '123e4567-e89b-12d3-a456-426614174000', '{\"b\": [1, 2.5], \"aa\": null}', '{\"(1,2020-01-01)\"}'
    );
    CREATE VIEW geo.big AS SELECT * FROM geo.towns;
";

/// An engine on a new database, and its URL; `None` where PostgreSQL is not installed.
fn engine() -> Option<(Postgres, String)> {
    let url = kit_test::postgres::database()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (client, connection) =
            tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        client.batch_execute(DATA).await.unwrap();
    });
    Some((Postgres::new(&Settings::url(&url)).unwrap(), url))
}

fn column(name: &str, ty: Type) -> Column {
    Column { name: name.to_owned(), ty }
}

fn run(engine: &Postgres, sql: &str, limits: &Limits) -> Result<Vec<Value>, Error> {
    let columns = engine.select_schema(sql)?;
    Ok(engine.run(sql, &columns, limits, &Cancel::new())?.rows)
}

const FOR_EVER: &str = "SELECT count(*) AS n FROM (SELECT generate_series(1, 1000000000000) AS x) AS s WHERE x % 7 = 1";

#[test]
fn columns_have_their_malloy_types() {
    let Some((engine, _)) = engine() else { return };
    let place = Type::Record(vec![
        RecordField { name: "x".to_owned(), ty: Type::Number(NumberKind::Float) },
        RecordField { name: "since".to_owned(), ty: Type::Date(None) },
    ]);
    let wanted = [
        column("name", Type::String),
        column("people", Type::Number(NumberKind::Bigint)),
        column("area", Type::Number(NumberKind::Float)),
        column("founded", Type::Date(None)),
        column("seen", Type::Timestamp(None)),
        column("at", Type::Timestamptz(None)),
        column("twin", Type::Array(Box::new(Type::String))),
        column("place", place.clone()),
        column("size", Type::String),
        column("id", Type::Sql("uuid".to_owned())),
        column("doc", Type::Json),
        column("near", Type::Array(Box::new(place))),
    ];
    assert_eq!(engine.table_schema("geo.towns").unwrap(), wanted);
    assert_eq!(engine.schemas().unwrap(), ["geo", "public"]);
    assert_eq!(engine.tables("geo").unwrap(), ["big", "towns"]);
    let told = engine.table_schema("geo.villages").unwrap_err().to_string();
    assert_eq!(told, "relation \"geo.villages\" does not exist");
}

#[test]
fn values_have_the_form_of_their_types() {
    let Some((engine, _)) = engine() else { return };
    let rows = run(&engine, "SELECT * FROM geo.towns -- all", &Limits::default()).unwrap();
    let wanted = json!({
        "name": "Oslo", "people": "9007199254740993", "area": 480.75, "founded": "1040-01-01",
        "seen": "2021-05-06T07:08:09.123Z", "at": "2021-05-06T05:08:09.000Z", "twin": ["Reykjavík", null],
        "place": {"x": 59.5, "since": "2020-02-29"}, "size": "large", "id": "123e4567-e89b-12d3-a456-426614174000",
        "doc": {"b": [1, 2.5], "aa": null}, "near": [{"x": 1, "since": "2020-01-01"}]
    });
    assert_eq!(rows, [wanted]);
    let odd = "SELECT 'NaN'::float8 AS a, '-Infinity'::numeric AS b, -0.05 AS c, 12345678901234567890123::numeric AS d, \
               NULL::int AS e, '{1,2}'::int[] AS f, 0.1::real AS g";
    let rows = run(&engine, odd, &Limits::default()).unwrap();
    assert_eq!(rows[0]["a"], "NaN");
    assert_eq!(rows[0]["b"], "-Infinity");
    assert_eq!(rows[0]["c"], -0.05);
    assert_eq!(rows[0]["d"], "12345678901234567890123");
    assert_eq!(
        (&rows[0]["e"], &rows[0]["f"], &rows[0]["g"]),
        (&Value::Null, &json!([1, 2]), &json!(0.1))
    );
}

#[test]
fn nothing_is_written_whatever_the_statement_says() {
    let Some((engine, _)) = engine() else { return };
    for statement in [
        "INSERT INTO geo.towns (name) VALUES ('Bergen') RETURNING name",
        "WITH gone AS (DELETE FROM geo.towns RETURNING name) SELECT name FROM gone",
        "SELECT 1 AS one; DROP TABLE geo.towns",
        "COMMIT",
        "SET default_transaction_read_only = off",
        "SELECT set_config('transaction_read_only', 'off', false) AS one",
    ] {
        let columns = [column("one", Type::String)];
        let outcome = engine.run(statement, &columns, &Limits::default(), &Cancel::new());
        assert!(matches!(outcome, Err(Error::Query { .. })), "{statement}: {outcome:?}");
    }
    // Also not by the next one on the same connection.
    let outcome = run(&engine, "DELETE FROM geo.towns RETURNING name", &Limits::default());
    assert!(outcome.unwrap_err().to_string().contains("read-only"));
    assert_eq!(run(&engine, "SELECT name FROM geo.towns", &Limits::default()).unwrap().len(), 1);
}

#[test]
fn a_result_that_is_too_large_is_refused_or_cut() {
    let Some((engine, _)) = engine() else { return };
    // In FROM all of them would be computed before the first comes.
    let sql = "SELECT generate_series(1, 1000000000) AS x";
    let limits = Limits { rows: 10, ..Limits::default() };
    assert_eq!(run(&engine, sql, &limits).unwrap_err(), Error::TooManyRows { limit: 10 });
    let limits = Limits { rows: 10, beyond: Beyond::Cut, ..Limits::default() };
    let columns = engine.select_schema(sql).unwrap();
    let rows = engine.run(sql, &columns, &limits, &Cancel::new()).unwrap();
    assert_eq!((rows.rows.len(), rows.cut), (10, Some(Cut::Rows)));
    let limits = Limits { bytes: 1_000, beyond: Beyond::Cut, ..Limits::default() };
    let rows = engine.run(sql, &columns, &limits, &Cancel::new()).unwrap();
    assert_eq!((rows.rows.len(), rows.cut), (250, Some(Cut::Bytes)));
    assert_eq!(still_running(&engine), 0);
}

/// How many statements of ours the server still works on, once it had a moment to stop.
fn still_running(engine: &Postgres) -> u64 {
    let sql = "SELECT count(*) AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%generate_series%' \
               AND pid <> pg_backend_pid() AND datname = current_database()";
    let until = Instant::now() + Duration::from_secs(5);
    loop {
        let count = run(engine, sql, &Limits::default()).unwrap()[0]["n"].as_u64().unwrap();
        if count == 0 || Instant::now() > until {
            return count;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_query_can_be_stopped_here_and_on_the_server() {
    let Some((engine, _)) = engine() else { return };
    let cancel = Cancel::new();
    let outcome = std::thread::scope(|scope| {
        let stopper = cancel.clone();
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            stopper.cancel();
        });
        let columns = [column("n", Type::INTEGER)];
        engine.run(FOR_EVER, &columns, &Limits::default(), &cancel)
    });
    assert_eq!(outcome.unwrap_err(), Error::Cancelled);
    assert_eq!(still_running(&engine), 0);
    let outcome = engine.run("SELECT 1", &[], &Limits::default(), &cancel);
    assert_eq!(outcome.unwrap_err(), Error::Cancelled);
}

#[test]
fn a_query_that_takes_too_long_is_stopped_here_and_on_the_server() {
    let Some((engine, _)) = engine() else { return };
    let limit = Duration::from_millis(100);
    let limits = Limits { time: Some(limit), ..Limits::default() };
    let columns = [column("n", Type::INTEGER)];
    let outcome = engine.run(FOR_EVER, &columns, &limits, &Cancel::new());
    assert_eq!(outcome.unwrap_err(), Error::TimedOut { limit });
    assert_eq!(still_running(&engine), 0);
}

#[test]
fn more_queries_than_connections_wait_for_each_other() {
    let Some((_, url)) = engine() else { return };
    let settings = Settings { connections: 2, ..Settings::url(url) };
    let engine = Postgres::new(&settings).unwrap();
    std::thread::scope(|scope| {
        let asked: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| run(&engine, "SELECT pg_sleep(0.01)::text AS s", &Limits::default()))
            })
            .collect();
        assert!(asked.into_iter().all(|thread| thread.join().unwrap().is_ok()));
    });
}

#[test]
fn a_server_that_is_not_there_is_named_without_secrets() {
    let settings = Settings {
        patience: Duration::from_millis(500),
        ..Settings::url("postgres://someone:hunter2@127.0.0.1:1/none")
    };
    let error = Postgres::new(&settings).unwrap().check().unwrap_err();
    assert!(error.is_about_the_database(), "{error:?}");
    let told = error.to_string();
    assert!(told.starts_with("cannot ask PostgreSQL at 127.0.0.1:1: "), "{told}");
    assert!(!told.contains("hunter2"), "{told}");
}
