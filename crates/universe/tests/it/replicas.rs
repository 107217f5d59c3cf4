//! Two replicas on one PostgreSQL: one truth, whoever writes and whoever reads.

use std::time::Duration;

use futures::future::join_all;
use http::Method;
use kit_store::Store;
use serde_json::{Value, json};
use universe::Config;

use crate::{
    add, tick,
    world::{Events, World, json_of, text},
};

/// Two replicas, or nothing where PostgreSQL is not installed.
async fn two() -> Option<(World, World)> {
    let url = tokio::task::spawn_blocking(kit_test::postgres::database).await.unwrap()?;
    let replica = async || {
        let store = Store::postgres(&url).await.unwrap();
        World::with(&Config::default(), store).await
    };
    Some((replica().await, replica().await))
}

async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_mins(2), future).await.expect("it never came")
}

async fn changes(world: &World, id: &str) -> Events {
    let path = format!("/universes/{id}/changes?after=1");
    let mut events = Events::new(world.raw(Method::GET, &path, &[], "").await);
    assert_eq!(events.next().await.unwrap(), ":connected");
    events
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writers_on_both_lose_nothing_and_readers_of_both_see_every_revision() {
    let Some((a, b)) = two().await else { return };
    let id = a.universe(json!({})).await;
    let mut feeds = [b.feed(&id, &[]).await, a.feed(&id, &[]).await];
    let mut changes = [changes(&a, &id).await, changes(&b, &id).await];
    let (mcp_a, mcp_b) = (a.mcp().await, b.mcp().await);
    let writer = async |number: usize| {
        for round in 0..5 {
            let command = add(&format!("{number}-{round}"), None);
            let reply = match number % 4 {
                0 => a.command(&id, command).await,
                1 => b.command(&id, command).await,
                2 => json_of(&mcp_a.command(&id, command).await),
                _ => json_of(&mcp_b.command(&id, command).await),
            };
            assert_eq!(reply["applied"], true, "{reply}");
        }
    };
    soon(join_all((0..12).map(writer))).await;
    assert_eq!(a.state(&id).await, b.state(&id).await);
    assert_eq!(a.state(&id).await["rootIds"].as_array().unwrap().len(), 60);
    for feed in feeds.iter_mut().chain(&mut changes) {
        for revision in 2..62 {
            let block = soon(feed.next()).await.unwrap();
            assert!(block.starts_with(&format!("id: {revision}\n")), "{block}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_key_on_both_at_once_happens_once() {
    let Some((a, b)) = two().await else { return };
    let id = a.universe(json!({})).await;
    let send = async |world: &World, key: String| -> Value {
        let headers = [("content-type", "application/json"), ("idempotency-key", &*key)];
        let path = format!("/universes/{id}/commands?state=none");
        let reply = world.raw(Method::POST, &path, &headers, tick().to_string()).await;
        serde_json::from_str(&text(reply).await).unwrap()
    };
    let tries = (0..10).flat_map(|key| [(&a, key), (&b, key)]);
    let tries = tries.map(|(world, key)| send(world, format!("k{key}")));
    let replies = soon(join_all(tries)).await;
    assert!(replies.iter().all(|reply| reply["applied"] == true), "{replies:?}");
    for pair in replies.chunks(2) {
        assert_eq!(pair[0]["revision"], pair[1]["revision"], "both are told of the one time");
    }
    assert_eq!(b.state(&id).await["time"], 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn undo_history_clock_and_old_revisions_are_the_same_on_both() {
    let Some((a, b)) = two().await else { return };
    let id = a.universe(json!({})).await;
    a.command(&id, add("one", None)).await;
    b.command(&id, add("two", None)).await;
    let undone = a.command(&id, json!({"type": "undo"})).await;
    assert_eq!(undone["of"], 3, "the other replica's change");
    b.send(Method::PUT, &format!("/universes/{id}/clock"), Some(json!({"playing": true}))).await;
    let path = format!("/universes/{id}");
    for rest in ["/history", "/clock", "?revision=3", "", "?state=none"] {
        let path = format!("{path}{rest}");
        assert_eq!(a.get(&path).await, b.get(&path).await, "{rest}");
    }
    let redone = b.command(&id, json!({"type": "redo"})).await;
    assert_eq!(redone["nextState"]["rootIds"], json!(["one", "two"]));
}
