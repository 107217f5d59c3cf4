//! Universes by a seed.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::world::{Events, World};

#[tokio::test]
async fn the_same_seed_makes_the_same_universe_and_a_missing_one_is_told() {
    let world = World::start().await;
    let body = json!({"name": " Here ", "preset": "sparse", "seed": "tandem"});
    let (status, first) = world.post("/universes/generate", body.clone()).await;
    assert_eq!((status, &first["name"]), (StatusCode::CREATED, &json!("Here")));
    assert_eq!(first["generated"]["seed"], "tandem");
    let bodies = first["state"]["stars"].as_object().unwrap().len();
    assert_eq!(first["generated"]["totals"]["bodies"], bodies);
    let (_, again) = world.post("/universes/generate", body).await;
    assert_eq!(again["state"].to_string(), first["state"].to_string(), "to the byte");
    assert_eq!(world.state(again["id"].as_str().unwrap()).await, again["state"]);

    let (_, chosen) = world.send(Method::POST, "/universes/generate?state=none", None).await;
    let seed = &chosen["generated"]["seed"];
    assert!(seed.is_u64() && chosen["state"].is_null(), "{chosen}");
    let (_, whole) = world.get(&format!("/universes/{}", chosen["id"].as_str().unwrap())).await;
    let (_, same) = world.post("/universes/generate", json!({"seed": seed})).await;
    assert_eq!(same["state"], whole["state"]);
}

#[tokio::test]
async fn a_universe_is_generated_into_by_one_command_that_can_be_undone() {
    let world = World::start().await;
    let id = world.universe(json!({"stars": {"old": {}}, "time": 7})).await;
    let path = format!("/universes/{id}/generate?state=none");
    let (status, reply) = world.post(&path, json!({"preset": "sparse", "seed": 5})).await;
    assert_eq!((status, &reply["revision"]), (StatusCode::OK, &json!(2)), "{reply}");
    let (_, history) = world.get(&format!("/universes/{id}/history?limit=1")).await;
    let entry = &history["entries"][0];
    assert_eq!(
        (&entry["kind"], &entry["command"]["type"]),
        (&json!("command"), &json!("replaceSnapshot"))
    );
    assert_eq!(world.state(&id).await["time"], 7);
    let undone = world.command(&id, json!({"type": "undo"})).await;
    assert_eq!(undone["nextState"]["rootIds"], json!(["old"]));
}

#[tokio::test]
async fn progress_is_streamed_and_the_universe_comes_last() {
    let world = World::start().await;
    let headers = [("content-type", "application/json"), ("accept", "text/event-stream")];
    let body = json!({"preset": "solarLike", "seed": 3}).to_string();
    let response = world.raw(Method::POST, "/universes/generate", &headers, body).await;
    let mut events = Events::new(response);
    assert_eq!(events.next().await.unwrap(), ":connected");
    let mut steps = Vec::new();
    let done = loop {
        let block = events.next().await.unwrap();
        let (name, data) = block.strip_prefix("event: ").unwrap().split_once("\ndata: ").unwrap();
        let data: Value = serde_json::from_str(data).unwrap();
        if name == "done" {
            break data;
        }
        assert_eq!(name, "progress");
        steps.push(data);
    };
    assert!(!steps.is_empty() && steps.iter().all(|step| step["stage"].is_string()), "{steps:?}");
    assert!(done["state"].is_null() && done["generated"]["totals"]["systems"].is_u64(), "{done}");
    assert_eq!(events.next().await, None);
    assert_eq!(world.get("/universes?state=none").await.1[0]["id"], done["id"]);
}

#[tokio::test]
async fn a_request_that_makes_no_sense_is_refused_before_any_work() {
    let world = World::start().await;
    for body in [
        json!({"preset": "tiny"}),
        json!({"seed": -1}),
        json!({"parameters": {"maxSystems": "many"}}),
        json!({"sed": 1}),
        json!({"name": ""}),
        json!([]),
    ] {
        let headers = [("content-type", "application/json"), ("accept", "text/event-stream")];
        let reply =
            world.raw(Method::POST, "/universes/generate", &headers, body.to_string()).await;
        assert_eq!(reply.status(), StatusCode::BAD_REQUEST, "{body}");
    }
    let (status, _) = world.post("/universes/nowhere/generate", json!({})).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_eq!(world.get("/universes").await.1, json!([]));
    let (_, generator) = world.get("/generator").await;
    assert!(generator["presets"].as_array().unwrap().len() >= 4);
}
