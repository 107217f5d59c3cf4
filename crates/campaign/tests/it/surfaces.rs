//! Whoever asks, and however: the answer is the same.

use std::sync::Arc;

use axum::{Router, body::Body};
use http_body_util::BodyExt as _;
use kit_app::{Deps, Mount, SystemClock};
use kit_mcp::{
    Hub, Mode, Options, Server,
    http::{Endpoint, routes},
};
use kit_store::Store;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

/// The application over an empty store.
fn campaign() -> (Mount, Store) {
    let store = Store::memory();
    let deps = Deps {
        store: store.clone(),
        clock: Arc::new(SystemClock),
        hub: Hub::default(),
        data_dir: std::env::temp_dir(),
        shutdown: CancellationToken::new(),
    };
    (campaign::mount(&campaign::Config::default(), &deps), store)
}

async fn post(routes: Router, path: &str, body: &Value) -> Value {
    let request = axum::http::Request::post(path)
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .body(Body::from(body.to_string()))
        .unwrap();
    let reply = routes.oneshot(request).await.unwrap().into_body().collect().await.unwrap();
    serde_json::from_slice(&reply.to_bytes()).unwrap()
}

async fn over_http(text: &str) -> Value {
    let (campaign, _) = campaign();
    post(campaign.routes, "/logs/harbour/entries", &json!({ "text": text })).await
}

/// What the model reads, be it an answer or a refusal.
async fn over_mcp(text: &str) -> Value {
    let (campaign, store) = campaign();
    let server = Server::single(campaign.mcp, Options::default());
    let endpoint = Endpoint {
        name: "campaign".into(),
        mode: Mode::Stateless,
        sessions: store.sessions,
        signals: store.signals,
        shutdown: CancellationToken::new(),
    };
    let arguments = json!({ "log": "harbour", "text": text });
    let params = json!({ "name": "add_entry", "arguments": arguments });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let reply = post(routes(server, endpoint), "/mcp", &call).await;
    // A refusal is told in the text alone: the structured content is what the tool promises on success.
    let text = reply["result"]["content"][0]["text"].as_str().unwrap();
    serde_json::from_str(text).unwrap()
}

#[tokio::test]
async fn mcp_and_http_give_the_same_answer() {
    let answer = over_http("high water").await;
    assert_eq!(answer, json!({ "version": 1, "entries": ["high water"] }));
    assert_eq!(over_mcp("high water").await, answer);
}

#[tokio::test]
async fn mcp_and_http_refuse_in_the_same_words() {
    let (http, mcp) = (over_http(" ").await, over_mcp(" ").await);
    assert_eq!(http["error"], "`text` is empty");
    for field in ["error", "code", "hint"] {
        assert_eq!(http[field], mcp[field], "{field}");
    }
}
