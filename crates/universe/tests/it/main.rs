//! The application as its clients see it, over real sockets.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod concurrency;
mod feeds;
mod mcp_resources;
mod mcp_tools;
mod mcp_transport;
mod rest;
mod same_answer;
mod world;

use serde_json::{Value, json};

fn add(id: &str, parent: Option<&str>) -> Value {
    json!({"type": "addStar", "id": id, "payload": {"parentId": parent}})
}

fn tick() -> Value {
    json!({"type": "tick"})
}
