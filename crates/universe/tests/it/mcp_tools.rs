//! What the three tools answer.

use std::sync::atomic::Ordering;

use http::Method;
use insta::{assert_json_snapshot, assert_snapshot};
use kit_store::Store;
use serde_json::{Value, json};
use universe::Config;

use crate::{
    add,
    concurrency::Elsewhere,
    tick,
    world::{World, json_of},
};

async fn tools(world: &World) -> Vec<Value> {
    let list = world.mcp().await.request("tools/list", json!({})).await;
    list["result"]["tools"].as_array().unwrap().clone()
}

fn named<'t>(tools: &'t [Value], name: &str) -> &'t Value {
    tools.iter().find(|tool| tool["name"] == name).unwrap()
}

/// spec: universe MCP-1
/// spec: universe MCP-2
#[tokio::test]
async fn there_are_exactly_three_tools_each_with_description_and_schema() {
    let world = World::start().await;
    let tools = tools(&world).await;
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["get_universe_state", "list_universe_commands", "send_universe_command"]);
    for tool in &tools {
        assert!(tool["description"].as_str().is_some_and(|text| !text.is_empty()));
        assert_eq!(tool["inputSchema"]["type"], "object");
    }
}

/// spec: universe MCP-3
/// spec: universe MCP-4
/// spec: universe MCP-5
#[tokio::test]
async fn the_schemas_require_what_the_tools_need() {
    let world = World::start().await;
    let tools = tools(&world).await;
    for name in ["get_universe_state", "list_universe_commands"] {
        let schema = &named(&tools, name)["inputSchema"];
        assert_eq!(schema["required"], json!(["universeId"]));
        assert_eq!(schema["properties"]["universeId"]["type"], "string");
    }
    let schema = &named(&tools, "send_universe_command")["inputSchema"];
    assert_eq!(schema["required"], json!(["universeId", "command"]));
    assert_eq!(schema["properties"]["universeId"]["type"], "string");
    let command = &schema["properties"]["command"];
    assert_eq!((&command["type"], &command["required"]), (&json!("object"), &json!(["type"])));
    assert_eq!(command["properties"]["type"]["type"], "string");
}

/// What hosts and models rely on: a change must show in review. Under 12 KB, which is what a model reads
/// before its first call, for the shapes of all commands.
#[tokio::test]
async fn the_definitions_are_as_agreed_and_small() {
    let world = World::start().await;
    let tools = tools(&world).await;
    let size = serde_json::to_string(&tools).unwrap().len();
    assert!(size < 12 * 1024, "{size} bytes");
    assert_json_snapshot!(tools);
}

/// spec: universe MCP-6a
/// spec: universe MCP-6b
/// spec: universe MCP-11
/// spec: universe MCP-12
#[tokio::test]
async fn the_state_is_one_text_of_compact_json() {
    let world = World::start().await;
    let id = world.universe(json!({"stars": {"a": {}, "b": {}, "c": {"parentId": "a"}}})).await;
    assert_eq!(id, "u-1");
    let result = world.mcp().await.call("get_universe_state", json!({"universeId": id})).await;
    assert!(result["isError"].is_null() || result["isError"] == false);
    assert_eq!(result["content"].as_array().unwrap().len(), 1);
    let state = json_of(&result);
    assert_eq!(state, world.state(&id).await);
    assert_eq!(state["stars"].as_object().unwrap().len(), 3);
}

/// spec: universe MCP-7
/// spec: universe MCP-13
#[tokio::test]
async fn the_listing_has_ten_categories_and_25_commands_whatever_the_universe() {
    let world = World::start().await;
    let (empty, full) =
        (world.universe(json!({})).await, world.universe(json!({"stars": {"a": {}}})).await);
    let mcp = world.mcp().await;
    let listing = mcp.call("list_universe_commands", json!({"universeId": empty})).await;
    let text = listing["content"][0]["text"].as_str().unwrap();
    for title in [
        "Simulation",
        "Star CRUD",
        "Star hierarchy",
        "Group CRUD",
        "Group hierarchy",
        "Small body fields",
        "Protoplanetary disks",
        "Nebulae",
        "Rings",
        "Snapshot",
    ] {
        assert!(text.contains(&format!("## {title} (")), "{title}");
    }
    let types: Value =
        serde_json::from_str(listing["content"][1]["text"].as_str().unwrap()).unwrap();
    let types = types["commandTypes"].as_array().unwrap();
    assert_eq!(
        (types.len(), &types[0], &types[24]),
        (25, &json!("tick"), &json!("replaceSnapshot"))
    );
    assert!(types.iter().all(|name| text.contains(&format!("`{}`", name.as_str().unwrap()))));
    assert_eq!(listing, mcp.call("list_universe_commands", json!({"universeId": full})).await);
}

