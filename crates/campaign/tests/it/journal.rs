//! Undo, fork, export, and the parts of a journal, over REST.

use http::Method;
use serde_json::{Value, json};

use crate::world::{World, text};

async fn undo(world: &World, path: &str, seq: Option<u64>) -> Value {
    world.post(&format!("{path}/undo"), json!({"seq": seq})).await
}

#[tokio::test]
async fn undo_takes_back_the_latest_that_can_be_and_says_so() {
    let world = World::start();
    let path = world.campaign().await;
    world.post(&format!("{path}/participants"), json!({"display_name": "Ann", "role": "GM"})).await;
    world.post(&format!("{path}/actors"), json!({"name": "A", "kind": "PC"})).await;
    let undone = undo(&world, &path, None).await;
    assert_eq!(
        (&undone["undone"]["type"], &undone["undone"]["undone"]),
        (&json!("actor.created"), &json!(true))
    );
    assert_eq!(
        (&undone["entry"]["type"], &undone["entry"]["seq"]),
        (&json!("event.undone"), &json!(4))
    );
    let table = world.get(&path).await;
    assert_eq!((&table["actors"], &table["campaign"]["actor_count"]), (&json!([]), &json!(0)));
    // The journal still has it, and the table as it was is still there.
    let events = &world.get(&format!("{path}/events")).await["events"];
    assert_eq!((&events[1]["seq"], &events[1]["undone"]), (&json!(3), &json!(true)));
    let then = world.get(&format!("{path}?seq=3")).await;
    assert_eq!(then["campaign"]["actor_count"], 1);
    assert_eq!(undo(&world, &path, None).await["undone"]["type"], "participant.joined");
    let nothing = world.refused(Method::POST, &format!("{path}/undo"), None).await;
    assert_eq!(nothing, (409, "FailedPrecondition".into(), "nothing to undo".into()));
    let twice = world.refused(Method::POST, &format!("{path}/undo"), Some(json!({"seq": 3}))).await;
    assert_eq!(twice.2, "event 3 is already undone");
    let first = world.refused(Method::POST, &format!("{path}/undo"), Some(json!({"seq": 1}))).await;
    assert_eq!(first.2, "event 1 cannot be undone");
    let none = world.refused(Method::POST, &format!("{path}/undo"), Some(json!({"seq": 99}))).await;
    assert_eq!(none, (404, "NotFound".into(), "event 99 not found".into()));
    assert!(world.get(&format!("{path}/verify")).await["valid"].as_bool().unwrap());
}

#[tokio::test]
async fn the_list_of_campaigns_follows_an_undo() {
    let world = World::start();
    let path = world.campaign().await;
    world.post(&format!("{path}/participants"), json!({"display_name": "Ann", "role": "GM"})).await;
    assert_eq!(world.get("/campaigns").await["campaigns"][0]["participant_count"], 1);
    undo(&world, &path, None).await;
    assert_eq!(world.get("/campaigns").await["campaigns"][0]["participant_count"], 0);
}

