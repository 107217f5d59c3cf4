//! Tables that callers make of selects.

use http::Method;
use kit_core::Principal;
use publisher::{Reach, Service, What};
use serde_json::{Value, json};

use crate::{
    helper::{Root, shop},
    world::{World, parsed},
};

const TEA: &str = "SELECT id, price FROM 'data/orders.csv' WHERE item = 'tea'";

fn own() -> Reach {
    Reach { project: "home".into(), package: Some("shop".into()), connection: "duckdb".into() }
}

fn far() -> Reach {
    Reach { project: "home".into(), package: None, connection: "far".into() }
}

async fn rows(service: &Service, reach: &Reach, sql: &str) -> Vec<Value> {
    service.query_data(reach, sql, None, &Principal::local()).await.unwrap().rows
}

/// A project with a connection `far`.
fn with_far(mut connection: Value) -> Root {
    connection["name"] = json!("far");
    let root = shop();
    root.write("publisher.connections.json", &json!([connection]).to_string());
    root
}

/// spec: publisher temporaryTable
#[tokio::test]
async fn a_table_is_made_over_rest_and_read_by_the_next_statement() {
    let world = World::on(shop());
    let at = "/api/v0/projects/home/packages/shop/connections/duckdb";
    let ask = json!({"sqlStatement": TEA});
    let (status, made) =
        world.send_json(Method::POST, &format!("{at}/sqlTemporaryTable"), &ask).await;
    assert_eq!(status, 200, "{made}");
    let table = parsed(&made["table"]);
    let table = table.as_str().unwrap();
    let sql = json!({"sqlStatement": format!("SELECT sum(price) AS total FROM {table}")});
    let (status, data) = world.send_json(Method::POST, &format!("{at}/sqlQuery"), &sql).await;
    assert_eq!(status, 200, "{data}");
    assert_eq!(parsed(&data["data"])["rows"], json!([{"total": 7}]));

    let (status, made) =
        world.get(&format!("{at}/temporaryTable?sqlStatement=SELECT%201%20AS%20a")).await;
    assert_eq!(status, 200, "{made}");
    let table = parsed(&made["table"]);
    let path = format!("{at}/queryData?sqlStatement=FROM%20{}", table.as_str().unwrap());
    let (status, data) = world.get(&path).await;
    assert_eq!((status.as_u16(), &parsed(&data["data"])["rows"]), (200, &json!([{"a": 1}])));

    let (status, refused) =
        world.get(&format!("{at}/temporaryTable?sqlStatement=SELECT%20x")).await;
    assert_eq!(status, 400, "{refused}");
    let (status, refused) = world.get(&format!("{at}/temporaryTable")).await;
    assert_eq!((status.as_u16(), &refused["message"]), (400, &json!("`sqlStatement` is missing")));
    let nowhere = at.replace("/duckdb", "/nowhere");
    let (status, _) = world.get(&format!("{nowhere}/temporaryTable?sqlStatement=SELECT%201")).await;
    assert_eq!(status, 404);
}

#[tokio::test]
async fn the_same_select_has_the_same_table_made_anew() {
    let root = shop();
    let service = root.service(|_| {});
    let caller = Principal::local();
    let first = service.temporary_table(&own(), TEA, &caller).await.unwrap();
    let count = format!("SELECT count(*) AS n FROM {first}");
    assert_eq!(rows(&service, &own(), &count).await, [json!({"n": 2})]);
    root.write("shop/data/orders.csv", "id,item,price\n1,tea,3\n2,tea,5\n3,tea,4\n");
    assert_eq!(
        rows(&service, &own(), &count).await,
        [json!({"n": 2})],
        "as it was when it was made"
    );
    assert_eq!(service.temporary_table(&own(), TEA, &caller).await.unwrap(), first);
    assert_eq!(rows(&service, &own(), &count).await, [json!({"n": 3})]);
    service.reload("home", "shop").await.unwrap();
    assert_eq!(rows(&service, &own(), &count).await, [json!({"n": 3})], "a reload leaves it");
}

