//! The shared clock.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    tick,
    world::{World, json_of},
};

async fn set(world: &World, id: &str, clock: Value) -> (StatusCode, Value) {
    world.send(Method::PUT, &format!("/universes/{id}/clock"), Some(clock)).await
}

async fn time(world: &World, id: &str) -> Value {
    world.state(id).await["time"].take()
}

#[tokio::test]
async fn a_clock_is_paused_at_rate_1_and_plays_for_everybody() {
    let world = World::start().await;
    let id = world.universe(json!({"time": 10})).await;
    let (_, clock) = world.get(&format!("/universes/{id}/clock")).await;
    let at = "2030-01-01T12:00:00.000Z";
    assert_eq!(clock, json!({"playing": false, "rate": 1, "time": 10, "at": at}));
    world.clock.pass(5_000);
    assert_eq!(time(&world, &id).await, 10);

    let (status, clock) = set(&world, &id, json!({"playing": true, "rate": 2})).await;
    assert_eq!((status, &clock["time"]), (StatusCode::OK, &json!(10)));
    world.clock.pass(1_500);
    assert_eq!(time(&world, &id).await, 13);
    let state = world.mcp().await.call("get_universe_state", json!({"universeId": id})).await;
    assert_eq!(json_of(&state)["time"], 13, "agents see the same sky");
    let (_, clock) = world.get(&format!("/universes/{id}/clock")).await;
    assert_eq!(
        clock,
        json!({"playing": true, "rate": 2, "time": 13, "at": "2030-01-01T12:00:06.500Z"})
    );
    // A tick adds, playing or not; a rate goes on from where time is; a pause holds it.
    assert_eq!(world.command(&id, tick()).await["nextState"]["time"], 14);
    world.clock.pass(1_000);
    set(&world, &id, json!({"rate": -1})).await;
    world.clock.pass(2_000);
    set(&world, &id, json!({"playing": false})).await;
    world.clock.pass(60_000);
    assert_eq!(time(&world, &id).await, 14);
    let (_, record) = world.get(&format!("/universes/{id}")).await;
    assert_eq!((&record["clock"]["time"], &record["revision"]), (&json!(14), &json!(5)));
}

#[tokio::test]
async fn a_clock_is_set_by_a_command_as_well_and_time_may_be_set() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let command = json!({"type": "setClock", "time": 100, "playing": true});
    let reply = json_of(&world.mcp().await.command(&id, command).await);
    assert_eq!((&reply["applied"], &reply["revision"]), (&json!(true), &json!(2)));
    world.clock.pass(1_000);
    assert_eq!(time(&world, &id).await, 101);
    // What is set from outside without a time keeps the time of this moment.
    let path = format!("/universes/{id}");
    let (_, record) = world.send(Method::PUT, &path, Some(json!({"state": {}}))).await;
    assert_eq!(record["state"]["time"], 101);
    world.clock.pass(1_000);
    assert_eq!(time(&world, &id).await, 102);
    let (_, fork) = world.post(&format!("{path}/fork"), json!({})).await;
    assert_eq!((&fork["clock"]["playing"], &fork["state"]["time"]), (&json!(false), &json!(102)));
    let (_, then) = world.get(&format!("{path}?revision=2")).await;
    assert_eq!(then["state"]["time"], 100, "an old revision stands still");
}

#[tokio::test]
async fn a_clock_that_makes_no_sense_is_refused() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    for clock in [
        json!(null),
        json!([]),
        json!({"playing": "yes"}),
        json!({"rate": 1001}),
        json!({"rate": null}),
        json!({"time": "noon"}),
    ] {
        let (status, reply) = set(&world, &id, clock.clone()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{clock}: {reply}");
    }
    assert_eq!(set(&world, "nowhere", json!({})).await.0, StatusCode::NOT_FOUND);
    assert_eq!(world.get("/universes/nowhere/clock").await.0, StatusCode::NOT_FOUND);
}
