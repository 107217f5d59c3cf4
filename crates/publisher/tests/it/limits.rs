//! How much a query may be, and what is said when it is more.

use std::time::{Duration, Instant};

use publisher::{Asked, At, LimitSource, What};
use serde_json::json;

use crate::helper::{Root, ask, run, shop};

/// A package with a table of numbers made by SQL, as a model may.
fn numbers(count: u64) -> Root {
    let root = shop();
    root.write(
        "shop/numbers.malloy",
        &format!("source: numbers is duckdb.sql(\"SELECT range AS x FROM range({count})\")\n"),
    );
    root
}

const ALL: &str = "run: numbers -> { select: x }";

#[tokio::test]
async fn without_a_limit_the_default_cuts_and_it_is_said() {
    let service = numbers(5000).service(|_| {});
    let root = numbers(5000);
    drop(service);
    let service = root.service(|_| {});
    let answer = run(&service, "shop", "numbers.malloy", ALL).await.unwrap();
    assert_eq!((answer.rows.len(), answer.row_limit), (1000, 1000));
    assert_eq!((answer.limit_source, answer.limit_hit), (LimitSource::ServerDefault, true));
    let exact = numbers(1000);
    let answer = run(&exact.service(|_| {}), "shop", "numbers.malloy", ALL).await.unwrap();
    assert_eq!((answer.rows.len(), answer.limit_hit), (1000, false));
}

#[tokio::test]
async fn the_querys_own_limit_and_that_of_the_request_count() {
    let root = numbers(5000);
    let service = root.service(|_| {});
    let own = "run: numbers -> { select: x limit: 3000 }";
    let answer = run(&service, "shop", "numbers.malloy", own).await.unwrap();
    assert_eq!((answer.rows.len(), answer.limit_source), (3000, LimitSource::Query));
    assert!(!answer.limit_hit, "it is what was asked for");
    let mut asked = ask(At::new("home", "shop", "numbers.malloy"), Asked::Text(ALL.into()));
    asked.row_limit = Some(7);
    let answer = service.query(asked).await.unwrap();
    assert_eq!((answer.rows.len(), answer.limit_source), (7, LimitSource::Request));
    assert!(answer.limit_hit);
}

#[tokio::test]
async fn more_rows_than_the_server_gives_are_refused_where_the_query_wants_them() {
    let root = numbers(5000);
    let service = root.service(|config| config.max_rows = 2000);
    let own = "run: numbers -> { select: x limit: 3000 }";
    let error = run(&service, "shop", "numbers.malloy", own).await.unwrap_err();
    assert_eq!((error.what, error.status()), (What::TooLarge, 413));
    assert!(error.message.contains("more than 2000 rows"), "{}", error.message);
}

#[tokio::test]
async fn more_bytes_than_the_server_gives_are_refused() {
    let root = numbers(5000);
    let service = root.service(|config| {
        config.default_rows = 100_000;
        config.max_bytes = 10_000;
    });
    let error = run(&service, "shop", "numbers.malloy", ALL).await.unwrap_err();
    assert_eq!(error.status(), 413);
    assert!(error.message.contains("more than 10000 bytes"), "{}", error.message);
    assert!(error.hint.is_some());
}

/// Takes minutes where nobody stops it.
const ENDLESS: &str = "source: a is duckdb.sql(\"SELECT sum(x.range * y.range) AS s FROM range(10000000) AS x, range(10000000) AS y\")\n";

#[tokio::test]
async fn a_query_that_takes_too_long_is_stopped() {
    let root = shop();
    root.write("shop/endless.malloy", ENDLESS);
    let service = root.service(|config| config.query_timeout_ms = 200);
    let begun = Instant::now();
    let error =
        run(&service, "shop", "endless.malloy", "run: a -> { select: s }").await.unwrap_err();
    assert_eq!((error.what, error.status()), (What::TimedOut, 504));
    assert!(begun.elapsed() < Duration::from_mins(1));
}

#[tokio::test]
async fn a_query_whose_caller_leaves_is_stopped_and_gives_its_turn_back() {
    let root = shop();
    root.write("shop/endless.malloy", ENDLESS);
    let service = root.service(|config| config.concurrent_queries = 1);
    service.package("home", "shop").await.unwrap();
    let asked = service.clone();
    let leaving = tokio::spawn(async move {
        run(&asked, "shop", "endless.malloy", "run: a -> { select: s }").await
    });
    // It has its turn as soon as there is none left.
    while !matches!(service.status().operational_state, publisher::Operational::Throttled) {
        tokio::task::yield_now().await;
    }
    leaving.abort();
    assert!(leaving.await.unwrap_err().is_cancelled());
    // The one turn is free again, soon after.
    let answer = run(&service, "shop", "shop.malloy", "run: orders -> { aggregate: n }").await;
    assert_eq!(answer.unwrap().rows[0], json!({"n": 3}));
}

#[tokio::test]
async fn when_all_turns_are_taken_the_way_out_is_said() {
    let root = shop();
    root.write("shop/endless.malloy", ENDLESS);
    let service = root.service(|config| config.concurrent_queries = 1);
    service.package("home", "shop").await.unwrap();
    let asked = service.clone();
    let busy = tokio::spawn(async move {
        run(&asked, "shop", "endless.malloy", "run: a -> { select: s }").await
    });
    while !matches!(service.status().operational_state, publisher::Operational::Throttled) {
        tokio::task::yield_now().await;
    }
    let error =
        run(&service, "shop", "shop.malloy", "run: orders -> { aggregate: n }").await.unwrap_err();
    assert_eq!((error.what, error.status()), (What::Busy, 503));
    assert!(error.hint.unwrap().starts_with("repeat the query in a moment"));
    busy.abort();
    assert!(busy.await.is_err());
}

#[tokio::test]
async fn who_asked_what_is_remembered_for_everybody() {
    let root = shop();
    let service = root.service(|config| config.history = 2);
    let mut events = service.events();
    for text in ["run: orders -> by_item", "run: nothing", "run: everything"] {
        drop(run(&service, "shop", "shop.malloy", text).await);
    }
    let history = service.history(10);
    assert_eq!(history.len(), 2, "bounded");
    assert_eq!((&*history[0].malloy, history[0].rows), ("run: everything", 1));
    assert!(history[1].error.as_ref().unwrap().contains("nothing"));
    assert_eq!(history[0].caller.as_str(), "local");
    let mut told = 0;
    while let Ok(change) = events.try_recv() {
        told += usize::from(matches!(change, publisher::Change::Query(_)));
    }
    assert_eq!(told, 3);
}
