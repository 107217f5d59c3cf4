//! What was: histories, old revisions, undo, redo, forks.

use http::{Method, StatusCode};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    add, tick,
    world::{World, json_of, text},
};

async fn history(world: &World, id: &str, query: &str) -> Value {
    let (status, page) = world.get(&format!("/universes/{id}/history{query}")).await;
    assert_eq!(status, StatusCode::OK, "{page}");
    page
}

fn revisions(page: &Value) -> Vec<u64> {
    let entries = page["entries"].as_array().unwrap();
    entries.iter().map(|entry| entry["revision"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn a_history_tells_who_did_what_by_which_surface() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    world.mcp().await.command(&id, add("a", None)).await;
    world.clock.pass(1500);
    let headers = [("content-type", "application/json"), ("x-via", "page")];
    let path = format!("/universes/{id}");
    let command = json!({"type": "undo"}).to_string();
    world.raw(Method::POST, &format!("{path}/commands"), &headers, command).await;
    world.send(Method::PUT, &format!("{path}/clock"), Some(json!({"rate": 2}))).await;
    world.send(Method::PUT, &path, Some(json!({"name": "N"}))).await;
    let page = history(&world, &id, "").await;
    let lines: Vec<_> = page["entries"].as_array().unwrap().iter().map(Value::to_string).collect();
    assert_snapshot!(lines.join("\n"), @r#"
    {"revision":5,"at":"2030-01-01T12:00:01.500Z","by":"local","via":"rest","kind":"replaced","name":"N"}
    {"revision":4,"at":"2030-01-01T12:00:01.500Z","by":"local","via":"rest","kind":"clock"}
    {"revision":3,"at":"2030-01-01T12:00:01.500Z","by":"local","via":"page","kind":"undone","command":{"type":"undo"},"events":[{"type":"undone","revision":2}],"of":2}
    {"revision":2,"at":"2030-01-01T12:00:00.000Z","by":"local","via":"mcp","kind":"command","command":{"type":"addStar","id":"a","payload":{"parentId":null}},"events":[{"type":"starAdded","id":"a"}]}
    {"revision":1,"at":"2030-01-01T12:00:00.000Z","by":"local","via":"rest","kind":"created","name":"Test"}
    "#);
    for via in ["", &"v".repeat(61)] {
        let headers = [("content-type", "application/json"), ("x-via", via)];
        let sent = world.raw(Method::POST, &format!("{path}/commands"), &headers, "{}").await;
        assert_eq!(sent.status(), StatusCode::BAD_REQUEST, "{via:?}");
    }
}

#[tokio::test]
async fn a_history_is_read_page_by_page_from_the_latest() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    for _ in 0..6 {
        world.command(&id, tick()).await;
    }
    let page = history(&world, &id, "?limit=3").await;
    assert_eq!((revisions(&page), &page["next"]), (vec![7, 6, 5], &json!(5)));
    let page = history(&world, &id, "?limit=3&before=5").await;
    assert_eq!((revisions(&page), &page["next"]), (vec![4, 3, 2], &json!(2)));
    let page = history(&world, &id, "?limit=3&before=2").await;
    assert_eq!((revisions(&page), &page["next"]), (vec![1], &Value::Null));
    assert_eq!(revisions(&history(&world, &id, "?before=99").await).len(), 7);
    for before in [0, 1] {
        assert!(revisions(&history(&world, &id, &format!("?before={before}")).await).is_empty());
    }
    for query in ["?limit=0", "?limit=1001", "?before=-1", "?limit=x"] {
        let (status, _) = world.get(&format!("/universes/{id}/history{query}")).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{query}");
    }
}

#[tokio::test]
async fn a_long_command_is_shown_by_its_name_and_size() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let note = "x".repeat(10_000);
    world.command(&id, json!({"type": "addStar", "id": "a", "payload": {"note": note}})).await;
    let page = history(&world, &id, "?limit=1").await;
    let shown = &page["entries"][0]["command"];
    assert_eq!(
        (&shown["type"], shown["omittedBytes"].as_u64() > Some(10_000)),
        (&json!("addStar"), true)
    );
    assert!(page.to_string().len() < 500, "{page}");
}

#[tokio::test]
async fn a_universe_is_read_as_it_was_at_any_revision() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let mut seen = vec![Value::Null, world.get(&format!("/universes/{id}")).await.1];
    // Past the snapshots.
    for number in 0..1_100 {
        world.clock.pass(1);
        let path = format!("/universes/{id}/commands?state=none");
        world.post(&path, add(&format!("s{number}"), None)).await;
        if number % 100 == 0 {
            seen.push(world.get(&format!("/universes/{id}")).await.1);
        }
    }
    for then in &seen[1..] {
        let revision = &then["revision"];
        let path = format!("/universes/{id}?revision={revision}");
        let (status, now) = world.get(&path).await;
        assert_eq!((status, &now), (StatusCode::OK, then), "{revision}");
    }
    for revision in [0, 1_102] {
        let (status, reply) = world.get(&format!("/universes/{id}?revision={revision}")).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
        assert_eq!(reply["error"], "Revision not found");
        assert_eq!(
            (&reply["universeId"], &reply["revision"], &reply["latest"]),
            (&json!(id), &json!(revision), &json!(1_101))
        );
    }
}

