//! Sessions outlive idleness, a restart and a change of replica.

use std::time::Duration;

use kit_mcp::{Limits, Mode};
use kit_store::Store;
use serde_json::json;

use crate::fixture::{Client, running_on};

#[tokio::test]
async fn a_session_goes_on_after_a_restart() {
    let store = Store::memory();
    let first = running_on(&store, Mode::Sessions, Limits::default()).await;
    let mut client = Client::new(&first);
    client.initialize("2025-11-25").await;
    drop(first);
    let second = running_on(&store, Mode::Sessions, Limits::default()).await;
    let reply = client.moved_to(&second).call("echo", json!({"text": "again"})).await;
    assert_eq!(reply.json()["result"]["structuredContent"]["text"], "again");
}

#[tokio::test]
async fn a_subscription_made_on_one_replica_is_heard_on_another() {
    let store = Store::memory();
    let first = running_on(&store, Mode::Sessions, Limits::default()).await;
    let second = running_on(&store, Mode::Sessions, Limits::default()).await;
    let mut client = Client::new(&first);
    client.initialize("2025-11-25").await;
    let subscribe = json!({"jsonrpc": "2.0", "id": 3, "method": "resources/subscribe", "params": {"uri": "test://a"}});
    assert_eq!(client.post(&subscribe.to_string()).await.status, 200);
    let mut stream = client.moved_to(&second).listen(None).await;
    second.hub.resource_updated("test://a");
    assert_eq!(stream.next().await["params"]["uri"], "test://a");
}

#[tokio::test]
async fn a_session_ended_on_one_replica_ends_on_the_others() {
    let store = Store::memory();
    let first = running_on(&store, Mode::Sessions, Limits::default()).await;
    let second = running_on(&store, Mode::Sessions, Limits::default()).await;
    let mut client = Client::new(&first);
    client.initialize("2025-11-25").await;
    let elsewhere = client.moved_to(&second);
    assert_eq!(elsewhere.call("echo", json!({"text": "x"})).await.status, 200);
    assert_eq!(client.delete().await.status, 204);
    // The word travels between replicas on its own time.
    let gone = async {
        while elsewhere.call("echo", json!({"text": "x"})).await.status != 404 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), gone)
        .await
        .expect("the other replica heard of it");
}

#[tokio::test]
async fn an_idle_session_expires() {
    let store = Store::memory();
    let limits = Limits { session_idle: Duration::from_millis(50), ..Limits::default() };
    let server = running_on(&store, Mode::Sessions, limits).await;
    let mut client = Client::new(&server);
    client.initialize("2025-11-25").await;
    let expired = async {
        while store.sessions.count().await.unwrap() > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), expired).await.expect("the row went");
    assert_eq!(client.call("echo", json!({"text": "x"})).await.status, 404);
}

#[tokio::test]
async fn sessions_over_the_limit_are_refused_and_told_to_come_back() {
    let store = Store::memory();
    let limits = Limits { sessions: 2, ..Limits::default() };
    let server = running_on(&store, Mode::Sessions, limits).await;
    for _ in 0..2 {
        assert_eq!(Client::new(&server).initialize("2025-11-25").await.status, 200);
    }
    let refused = Client::new(&server).initialize("2025-11-25").await;
    assert_eq!((refused.status, refused.header("retry-after").as_str()), (503, "1"));
}
