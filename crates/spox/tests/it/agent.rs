//! A coding agent: one MCP session.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::{body::Body, response::Response};
use http::{Request, StatusCode};
use serde_json::{Value, json};

use crate::world::{World, text};

pub(crate) struct Agent<'w> {
    world: &'w World,
    pub(crate) session: String,
    next: AtomicU64,
    /// The answer to `initialize`.
    pub(crate) hello: Value,
}

impl World {
    pub(crate) async fn agent(&self) -> Agent<'_> {
        let agent = Agent {
            world: self,
            session: String::new(),
            next: AtomicU64::new(1),
            hello: Value::Null,
        };
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "test", "version": "0"},
        });
        let response = agent.post(&agent.message("initialize", &hello)).await;
        assert_eq!(response.status(), StatusCode::OK);
        let session = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        let mut hello: Value = serde_json::from_str(&text(response).await).unwrap();
        Agent { session, hello: hello["result"].take(), ..agent }
    }
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
        self.world.send(request.body(Body::from(message.to_string())).unwrap()).await
    }

    /// The whole JSON-RPC answer.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        let response = self.post(&self.message(method, &params)).await;
        assert_eq!(response.status(), StatusCode::OK);
        let text = text(response).await;
        // An answer with news before it comes as a stream.
        let last = text.lines().filter_map(|line| line.strip_prefix("data: ")).next_back();
        serde_json::from_str(last.unwrap_or(&text)).unwrap()
    }

    /// The whole answer to a call of a tool.
    pub(crate) async fn answer(&self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await
    }

    /// The object that a tool gives: the same as structured content and as indented text, and as its schema says.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let mut answer = self.answer(tool, arguments).await;
        let mut result = answer["result"].take();
        assert_eq!(result["isError"].as_bool(), Some(false), "{answer} {result}");
        let object = result["structuredContent"].take();
        let text = result["content"][0]["text"].as_str().unwrap();
        assert_eq!(text, serde_json::to_string_pretty(&object).unwrap());
        let tools = self.ask("tools/list", json!({})).await;
        let tools = tools["result"]["tools"].as_array().unwrap();
        let schema = &tools.iter().find(|known| known["name"] == tool).unwrap()["outputSchema"];
        jsonschema::validate(schema, &object).unwrap();
        object
    }

    /// What a call that must fail says: an `isError` result that is well-formed JSON.
    pub(crate) async fn problem(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.answer(tool, arguments).await;
        let result = &answer["result"];
        assert_eq!(result["isError"].as_bool(), Some(true), "{answer}");
        serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap()
    }

    /// Its message alone.
    pub(crate) async fn fails(&self, tool: &str, arguments: Value) -> String {
        self.problem(tool, arguments).await["error"].as_str().unwrap().to_owned()
    }
}