#[tokio::test]
async fn undo_takes_back_one_change_and_keeps_what_came_since_and_redo_brings_it_back() {
    let world = World::start().await;
    let id = world.universe(json!({"stars": {"sol": {}}})).await;
    let mcp = world.mcp().await;
    world.command(&id, json!({"type": "updateStar", "id": "sol", "payload": {"mass": 5}})).await;
    world.command(&id, add("earth", Some("sol"))).await;
    world.command(&id, tick()).await;
    let undone = world.command(&id, json!({"type": "undo", "revision": 2})).await;
    assert_eq!(undone["events"], json!([{"type": "undone", "revision": 2}]));
    assert_eq!((&undone["of"], &undone["revision"]), (&json!(2), &json!(5)));
    let state = &undone["nextState"];
    assert!(state["stars"]["sol"]["mass"] != 5 && state["stars"]["earth"].is_object(), "{state}");
    assert_eq!(state["time"], 1, "time is not undone");

    let redone = json_of(&mcp.command(&id, json!({"type": "redo"})).await);
    assert_eq!((&redone["of"], &redone["events"][0]["type"]), (&json!(2), &json!("redone")));
    assert_eq!(redone["nextState"]["stars"]["sol"]["mass"], 5);

    // Without a revision: the latest that changed something other than time.
    let undone = json_of(&mcp.command(&id, json!({"type": "undo"})).await);
    assert_eq!(undone["of"], 2, "a redone change is the latest");
    let undone = world.command(&id, json!({"type": "undo"})).await;
    assert_eq!((&undone["of"], &undone["nextState"]["stars"]["earth"]), (&json!(3), &Value::Null));
    let nothing = world.command(&id, json!({"type": "undo"})).await;
    assert_eq!(nothing["events"], json!([{"type": "undoFailed", "reason": "nothingToUndo"}]));
    assert_eq!((&nothing["applied"], nothing["hint"].is_string()), (&json!(false), true));
    let unknown = world.command(&id, json!({"type": "redo", "revision": 77})).await;
    assert_eq!(unknown["events"][0]["type"], "redoFailed");
}

#[tokio::test]
async fn undo_names_what_was_changed_since() {
    let world = World::start().await;
    let id = world.universe(json!({"stars": {"sol": {}}})).await;
    let set = |mass: u32| json!({"type": "updateStar", "id": "sol", "payload": {"mass": mass}});
    world.command(&id, set(5)).await;
    world.command(&id, set(6)).await;
    let refused = world.command(&id, json!({"type": "undo", "revision": 2})).await;
    assert_eq!(
        refused["events"],
        json!([{"type": "undoFailed", "reason": "changedSince", "revision": 2, "id": "sol"}])
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn those_who_undo_at_once_undo_different_changes() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    for number in 0..10 {
        world.command(&id, add(&format!("s{number}"), None)).await;
    }
    let undo = json!({"type": "undo"});
    let replies =
        futures::future::join_all((0..10).map(|_| world.command(&id, undo.clone()))).await;
    let mut of: Vec<_> = replies.iter().map(|reply| reply["of"].as_u64().unwrap()).collect();
    of.sort_unstable();
    assert_eq!(of, (2..12).collect::<Vec<_>>());
    assert_eq!(world.state(&id).await["rootIds"], json!([]));
}

#[tokio::test]
async fn a_fork_begins_where_the_other_was_and_goes_its_own_way() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    world.command(&id, add("a", None)).await;
    world.command(&id, add("b", None)).await;
    let path = format!("/universes/{id}/fork");
    let (status, fork) = world.post(&path, json!({"revision": 2})).await;
    assert_eq!((status, &fork["name"]), (StatusCode::CREATED, &json!("Test (fork)")));
    assert_eq!((&fork["state"]["rootIds"], &fork["revision"]), (&json!(["a"]), &json!(1)));
    let (_, fork) = world.post(&path, json!({"name": " Mine "})).await;
    assert_eq!((&fork["name"], &fork["state"]["rootIds"]), (&json!("Mine"), &json!(["a", "b"])));
    let other = fork["id"].as_str().unwrap();
    world.command(other, json!({"type": "removeStar", "id": "a"})).await;
    assert_eq!(world.state(&id).await["rootIds"], json!(["a", "b"]));
    let whole = world.send(Method::POST, &path, None).await;
    assert_eq!(whole.0, StatusCode::CREATED, "a body is not needed");

    assert_eq!(world.post(&path, json!({"revision": 9})).await.0, StatusCode::NOT_FOUND);
    assert_eq!(world.post(&path, json!({"revision": "x"})).await.0, StatusCode::BAD_REQUEST);
    assert_eq!(world.post(&path, json!({"name": ""})).await.0, StatusCode::BAD_REQUEST);
    assert_eq!(world.post("/universes/no/fork", json!({})).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_answer_of_an_undo_may_be_thin() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    world.command(&id, add("a", None)).await;
    let path = format!("/universes/{id}/commands?state=none");
    let headers = [("content-type", "application/json")];
    let reply = world.raw(Method::POST, &path, &headers, r#"{"type":"undo"}"#).await;
    assert_snapshot!(text(reply).await, @r#"{"events":[{"type":"undone","revision":2}],"applied":true,"revision":3,"of":2}"#);
}
