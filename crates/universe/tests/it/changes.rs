//! The feed of changes with what they left.

use http::Method;
use insta::assert_snapshot;
use kit_store::Store;
use serde_json::{Value, json};
use universe::Config;

use crate::{
    add, tick,
    world::{Events, World},
};

async fn changes(world: &World, id: &str, query: &str, headers: &[(&str, &str)]) -> Events {
    let path = format!("/universes/{id}/changes{query}");
    let mut events = Events::new(world.raw(Method::GET, &path, headers, "").await);
    assert_eq!(events.next().await.unwrap(), ":connected");
    events
}

/// The revision and the data of the next event, which must be a change.
async fn next(events: &mut Events) -> Value {
    let block = events.next().await.unwrap();
    let mut lines = block.lines();
    let id = lines.next().unwrap().strip_prefix("id: ").unwrap();
    assert_eq!(lines.next(), Some("event: change"), "{block}");
    let data: Value =
        serde_json::from_str(lines.next().unwrap().strip_prefix("data: ").unwrap()).unwrap();
    assert_eq!(data["revision"].to_string(), id);
    data
}

/// What a viewer does: takes the record, then follows.
fn follow(view: &mut Value, change: &Value) {
    let Some(delta) = change["delta"].as_object() else { return };
    for (part, entities) in delta {
        for (id, entity) in entities.as_object().unwrap() {
            let map = view[part].as_object_mut().unwrap();
            if entity.is_null() {
                map.shift_remove(id);
            } else {
                map.insert(id.clone(), entity.clone());
            }
        }
    }
}

fn without_children(state: &mut Value) {
    for (_, body) in state["stars"].as_object_mut().unwrap() {
        body.as_object_mut().unwrap().shift_remove("children");
    }
}

#[tokio::test]
async fn a_change_tells_who_what_and_what_it_left() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let mut feed = changes(&world, &id, "", &[]).await;
    world.command(&id, add("sol", None)).await;
    let change = next(&mut feed).await;
    assert_snapshot!(change, @r##"{"revision":2,"at":"2030-01-01T12:00:00.000Z","by":"local","via":"rest","kind":"command","command":{"type":"addStar","id":"sol","payload":{"parentId":null}},"events":[{"type":"starAdded","id":"sol"}],"delta":{"stars":{"sol":{"id":"sol","name":"sol","mass":1,"radius":1,"color":"#FFFFFF","orbitalDistance":0,"orbitalSpeed":0,"orbitalPhase":0,"parentId":null}}}}"##);
    world.command(&id, tick()).await;
    assert_snapshot!(next(&mut feed).await, @r#"{"revision":3,"at":"2030-01-01T12:00:00.000Z","by":"local","via":"rest","kind":"command","command":{"type":"tick"},"clock":{"playing":false,"rate":1,"time":1,"at":"2030-01-01T12:00:00.000Z"}}"#);
    world.command(&id, json!({"type": "undo"})).await;
    assert_snapshot!(next(&mut feed).await, @r#"{"revision":4,"at":"2030-01-01T12:00:00.000Z","by":"local","via":"rest","kind":"undone","command":{"type":"undo"},"events":[{"type":"undone","revision":2}],"of":2,"delta":{"stars":{"sol":null}}}"#);
    let path = format!("/universes/{id}");
    world.send(Method::PUT, &path, Some(json!({"name": "N", "state": {}}))).await;
    let change = next(&mut feed).await;
    assert_eq!(
        (&change["kind"], &change["reset"], &change["name"]),
        (&json!("replaced"), &json!(true), &json!("N"))
    );
    assert!(change["clock"].is_object() && change["delta"].is_null(), "{change}");
    world
        .command(&id, json!({"type": "replaceSnapshot", "snapshot": {"stars": {}, "rootIds": []}}))
        .await;
    assert_eq!(next(&mut feed).await["reset"], true);
    world.send(Method::PUT, &format!("{path}/clock"), Some(json!({"playing": true}))).await;
    let change = next(&mut feed).await;
    assert_eq!((&change["kind"], &change["clock"]["playing"]), (&json!("clock"), &json!(true)));
    world.send(Method::DELETE, &path, None).await;
    assert_eq!(next(&mut feed).await["kind"], "deleted");
    assert_eq!(feed.next().await, None);
}

#[tokio::test]
async fn a_viewer_that_follows_the_deltas_has_the_state() {
    let world = World::start().await;
    let id = world.universe(crate::rich_state()).await;
    let mut view = world.state(&id).await;
    let mut feed = changes(&world, &id, "", &[]).await;
    let mut applied = 0;
    for command in
        crate::all_commands().iter().chain(&[json!({"type": "undo"}), json!({"type": "undo"})])
    {
        let reply = world.command(&id, command.clone()).await;
        if reply["applied"] != true {
            continue;
        }
        applied += 1;
        let change = next(&mut feed).await;
        if change["reset"] == true {
            view = world.state(&id).await;
        }
        follow(&mut view, &change);
        let mut state = world.state(&id).await;
        without_children(&mut state);
        without_children(&mut view);
        for part in
            ["stars", "groups", "belts", "smallBodyFields", "protoplanetaryDisks", "nebulae"]
        {
            assert_eq!(view[part], state[part], "{part} after {command}");
        }
    }
    assert!(applied > 20, "{applied}");
}

#[tokio::test]
async fn a_viewer_that_comes_back_gets_exactly_what_it_missed() {
    let config = Config { replay_events: 20, ..Config::default() };
    let world = World::with(&config, Store::memory()).await;
    let id = world.universe(json!({})).await;
    let mut live = changes(&world, &id, "", &[]).await;
    for number in 0..12 {
        world.command(&id, add(&format!("s{number}"), None)).await;
    }
    let mut first = Vec::new();
    for _ in 0..12 {
        first.push(next(&mut live).await);
    }
    let mut again = changes(&world, &id, "", &[("last-event-id", "4")]).await;
    for missed in &first[3..] {
        assert_eq!(&next(&mut again).await, missed, "printed alike, live or from the log");
    }
    let mut begun = changes(&world, &id, "?after=12", &[]).await;
    assert_eq!(next(&mut begun).await["revision"], 13);
    world.command(&id, tick()).await;
    for feed in [&mut live, &mut again, &mut begun] {
        assert_eq!(next(feed).await["revision"], 14);
    }
    for _ in 0..20 {
        world.command(&id, tick()).await;
    }
    let mut late = changes(&world, &id, "?after=2", &[]).await;
    assert!(late.next().await.unwrap().starts_with("id: 34\nevent: resync\n"));
    assert_eq!(world.get("/universes/nowhere/changes").await.0, 404);
}
