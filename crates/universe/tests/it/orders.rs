//! Orders: batches, keys, and where they came from.

use futures::future::join_all;
use http::{Method, StatusCode};
use insta::assert_snapshot;
use kit_store::Store;
use serde_json::{Value, json};
use universe::Config;

use crate::{
    add, tick,
    world::{World, json_of, text},
};

/// Sends a command under a key and returns the thin answer.
async fn keyed(world: &World, id: &str, key: &str, command: &Value) -> (StatusCode, Value) {
    let headers = [("content-type", "application/json"), ("idempotency-key", key)];
    let path = format!("/universes/{id}/commands?state=none");
    let response = world.raw(Method::POST, &path, &headers, command.to_string()).await;
    let status = response.status();
    (status, serde_json::from_str(&text(response).await).unwrap())
}

#[tokio::test]
async fn a_batch_happens_whole_with_a_revision_for_each_command() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let mut feed = world.feed(&id, &[]).await;
    let commands = json!({"commands": [add("sol", None), add("earth", Some("sol")), tick()]});
    let path = format!("/universes/{id}/batches");
    let (status, reply) = world.post(&format!("{path}?state=none"), commands).await;
    assert_eq!(status, StatusCode::OK);
    assert_snapshot!(reply, @r#"{"applied":true,"revision":4,"results":[{"events":[{"type":"starAdded","id":"sol"}],"revision":2},{"events":[{"type":"starAdded","id":"earth"}],"revision":3},{"events":[],"revision":4}]}"#);
    for revision in 2..5 {
        assert!(feed.next().await.unwrap().starts_with(&format!("id: {revision}\nevent: command")));
    }
    let (_, reply) = world.post(&path, json!({"commands": [tick()]})).await;
    assert_eq!(reply["nextState"], world.state(&id).await);
}

#[tokio::test]
async fn one_refused_command_leaves_the_whole_batch_undone() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let path = format!("/universes/{id}/batches?state=none");
    let commands =
        json!({"commands": [add("a", None), add("b", Some("a")), add("a", None), tick()]});
    let (status, reply) = world.post(&path, commands).await;
    assert_eq!(status, StatusCode::OK);
    assert_snapshot!(reply, @r#"{"applied":false,"revision":1,"failed":2,"events":[{"type":"addFailed","reason":"duplicateId","id":"a"}],"hint":"a body `a` is there already; choose another id, or change the body with `updateStar`"}"#);
    assert_eq!(world.state(&id).await["stars"], json!({}));

    let wrong =
        json!({"commands": [tick(), {"type": "addStar", "id": "x", "payload": {"mass": "m"}}]});
    let (status, reply) = world.post(&path, wrong).await;
    assert_eq!(
        (status, &reply["field"]),
        (StatusCode::BAD_REQUEST, &json!("commands.1.payload.mass"))
    );
    let far = json!({"commands": [{"type": "tick", "dt": 1e308}, {"type": "tick", "dt": 1e308}]});
    let (status, reply) = world.post(&path, far).await;
    assert_eq!((status, &reply["field"]), (StatusCode::BAD_REQUEST, &json!("commands.1.dt")));
    assert_eq!(world.get(&format!("/universes/{id}")).await.1["revision"], 1);
}

#[tokio::test]
async fn a_batch_is_a_list_of_commands_and_never_undoes() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let path = format!("/universes/{id}/batches");
    let many = vec![tick(); 10_001];
    for body in
        [json!({}), json!({"commands": []}), json!({"commands": 3}), json!({"commands": many})]
    {
        let (status, reply) = world.post(&path, body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        assert_eq!(reply["error"], "\"commands\" must be a list of 1 to 10000 commands");
    }
    let (status, reply) = world.post(&path, json!({"commands": [tick(), {"no": "type"}]})).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{reply}");
    let (status, reply) = world.post(&path, json!({"commands": [tick(), {"type": "undo"}]})).await;
    assert_eq!((status, &reply["field"]), (StatusCode::BAD_REQUEST, &json!("commands.1.type")));
}

