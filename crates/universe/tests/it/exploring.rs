//! A large universe in small answers.

use serde_json::{Value, json};

use crate::{
    add, tick,
    world::{Mcp, World, json_of},
};

/// 100 stars with 99 planets each.
fn large() -> Value {
    let mut stars = serde_json::Map::new();
    for system in 0..100 {
        let root = format!("star-{system}");
        stars.insert(root.clone(), json!({"name": format!("Star {system}"), "mass": 100}));
        for planet in 0..99 {
            let planet = format!("planet-{system}-{planet}");
            stars.insert(
                planet,
                json!({"parentId": root, "bodyType": "planet", "orbitalDistance": 3}),
            );
        }
    }
    json!({"stars": stars})
}

async fn get(mcp: &Mcp<'_>, arguments: Value) -> (Value, usize) {
    let result = mcp.call("get_universe_state", arguments).await;
    assert_ne!(result["isError"], true, "{result}");
    (json_of(&result), result["content"][0]["text"].as_str().unwrap().len())
}

#[tokio::test]
async fn ten_thousand_bodies_are_explored_in_small_answers() {
    let world = World::start().await;
    let id = world.universe(large()).await;
    let mcp = world.mcp().await;
    let (_, whole) = get(&mcp, json!({"universeId": id})).await;
    assert!(whole > 1_000_000, "{whole}");

    let read = async |tail: &str| {
        let uri = format!("universe://{id}{tail}");
        let answer = mcp.request("resources/read", json!({"uri": uri})).await;
        answer["result"]["contents"][0]["text"].as_str().unwrap().to_owned()
    };
    let text = read("/summary").await;
    assert!(text.len() < 2_500, "{} bytes", text.len());
    let summary: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&summary["counts"]["stars"], &summary["counts"]["systems"]),
        (&json!(10_000), &json!(100))
    );
    assert_eq!(summary["bodyTypes"], json!({"planet": 9_900, "star": 100}));
    assert_eq!(
        summary["systems"][3],
        json!({"id": "star-3", "name": "Star 3", "type": "star", "bodies": 100})
    );

    let page = json!({"universeId": id, "only": ["stars"], "fields": ["name"], "limit": 50});
    let (first, size) = get(&mcp, page).await;
    assert!(size < 2_500, "{size} bytes");
    assert_eq!((&first["page"]["shown"], &first["page"]["total"]), (&json!(50), &json!(10_000)));
    let (one, size) = get(&mcp, json!({"universeId": id, "ids": ["planet-7-7", "ghost"]})).await;
    assert!(size < 400, "{size} bytes");
    assert_eq!(one["stars"]["planet-7-7"]["orbitalDistance"], 3);
    assert_eq!(one["page"], json!({"shown": 1, "total": 1}));

    let thin = json!({"universeId": id, "command": add("new", None), "state": "none"});
    let thin = mcp.call("send_universe_command", thin).await;
    assert!(thin["content"][0]["text"].as_str().unwrap().len() < 100);
    assert!(read("/history").await.len() < 1_000);
}

#[tokio::test]
async fn pages_are_of_one_revision_whatever_happens_meanwhile() {
    let world = World::start().await;
    let id = world.universe(crate::rich_state()).await;
    let before = world.state(&id).await;
    let mcp = world.mcp().await;
    let mut seen = Vec::new();
    let mut arguments = json!({"universeId": id, "limit": 2});
    loop {
        let (page, _) = get(&mcp, arguments.clone()).await;
        for part in
            ["stars", "groups", "belts", "smallBodyFields", "protoplanetaryDisks", "nebulae"]
        {
            for (key, entity) in page[part].as_object().unwrap() {
                assert_eq!(entity, &before[part][key]);
                seen.push(format!("{part}/{key}"));
            }
        }
        assert_eq!(page["revision"], 1);
        // Somebody removes what was shown and adds something new.
        let first = before["rootIds"][0].as_str().unwrap();
        world.command(&id, json!({"type": "removeStar", "id": first})).await;
        world.command(&id, add(&format!("new-{}", seen.len()), None)).await;
        let Some(next) = page["page"]["next"].as_str() else { break };
        arguments["cursor"] = json!(next);
    }
    let mut all = Vec::new();
    for part in ["stars", "groups", "belts", "smallBodyFields", "protoplanetaryDisks", "nebulae"] {
        all.extend(before[part].as_object().unwrap().keys().map(|key| format!("{part}/{key}")));
    }
    assert_eq!(seen, all, "each entity once, in order");
}

#[tokio::test]
async fn what_cannot_be_cut_is_said() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let mcp = world.mcp().await;
    world.command(&id, tick()).await;
    let (then, _) = get(&mcp, json!({"universeId": id, "revision": 1})).await;
    assert_eq!((&then["time"], then["page"].is_null()), (&json!(0), true), "exactly the state");
    for (wrong, word) in [
        (json!({"cursor": "nonsense"}), "cursor"),
        (json!({"limit": 0}), "limit"),
        (json!({"only": ["planets"]}), "planets"),
        (json!({"revision": 99}), "Revision not found"),
        (json!({"cursor": "99.0"}), "Revision not found"),
        (json!({"fields": "name"}), "fields"),
    ] {
        let mut arguments = wrong.clone();
        arguments["universeId"] = json!(id);
        let result = mcp.call("get_universe_state", arguments).await;
        assert_eq!(result["isError"], true, "{wrong}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(word), "{text}");
    }
}

/// The schema announces all shapes and judges none: the service says what is wrong, and where.
#[tokio::test]
async fn a_wrong_field_is_told_by_its_name_and_an_unknown_command_is_an_answer() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let mcp = world.mcp().await;
    let wrong = json!({"type": "addStar", "id": "x", "payload": {"mass": "heavy"}});
    let result = mcp.command(&id, wrong).await;
    assert_eq!(result["isError"], true);
    assert_eq!(json_of(&result)["field"], "payload.mass");
    let missing = json_of(&mcp.command(&id, json!({"type": "attachStar", "childId": "x"})).await);
    assert_eq!(missing["field"], "parentId");
    let unknown = mcp.command(&id, json!({"type": "explode"})).await;
    assert_ne!(unknown["isError"], true);
    assert_eq!(json_of(&unknown)["events"][0]["type"], "unknownCommand");
}