#[tokio::test]
async fn a_fork_is_a_campaign_of_its_own_with_the_same_history() {
    let world = World::start();
    let path = world.campaign().await;
    let ann = json!({"display_name": "Ann", "role": "GM"});
    let ann = world.post(&format!("{path}/participants"), ann).await;
    world
        .post(&format!("{path}/participants/{}/token", ann["id"].as_str().unwrap()), json!({}))
        .await;
    // Guarded from here on; a fork is not.
    world.clock.pass(1000);
    let (status, forked) = world.send(Method::POST, &format!("{path}/fork"), None).await;
    assert_eq!((status.as_u16(), &forked["name"]), (201, &json!("Test")));
    assert_eq!(forked["participant_count"], 1);
    let copy = format!("/campaigns/{}", forked["id"].as_str().unwrap());
    let table = world.get(&copy).await;
    assert_eq!((&table["guarded"], &table["seq"]), (&json!(false), &json!(4)));
    assert_ne!(table["participants"][0]["id"], ann["id"]);
    world.post(&format!("{copy}/actors"), json!({"name": "A", "kind": "PC"})).await;
    assert_eq!(world.get(&path).await["actors"], json!([]), "the other one is as it was");
    for path in [&path, &copy] {
        assert_eq!(world.get(&format!("{path}/verify")).await["valid"], true);
    }
    let part = json!({"seq": 1, "name": "What if"});
    let early = world.post(&format!("{path}/fork"), part).await;
    assert_eq!((&early["name"], &early["participant_count"]), (&json!("What if"), &json!(0)));
    let late = world.refused(Method::POST, &format!("{path}/fork"), Some(json!({"seq": 99}))).await;
    assert_eq!(late, (404, "NotFound".into(), "event 99 not found".into()));
    assert_eq!(world.get("/campaigns").await["campaigns"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn a_session_has_its_part_of_the_journal_and_is_told_in_markdown() {
    let world = World::start();
    let path = world.campaign().await;
    world.post(&format!("{path}/notes"), json!({"text": "before"})).await;
    let session = world.post(&format!("{path}/sessions"), json!({"name": "The bridge"})).await;
    let session = session["id"].as_str().unwrap().to_owned();
    for number in 0..5 {
        world.post(&format!("{path}/notes"), json!({"text": format!("note {number}")})).await;
    }
    undo(&world, &path, None).await;
    world.send(Method::POST, &format!("{path}/sessions/{session}/end"), None).await;
    world.post(&format!("{path}/notes"), json!({"text": "after"})).await;
    let (mut seqs, mut before) = (Vec::new(), String::new());
    loop {
        let page = world.get(&format!("{path}/events?session={session}&limit=3{before}")).await;
        let events = page["events"].as_array().unwrap();
        assert!(events.len() <= 3);
        seqs.extend(events.iter().map(|event| event["seq"].as_u64().unwrap()));
        let Some(next) = page["next"].as_u64() else { break };
        before = format!("&before={next}");
    }
    assert_eq!(seqs, [10, 9, 8, 7, 6, 5, 4, 3]);
    let after = world.get(&format!("{path}/events?session={session}&after=8")).await;
    assert_eq!(after["events"].as_array().unwrap().len(), 2);
    let unknown = world.refused(Method::GET, &format!("{path}/events?session=sess_x"), None).await;
    assert_eq!(unknown, (404, "NotFound".into(), "session not found".into()));

    let export = world.raw(Method::GET, &format!("/sessions/{session}/export"), &[], "").await;
    assert_eq!(export.headers()["content-type"], "text/markdown; charset=utf-8");
    let markdown = text(export).await;
    assert!(markdown.contains("The bridge") && markdown.contains("note 3"), "{markdown}");
    for absent in ["before", "note 4", "after"] {
        assert!(!markdown.contains(absent), "{absent}: {markdown}");
    }
}

#[tokio::test]
async fn pages_of_a_journal_show_each_entry_once() {
    let world = World::start();
    let path = world.campaign().await;
    for number in 0..20 {
        world.post(&format!("{path}/notes"), json!({"text": number.to_string()})).await;
    }
    let (mut seqs, mut before) = (Vec::new(), String::new());
    loop {
        let page = world.get(&format!("{path}/events?limit=7{before}")).await;
        let events = page["events"].as_array().unwrap().iter();
        seqs.extend(events.map(|event| event["seq"].as_u64().unwrap()));
        let Some(next) = page["next"].as_u64() else { break };
        before = format!("&before={next}");
        world.post(&format!("{path}/notes"), json!({"text": "more"})).await;
    }
    assert_eq!(seqs, (1..=21).rev().collect::<Vec<_>>());
    for (query, count) in
        [("after=20", 3), ("before=3", 2), ("after=3&before=5", 1), ("before=0", 0)]
    {
        let page = world.get(&format!("{path}/events?{query}")).await;
        let found = page["events"].as_array().unwrap().len();
        // Two more were written while the pages were turned.
        assert_eq!(found, count, "{query}");
    }
}
