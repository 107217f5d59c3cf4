//! Section 5.7: many at once get what one would.

use serde_json::{Value, json};

use super::bed::own_port;

const SHOP: &str = "malloy://project/home/package/shop";

fn requests() -> Vec<(&'static str, Value)> {
    let call = |more: Value| {
        let mut arguments =
            json!({"projectName": "home", "packageName": "shop", "modelPath": "shop.malloy"});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ("tools/call", json!({"name": "malloy/executeQuery", "arguments": arguments}))
    };
    let read = |uri: String| ("resources/read", json!({"uri": uri}));
    vec![
        read(format!("{SHOP}/contents")),
        call(json!({"queryName": "biggest", "answer": "rows"})),
        read(format!("{SHOP}/models/shop.malloy")),
        call(json!({"sourceName": "orders", "queryName": "by_customer", "answer": "rows"})),
        read(format!("{SHOP}/models/broken.malloy")),
        call(json!({"query": "run: orders -> { group_by: nothing }"})),
        read(format!("{SHOP}/models/sub%2Fdeep.malloy/sources/deep")),
        ("resources/list", json!({})),
    ]
}

/// An answer without what tells its moment: whether its rows were kept from before.
fn timeless(answer: &Value) -> String {
    let text = answer.to_string();
    match text.split_once(",\\\"cachedAgeMs\\\":") {
        Some((before, after)) => {
            let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{before}{after}")
        }
        None => text,
    }
}

// spec: publisher, "Concurrency tests focus on ensuring our underlying application code … handles concurrent invocations".
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parallel_clients_get_the_answers_that_one_after_another_would() {
    let alone = own_port().await;
    let mut expected = Vec::new();
    for (method, params) in requests() {
        expected.push(timeless(&alone.client.ask(method, params).await));
    }
    // A server that has loaded nothing yet: all 32 come upon the package at once.
    let bed = own_port().await;
    let clients = (0..32).map(|number: usize| {
        let client = bed.client.clone();
        let expected = expected.clone();
        tokio::spawn(async move {
            for step in 0..expected.len() {
                let place = (number + step) % expected.len();
                let (method, params) = requests().swap_remove(place);
                let id = json!(format!("{number}-{step}"));
                let message =
                    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
                let mut answer = client.post(&message).await.answer();
                assert_eq!(answer["id"], id, "each answer carries its own id");
                answer["id"] = json!(1);
                assert_eq!(timeless(&answer), expected[place]);
            }
        })
    });
    for client in clients.collect::<Vec<_>>() {
        client.await.unwrap();
    }
}
