//! A table that agents sit at: the MCP endpoint, with or without a session.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use axum::{Router, body::Body, response::Response};
use campaign::{Config, mount_with};
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use kit_app::Deps;
use kit_mcp::{Hub, Options, Server, http::Endpoint};
use kit_store::Store;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use crate::{
    bed::{Counted, FakeClock, soon},
    world::text,
};

/// A server whose ids are `camp_1`, `part_2`, …
pub(crate) struct Hall {
    pub(crate) routes: Router,
    shutdown: CancellationToken,
}

impl Drop for Hall {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}

impl Hall {
    pub(crate) fn open() -> Self {
        Self::on(Store::memory())
    }

    pub(crate) fn on(store: Store) -> Self {
        let (hub, shutdown) = (Hub::default(), CancellationToken::new());
        let deps = Deps {
            store: store.clone(),
            clock: Arc::new(FakeClock::default()),
            hub: hub.clone(),
            data_dir: "unused".into(),
            shutdown: shutdown.clone(),
        };
        let mount = mount_with(&Config::default(), &deps, Arc::new(Counted::default()));
        let server = Server::single(mount.mcp, Options { hub, ..Options::default() });
        let endpoint = Endpoint {
            name: mount.name.into(),
            mode: mount.mode,
            sessions: store.sessions,
            signals: store.signals,
            shutdown: shutdown.clone(),
        };
        let mcp = kit_mcp::http::routes(server, endpoint);
        Self { routes: mount.routes.merge(mcp).merge(mount.root), shutdown }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Response {
        self.routes.clone().oneshot(request).await.unwrap()
    }

    /// A REST request that must succeed.
    pub(crate) async fn rest(&self, method: Method, path: &str, body: Value) -> Value {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("content-type", "application/json")
            .body(Body::from(body.to_string()));
        let response = self.send(request.unwrap()).await;
        let (status, text) = (response.status(), text(response).await);
        assert!(status.is_success(), "{path}: {status} {text}");
        serde_json::from_str(&text).unwrap()
    }

    /// Somebody who comes to the table.
    pub(crate) async fn agent(&self) -> Agent<'_> {
        let agent = Agent { hall: self, session: String::new(), next: AtomicU64::new(1) };
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "test", "version": "0"},
        });
        let response = agent.post(&agent.message("initialize", &hello)).await;
        assert_eq!(response.status(), StatusCode::OK);
        let session = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        Agent { session, ..agent }
    }
}

/// One MCP session.
pub(crate) struct Agent<'h> {
    hall: &'h Hall,
    session: String,
    next: AtomicU64,
}

impl Agent<'_> {
    fn message(&self, method: &str, params: &Value) -> Value {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
    }

    async fn post(&self, message: &Value) -> Response {
        let mut request = Request::post("/mcp")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        if !self.session.is_empty() {
            request = request.header("mcp-session-id", &self.session);
        }
        self.hall.send(request.body(Body::from(message.to_string())).unwrap()).await
    }

    /// The whole JSON-RPC answer.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        let response = self.post(&self.message(method, &params)).await;
        assert_eq!(response.status(), StatusCode::OK);
        serde_json::from_str(&text(response).await).unwrap()
    }

    /// The whole result of a tool.
    pub(crate) async fn result(&self, tool: &str, arguments: Value) -> Value {
        let mut answer =
            self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await;
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].take()
    }

    /// The object that a tool gives, the same as structured content and as text.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let mut result = self.result(tool, arguments).await;
        assert_eq!(result["isError"].as_bool(), Some(false), "{result}");
        let text: Value =
            serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"]);
        self.fits_its_schema(tool, &result["structuredContent"]).await;
        result["structuredContent"].take()
    }

    /// Clients hold answers against the announced schema, and refuse what does not fit.
    async fn fits_its_schema(&self, tool: &str, answer: &Value) {
        let list = self.ask("tools/list", json!({})).await;
        let tools = list["result"]["tools"].as_array().unwrap().clone();
        let schema = tools.into_iter().find(|listed| listed["name"] == tool).unwrap();
        let schema = jsonschema::validator_for(&schema["outputSchema"]).unwrap();
        if let Err(error) = schema.validate(answer) {
            panic!("`{tool}` at `{}`: {error}", error.instance_path());
        }
    }

    /// What a tool says that fails; the text and `_meta.error` agree.
    pub(crate) async fn fails(&self, tool: &str, arguments: Value) -> String {
        let result = self.result(tool, arguments).await;
        assert_eq!(result["isError"], true, "{result}");
        let error = &result["_meta"]["error"];
        let text =
            format!("{}: {}", error["code"].as_str().unwrap(), error["message"].as_str().unwrap());
        assert!(result["content"][0]["text"].as_str().unwrap().starts_with(&text), "{result}");
        text
    }

    /// What a resource holds.
    pub(crate) async fn read(&self, uri: &str) -> Value {
        let answer = self.ask("resources/read", json!({"uri": uri})).await;
        let contents = &answer["result"]["contents"][0];
        assert_eq!(contents["uri"], uri, "{answer}");
        assert_eq!(contents["mimeType"], "application/json");
        serde_json::from_str(contents["text"].as_str().unwrap()).unwrap()
    }

    /// A campaign by this agent.
    pub(crate) async fn campaign(&self) -> String {
        let made = self.call("campaign_create", json!({"name": "Test", "gm_mode": "HUMAN"})).await;
        made["id"].as_str().unwrap().to_owned()
    }

    /// The stream of what this session is told.
    pub(crate) async fn listen(&self) -> Told {
        let request = Request::get("/mcp")
            .header("accept", "text/event-stream")
            .header("mcp-session-id", &self.session)
            .body(Body::empty());
        let response = self.hall.send(request.unwrap()).await;
        assert_eq!(response.status(), StatusCode::OK);
        Told { response, text: String::new() }
    }
}

/// What a session is told.
pub(crate) struct Told {
    response: Response,
    text: String,
}

impl Told {
    /// The next resource that is said to have changed.
    pub(crate) async fn uri(&mut self) -> String {
        loop {
            while let Some((block, rest)) = self.text.split_once("\n\n") {
                let data = block.lines().find_map(|line| line.strip_prefix("data: "));
                let message: Value =
                    data.and_then(|data| serde_json::from_str(data).ok()).unwrap_or_default();
                self.text = rest.to_string();
                if message["method"] == "notifications/resources/updated" {
                    return message["params"]["uri"].as_str().unwrap().to_owned();
                }
            }
            let frame = soon(self.response.body_mut().frame()).await.unwrap().unwrap();
            self.text.push_str(std::str::from_utf8(&frame.into_data().unwrap()).unwrap());
        }
    }
}