#[tokio::test]
async fn one_category_is_listed_by_any_spelling_of_its_name() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let mcp = world.mcp().await;
    let list = async |category: &str| {
        mcp.call("list_universe_commands", json!({"universeId": id, "category": category})).await
    };
    let rings = list("rings").await;
    assert_snapshot!(rings["content"][0]["text"].as_str().unwrap(), @r"
    ## Rings (2 commands)

    | Command | Purpose | Required Fields |
    |---|---|---|
    | `updateRing` | Give a planet a ring, or change the one it has | `planetId`, `patch` |
    | `removeRing` | Take a planet's ring away | `planetId` |
    ");
    assert!(rings["content"][1]["text"].as_str().unwrap().contains("replaceSnapshot"));
    assert_eq!(list("Star CRUD").await, list("star-crud").await);
    let unknown = list("weather").await;
    assert_eq!(unknown["isError"], true);
    let body = json_of(&unknown);
    assert_eq!(
        (&body["error"], &body["category"]),
        (&json!("Unknown category"), &json!("weather"))
    );
    assert_eq!(body["availableTypes"].as_array().unwrap().len(), 25);
}

/// spec: universe MCP-8
/// spec: universe MCP-9
#[tokio::test]
async fn a_command_sent_with_the_tool_is_kept_and_shown_to_everybody() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let mut feed = world.feed(&id, &[]).await;
    let result = world.mcp().await.command(&id, tick()).await;
    assert_ne!(result["isError"], true);
    let outcome = json_of(&result);
    assert_eq!((&outcome["nextState"]["time"], &outcome["events"]), (&json!(1), &json!([])));
    assert_eq!(world.state(&id).await["time"], 1);
    assert_eq!(feed.next().await.unwrap(), "id: 2\nevent: command\ndata: {\"type\":\"tick\"}");
}

#[tokio::test]
async fn an_agent_may_ask_for_the_answer_without_the_state() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let arguments = json!({"universeId": id, "command": add("a", None), "state": "none"});
    let result = world.mcp().await.call("send_universe_command", arguments).await;
    assert_snapshot!(result["content"][0]["text"].as_str().unwrap(), @r#"{"events":[{"type":"starAdded","id":"a"}],"applied":true,"revision":2}"#);
}

/// spec: universe MCP-14a
/// spec: universe MCP-14b
/// spec: universe MCP-16
#[tokio::test]
async fn an_unknown_universe_is_an_error_that_names_it() {
    let world = World::start().await;
    let mcp = world.mcp().await;
    for (tool, arguments) in [
        ("get_universe_state", json!({"universeId": "u-missing"})),
        ("list_universe_commands", json!({"universeId": "u-missing"})),
        ("send_universe_command", json!({"universeId": "u-missing", "command": tick()})),
    ] {
        let result = mcp.call(tool, arguments).await;
        assert_eq!(result["isError"], true);
        assert_eq!(
            result["content"],
            json!([{"type": "text", "text": r#"{"error":"Universe not found","universeId":"u-missing"}"#}])
        );
    }
}

/// spec: universe MCP-10
#[tokio::test]
async fn every_result_is_a_list_of_texts() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let mcp = world.mcp().await;
    for (tool, arguments) in [
        ("get_universe_state", json!({"universeId": id})),
        ("get_universe_state", json!({"universeId": "u-missing"})),
        ("list_universe_commands", json!({"universeId": id})),
        ("send_universe_command", json!({"universeId": id, "command": tick()})),
        ("send_universe_command", json!({"universeId": id, "command": {"type": "tick", "dt": []}})),
        ("send_universe_command", json!({"universeId": id})),
    ] {
        let result = mcp.call(tool, arguments).await;
        let content = result["content"].as_array().unwrap();
        assert!(!content.is_empty());
        for entry in content {
            assert_eq!(entry["type"], "text");
            assert!(entry["text"].as_str().is_some_and(|text| !text.is_empty()));
        }
    }
}

/// spec: universe MCP-15
#[tokio::test]
async fn a_failure_of_ours_is_told_and_the_server_goes_on() {
    let (store, journal) = Elsewhere::of(&Store::memory());
    let world = World::with(&Config::default(), store).await;
    let id = world.universe(json!({})).await;
    let mcp = world.mcp().await;
    journal.broken.store(true, Ordering::SeqCst);
    let failed = mcp.command(&id, tick()).await;
    assert_eq!(failed["isError"], true);
    assert_snapshot!(failed["content"][0]["text"].as_str().unwrap(), @r#"{"error":"Command processing failed","universeId":"u-1","message":"the universe cannot be read or written now"}"#);
    let (status, reply) =
        world.send(Method::POST, &format!("/universes/{id}/commands"), Some(tick())).await;
    assert_eq!((status.as_u16(), reply), (500, json!({"error": "Internal server error"})));
    journal.broken.store(false, Ordering::SeqCst);
    assert_eq!(json_of(&mcp.command(&id, tick()).await)["nextState"]["time"], 1);
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    let world = World::start().await;
    let result = world.mcp().await.call("get_universe_state", json!({"universe": "u-1"})).await;
    assert_eq!(result["isError"], true);
    let text = result["content"][0]["text"].as_str().unwrap();
    let start =
        "MCP error -32602: Input validation error: Invalid arguments for tool get_universe_state: ";
    assert!(text.starts_with(start), "{text}");
    assert!(text.contains("`universeId`"), "{text}");
}
