//! Edits that are taken up by themselves.

use std::time::Duration;

use http::Method;
use publisher::{Change, Watch};
use serde_json::json;
use tokio::sync::broadcast::Receiver;
use tokio_util::sync::CancellationToken;

use crate::{
    helper::{count, shop},
    world::World,
};

/// The next thing that is told about a load.
async fn next(events: &mut Receiver<Change>) -> Change {
    let wait = async {
        loop {
            match events.recv().await.unwrap() {
                Change::Query(_) | Change::Packages { .. } => {}
                change => return change,
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(30), wait).await.expect("edits are told")
}

#[tokio::test]
async fn an_edit_loads_its_package_anew_and_no_other() {
    let root = shop();
    root.write("other/publisher.json", "{}");
    root.write("other/o.malloy", "");
    let service = root.service(|config| config.watch = Watch::All);
    let stop = CancellationToken::new();
    service.watch(&stop);
    service.packages("home").await.unwrap();
    let before = service.package("home", "other").await.unwrap().generation;
    let mut events = service.events();
    // Written until it is seen: the watching begins a moment after the load.
    let seen = loop {
        root.write("shop/data/orders.csv", "id,item,price\n1,tea,3\n");
        if let Ok(change) = tokio::time::timeout(Duration::from_secs(1), next(&mut events)).await {
            break change;
        }
    };
    assert!(matches!(&seen, Change::Loaded { package, .. } if package == "shop"), "{seen:?}");
    assert_eq!(count(&service).await, json!(1));
    root.write("shop/shop.malloy", "source: orders is nothing");
    let broken = loop {
        if let Change::Failed { package, stale, .. } = next(&mut events).await {
            break (package, stale);
        }
    };
    assert_eq!(broken, ("shop".to_owned(), true));
    assert_eq!(count(&service).await, json!(1), "what was there keeps serving");
    assert_eq!(service.package("home", "other").await.unwrap().generation, before);
    stop.cancel();
}

/// spec: publisher 4.3 watch-mode start, stop, status
#[tokio::test]
async fn watching_is_started_and_stopped_over_rest() {
    let world = World::on(shop());
    let ask = async |word: &str, body: &str| {
        let path = format!("/api/v0/watch-mode/{word}");
        let body = serde_json::from_str(body).unwrap();
        world.send_json(Method::POST, &path, &body).await
    };
    let rows = async || {
        let path = "/api/v0/projects/home/packages/shop/models/shop.malloy/query";
        let body = json!({"query": "run: orders -> { aggregate: n }", "compactJson": true});
        let (_, answer) = world.send_json(Method::POST, path, &body).await;
        answer["result"].as_str().map(str::to_owned)
    };
    let off = json!({"enabled": false, "environments": []});
    assert_eq!(world.get("/api/v0/watch-mode/status").await.1, off, "as its settings say");
    assert_eq!(rows().await.as_deref(), Some("[{\"n\":3}]"));
    world.root.write(
        "shop/shop.malloy",
        "source: orders is duckdb.table('data/orders.csv') extend { measure: n is count() * 2 }\n",
    );
    assert_eq!(rows().await.as_deref(), Some("[{\"n\":3}]"), "nobody looks");

    let on = json!({"enabled": true, "environments": ["home"]});
    let (status, told) = ask("start", r#"{"environmentName": "home"}"#).await;
    assert_eq!((status.as_u16(), &told), (200, &on));
    assert_eq!(world.get("/api/v0/watch-mode/status").await.1, on);
    assert_eq!(rows().await.as_deref(), Some("[{\"n\":6}]"), "what was edited before is taken up");
    let seen = async {
        let mut times = 3;
        // Written until it is seen: the watching begins a moment after the load.
        while rows().await.as_deref() != Some("[{\"n\":9}]") {
            times += 1;
            let blanks = " ".repeat(times);
            world.root.write("shop/shop.malloy", &format!("source: orders is duckdb.table('data/orders.csv') extend {{ measure: n is count() * 3 }}{blanks}\n"));
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), seen).await.expect("edits are taken up");
    assert_eq!(ask("start", r#"{"projectName": "nowhere"}"#).await.0, 404);
    assert_eq!(ask("start", "[]").await.0, 400);
    assert_eq!(ask("stop", "{}").await, (http::StatusCode::OK, off));
    let (status, told) = world.send(Method::POST, "/api/v0/watch-mode/start").await;
    assert_eq!((status.as_u16(), &told), (200, &on), "without a name, all");

    let frozen = World::with(shop(), |config| config.frozen = true);
    assert_eq!(frozen.send(Method::POST, "/api/v0/watch-mode/stop").await.0, 403);
}
