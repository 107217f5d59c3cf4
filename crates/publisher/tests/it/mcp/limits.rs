//! A server that is busy, and a query that takes too long: what agents are told.

use std::time::Duration;

use kit_mcp::{Mode, Names};
use publisher::Operational;
use serde_json::{Value, json};

use super::bed::{bed, endless};

/// The words of a failed call, which agents act by.
fn told(answer: &Value) -> Value {
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    let block = &answer["result"]["content"][0]["resource"];
    assert_eq!(block["uri"], "error://executeQuery/queryExecution");
    serde_json::from_str(block["text"].as_str().unwrap()).unwrap()
}

/// spec: publisher 5.6 query fails (database)
#[tokio::test]
async fn a_query_that_takes_too_long_is_stopped_and_the_agent_is_told_what_to_do() {
    let bed = bed(Mode::StatelessEvents, Names::Own, |config| config.query_timeout_ms = 200).await;
    let mut call = endless(&bed);
    call["params"].as_object_mut().unwrap().remove("_meta");
    let told = told(&bed.client.post(&call).await.answer());
    assert!(told["error"].as_str().unwrap().contains("200 ms"), "{told}");
    assert!(!told["suggestions"].as_array().unwrap().is_empty(), "{told}");
    let run = &bed.service.history(1)[0];
    assert!(run.error.is_some() && run.surface == publisher::Surface::Mcp);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_all_turns_are_taken_an_agent_is_told_to_come_again() {
    let bed = bed(Mode::StatelessEvents, Names::Own, |config| config.concurrent_queries = 1).await;
    let (call, client) = (endless(&bed), bed.client.clone());
    let busy = tokio::spawn(async move { client.post(&call).await });
    let taken = async {
        while !matches!(bed.service.status().operational_state, Operational::Throttled) {
            tokio::task::yield_now().await;
        }
    };
    // A bound and not a wait: it comes to that, or the test fails.
    tokio::time::timeout(Duration::from_secs(20), taken).await.unwrap();
    let answer = bed
        .client
        .call(
            "malloy/executeQuery",
            json!({"projectName": "home", "packageName": "shop",
            "modelPath": "shop.malloy", "query": "run: orders -> { aggregate: order_count }"}),
        )
        .await;
    let told = told(&answer);
    let suggestions = told["suggestions"].to_string();
    assert!(suggestions.contains("repeat the query in a moment"), "{told}");
    busy.abort();
}
