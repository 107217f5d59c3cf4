//! Documents and universes as resources.

use http::Method;
use kit_store::Store;
use serde_json::{Value, json};
use universe::Config;

use crate::{
    concurrency::Elsewhere,
    tick,
    world::{Mcp, World},
};

async fn uris(mcp: &Mcp<'_>) -> Vec<String> {
    let list = mcp.request("resources/list", json!({})).await;
    let list = list["result"]["resources"].as_array().unwrap().clone();
    list.iter().map(|resource| resource["uri"].as_str().unwrap().to_owned()).collect()
}

async fn read(mcp: &Mcp<'_>, uri: &str) -> (String, String) {
    let answer = mcp.request("resources/read", json!({"uri": uri})).await;
    let contents = &answer["result"]["contents"][0];
    let part = |key: &str| contents[key].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    (part("mimeType"), part("text"))
}

#[tokio::test]
async fn the_documents_are_markdown_and_the_full_one_has_all() {
    let world = World::start().await;
    let mcp = world.mcp().await;
    let documents: Vec<_> =
        uris(&mcp).await.into_iter().filter(|uri| uri.starts_with("docs://")).collect();
    assert_eq!(
        documents,
        [
            "docs://universe/system-overview",
            "docs://universe/universe-structure",
            "docs://universe/commands-reference",
            "docs://universe/validation-rules",
            "docs://universe/realtime-streaming",
            "docs://universe/full",
        ]
    );
    let (kind, full) = read(&mcp, "docs://universe/full").await;
    assert_eq!(kind, "text/markdown");
    for document in &documents[..5] {
        let (_, text) = read(&mcp, document).await;
        assert!(text.len() > 300, "{document}");
        assert!(full.contains(text.trim_end()), "{document}");
    }
    for title in ["# System Overview", "# Universe Structure", "# Commands Reference"] {
        assert!(full.contains(title), "{title}");
    }
}

#[tokio::test]
async fn the_commands_reference_is_the_listing() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let mcp = world.mcp().await;
    let listing = mcp.call("list_universe_commands", json!({"universeId": id})).await;
    let (_, text) = read(&mcp, "docs://universe/commands-reference").await;
    assert_eq!(listing["content"][0]["text"], text);
}

#[tokio::test]
async fn an_agent_finds_universes_reads_them_and_completes_their_ids() {
    let world = World::start().await;
    let id = world.universe(json!({"stars": {"a": {}}})).await;
    let mcp = world.mcp().await;
    assert!(uris(&mcp).await.contains(&"universe://u-1".to_owned()));
    let (kind, text) = read(&mcp, "universe://u-1").await;
    assert_eq!(kind, "application/json");
    let (_, record) = world.get(&format!("/universes/{id}")).await;
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), record);

    let templates = mcp.request("resources/templates/list", json!({})).await;
    assert_eq!(templates["result"]["resourceTemplates"][0]["uriTemplate"], "universe://{id}");
    let complete = async |typed: &str| {
        let params = json!({"ref": {"type": "ref/resource", "uri": "universe://{id}"},
            "argument": {"name": "id", "value": typed}});
        mcp.request("completion/complete", params).await["result"]["completion"]["values"].take()
    };
    assert_eq!(complete("u-").await, json!(["u-1"]));
    assert_eq!(complete("x").await, json!([]));

    let unknown = mcp.request("resources/read", json!({"uri": "universe://u-9"})).await;
    assert_eq!(unknown["error"]["message"], "Universe not found");
    assert!(unknown["error"].to_string().contains("u-9"), "{unknown}");
}

/// Passes over other notifications to the next of this kind.
async fn hears(stream: &mut crate::world::Events, method: &str) -> Value {
    loop {
        let mut message = stream.message().await;
        if message["method"] == method {
            return message["params"].take();
        }
    }
}

#[tokio::test]
async fn a_subscriber_hears_of_changes_from_every_surface_and_replica() {
    let store = Store::memory();
    let here = World::with(&Config::default(), store.clone()).await;
    let (other, _) = Elsewhere::of(&store);
    let there = World::with(&Config::default(), other).await;
    let id = here.universe(json!({})).await;
    let mcp = there.mcp().await;
    mcp.request("resources/subscribe", json!({"uri": "universe://u-1"})).await;
    let mut stream = mcp.stream().await;
    let updated = "notifications/resources/updated";

    mcp.command(&id, tick()).await;
    assert_eq!(hears(&mut stream, updated).await["uri"], "universe://u-1");
    there.command(&id, tick()).await;
    assert_eq!(hears(&mut stream, updated).await["uri"], "universe://u-1");
    there.send(Method::PUT, &format!("/universes/{id}"), Some(json!({"name": "N"}))).await;
    hears(&mut stream, "notifications/resources/list_changed").await;
    here.clock.pass(1);
    assert_eq!(hears(&mut stream, updated).await["uri"], "universe://u-1");
    let before = there.state(&id).await["time"].clone();
    assert_eq!(before, 2);

    here.send(Method::POST, "/universes", Some(json!({"name": "B", "state": {}}))).await;
    hears(&mut stream, "notifications/resources/list_changed").await;
}

#[tokio::test]
async fn summary_history_and_the_list_are_read_completed_and_watched() {
    let world = World::start().await;
    let id = world.universe(crate::rich_state()).await;
    let mcp = world.mcp().await;
    assert!(uris(&mcp).await.contains(&"universe://".to_owned()));
    let (_, list) = read(&mcp, "universe://").await;
    let (_, thin) = world.get("/universes?state=none").await;
    assert_eq!(serde_json::from_str::<Value>(&list).unwrap(), thin);
    let (_, history) = read(&mcp, "universe://u-1/history").await;
    let (_, page) = world.get(&format!("/universes/{id}/history")).await;
    assert_eq!(serde_json::from_str::<Value>(&history).unwrap(), page);
    let (_, summary) = read(&mcp, "universe://u-1/summary").await;
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(
        (&summary["counts"]["stars"], &summary["groups"][0]["members"]),
        (&json!(4), &json!(2))
    );

    for template in ["universe://{id}", "universe://{id}/summary", "universe://{id}/history"] {
        let params = json!({"ref": {"type": "ref/resource", "uri": template},
            "argument": {"name": "id", "value": "u"}});
        let done = mcp.request("completion/complete", params).await;
        assert_eq!(done["result"]["completion"]["values"], json!(["u-1"]), "{template}");
    }
    for uri in ["universe://u-9/summary", "universe://u-9/history", "universe:///summary"] {
        let answer = mcp.request("resources/read", json!({"uri": uri})).await;
        assert_eq!(answer["error"]["message"], "Universe not found", "{uri}");
    }
    for uri in ["universe://", "universe://u-1/summary", "universe://u-1/history"] {
        mcp.request("resources/subscribe", json!({"uri": uri})).await;
    }
    let mut stream = mcp.stream().await;
    world.command(&id, tick()).await;
    let updated = "notifications/resources/updated";
    let mut heard = [hears(&mut stream, updated).await, hears(&mut stream, updated).await];
    heard.sort_by_key(|params| params["uri"].to_string());
    assert_eq!(heard[0]["uri"], "universe://u-1/history");
    assert_eq!(heard[1]["uri"], "universe://u-1/summary");
    world.universe(json!({})).await;
    assert_eq!(hears(&mut stream, updated).await["uri"], "universe://");
}
