//! Live feeds: nothing missed, nothing twice.

use campaign::Config;
use futures::future::join_all;
use http::Method;
use kit_store::Store;
use serde_json::json;

use crate::{bed::soon, world::World};

#[tokio::test]
async fn a_reader_sees_each_entry_as_the_journal_has_it() {
    let world = World::start();
    let path = world.campaign().await;
    let mut feed = world.events(&format!("{path}/changes"), &[]).await;
    world.post(&format!("{path}/notes"), json!({"text": "hello"})).await;
    let (id, name, data) = feed.event().await;
    assert_eq!((id, &*name), (Some(2), "entry"));
    assert_eq!(data, world.get(&format!("{path}/events?limit=1")).await["events"][0]);
}

#[tokio::test]
async fn a_reader_that_comes_back_gets_what_it_missed_and_then_what_comes() {
    let world = World::start();
    let path = world.campaign().await;
    let note = async || world.post(&format!("{path}/notes"), json!({"text": "x"})).await;
    for _ in 0..3 {
        note().await;
    }
    let changes = format!("{path}/changes");
    let mut back = world.events(&changes, &[("last-event-id", "2")]).await;
    let mut first = world.events(&format!("{changes}?after=0"), &[]).await;
    note().await;
    for seq in 3..=5 {
        assert_eq!(back.event().await.0, Some(seq));
    }
    for seq in 1..=5 {
        assert_eq!(first.event().await.0, Some(seq));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_that_come_and_go_among_writers_miss_nothing_and_see_nothing_twice() {
    let world = World::start();
    let path = world.campaign().await;
    let write = async |number: usize| {
        for round in 0..20 {
            world
                .post(&format!("{path}/notes"), json!({"text": format!("{number}.{round}")}))
                .await;
        }
    };
    let read = async |stride: u64| {
        let mut last = 0;
        while last < 101 {
            let from = last.to_string();
            let headers = [("last-event-id", &*from)];
            let mut feed = world.events(&format!("{path}/changes"), &headers).await;
            for _ in 0..stride.min(101 - last) {
                let (id, ..) = feed.event().await;
                assert_eq!(id, Some(last + 1));
                last += 1;
            }
        }
    };
    soon(futures::future::join(join_all((0..5).map(write)), join_all([1, 3, 7, 50].map(read))))
        .await;
}

#[tokio::test]
async fn a_reader_too_far_behind_or_from_another_time_is_told_to_read_again() {
    let config = Config { replay_entries: 2, ..Config::default() };
    let world = World::with(&config, Store::memory());
    let path = world.campaign().await;
    for _ in 0..3 {
        world.post(&format!("{path}/notes"), json!({"text": "x"})).await;
    }
    let resync = (Some(4), "resync".to_owned(), json!({"campaign_id": "camp_1", "seq": 4}));
    let mut feeds = Vec::new();
    for last in ["1", "99", "not-ours"] {
        let mut feed = world.events(&format!("{path}/changes"), &[("last-event-id", last)]).await;
        assert_eq!(feed.event().await, resync, "{last}");
        feeds.push(feed);
    }
    // One that is near enough gets what it missed, and all go on from where they are.
    let mut near = world.events(&format!("{path}/changes"), &[("last-event-id", "2")]).await;
    assert_eq!(near.event().await.0, Some(3));
    assert_eq!(near.event().await.0, Some(4));
    world.post(&format!("{path}/notes"), json!({"text": "x"})).await;
    feeds.push(near);
    for feed in &mut feeds {
        let (id, name, _) = feed.event().await;
        assert_eq!((id, &*name), (Some(5), "entry"));
    }
}

#[tokio::test]
async fn the_list_of_campaigns_is_told_of_every_change() {
    let world = World::start();
    let mut feed = world.events("/campaigns/changes", &[]).await;
    let path = world.campaign().await;
    assert_eq!(feed.event().await, (None, "changed".into(), json!({"campaign_id": "camp_1"})));
    world.post(&format!("{path}/participants"), json!({"display_name": "A", "role": "GM"})).await;
    world.campaign().await;
    assert_eq!(feed.event().await.2, json!({"campaign_id": "camp_1"}));
    assert_eq!(feed.event().await.2, json!({"campaign_id": "camp_3"}));
    let refused = world.refused(Method::POST, "/campaigns", Some(json!({}))).await;
    assert_eq!(refused.0, 400);
    world.campaign().await;
    let (.., data) = feed.event().await;
    assert_ne!(data, json!({"campaign_id": "camp_3"}), "a refusal is no change");
}