#[tokio::test]
async fn ten_thousand_commands_are_one_append() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let commands: Vec<_> = (0..10_000).map(|number| add(&format!("s{number}"), None)).collect();
    let path = format!("/universes/{id}/batches?state=none");
    let (status, reply) = world.post(&path, json!({"commands": commands})).await;
    assert_eq!((status, &reply["revision"]), (StatusCode::OK, &json!(10_001)));
}

#[tokio::test]
async fn the_same_key_does_not_happen_twice_and_answers_as_the_first_time() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let (_, first) = keyed(&world, &id, "k-1", &add("a", None)).await;
    world.command(&id, tick()).await;
    let (status, again) = keyed(&world, &id, "k-1", &add("a", None)).await;
    assert_eq!(status, StatusCode::OK);
    assert_snapshot!(again, @r#"{"events":[{"type":"starAdded","id":"a"}],"applied":true,"revision":2,"repeated":true}"#);
    assert_eq!(first["revision"], 2);
    assert!(first["repeated"].is_null());

    let (status, reply) = keyed(&world, &id, "k-1", &add("b", None)).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert_snapshot!(reply, @r#"{"error":"the idempotency key was used for another command, at revision 2","universeId":"u-1","hint":"use a new key for a new command"}"#);
    assert_eq!(world.get(&format!("/universes/{id}")).await.1["revision"], 3);
    for key in ["", &"k".repeat(201), "two words"] {
        assert_eq!(keyed(&world, &id, key, &tick()).await.0, StatusCode::BAD_REQUEST, "{key:?}");
    }
}

#[tokio::test]
async fn a_refused_command_leaves_its_key_free() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let moon = add("moon", Some("earth"));
    assert_eq!(keyed(&world, &id, "k", &moon).await.1["applied"], false);
    world.command(&id, add("earth", None)).await;
    let (_, reply) = keyed(&world, &id, "k", &moon).await;
    assert_eq!((&reply["applied"], &reply["repeated"]), (&json!(true), &Value::Null));
}

#[tokio::test]
async fn a_key_holds_for_batches_undo_and_over_mcp_and_after_a_restart() {
    let store = Store::memory();
    let world = World::with(&Config::default(), store.clone()).await;
    let id = world.universe(json!({})).await;
    let mcp = world.mcp().await;
    let batch = json!({"universeId": id, "command": add("a", None), "then": [tick()],
        "state": "none", "idempotencyKey": "b"});
    let first = json_of(&mcp.call("send_universe_command", batch.clone()).await);
    assert_eq!(first["revision"], 3);
    let (_, undone) = keyed(&world, &id, "u", &json!({"type": "undo"})).await;
    assert_eq!((&undone["applied"], &undone["of"]), (&json!(true), &json!(2)));
    drop(world);

    let world = World::with(&Config::default(), store).await;
    let mcp = world.mcp().await;
    let again = json_of(&mcp.call("send_universe_command", batch.clone()).await);
    assert_eq!((&again["repeated"], &again["results"]), (&json!(true), &first["results"]));
    let (_, again) = keyed(&world, &id, "u", &json!({"type": "undo"})).await;
    assert_eq!(
        (&again["repeated"], &again["of"], &again["revision"]),
        (&json!(true), &json!(2), &json!(4))
    );
    assert_eq!(world.get(&format!("/universes/{id}")).await.1["revision"], 4);
    let mut other = batch;
    other["then"] = json!([tick(), tick()]);
    assert_eq!(mcp.call("send_universe_command", other).await["isError"], true);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_retries_at_once_happen_once() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let tries = (0..40).map(|number| {
        let (world, id) = (&world, &id);
        async move { keyed(world, id, &format!("k{}", number % 4), &tick()).await.1 }
    });
    let replies = join_all(tries).await;
    assert!(replies.iter().all(|reply| reply["applied"] == true));
    let fresh = replies.iter().filter(|reply| reply["repeated"].is_null()).count();
    assert_eq!((fresh, &world.state(&id).await["time"]), (4, &json!(4)));
}

#[tokio::test]
async fn the_last_thousand_keys_are_remembered() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    for number in 0..1_001 {
        keyed(&world, &id, &format!("k{number}"), &tick()).await;
    }
    assert_eq!(keyed(&world, &id, "k1", &tick()).await.1["repeated"], true);
    assert_eq!(keyed(&world, &id, "k0", &tick()).await.1["repeated"], Value::Null);
}
