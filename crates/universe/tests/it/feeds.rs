//! Live feeds.

use http::{Method, StatusCode};
use insta::assert_snapshot;
use kit_store::Store;
use serde_json::json;
use universe::Config;

use crate::{add, tick, world::World};

#[tokio::test]
async fn a_feed_shows_each_applied_command_as_it_was_sent() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let mut feed = world.feed(&id, &[]).await;
    assert_eq!(feed.response.headers()["cache-control"], "no-cache");
    world
        .command(
            &id,
            json!({"type": "addStar", "id": "a", "payload": {"mass": 2.0, "id": "x"}, "by": "me"}),
        )
        .await;
    assert_snapshot!(feed.next().await.unwrap(), @r#"
    id: 2
    event: command
    data: {"type":"addStar","id":"a","payload":{"mass":2,"id":"x"},"by":"me"}
    "#);
}

#[tokio::test]
async fn refused_and_unknown_commands_are_not_shown() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let mut feed = world.feed(&id, &[]).await;
    world.command(&id, json!({"type": "removeStar", "id": "ghost"})).await;
    world.command(&id, json!({"type": "explode"})).await;
    world.command(&id, tick()).await;
    assert!(feed.next().await.unwrap().contains("tick"));
}

#[tokio::test]
async fn replacing_and_deleting_have_events_of_their_own_and_deleting_ends_the_feed() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let mut feed = world.feed(&id, &[]).await;
    let path = format!("/universes/{id}");
    world.send(Method::PUT, &path, Some(json!({"name": "N", "state": {}}))).await;
    world.send(Method::DELETE, &path, None).await;
    assert_snapshot!(feed.next().await.unwrap(), @r#"
    id: 2
    event: replaced
    data: {"universeId":"u-1","revision":2,"name":"N"}
    "#);
    assert_snapshot!(feed.next().await.unwrap(), @r#"
    id: 3
    event: deleted
    data: {"universeId":"u-1","revision":3}
    "#);
    assert_eq!(feed.next().await, None);
}

#[tokio::test]
async fn a_reader_that_comes_back_gets_what_it_missed_and_then_what_comes() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    for name in ["a", "b", "c"] {
        world.command(&id, add(name, None)).await;
    }
    let mut feed = world.feed(&id, &[("last-event-id", "2")]).await;
    world.command(&id, add("d", None)).await;
    let mut seen = Vec::new();
    for _ in 0..3 {
        seen.push(feed.next().await.unwrap().lines().next().unwrap().to_owned());
    }
    assert_eq!(seen, ["id: 3", "id: 4", "id: 5"]);
}

#[tokio::test]
async fn a_first_reader_may_begin_after_the_revision_it_has_read() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    world.command(&id, tick()).await;
    let mut feed = world.feed(&format!("{id}/events?after=1#"), &[]).await;
    assert!(feed.next().await.unwrap().starts_with("id: 2\n"));
}

#[tokio::test]
async fn a_reader_too_far_behind_or_from_another_time_is_told_to_read_again() {
    let config = Config { replay_events: 2, ..Config::default() };
    let world = World::with(&config, Store::memory()).await;
    let id = world.universe(json!({})).await;
    for _ in 0..3 {
        world.command(&id, tick()).await;
    }
    for last in ["1", "99", "not-ours"] {
        let mut feed = world.feed(&id, &[("last-event-id", last)]).await;
        assert_eq!(
            feed.next().await.unwrap(),
            "id: 4\nevent: resync\ndata: {\"universeId\":\"u-1\",\"revision\":4}"
        );
    }
    let mut feed = world.feed(&id, &[("last-event-id", "2")]).await;
    assert!(feed.next().await.unwrap().starts_with("id: 3\nevent: command"));
}

#[tokio::test]
async fn a_feed_of_an_unknown_universe_is_404() {
    let world = World::start().await;
    let (status, reply) = world.get("/universes/nowhere/events").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_eq!(reply, json!({"error": "Universe not found", "universeId": "nowhere"}));
}

#[tokio::test]
async fn all_readers_see_the_same_and_one_that_leaves_disturbs_nobody() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let mut feeds = Vec::new();
    for _ in 0..20 {
        feeds.push(world.feed(&id, &[]).await);
    }
    drop(feeds.pop());
    world.command(&id, add("a", None)).await;
    for feed in &mut feeds {
        assert!(feed.next().await.unwrap().starts_with("id: 2\nevent: command"));
    }
    // The last one gone, the feed closes; the next reader opens it anew.
    drop(feeds);
    let mut feed = world.feed(&id, &[]).await;
    world.command(&id, tick()).await;
    assert!(feed.next().await.unwrap().starts_with("id: 3\n"));
}

#[tokio::test]
async fn a_reader_that_does_not_read_loses_its_stream_and_holds_nobody_up() {
    let config = Config { reader_events: 4, ..Config::default() };
    let world = World::with(&config, Store::memory()).await;
    let id = world.universe(json!({})).await;
    let mut slow = world.feed(&id, &[]).await;
    // More than the buffers between the two hold: the client's are kept small, Linux gives the server 4 MB.
    let filler = "x".repeat(1 << 16);
    let sent = 80;
    for number in 0..sent {
        let command =
            json!({"type": "addStar", "id": format!("s{number}"), "payload": {"note": filler}});
        let path = format!("/universes/{id}/commands?state=none");
        let (status, _) = world.post(&path, command).await;
        assert_eq!(status, StatusCode::OK);
    }
    let mut read = 0;
    while slow.next().await.is_some() {
        read += 1;
    }
    assert!(read < sent, "the stream went on to its end");
    let last = (read + 1).to_string();
    let mut again = world.feed(&id, &[("last-event-id", &last)]).await;
    let next = again.next().await.unwrap();
    assert!(next.starts_with(&format!("id: {}\n", read + 2)), "it resumes where it was");
}
