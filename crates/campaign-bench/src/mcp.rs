//! MCP over HTTP, in sessions.

use std::net::SocketAddr;

use anyhow::{Context, bail};
use bench_kit::{Connection, FIRST_ID, HttpLoad, Request, mcp_headers, post};
use serde_json::{Value, json};

use crate::{client::Client, task::Task};

/// A client with a session of its own.
pub(crate) struct McpClient {
    connection: Connection,
    headers: String,
}

impl McpClient {
    pub(crate) fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let mut connection = Connection::open(address)?;
        let headers = mcp_headers(Some(&connection.begin()?));
        Ok(Self { connection, headers })
    }

    fn ask(&mut self, method: &str, params: &Value) -> anyhow::Result<Value> {
        let answer = self.connection.post(&self.headers, &message(method, params))?;
        let answer: Value = serde_json::from_slice(answer.body)?;
        Ok(answer.get("result").with_context(|| format!("`{method}`: {answer}"))?.clone())
    }

    /// What a tool answers: its structured content, which the text beside it must equal.
    fn tool(&mut self, name: &str, arguments: &Value) -> anyhow::Result<Value> {
        let params = json!({"name": name, "arguments": arguments});
        let result = self.ask("tools/call", &params)?;
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        let content = &result["structuredContent"];
        if serde_json::from_str::<Value>(text).ok().as_ref() != Some(content) {
            bail!("`{name}` says one thing as text and another as structured content: {result}");
        }
        Ok(content.clone())
    }
}

impl Client for McpClient {
    fn create_campaign(&mut self) -> anyhow::Result<String> {
        let made = self.tool("campaign_create", &json!({"name": "Bench", "gm_mode": "HUMAN"}))?;
        Ok(made["id"].as_str().context("a campaign without an id")?.to_owned())
    }

    fn call(&mut self, task: Task, campaign: &str) -> anyhow::Result<Value> {
        self.tool(task.tool(), &task.arguments(campaign))
    }

    fn participants(&mut self, campaign: &str) -> anyhow::Result<u64> {
        let read = self.ask("resources/read", &json!({"uri": "campaigns://list"}))?;
        let text = read["contents"][0]["text"].as_str().context("a list without text")?;
        let list: Value = serde_json::from_str(text)?;
        let mut all = list["campaigns"].as_array().into_iter().flatten();
        let found = all.find(|record| record["id"] == campaign).context("no such campaign")?;
        found["participant_count"].as_u64().context("a campaign without a count")
    }
}

/// Open connections, each with a session of its own, that repeat `task`.
pub(crate) fn load(
    address: SocketAddr,
    task: Task,
    campaign: &str,
    lanes: usize,
) -> anyhow::Result<HttpLoad> {
    let params = json!({"name": task.tool(), "arguments": task.arguments(campaign)});
    let body = message("tools/call", &params);
    HttpLoad::open(address, lanes, task.mark(), |connection| {
        let headers = mcp_headers(Some(&connection.begin()?));
        Request::new(post(address, &headers, &body))
    })
}

/// The id comes first, where the load writes the next one over it.
fn message(method: &str, params: &Value) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{FIRST_ID},"method":"{method}","params":{params}}}"#)
}
