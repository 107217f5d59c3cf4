//! The same question has the same answer over REST and MCP.

use http::StatusCode;
use serde_json::{Value, json};

use crate::{
    add, tick,
    world::{World, json_of},
};

fn commands() -> Vec<Value> {
    vec![
        add("sol", None),
        add("earth", Some("sol")),
        add("sol", None),
        add("moon", Some("nowhere")),
        json!({"type": "addStar", "id": "x", "payload": {"mass": "heavy", "ring": 3}}),
        json!({"type": "addStar"}),
        json!({"type": "updateStar", "id": "earth", "payload": {"name": "Terra", "orbitalSpeed": 1.5e-7}}),
        json!({"type": "updateStar", "id": "sol", "payload": {"parentId": "earth"}}),
        json!({"type": "updateStar", "id": "ghost", "payload": {}}),
        tick(),
        json!({"type": "tick", "dt": 1e21}),
        json!({"type": "tick", "dt": "soon"}),
        json!({"type": "removeStar", "id": "sol"}),
        json!({"type": "addGroup", "id": "g", "payload": {}}),
        json!({"type": "addStr"}),
    ]
}

/// Two universes with the same history, one driven over each surface: every answer is the same JSON, errors
/// included, but for the universe's own id.
#[tokio::test]
async fn every_command_has_the_same_answer_over_rest_and_mcp() {
    let world = World::start().await;
    let (one, other) = (world.universe(json!({})).await, world.universe(json!({})).await);
    let mcp = world.mcp().await;
    for command in commands() {
        let (status, mut rest) =
            world.post(&format!("/universes/{one}/commands"), command.clone()).await;
        let result = mcp.command(&other, command.clone()).await;
        let mut answer = json_of(&result);
        assert_eq!(result["isError"] == true, status != StatusCode::OK, "{command}");
        for (reply, id) in [(&mut rest, &one), (&mut answer, &other)] {
            if let Some(named) =
                reply.as_object_mut().and_then(|reply| reply.shift_remove("universeId"))
            {
                assert_eq!(named, **id);
            }
        }
        assert_eq!(rest, answer, "{command}");
    }
    assert_eq!(world.state(&one).await, world.state(&other).await);
}

#[tokio::test]
async fn an_unknown_universe_is_the_same_error_on_both() {
    let world = World::start().await;
    let (_, rest) = world.post("/universes/u-42/commands", tick()).await;
    let result = world.mcp().await.command("u-42", tick()).await;
    assert_eq!(json_of(&result), rest);
}
