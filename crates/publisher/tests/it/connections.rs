//! Databases beyond the files of a package.

use publisher::{Reach, What};
use serde_json::json;

use crate::helper::{Root, run, shop};

fn reach(package: Option<&str>, connection: &str) -> Reach {
    Reach {
        project: "home".into(),
        package: package.map(str::to_owned),
        connection: connection.into(),
    }
}

fn connected() -> Root {
    let root = shop();
    root.write(
        "publisher.connections.json",
        r#"[{"name": "pg", "type": "bigquery", "bigqueryConnection": {"defaultProjectId": "p", "serviceAccountKeyJson": "s3cret"}},
            {"name": "lake", "type": "duckdb", "duckdbConnection": {"path": "of-project.db"}}]"#,
    );
    root.write(
        "shop/publisher.connections.json",
        r#"[{"name": "lake", "type": "duckdb", "duckdbConnection": {"path": "of-package.db"}}]"#,
    );
    root
}

#[tokio::test]
async fn the_packages_own_go_before_the_projects_and_secrets_are_not_shown() {
    let root = connected();
    let service = root.service(|_| {});
    let of_project = service.connections("home", None).await.unwrap();
    let names: Vec<_> = of_project.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["pg", "lake"]);
    assert!(!format!("{of_project:?}").contains("s3cret"));
    let of_package = service.connections("home", Some("shop")).await.unwrap();
    let names: Vec<_> = of_package.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["duckdb", "lake", "pg"]);
    assert_eq!(of_package[1].shown["duckdbConnection"]["path"], "of-package.db");
    let error = service.connection(&reach(None, "pgg")).await.unwrap_err();
    assert_eq!((&*error.message, error.status()), ("Connection pgg not found", 404));
}

#[tokio::test]
async fn one_that_cannot_be_reached_says_so_and_hurts_nobody_else() {
    let root = connected();
    root.write("shop/far.malloy", "source: far is pg.table('a.b')\n");
    let service = root.service(|_| {});
    let error = service.test_connection(&reach(None, "pg")).await.unwrap_err();
    assert_eq!((error.what, error.status()), (What::Database, 502));
    assert!(error.message.contains("`bigquery`"), "{error}");
    assert!(run(&service, "shop", "far.malloy", "run: far -> { select: * }").await.is_err());
    assert!(run(&service, "shop", "shop.malloy", "run: everything").await.is_ok());
}

#[tokio::test]
async fn a_bad_file_of_connections_is_a_warning_of_the_package() {
    let root = shop();
    root.write("shop/publisher.connections.json", r#"[{"name": "duckdb", "type": "duckdb"}]"#);
    let service = root.service(|_| {});
    let package = service.package("home", "shop").await.unwrap();
    assert!(package.warnings[0].contains("reserved"), "{:?}", package.warnings);
    assert!(run(&service, "shop", "shop.malloy", "run: everything").await.is_ok());
}

#[tokio::test]
async fn the_packages_own_database_tells_its_tables_and_columns() {
    let root = shop();
    let service = root.service(|_| {});
    let own = reach(Some("shop"), "duckdb");
    service.test_connection(&own).await.unwrap();
    let schemas = service.schemas(&own).await.unwrap();
    assert!(schemas.iter().any(|schema| schema.name == "main" && schema.is_default), "{schemas:?}");
    assert_eq!(service.tables(&own, "main").await.unwrap(), ["data/orders.csv"]);
    let columns = service.table_source(&own, "data/orders.csv").await.unwrap();
    assert_eq!(columns[1].name, "item");
    let columns = service.sql_source(&own, "SELECT 1 AS one -- and no more").await.unwrap();
    assert_eq!((columns.len(), &*columns[0].name), (1, "one"));
    let caller = kit_core::Principal::local();
    let data = service
        .query_data(&own, "SELECT item FROM 'data/orders.csv' ORDER BY id", Some(2), &caller)
        .await
        .unwrap();
    assert_eq!(data.rows, [json!({"item": "tea"}), json!({"item": "cup"})]);
    assert!(data.limit_hit);
    let error = service.table_source(&own, "data/none.csv").await.unwrap_err();
    assert!(!error.message.contains(&*root.dir.path().to_string_lossy()), "{error}");
}

#[tokio::test]
async fn a_model_over_postgresql_is_run_there() {
    let Some(url) = kit_test::postgres::database() else { return };
    let root = shop();
    let connections = json!([{"name": "pg", "type": "postgres", "postgresConnection": {"connectionString": url}}]);
    root.write("publisher.connections.json", &connections.to_string());
    root.write(
        "shop/far.malloy",
        "source: far is pg.sql(\"SELECT x FROM generate_series(1, 3) AS x\") extend { measure: n is count(), s is x.sum() }\n",
    );
    let service = root.service(|_| {});
    service.test_connection(&reach(None, "pg")).await.unwrap();
    let schemas = service.schemas(&reach(None, "pg")).await.unwrap();
    assert!(schemas.iter().any(|schema| schema.name == "public"), "{schemas:?}");
    let answer =
        run(&service, "shop", "far.malloy", "run: far -> { aggregate: n, s }").await.unwrap();
    assert_eq!(answer.rows[0], json!({"n": 3, "s": 6}));
    assert_eq!((&*answer.connection, answer.cached_age), ("pg", None));
    let caller = kit_core::Principal::local();
    for sql in [
        "CREATE TABLE t (a int)",
        "WITH x AS (SELECT 1) DELETE FROM pg_class",
        "SELECT 1); DROP TABLE t; --",
    ] {
        assert!(service.query_data(&reach(None, "pg"), sql, None, &caller).await.is_err(), "{sql}");
    }
}
