//! What a person does reaches the agent.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{
    browser::{Page, get},
    world::World,
};

// spec: ui 7.1
// spec: ui 7.2
#[tokio::test]
async fn a_click_reaches_every_client_to_the_letter_and_the_queue() {
    let (world, agent, url) = World::counting().await;
    let other = world.agent().await;
    let mut page = Page::open(&url, "1").await;
    page.count().await;
    page.batch(json!([
        {"type": "update", "data": {"varId": 5, "value": "Ann"}},
        {"type": "update", "data": {"varId": 3, "value": null}},
        {"type": "update", "data": {"varId": 4, "value": null}},
    ]))
    .await;
    let line = r#"{"jsonrpc":"2.0","method":"saved","params":{"count":1,"name":"Ann"}}"#;
    assert_eq!(agent.hear().await, line);
    assert_eq!(other.hear().await, line);
    let events = agent.tool("ui_wait", json!({"timeout": 5})).await;
    let events: Value = serde_json::from_str(&events).unwrap();
    assert_eq!(events, json!([{"event": "saved", "params": {"count": 1, "name": "Ann"}}]));
    // Nobody is given it twice.
    assert_eq!(agent.tool("ui_wait", json!({"timeout": 1})).await, "[]");
}

// spec: ui 7.1
#[tokio::test]
async fn parameters_are_an_object_whatever_is_given_and_order_is_kept() {
    let (_world, agent, _) = World::counting().await;
    agent.run("mcp.notify('a') mcp.notify('b', {}) mcp.notify('c', {1, 2})").await;
    for line in [
        r#"{"jsonrpc":"2.0","method":"a","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"b","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"c","params":{"items":[1,2]}}"#,
    ] {
        assert_eq!(agent.hear().await, line);
    }
    for method in ["''", "nil", "5", "'initialize'", "'tools/list'", "'resources/x'", "'ping'"] {
        let code = format!("mcp.notify({method}, {{}})");
        let refusal = agent.refusal("ui_run", json!({"code": code})).await;
        assert!(refusal.starts_with("execution failed: "), "{method}: {refusal}");
    }
}

#[tokio::test]
async fn a_waiting_agent_is_woken_and_a_reconfiguration_is_told_at_once() {
    let (world, agent, url) = World::counting().await;
    let other = world.agent().await;
    let waiting = async { get(&url, "/wait?timeout=60").await };
    let pushing = async {
        // Lua knows whether somebody waits.
        while agent.run("return mcp:pollingEvents()").await != true {}
        agent.run("mcp.pushState({event = 'chosen', id = 3})").await;
    };
    let (reply, ()) = tokio::join!(waiting, pushing);
    assert_eq!((reply.status.as_u16(), reply.json()), (200, json!([{"event": "chosen", "id": 3}])));

    assert_eq!(get(&url, "/wait?timeout=1").await.status, 204);
    assert_eq!(get(&url, "/wait?session=9").await.status, 404);

    let begun = Instant::now();
    let waiting = other.tool("ui_wait", json!({"timeout": 60}));
    let configuring = async {
        while agent.run("return mcp:pollingEvents()").await != true {}
        agent.tool("ui_configure", json!({"base_dir": world.base()})).await;
    };
    let (events, ()) = tokio::join!(waiting, configuring);
    let events: Value = serde_json::from_str(&events).unwrap();
    assert_eq!(events, json!([{"event": "server_reconfigured"}]));
    assert!(begun.elapsed() < Duration::from_secs(50));
}

// spec: ui 8.1
#[tokio::test]
async fn a_subscriber_hears_of_the_state_at_most_four_times_a_second() {
    let (_world, agent, _) = World::counting().await;
    agent.ask("resources/subscribe", json!({"uri": "ui://state"})).await;
    let begun = Instant::now();
    for _ in 0..50 {
        agent.run("app.count = app.count + 1").await;
    }
    agent.hear_of("notifications/resources/updated").await;
    // The last change is told, too.
    let mut told = 1;
    while agent.read_json("ui://state").await["count"] != 50 {}
    agent.run("app.count = 1000 mcp.notify('mark')").await;
    loop {
        let message: Value = serde_json::from_str(&agent.hear().await).unwrap();
        if message["method"] == "notifications/resources/updated" {
            assert_eq!(message["params"]["uri"], "ui://state");
            told += 1;
            if begun.elapsed() > Duration::from_millis(600) {
                break;
            }
            agent.run("app.count = app.count + 1").await;
        }
    }
    let most = begun.elapsed().as_millis() / 250 + 1;
    assert!(told <= most, "{told} in {:?}", begun.elapsed());
}
