//! The same question has the same answer over REST and MCP.

use http::StatusCode;
use serde_json::{Value, json};

use crate::{
    add, tick,
    world::{World, json_of},
};

/// Everything that can be sent, well formed and not.
fn commands() -> Vec<Value> {
    let mut commands = crate::all_commands();
    let named: Vec<_> = commands.iter().map(|command| command["type"].clone()).collect();
    // Without any field each one needs but `tick`, every one is wrong in its own way.
    commands.extend(named.into_iter().map(|name| json!({"type": name})));
    commands.extend([
        json!({"type": "undo"}),
        json!({"type": "undo", "revision": 2}),
        json!({"type": "redo"}),
        json!({"type": "undo", "revision": "x"}),
        json!({"type": "redo", "revision": 999}),
        json!({"type": "setClock", "rate": 5000}),
        json!({"type": "addStar", "id": "x", "payload": {"mass": "heavy", "ring": 3}}),
        json!({"type": "tick", "dt": 1e21}),
        json!({"type": "tick", "dt": "soon"}),
        json!({"type": "replaceSnapshot", "snapshot": {"stars": [], "rootIds": {}}}),
        json!({"type": "addStr"}),
        json!({"type": "addStar", "id": "__proto__", "payload": {"__proto__": {"a": 1}}}),
        json!({"type": "addStar", "id": "i".repeat(300), "payload": {}}),
    ]);
    commands
}

/// Two universes with the same history, one driven over each surface: every answer is the same JSON, errors
/// included, but for the universe's own id.
#[tokio::test]
async fn every_command_has_the_same_answer_over_rest_and_mcp() {
    let world = World::start().await;
    let (one, other) =
        (world.universe(crate::rich_state()).await, world.universe(crate::rich_state()).await);
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
async fn a_batch_has_the_same_answer_over_rest_and_mcp() {
    let world = World::start().await;
    let (one, other) = (world.universe(json!({})).await, world.universe(json!({})).await);
    let mcp = world.mcp().await;
    for commands in [
        vec![add("a", None), add("b", Some("a")), tick()],
        vec![add("c", None), add("a", None)],
        vec![tick(), json!({"type": "tick", "dt": []})],
        vec![tick(), json!({"type": "undo"})],
    ] {
        let path = format!("/universes/{one}/batches");
        let (_, mut rest) = world.post(&path, json!({"commands": commands})).await;
        let arguments =
            json!({"universeId": other, "command": commands[0], "then": commands[1..].to_vec()});
        let mut answer = json_of(&mcp.call("send_universe_command", arguments).await);
        for reply in [&mut rest, &mut answer] {
            reply.as_object_mut().unwrap().shift_remove("universeId");
        }
        assert_eq!(rest, answer);
    }
}

#[tokio::test]
async fn an_unknown_universe_is_the_same_error_on_both() {
    let world = World::start().await;
    let (_, rest) = world.post("/universes/u-42/commands", tick()).await;
    let result = world.mcp().await.command("u-42", tick()).await;
    assert_eq!(json_of(&result), rest);
}