#[tokio::test]
async fn how_many_how_large_and_how_long_is_bounded() {
    let root = shop();
    let caller = Principal::local();
    let service = root.service(|config| {
        config.temporary_tables = 2;
        config.temporary_bytes = 100_000;
        config.max_rows = 5_000;
    });
    let make = async |sql: &str| service.temporary_table(&own(), sql, &caller).await;
    let rows = make("SELECT range AS x FROM range(5001)").await.unwrap_err();
    assert_eq!((rows.what, rows.status()), (What::TooLarge, 413));
    assert!(rows.message.contains("more than 5000 rows"), "{rows}");
    let bytes = make("SELECT repeat('x', 1000) AS x FROM range(200)").await.unwrap_err();
    assert_eq!((bytes.what, bytes.status()), (What::TooLarge, 413));
    assert!(bytes.message.contains("100000 bytes together"), "{bytes}");
    make("SELECT repeat('x', 1000) AS x FROM range(60)").await.unwrap();
    let bytes = make("SELECT repeat('y', 1000) AS x FROM range(60)").await.unwrap_err();
    assert_eq!(bytes.what, What::TooLarge, "together they are too much");
    make("SELECT 1").await.unwrap();
    make("SELECT 1").await.unwrap();
    let many = make("SELECT 2").await.unwrap_err();
    assert_eq!((many.what, many.status()), (What::Busy, 503));
    assert!(many.message.contains("2 temporary tables"), "{many}");
    let tables = service.tables(&own(), "main").await.unwrap();
    let kept = tables.iter().filter(|table| table.starts_with("temporary_"));
    assert_eq!(kept.count(), 2, "what was refused is not there: {tables:?}");

    let none = root.service(|config| config.temporary_tables = 0);
    let error = none.temporary_table(&own(), "SELECT 1", &caller).await.unwrap_err();
    assert_eq!((error.what, error.status()), (What::Forbidden, 403));
}

#[tokio::test]
async fn it_goes_when_its_time_is_up() {
    let root = shop();
    let service = root.service(|config| config.temporary_seconds = 0);
    let caller = Principal::local();
    let table = service.temporary_table(&own(), TEA, &caller).await.unwrap();
    let sql = format!("SELECT * FROM {table}");
    let gone = async { while service.query_data(&own(), &sql, None, &caller).await.is_ok() {} };
    // A bound and not a wait: it goes, or the test fails.
    tokio::time::timeout(std::time::Duration::from_secs(30), gone).await.unwrap();
}

#[tokio::test]
async fn a_table_that_takes_too_long_is_stopped_and_not_there() {
    let root = shop();
    let service = root.service(|config| config.query_timeout_ms = 200);
    let caller = Principal::local();
    let endless =
        "SELECT sum(x.range * y.range) AS s FROM range(10000000) AS x, range(10000000) AS y";
    let error = service.temporary_table(&own(), endless, &caller).await.unwrap_err();
    assert_eq!((error.what, error.status()), (What::TimedOut, 504));
    assert_eq!(service.tables(&own(), "main").await.unwrap(), ["data/orders.csv"]);
}

#[tokio::test]
async fn nothing_but_a_select_becomes_a_table_and_no_file_beyond_the_package_does() {
    let root = shop();
    root.write("secret.csv", "a\ns3cret\n");
    let service = root.service(|_| {});
    let caller = Principal::local();
    let inside = root.dir.path().join("shop/data/out.csv");
    for sql in [
        "DROP TABLE x".to_owned(),
        "COPY (SELECT 1) TO 'data/out.csv'".to_owned(),
        format!(
            "SELECT 1) AS a; COPY (SELECT 1) TO '{}'; SELECT * FROM (SELECT 1",
            inside.display()
        ),
        format!(
            "SELECT 1) AS a -- \r; COPY (SELECT 1) TO '{}'; SELECT * FROM (SELECT 1",
            inside.display()
        ),
        "SELECT * FROM '/etc/passwd'".to_owned(),
        "SELECT * FROM '../secret.csv'".to_owned(),
        "SELECT * FROM read_text('/etc/passwd')".to_owned(),
        String::new(),
    ] {
        let error = service.temporary_table(&own(), &sql, &caller).await.unwrap_err();
        assert_eq!(error.status(), 400, "{sql}: {error}");
        assert!(!error.message.contains(&*root.dir.path().to_string_lossy()), "{error}");
        assert!(service.query_data(&own(), &sql, None, &caller).await.is_err(), "{sql}");
        assert!(service.sql_source(&own(), &sql).await.is_err(), "{sql}");
    }
    assert!(!inside.exists());
}

