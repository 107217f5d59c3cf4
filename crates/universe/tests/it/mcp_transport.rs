//! `/mcp` beside the other routes: sessions, streams, coexistence.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    add, tick,
    world::{World, initialize, text},
};

/// spec: universe MCP-17
/// spec: universe MCP-20
/// spec: universe MCP-21
#[tokio::test]
async fn initialize_opens_a_session_and_names_it() {
    let world = World::start().await;
    let response = world.mcp_post(None, &initialize()).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert!(!response.headers()["mcp-session-id"].to_str().unwrap().is_empty());
    let body = text(response).await;
    let body: Value =
        serde_json::from_str(body.lines().last().unwrap().trim_start_matches("data: ")).unwrap();
    assert_eq!(body["result"]["serverInfo"]["name"], "universe");
    assert!(body["result"]["capabilities"]["resources"].is_object());
}

/// spec: universe MCP-18a
#[tokio::test]
async fn a_session_calls_tools() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let params = json!({"name": "get_universe_state", "arguments": {"universeId": id}});
    let answer = world.mcp().await.request("tools/call", params).await;
    assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(1)));
    assert!(answer["result"]["content"].is_array());
}

/// spec: universe MCP-19
#[tokio::test]
async fn two_clients_have_two_sessions() {
    let world = World::start().await;
    assert_ne!(world.mcp().await.session, world.mcp().await.session);
}

/// spec: universe MCP-18b
/// spec: universe MCP-18c
/// spec: universe MCP-22
/// spec: universe MCP-23
#[tokio::test]
async fn a_session_has_a_stream_until_it_is_ended() {
    let world = World::start().await;
    let mcp = world.mcp().await;
    let mut stream = mcp.stream().await;
    let session = mcp.session.clone();
    let delete = async |session: &str| {
        world.raw(Method::DELETE, "/mcp", &[("mcp-session-id", session)], "").await.status()
    };
    let get = async |session: &str| {
        let headers = [("mcp-session-id", session), ("accept", "text/event-stream")];
        world.raw(Method::GET, "/mcp", &headers, "").await.status()
    };
    assert!(delete(&session).await.is_success());
    while stream.next().await.is_some() {}
    assert_eq!(get(&session).await, StatusCode::NOT_FOUND);
    assert_eq!(delete(&session).await, StatusCode::NOT_FOUND);
    assert_eq!(get("session-expired").await, StatusCode::NOT_FOUND);
    let no_session =
        world.mcp_post(None, &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).await;
    assert_eq!(no_session.status(), StatusCode::BAD_REQUEST);
}

/// spec: universe MCP-24
#[tokio::test]
async fn the_other_routes_stay_as_they_are() {
    let world = World::start().await;
    let _session = world.mcp().await;
    assert_eq!(world.get("/health").await.0, StatusCode::OK);
    assert_eq!(world.get("/universes").await, (StatusCode::OK, json!([])));
    let id = world.universe(json!({})).await;
    assert_eq!(world.command(&id, tick()).await["nextState"]["time"], 1);
}

/// spec: universe MCP-25
#[tokio::test]
async fn the_streams_do_not_mix() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let mcp = world.mcp().await;
    let subscribed =
        mcp.request("resources/subscribe", json!({"uri": format!("universe://{id}")})).await;
    assert!(subscribed["error"].is_null(), "{subscribed}");
    let mut notifications = mcp.stream().await;
    let mut feed = world.feed(&id, &[]).await;
    world.command(&id, add("a", None)).await;
    assert!(feed.next().await.unwrap().starts_with("id: 2\nevent: command\n"));
    let told = notifications.message().await;
    assert_eq!(told["method"], "notifications/resources/updated");
    drop(notifications);
    world.command(&id, tick()).await;
    assert!(feed.next().await.unwrap().starts_with("id: 3\nevent: command\n"));
}
