//! Results that are kept.

use serde_json::json;

use crate::helper::{count, run, shop};

const QUERY: &str = "run: orders -> by_item";

#[tokio::test]
async fn the_same_question_is_answered_with_its_age() {
    let root = shop();
    let service = root.service(|_| {});
    let first = run(&service, "shop", "shop.malloy", QUERY).await.unwrap();
    assert_eq!(first.cached_age, None);
    let again = run(&service, "shop", "shop.malloy", QUERY).await.unwrap();
    assert!(again.cached_age.is_some());
    assert_eq!(again.rows, first.rows);
    assert!(service.history(1)[0].cached);
}

#[tokio::test]
async fn a_file_that_was_written_since_is_read_again() {
    let root = shop();
    let service = root.service(|_| {});
    assert_eq!(count(&service).await, json!(3));
    root.write("shop/data/orders.csv", "id,item,price\n1,tea,3\n2,cup,5\n3,tea,4\n4,pot,9\n");
    assert_eq!(count(&service).await, json!(4), "without a reload");
}

#[tokio::test]
async fn a_reload_begins_anew() {
    let root = shop();
    let service = root.service(|_| {});
    run(&service, "shop", "shop.malloy", QUERY).await.unwrap();
    service.reload("home", "shop").await.unwrap();
    assert_eq!(run(&service, "shop", "shop.malloy", QUERY).await.unwrap().cached_age, None);
}

#[tokio::test]
async fn what_is_different_each_time_is_not_kept_and_nothing_where_it_is_switched_off() {
    let root = shop();
    let service = root.service(|_| {});
    let random = "run: orders -> { aggregate: n calculate: r is rand() }";
    let random = if run(&service, "shop", "shop.malloy", random).await.is_ok() {
        random
    } else {
        "run: orders -> { select: id, r is rand() }"
    };
    run(&service, "shop", "shop.malloy", random).await.unwrap();
    assert_eq!(run(&service, "shop", "shop.malloy", random).await.unwrap().cached_age, None);
    let service = root.service(|config| config.cache_bytes = 0);
    run(&service, "shop", "shop.malloy", QUERY).await.unwrap();
    assert_eq!(run(&service, "shop", "shop.malloy", QUERY).await.unwrap().cached_age, None);
}