#[tokio::test]
async fn rows_do_not_tell_where_the_package_lies() {
    let root = shop();
    let service = root.service(|_| {});
    for sql in [
        "SELECT current_setting('allowed_directories') AS a",
        "SELECT value AS a FROM duckdb_settings() WHERE name = 'allowed_directories'",
        "SELECT file AS a FROM glob('data/*')",
        "SELECT filename AS a FROM read_csv('data/orders.csv', filename = true)",
    ] {
        let told = format!("{:?}", rows(&service, &own(), sql).await);
        assert!(!told.contains(&*root.dir.path().to_string_lossy()), "{sql}: {told}");
    }
}

#[tokio::test]
async fn whoever_has_fixed_givens_makes_none() {
    let root = shop();
    let service = root.service(|config| {
        config.identities = serde_json::from_value(json!({"ada": {"ITEM": "tea"}})).unwrap();
    });
    let error = service.temporary_table(&own(), TEA, &Principal::new("ada")).await.unwrap_err();
    assert_eq!((error.what, error.status()), (What::Forbidden, 403));
}

/// Makes tables on a running server, and asks for them.
async fn is_kept(root: Root) {
    let service = root.service(|config| config.temporary_seconds = 600);
    let caller = Principal::local();
    let select = "SELECT 1 AS a, 'x' AS b UNION ALL SELECT 2, 'y' -- the end";
    let table = service.temporary_table(&far(), select, &caller).await.unwrap();
    let sql = format!("SELECT a, b FROM {table} ORDER BY a");
    let wanted = [json!({"a": 1, "b": "x"}), json!({"a": 2, "b": "y"})];
    assert_eq!(rows(&service, &far(), &sql).await, wanted);
    let columns = service.table_source(&far(), &table).await.unwrap();
    assert_eq!(columns[1].name, "b");
    // Many at once, some of which leave early.
    let asked = (0..8).map(|number| {
        let (service, sql, caller) = (&service, sql.clone(), &caller);
        async move { service.query_data(&far(), &sql, Some(1 + number % 2), caller).await }
    });
    for data in futures::future::join_all(asked).await {
        assert_eq!(data.unwrap().rows[0], wanted[0]);
    }
    let on_top = format!("SELECT max(a) AS m FROM {table}");
    let second = service.temporary_table(&far(), &on_top, &caller).await.unwrap();
    let both = format!("SELECT m FROM {second}");
    assert_eq!(rows(&service, &far(), &both).await, [json!({"m": 2})]);
    for wrong in ["SELECT nothing", "DROP TABLE t", "SELECT 1; SELECT 2"] {
        assert!(service.temporary_table(&far(), wrong, &caller).await.is_err(), "{wrong}");
    }
    assert_eq!(rows(&service, &far(), &sql).await, wanted, "what was refused hurts nobody");
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql_keeps_them_in_a_session() {
    let Some(url) = kit_test::postgres::database() else { return };
    let connection = json!({"type": "postgres", "postgresConnection": {"connectionString": url}});
    is_kept(with_far(connection.clone())).await;
    let root = with_far(connection);
    let service = root.service(|config| {
        config.max_rows = 100;
        config.query_timeout_ms = 500;
    });
    let caller = Principal::local();
    let make = async |sql: &str| service.temporary_table(&far(), sql, &caller).await;
    let many = make("SELECT x FROM generate_series(1, 101) AS x").await.unwrap_err();
    assert_eq!(many.status(), 413, "{many}");
    let slow = make("SELECT pg_sleep(30)::text AS a").await.unwrap_err();
    assert_eq!(slow.status(), 504, "{slow}");
    let table = make("SELECT x FROM generate_series(1, 100) AS x").await.unwrap();
    let sql = format!("SELECT count(*) AS n FROM {table}");
    assert_eq!(rows(&service, &far(), &sql).await, [json!({"n": 100})]);
    let slow = format!("SELECT pg_sleep(30)::text AS a FROM {table}");
    let error = service.query_data(&far(), &slow, None, &caller).await.unwrap_err();
    assert_eq!(error.status(), 504, "{error}");
    assert_eq!(rows(&service, &far(), &sql).await, [json!({"n": 100})], "and it is still there");
}

#[tokio::test(flavor = "multi_thread")]
async fn spark_keeps_them_as_views() {
    let Some(url) = kit_test::sail::server() else { return };
    is_kept(with_far(json!({"type": "spark", "sparkConnection": {"remote": url}}))).await;
}
