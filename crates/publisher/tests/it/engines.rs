//! Connections to other databases, on running servers: a model of a package names them, and clients ask them directly.

use http::Method;
use serde_json::{Value, json};

use crate::{
    helper::Root,
    world::{World, parsed},
};

const MODEL: &str = r#"
source: towns is far.sql("""SELECT 'Oslo' AS name, 3 AS people UNION ALL SELECT 'Bergen', 4""") extend {
  measure: total is people.sum()
  view: by_name is { group_by: name aggregate: total nest: sizes is { group_by: people } }
}
"#;

/// Asks a package whose model reads a select of the connection `far`, which is this one, and the connection itself.
async fn is_asked(mut connection: Value) {
    connection["name"] = json!("far");
    let world = World::on(Root::with(&[
        ("publisher.config.json", r#"{"projects": {"home": "home"}}"#),
        ("home/publisher.connections.json", &json!([connection]).to_string()),
        ("home/geo/publisher.json", r#"{"name": "geo", "description": "Towns."}"#),
        ("home/geo/geo.malloy", MODEL),
    ]));
    let at = "/api/v0/projects/home/connections/far";
    let (status, tested) = world.get(&format!("{at}/test")).await;
    assert_eq!(status, 200, "{tested}");
    let model = "/api/v0/projects/home/packages/geo/models/geo.malloy/query";
    let ask = json!({"query": "run: towns -> by_name"});
    let (status, answer) = world.send_json(Method::POST, model, &ask).await;
    assert_eq!(status, 200, "{answer}");
    let data = parsed(&answer["result"]).to_string();
    // By the measure, the largest first.
    assert!(data.contains("Bergen") && data.find("Bergen") < data.find("Oslo"), "{data}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postgresql_is_asked_for_real() {
    let Some(url) = kit_test::postgres::database() else { return };
    is_asked(json!({"type": "postgres", "postgresConnection": {"connectionString": url}})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spark_connect_server_is_asked_for_real() {
    let Some(url) = kit_test::sail::server() else { return };
    is_asked(json!({"type": "spark", "sparkConnection": {"remote": url}})).await;
}
