//! Loading, sharing, breaking and mending.

use futures::future::join_all;
use publisher::{At, Change, What};
use serde_json::json;

use crate::helper::{count, rows, run, shop};

#[tokio::test]
async fn those_who_come_first_share_one_load() {
    let root = shop();
    let service = root.service(|_| {});
    let mut events = service.events();
    let all = join_all((0..20).map(|_| service.package("home", "shop"))).await;
    let first = all[0].as_ref().unwrap().generation;
    assert!(all.iter().all(|package| package.as_ref().unwrap().generation == first));
    let mut loads = 0;
    while let Ok(change) = events.try_recv() {
        loads += usize::from(matches!(change, Change::Loaded { .. }));
    }
    assert_eq!(loads, 1);
}

#[tokio::test]
async fn a_load_that_nobody_waits_for_any_more_is_there_for_the_next() {
    let root = shop();
    let service = root.service(|_| {});
    let mut events = service.events();
    let asked = service.clone();
    let left = tokio::spawn(async move { asked.package("home", "shop").await });
    tokio::task::yield_now().await;
    left.abort();
    let package = service.package("home", "shop").await.unwrap();
    assert!(matches!(
        events.recv().await.unwrap(),
        Change::Loaded { generation, .. } if generation == package.generation
    ));
    assert!(events.try_recv().is_err(), "there was only one load");
}

#[tokio::test]
async fn one_broken_model_leaves_the_others_alone() {
    let root = shop();
    root.write(
        "shop/broken.malloy",
        "source: x is duckdb.table('data/none.csv')\nsource: y is nothing",
    );
    let service = root.service(|_| {});
    assert_eq!(count(&service).await, json!(3));
    let error = service.model(&At::new("home", "shop", "broken.malloy")).await.unwrap_err();
    assert_eq!((error.what, error.status()), (What::Compile, 424));
    let place = error.place.unwrap();
    assert_eq!((place.file.as_deref(), place.line), (Some("broken.malloy"), 1));
    assert!(
        place.shown().starts_with("source: x is duckdb.table('data/none.csv')\n   "),
        "{}",
        place.shown()
    );
    assert!(!error.message.contains(&*root.dir.path().to_string_lossy()), "{}", error.message);
    let status = service.status();
    assert_eq!(status.load_errors[0].model_path.as_deref(), Some("broken.malloy"));
}

#[tokio::test]
async fn a_reload_that_fails_keeps_serving_what_was_there_and_says_so() {
    let root = shop();
    let service = root.service(|_| {});
    assert_eq!(count(&service).await, json!(3));
    let whole = std::fs::read_to_string(root.dir.path().join("shop/shop.malloy")).unwrap();
    root.write("shop/shop.malloy", "source: orders is nothing_at_all");
    let mut events = service.events();
    let reloaded = service.reload("home", "shop").await.unwrap();
    assert_eq!(reloaded.problems[0].0, "shop.malloy");
    assert!(reloaded.problems[0].1[0].message.contains("nothing_at_all"));
    assert!(reloaded.package.stale.is_some());
    let model = &reloaded.package.models["shop.malloy"];
    assert!(model.stale.is_some() && model.compiled.is_ok());
    assert_eq!(count(&service).await, json!(3));
    assert!(matches!(events.recv().await.unwrap(), Change::Loaded { .. }));
    assert!(matches!(events.recv().await.unwrap(), Change::Failed { stale: true, .. }));
    assert!(service.status().load_errors[0].stale);

    root.write("shop/shop.malloy", &whole);
    let mended = service.reload("home", "shop").await.unwrap();
    assert!(mended.package.stale.is_none() && mended.problems.is_empty());
}

#[tokio::test]
async fn a_manifest_that_breaks_keeps_the_package_serving() {
    let root = shop();
    let service = root.service(|_| {});
    assert_eq!(count(&service).await, json!(3));
    root.write("shop/publisher.json", "{");
    let reloaded = service.reload("home", "shop").await.unwrap();
    assert!(reloaded.package.stale.as_ref().unwrap().message.contains("publisher.json"));
    assert_eq!(count(&service).await, json!(3));
}

#[tokio::test]
async fn a_new_column_is_seen_at_the_reload() {
    let root = shop();
    let service = root.service(|_| {});
    let text = "run: orders -> { group_by: colour }";
    let error = run(&service, "shop", "shop.malloy", text).await.unwrap_err();
    assert_eq!((error.what, error.status()), (What::Query, 400));
    root.write("shop/data/orders.csv", "id,item,price,colour\n1,tea,3,green\n");
    service.project("home", true).await.unwrap();
    assert_eq!(rows(&service, "shop", "shop.malloy", text).await, json!([{"colour": "green"}]));
}

#[tokio::test]
async fn a_package_whose_folder_is_gone_is_gone() {
    let root = shop();
    let service = root.service(|_| {});
    assert_eq!(count(&service).await, json!(3));
    std::fs::remove_dir_all(root.dir.path().join("shop")).unwrap();
    assert_eq!(service.reload("home", "shop").await.unwrap_err().status(), 404);
    assert_eq!(service.package("home", "shop").await.unwrap_err().status(), 404);
    assert!(service.packages("home").await.unwrap().is_empty());
}

#[tokio::test]
async fn many_at_once_get_what_one_gets() {
    let root = shop();
    let service = root.service(|_| {});
    let text = |index: usize| format!("run: orders -> {{ where: id <= {index} aggregate: n }}");
    let asked = join_all((0..40).map(|index| {
        let (service, text) = (service.clone(), text(index));
        async move { rows(&service, "shop", "shop.malloy", &text).await }
    }))
    .await;
    for (index, got) in asked.into_iter().enumerate() {
        assert_eq!(got, json!([{"n": index.min(3)}]));
    }
}
