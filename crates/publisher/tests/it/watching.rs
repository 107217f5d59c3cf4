//! Edits that are taken up by themselves.

use std::time::Duration;

use publisher::{Change, Watch};
use serde_json::json;
use tokio::sync::broadcast::Receiver;
use tokio_util::sync::CancellationToken;

use crate::helper::{count, shop};

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
