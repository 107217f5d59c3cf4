//! Changes reach agents that keep a session, and slow queries say that they go on.

use kit_mcp::{Mode, Names};
use serde_json::{Value, json};

use super::bed::{Events, SHOP, bed, endless};

const URI: &str = "malloy://project/home/package/shop";

#[tokio::test]
async fn a_reload_is_heard_by_whoever_subscribed_and_changes_the_list() {
    let bed = bed(Mode::Sessions, Names::WithoutSlash, |_| {}).await;
    let client = bed.client.clone().introduced().await;
    let model = format!("{URI}/models/shop.malloy");
    assert_eq!(client.ask("resources/subscribe", json!({"uri": model})).await["result"], json!({}));
    client.text(&model).await;
    let mut events = Events::open(&client).await;
    bed.root.write("home/shop/shop.malloy", &SHOP.replace("biggest", "largest"));
    bed.service.reload("home", "shop").await.unwrap();
    let (mut listed, mut updated) = (false, false);
    while !(listed && updated) {
        let event = events.next().await;
        match event["method"].as_str().unwrap() {
            "notifications/resources/list_changed" => listed = true,
            "notifications/resources/updated" => {
                assert_eq!(event["params"]["uri"], model, "only what was subscribed to");
                updated = true;
            }
            other => panic!("{other}"),
        }
    }
    let queries = client.definition(&model).await["queries"].clone();
    assert_eq!(queries[0]["name"], "largest");
}

#[tokio::test]
async fn a_slow_query_says_that_it_goes_on() {
    let bed = bed(Mode::StatelessEvents, Names::Own, |config| config.query_timeout_ms = 2500).await;
    let call = endless(&bed);
    let events = bed.client.post(&call).await.events();
    let (answer, progress) = events.split_last().unwrap();
    assert!(progress.len() >= 2, "{events:?}");
    let told: Vec<f64> = progress
        .iter()
        .map(|event: &Value| event["params"]["progress"].as_f64().unwrap())
        .collect();
    assert!(told.is_sorted(), "{told:?}");
    let text = answer["result"]["content"][1]["text"].as_str().unwrap();
    assert!(text.contains("2500 ms"), "it was stopped, and says after how long: {text}");
}
